import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

extension Environment {
    /// Web actions that lead to a path of this environment which opens the app again.
    var webLoops: [Diagnostic] {
        let published = publications.filter { $0.app.ios != nil }
        var diagnostics = [Diagnostic]()
        for publication in published {
            let rules = publication.components.compactMap(\.pattern)
            for link in publication.links {
                guard let (path, template) = link.web.flatMap(redirectedPath),
                    let position = link.position(of: .redirect(template))
                else { continue }
                var steps = stepsMax
                guard let sample = SamplePath(path), rules.opens(sample, steps: &steps) else {
                    continue
                }
                diagnostics.append(
                    Diagnostic(
                        .warning, LinkRule.webLoop.rawValue, at: position,
                        "browsers are sent to \(quoted(path)) of the same host, which opens app "
                            + "\(quoted(publication.app.key))",
                        advice: "exclude that path, or serve the page from another host"))
            }
        }
        return diagnostics
    }

    /// The path on a host of this environment that some platform is redirected to; a placeholder
    /// stands for some text.
    private func redirectedPath(_ actions: WebActions) -> (path: String, by: URLTemplate)? {
        let all = [actions.byPlatform[.ios], actions.byPlatform[.ipad], actions.otherwise]
        for case .redirect(let template) in all {
            let text = template.filled(with: "example")
            guard let url = try? WebURL(text), answeredHosts.contains(url.host) else { continue }
            return (url.path.isEmpty ? "/" : String(url.path), template)
        }
        return nil
    }
}

extension SamplePath {
    /// A path as it stands.
    init?(_ path: String) {
        guard !path.utf8.contains(where: { "*?$%".utf8.contains($0) }),
            let glob = Glob(path: path)
        else { return nil }
        self.init(of: glob)
    }
}

extension Component {
    var pattern: RulePattern? {
        RulePattern(
            path: path, query: query, fragment: fragment, exclude: exclude,
            caseSensitive: caseSensitive ?? true, percentEncoded: percentEncoded ?? true)
    }
}
