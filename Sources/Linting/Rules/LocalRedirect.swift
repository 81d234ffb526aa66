import Diagnostics
import SiteConfiguration
import URISyntax

extension Site {
    /// Redirects that lead visitors of a public host to their own machine.
    var localRedirects: [Diagnostic] {
        guard let host = hosts.first(where: { !$0.isLoopback }) else { return [] }
        func finding(
            _ subject: String, _ url: WebURL?, at position: SourcePosition
        ) -> Diagnostic? {
            guard let url, url.host.isLoopback else { return nil }
            return Diagnostic(
                .warning, .localRedirect, at: position,
                "\(subject) leads visitors of \(host) to \(url.host), which is their own machine",
                advice: "write the host on which they find the page, such as \(host)")
        }
        var found = [Diagnostic?]()
        func url(_ template: URLTemplate) -> WebURL? { try? WebURL(template.filled(with: "x")) }
        if case .redirect(let template, _) = unmatched {
            found.append(finding("`unmatched`", url(template), at: position))
        }
        found.append(finding("`change-password`", wellKnown.changePassword, at: position))
        for link in webLinks {
            for template in link.templates {
                let position = link.position(ofRedirectTo: template) ?? position
                found.append(finding("link \(quoted(link.key))", url(template), at: position))
            }
        }
        return found.compactMap(\.self)
    }
}

extension HostName {
    /// Whether the name or address is of the visitor's own machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3).
    fileprivate var isLoopback: Bool {
        let name = "\(self)"
        return name == "localhost" || name.utf8.suffix(10).elementsEqual(".localhost".utf8)
            || name == "[::1]" || name == "::1"
            || (isAddress && name.utf8.starts(with: "127.".utf8))
    }
}
