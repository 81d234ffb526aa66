import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

extension Site {
    /// Redirects to an address of this environment that gets the same redirect.
    var redirectLoops: [Diagnostic] {
        var diagnostics = [Diagnostic]()
        let owners = SiteOwners([self])
        let links = webLinks.filter { !$0.actions.isEmpty }
        let matcher = RuleMatcher(links.map { $0.components.map(RuleText.init) })
        func claiming(_ path: String) -> Int? { matcher.opens(path: path).first }
        if case .redirect(let template, _) = unmatched, template.hasPath,
            let path = ownPath(of: template, owners), claiming(path) == nil
        {
            diagnostics.append(loop("`unmatched`", to: path, at: unmatchedPosition ?? position))
        }
        for (index, link) in links.enumerated() {
            for template in link.templates {
                // A fixed path may be that of a public file, which comes first.
                guard template.isFilledIn, let path = ownPath(of: template, owners),
                    template.isRequested(path, by: link) || claiming(path) == index,
                    let position = link.position(ofRedirectTo: template)
                else { continue }
                diagnostics.append(loop("link \(quoted(link.key))", to: path, at: position))
            }
        }
        return diagnostics
    }

    private func loop(_ subject: String, to path: String, at position: SourcePosition) -> Diagnostic
    {
        Diagnostic(
            .error, .redirectLoop, at: position,
            "\(subject) leads to paths of the same host, such as \(quoted(path)), which redirect "
                + "again, so browsers show an error",
            advice: "use another host, a page or `landing`")
    }

    /// The path on a host of this environment that the template leads to, filled with an example.
    private func ownPath(of template: URLTemplate, _ owners: SiteOwners) -> String? {
        let text = template.filled(with: example)
        guard let url = try? WebURL(text), owners.site(of: url.host.description) != nil,
            url.port == nil || url.port == (url.isSecure ? httpsPort ?? 443 : 80)
        else { return nil }
        return url.resolvedPath
    }
}

extension URLTemplate {
    /// Whether the path depends on the request.
    fileprivate var isFilledIn: Bool {
        parts.contains { if case .value(_, .path) = $0 { true } else { false } }
    }

    fileprivate var hasPath: Bool { parts.contains(.value(.path, in: .path)) }

    /// Whether its path, filled with the example, is the requested path. With another query, a URL
    /// may belong to another link.
    fileprivate func isRequested(_ path: String, by link: Link) -> Bool {
        let passesQuery = parts.contains(.value(.query, in: .queryItems))
        return hasPath
            && ["/\(example)", "//\(example)"].contains { path.utf8.elementsEqual($0.utf8) }
            && link.components.contains { !$0.exclude && ($0.query == nil || passesQuery) }
    }
}

private let example = "example"
