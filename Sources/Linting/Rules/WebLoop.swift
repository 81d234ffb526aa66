import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

extension Site {
    /// Web actions that lead to a path of this environment which opens the app again.
    var webLoops: [Diagnostic] {
        let published = publications.filter { $0.app.ios != nil }
        var diagnostics = [Diagnostic]()
        let owners = SiteOwners([self])
        for publication in published {
            let rules = RuleMatcher([publication.components.map(RuleText.init)])
            for link in publication.links {
                let actions = [link.web, link.times?.after].compactMap(\.self)
                guard
                    let (path, template) = actions.lazy.compactMap({ redirectedPath($0, owners) })
                        .first,
                    let position = link.position(ofRedirectTo: template),
                    !rules.opens(path: path).isEmpty
                else { continue }
                diagnostics.append(
                    Diagnostic(
                        .warning, .webLoop, at: position,
                        "browsers are sent to \(quoted(path)) of the same host, which opens app "
                            + "\(quoted(publication.app.key))",
                        advice: "exclude that path, or serve the page from another host"))
            }
        }
        return diagnostics
    }

    /// The path on a host of this environment to which some platform is redirected, with a sample
    /// text for each placeholder.
    private func redirectedPath(
        _ actions: WebActions, _ owners: SiteOwners
    ) -> (path: String, by: URLTemplate)? {
        let all = [actions.byPlatform[.ios], actions.byPlatform[.ipad], actions.otherwise]
        for case .redirect(let template, _) in all {
            let text = template.filled(with: "example")
            guard let url = try? WebURL(text), owners.site(of: url.host.description) != nil
            else { continue }
            return (url.resolvedPath, template)
        }
        return nil
    }
}
