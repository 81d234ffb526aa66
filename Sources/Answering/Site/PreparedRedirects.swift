import Resolution
import SiteConfiguration

/// The redirects of links that a path decides alone, with their URLs among the site's bytes.
struct PreparedRedirects: Sendable {
    private let paths: PathTable
    /// By the numbers of `paths`.
    private let redirects: [PreparedRedirect]

    /// - Parameter store: gets their URLs.
    init(_ fixed: [FixedRedirect], _ store: inout ResponseBytes) {
        paths = PathTable(fixed.enumerated().map { ($1.path, $0) })
        redirects = fixed.map {
            PreparedRedirect(link: $0.link, location: store.add($0.location), status: $0.status)
        }
    }

    /// The redirect of the path at a place in `text`.
    func find(_ text: [UInt8], _ path: Range<Int>) -> PreparedRedirect? {
        paths.find(text, path).map { redirects[$0] }
    }
}

/// A redirect that is the same for every person.
struct PreparedRedirect: Sendable {
    /// The number of its link in `LinkResolver.links`.
    let link: Int
    /// Among the site's bytes.
    let location: Range<Int>
    let status: RedirectStatus
}
