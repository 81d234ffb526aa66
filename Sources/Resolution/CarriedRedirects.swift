import Associations
package import SiteConfiguration

// Many links lead every person from a folder to another one: `/dl/*` to `https://www.example.com/dl/{1}`. All of such
// a URL but one segment is known before the request.

/// A link's redirect for the paths of a folder without a query, which every person gets at any time: its URL carries the
/// last segment of the path.
package struct CarriedRedirect: Sendable {
    /// The path of the folder, which begins and ends with a slash.
    package let folder: [UInt8]
    /// The number of the link in `LinkResolver.links`.
    package let link: Int
    /// The URL without the segment.
    package let location: [UInt8]
    /// The place of the segment in it.
    package let place: Int
    package let status: RedirectStatus

    /// Splits a path that ends with a segment that is the same with and without percent-encoding.
    /// - Parameter path: without percent-encoding.
    @inline(__always)
    package static func split(
        _ text: [UInt8], _ path: Range<Int>
    ) -> (folder: Range<Int>, segment: Range<Int>)? {
        LinkFolder.split(text.span, path)
    }

    /// The most octets of a URL with its segment: longer ones are not written.
    package static var bytesMax: Int { Destination.bytesMax }
}

extension LinkResolver {
    /// The decisions of `decide` for the paths of folders (`LinkFolder`), where the URL is always the same but for the
    /// segment.
    package var carriedRedirects: [CarriedRedirect] {
        // A long link is looked for first.
        guard !hasLongLinks else { return [] }
        let folders = LinkFolder.all(of: links) { actions[$0].carryingRedirect != nil }
        var scratch = MatchScratch()
        return folders.compactMap { folder in
            guard let (destination, status) = actions[folder.link].carryingRedirect,
                let (location, place) = location(destination, folder, &scratch)
            else { return nil }
            return CarriedRedirect(
                folder: folder.path, link: folder.link, location: location, place: place,
                status: status)
        }
    }

    /// The URL of a folder's link without the segment, and the segment's place. Two segments of one digit are tried, so
    /// that what is written for a request decides where the segment stands.
    private func location(
        _ destination: Destination, _ folder: LinkFolder, _ scratch: inout MatchScratch
    ) -> (location: [UInt8], place: Int)? {
        guard let zero = location(destination, folder, "0", &scratch),
            let one = location(destination, folder, "1", &scratch), zero.count == one.count
        else { return nil }
        let places = zero.indices.filter { zero[$0] != one[$0] }
        guard places.count == 1, zero[places[0]] == UInt8(ascii: "0"),
            one[places[0]] == UInt8(ascii: "1"),
            // A segment could be the rest of an escaped full stop.
            !zero[..<places[0]].suffix(2).contains(UInt8(ascii: "%"))
        else { return nil }
        var location = zero
        location.remove(at: places[0])
        return (location, places[0])
    }

    /// The URL that a request for a segment of the folder is led to.
    private func location(
        _ destination: Destination, _ folder: LinkFolder, _ segment: String,
        _ scratch: inout MatchScratch
    ) -> [UInt8]? {
        let text = Array("https://host".utf8) + folder.path + segment.utf8
        let host = "https://".utf8.count..<"https://host".utf8.count
        let url = LinkURL(
            ofRequest: text, host: host, port: nil, path: host.upperBound..<text.count, query: nil)
        var location = [UInt8]()
        scratch.turn(to: url)
        actions[folder.link].takeStars(0, of: url, &scratch)
        let filling = Destination.Filling(url, takesParameters: false)
        guard (try? destination.write(filling, scratch, to: &location)) != nil else { return nil }
        return location
    }
}
