import Resolution
import SiteConfiguration

/// The redirects of links that a path decides alone, with their URLs among the site's bytes.
struct PreparedRedirects: Sendable {
    /// The whole paths of those that are always the same, and the folders of those that carry a
    /// segment.
    private let paths: PathTable
    private let folders: PathTable
    /// By the numbers of `paths` and of `folders`.
    private let fixed: [PreparedRedirect]
    private let carried: [PreparedRedirect]

    /// - Parameter store: gets their URLs.
    init(_ fixed: [FixedRedirect], _ carried: [CarriedRedirect], _ store: inout ResponseBytes) {
        paths = PathTable(fixed.enumerated().map { ($1.path, $0) })
        folders = PathTable(carried.enumerated().map { ($1.folder, $0) })
        self.fixed = fixed.map {
            PreparedRedirect(
                link: $0.link, location: PreparedURL(bytes: store.add($0.location)),
                status: $0.status)
        }
        self.carried = carried.map {
            PreparedRedirect(
                link: $0.link,
                location: PreparedURL(bytes: store.add($0.location), place: $0.place),
                status: $0.status)
        }
    }

    /// The redirect of the path at a place in `text`, which is the same with and without
    /// percent-encoding.
    @inline(__always)
    func find(_ text: [UInt8], _ path: Range<Int>) -> PreparedRedirect? {
        if let number = paths.find(text, path) { return fixed[number] }
        guard !carried.isEmpty, let (folder, segment) = CarriedRedirect.split(text, path),
            let number = folders.find(text, folder)
        else { return nil }
        var redirect = carried[number]
        redirect.location.segment = segment
        return redirect.location.count <= CarriedRedirect.bytesMax ? redirect : nil
    }
}

/// A redirect that is the same for every person.
struct PreparedRedirect: Sendable {
    /// The number of its link in `LinkResolver.links`.
    let link: Int
    var location: PreparedURL
    let status: RedirectStatus
}

/// A URL among the site's bytes, perhaps with a segment of a request's path at a place in it.
package struct PreparedURL: Sendable {
    /// The range of its own bytes among the site's.
    let bytes: Range<Int>
    /// The number of its own bytes before the segment; all of them where there is none.
    let place: Int
    /// The range of the segment in the request; empty for none.
    var segment = 0..<0

    /// - Parameter place: of the segment; nil for a URL that has none.
    init(bytes: Range<Int>, place: Int? = nil) {
        (self.bytes, self.place) = (bytes, place ?? bytes.count)
    }

    /// The length of the whole.
    var count: Int { bytes.count + segment.count }
    /// The ranges of its own bytes before and behind the segment.
    var beginning: Range<Int> { bytes.lowerBound..<bytes.lowerBound + place }
    var end: Range<Int> { bytes.lowerBound + place..<bytes.upperBound }
}
