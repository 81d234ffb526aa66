import Associations
import Diagnostics
import LinkIndex
import Resolution
import SiteConfiguration
import Synchronization
import URISyntax

/// The rows of an export of Firebase Dynamic Links (Google Takeout), as links of a collection. The
/// columns are those of the documentation of the export, whose literal titles it does not have: so
/// they are found by several names, or by their order.
final class FirebaseExport: Sendable {
    let collection: ServedCollection
    /// The domain of the short links, if the operator names one.
    private let domain: String?
    /// The short links of the rows before.
    private let seen = Mutex(Set<String>())

    init(collection: ServedCollection, domain: String?) {
        (self.collection, self.domain) = (collection, domain)
    }

    /// Whether no earlier row had the short link: of two rows, nobody knows which is right.
    func isFirst(_ slug: String) -> Bool { seen.withLock { $0.insert(slug).inserted } }

    /// What a row becomes, and what of it is not kept.
    struct Row {
        let json: JSONText
        let notes: [PointedFault]
    }

    // MARK: Titles

    /// The columns in the documented order: the parameter, and other names.
    private static let columns: [(key: String, names: [String])] = [
        ("short", ["shortlink", "shortdynamiclink"]), ("link", ["link", "deeplink"]),
        ("apn", ["androidpackagename"]), ("afl", ["androidfallbacklink"]),
        ("amv", ["androidminpackageversioncode", "androidminimumversion"]),
        ("ibi", ["iosbundleid"]), ("ifl", ["iosfallbacklink"]), ("ius", ["ioscustomscheme"]),
        ("ipfl", ["ipadfallbacklink", "iosipadfallbacklink"]),
        ("ipbi", ["ipadbundleid", "iosipadbundleid"]), ("isi", ["iosappstoreid", "appstoreid"]),
        ("imv", ["iosminimumversion"]), ("efr", ["enableforcedredirect", "forcedredirect"]),
        ("ofl", ["desktopfallback", "desktopfallbacklink"]), ("st", ["socialtitle"]),
        ("sd", ["socialdescription"]), ("si", ["socialimage", "socialimagelink"]),
        ("utm_source", ["utmsource"]), ("utm_medium", ["utmmedium"]),
        ("utm_campaign", ["utmcampaign"]), ("utm_term", ["utmterm"]),
        ("utm_content", ["utmcontent"]), ("at", ["itunesconnectat"]), ("ct", ["itunesconnectct"]),
        ("mt", ["itunesconnectmt"]), ("pt", ["itunesconnectpt"]),
        ("archived", ["archived", "isarchived"]), ("name", ["name", "linkname"]),
        ("created", ["created", "createdat", "creationtime", "creationtimestamp"]),
    ]

    /// The columns of a first line.
    /// - Returns: their keys, empty for those that are not known, and whether the line is a row. Nil
    ///   if it has no column of short links or none of links, and not the documented number.
    static func titles(_ cells: [String]) -> (keys: [String], isRow: Bool)? {
        let keys = cells.map(key)
        if keys.contains("short"), keys.contains("link") { return (keys, false) }
        guard cells.count == columns.count else { return nil }
        return (columns.map(\.key), cells[0].contains("://"))
    }

    /// `Deep link (link)`, `deep_link` and `link` are the same column.
    private static func key(of title: String) -> String {
        let bytes = Array(title.utf8)
        let open = bytes.firstIndex(of: UInt8(ascii: "(")) ?? bytes.endIndex
        let texts = [bytes[...], bytes[open...], bytes[..<open]].map { part in
            String(
                decoding: part.filter { $0.isLetter || $0.isDigit }, as: UTF8.self
            ).lowercased()
        }
        for text in texts where !text.isEmpty {
            let found = columns.first { $0.key == text || $0.names.contains(text) }
            if let found { return found.key }
        }
        return ""
    }

    // MARK: Rows

    func row(_ cells: [String], _ titles: [String]) throws(Problem) -> Row {
        guard !titles.isEmpty else {
            throw Problem(
                .invalidContent,
                "the first line names no columns `Short link` and `Deep link`, and has not the "
                    + "\(Self.columns.count) columns of an export")
        }
        var reader = RowReader(collection: collection)
        for (title, cell) in zip(titles, cells) where !title.isEmpty && !cell.isEmpty {
            reader.values[title] = cell
        }
        try checkDomain(reader.values["short"] ?? "")
        return Row(json: reader.json(), notes: reader.notes)
    }

    /// An export has the links of one domain: those of another one would be taken for links of this.
    private func checkDomain(_ short: String) throws(Problem) {
        guard let url = try? LinkURL(short) else { return }
        let host = url.requestedHost
        guard !collection.site.site.serves(host), domain != host else { return }
        throw .invalid([
            PointedFault(
                "/short", .wrongValue,
                "the short link is on \(quoted(host)), and the collection on "
                    + collection.site.site.hosts.map(\.description).joined(separator: ", "),
                advice: "import the export of the collection's domain; if these links move to it, "
                    + "name their domain: domain=\(host)")
        ])
    }
}

private struct RowReader {
    let collection: ServedCollection
    var values = [String: String]()
    private(set) var notes = [PointedFault]()

    init(collection: ServedCollection) { self.collection = collection }

    mutating func json() -> JSONText {
        var link = FirebaseLink(values, opening: collection.openingApps)
        var members: [(key: String, value: JSONText)] = [
            ("collection", .string(collection.name.description)),
            ("slug", .string(suffix(values["short"] ?? ""))),
        ]
        members += link.members()
        notes = link.notes.map(PointedFault.init)
        if let name = values["name"] { members.append(("note", .string(name))) }
        if let text = values["archived"] {
            let flag = FirebaseLink.flag(text)
            if flag == nil { note("archived", FirebaseLink.noFlag(text)) }
            if flag == true { members.append(("archived", .boolean(true))) }
        }
        if let created = created() { members.append(("created", .string(created))) }
        return .object(members)
    }

    private mutating func note(_ parameter: String, _ detail: String) {
        notes.append(PointedFault("/\(parameter)", .wrongValue, detail))
    }

    /// What is behind the last slash of a short link.
    private func suffix(_ short: String) -> String {
        let bytes = short.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = bytes.split(separator: UInt8(ascii: "/")).last
        return last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// RFC 3339, also with a space or without a zone, or seconds or milliseconds since 1970.
    private mutating func created() -> String? {
        guard let text = values["created"] else { return nil }
        if let number = Int(text), number > 0 {
            let seconds = number > 100_000_000_000 ? number / 1_000 : number
            if seconds < 253_402_300_800 { return Timestamp(seconds: seconds).description }
        }
        var bytes = Array(text.utf8)
        if bytes.count > 10, bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
        var written = String(decoding: bytes.prefix(19), as: UTF8.self)
        let zone = bytes.dropFirst(19).drop { $0 == UInt8(ascii: ".") || $0.isDigit }
        let isUTC = zone.isEmpty || zone.elementsEqual(" UTC".utf8)
        written += isUTC ? "Z" : String(decoding: zone, as: UTF8.self)
        if let time = try? Timestamp(written) { return time.description }
        note("created", "\(quoted(text)) is no time; the link is as old as its import")
        return nil
    }
}

extension PointedFault {
    init(_ note: FirebaseNote) {
        self.init("/\(note.parameter)", .wrongValue, note.detail, advice: note.advice)
    }
}
