import Associations
import Diagnostics
import Resolution
import SiteConfiguration
import URISyntax

/// The short link of a row of an export, whose last part becomes the slug.
struct ExportedShortLink {
    let slug: String
    /// Notes on what of it is not kept.
    private(set) var notes = [PointedFault]()

    /// - Parameters:
    ///   - text: of the cell; empty for none.
    ///   - domain: the domain that the links were on before, if the operator names one.
    init(
        _ text: String, of collection: ServedCollection, _ api: LinkAPI, domain: String?
    ) throws(Problem) {
        guard text.utf8.contains(where: { "/:.".utf8.contains($0) }) else {
            slug = text
            if !text.isEmpty { note("\(quoted(text)) is no URL, and is taken for the slug") }
            return
        }
        let host = collection.site.site.hosts[0]
        guard let url = try? LinkURL(text), url.isSecure else {
            throw Self.refusal(
                "the short link \(quoted(text)) is no URL with https",
                advice: "write it as Firebase has made it: https://\(host)/…")
        }
        let isOwnHost = api.site(of: url.requestedHost) === collection.site
        try Self.check(url, collection, isOwnHost: isOwnHost, domain)
        let path = url.bytes[url.pathRange].reversed().drop { $0 == UInt8(ascii: "/") }
        let last = Array(path.prefix { $0 != UInt8(ascii: "/") }.reversed())
        let whole = path.reversed() + [UInt8(ascii: "/")]
        let isPrefix = isOwnHost && collection.link.starPrefixes.contains(Array(whole))
        guard !last.isEmpty, !isPrefix else {
            throw Self.refusal(
                "the short link \(quoted(text)) has no slug",
                advice: "write it as Firebase has made it: https://\(url.requestedHost)/…")
        }
        if isOwnHost {
            try Self.checkPath(Array(path.dropFirst(last.count).reversed()), collection)
        }
        slug = String(decoding: last, as: UTF8.self)
        if url.query != nil { note("the query of the short link is not kept") }
        if url.fragment != nil { note("the fragment of the short link is not kept") }
        if url.path.utf8.last == UInt8(ascii: "/") {
            note("the slash at the end of the short link is not kept")
        }
    }

    private mutating func note(_ detail: String) {
        notes.append(PointedFault("/short", .wrongValue, detail))
    }

    private static func refusal(_ detail: String, advice: String) -> Problem {
        .invalid([PointedFault("/short", .wrongValue, detail, advice: advice)])
    }

    /// An export has the links of one domain: those of another one would be taken for links of this.
    private static func check(
        _ url: LinkURL, _ collection: ServedCollection, isOwnHost: Bool, _ domain: String?
    ) throws(Problem) {
        let host = url.requestedHost
        guard url.isAtOrigin(port: nil) else {
            throw refusal(
                "the short link \(quoted("\(url)")) has a user name or a port",
                advice: "write it as Firebase has made it: https://\(host)/…")
        }
        guard !isOwnHost, domain != host else { return }
        throw refusal(
            "the short link is on \(quoted(host)), and the collection on "
                + collection.site.site.hosts.map(\.description).joined(separator: ", "),
            advice: "import the export of the collection's domain; if these links move to it, "
                + "name their domain: domain=\(host) (--domain)")
    }

    /// A domain can have links below several paths, with equal suffixes: they are of several
    /// collections.
    /// - Parameter before: the path up to the slug.
    private static func checkPath(
        _ before: [UInt8], _ collection: ServedCollection
    ) throws(Problem) {
        let prefixes = collection.link.starPrefixes
        guard !prefixes.contains(before) else { return }
        func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
        throw refusal(
            "the short link is below \(quoted(text(before))), and the collection's links are "
                + "below \(prefixes.map { quoted(text($0)) }.joined(separator: ", "))",
            advice: "import it into the collection of that path, or make one for it")
    }
}
