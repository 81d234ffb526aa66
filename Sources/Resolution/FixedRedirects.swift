import Associations
package import SiteConfiguration

// Many links lead every person to one URL. Then the path of a request decides alone, and the answer is known before
// the request.

/// A link's redirect for a path without a query, which every person gets at any time.
package struct FixedRedirect: Sendable {
    package let path: [UInt8]
    /// The number of the link in `LinkResolver.links`.
    package let link: Int
    package let location: [UInt8]
    package let status: RedirectStatus
}

extension LinkResolver {
    /// The decisions of `decide` for plain paths of rules, where the path decides alone. Each is made by the rules of
    /// all links, as for a request.
    package var fixedRedirects: [FixedRedirect] {
        // A long link is looked for first.
        guard !hasLongLinks else { return [] }
        let origin = Array("https://host".utf8)
        var (scratch, redirects) = (MatchScratch(), [FixedRedirect]())
        for (number, link) in links.enumerated() {
            guard let (location, status) = actions[number].fixedRedirect else { continue }
            for case let path? in link.components.map(\.path) where path.utf8.isPlainPath {
                let text = origin + path.utf8
                let url = LinkURL(
                    ofRequest: text, host: 8..<origin.count, port: nil,
                    path: origin.count..<text.count, query: nil)
                matcher.look(at: url, &scratch)
                var first = 0
                guard claim(from: &first, &scratch)?.link == number else { continue }
                redirects.append(
                    FixedRedirect(
                        path: Array(path.utf8), link: number, location: location, status: status))
            }
        }
        return redirects
    }
}

extension String.UTF8View {
    /// Whether a request for the path has no other form of it.
    fileprivate var isPlainPath: Bool { first == UInt8(ascii: "/") && allSatisfy(\.isOfPlainPath) }
}
