import Diagnostics
import Resolution
private import SiteConfiguration
import Synchronization
import URISyntax

/// The rows of an export of Firebase Dynamic Links (Google Takeout), as links of a collection. The
/// columns are those of the documentation of the export, whose literal titles it does not have: so
/// they are found by several names, or by their order.
final class FirebaseExport: Sendable {
    let collection: ServedCollection
    private let api: LinkAPI
    /// The domain of the short links, if the operator names one.
    private let domain: String?
    /// The lines of the rows before, by their short links.
    private let seen = Mutex([String: Int]())

    init(collection: ServedCollection, of api: LinkAPI, domain: String?) {
        (self.collection, self.api, self.domain) = (collection, api, domain)
    }

    /// True if no earlier row had the short link: of two rows, nobody knows which is right. A row that is written
    /// again, because its transaction is, stays the first.
    func isFirst(_ slug: String, in line: Int) -> Bool {
        seen.withLock { seen in
            let first = seen[slug, default: line]
            seen[slug] = first
            return first == line
        }
    }

    /// The link that a row becomes, and notes on what of it is not kept.
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

    /// The members of a link that the columns become, and the columns.
    private static let shown: [(pointer: String, parameters: [String])] = [
        ("/slug", ["short"]), ("/destination", ["link"]), ("/app/data/link", ["link"]),
        ("/web/android", ["afl", "apn"]), ("/web/ios", ["ifl", "ibi"]), ("/web/ipad", ["ipfl"]),
        ("/web/desktop", ["ofl"]), ("/page/title", ["st"]), ("/page/description", ["sd"]),
        ("/page/image", ["si"]), ("/campaign/apple", ["pt", "ct"]), ("/note", ["name"]),
    ]

    /// Reads the first line.
    /// - Returns: the columns, whether the line is a row, and what of it is not known.
    static func heading(
        _ cells: [String]
    ) throws(Problem) -> (heading: TableHeading, isRow: Bool, notes: [PointedFault]) {
        var keys = cells.map(key)
        guard keys.contains("short"), keys.contains("link") else {
            guard cells.count == columns.count else {
                throw .invalid([
                    PointedFault(
                        "", .tableForm,
                        "the heading names no columns `Short link` and `Deep link`, and has "
                            + "\(cells.count) columns, not the \(columns.count) of an export",
                        advice: "import the CSV file of Google Takeout as it is, or leave "
                            + "format=firebase (--firebase) out")
                ])
            }
            keys = columns.map(\.key)
            let isRow = cells[0].contains("://")
            let heading = TableHeading(parameters: keys, names: isRow ? [] : cells, shown: shown)
            return (heading, isRow, [])
        }
        var (numbers, faults, notes) = ([String: Int](), [PointedFault](), [PointedFault]())
        for (index, key) in keys.enumerated() {
            if key.isEmpty {
                guard !withoutBlanks(cells[index]).isEmpty else { continue }
                notes.append(
                    PointedFault(
                        "", .unknownKey,
                        "column \(index + 1) is \(quoted(cells[index])), which is not kept"))
            } else if let first = numbers.updateValue(index + 1, forKey: key) {
                faults.append(
                    PointedFault(
                        "", .duplicateKey,
                        "the columns \(first) and \(index + 1), \(quoted(cells[first - 1])) and "
                            + "\(quoted(cells[index])), are both `\(key)`",
                        advice: "remove one of them"))
            }
        }
        guard faults.isEmpty else { throw .invalid(Array(faults.prefix(faultsMax))) }
        let heading = TableHeading(parameters: keys, names: cells, shown: shown)
        let rest = notes.count - faultsMax
        if rest > 0 {
            notes.removeSubrange(faultsMax...)
            notes.append(
                PointedFault("", .unknownKey, counted(rest, "more column", was: "not kept")))
        }
        return (heading, false, notes)
    }

    private static let faultsMax = 20

    /// `Deep link (link)`, `deep_link` and `link` are the same column.
    private static func key(of title: String) -> String {
        let bytes = Array(title.utf8)
        let open = bytes.firstIndex(of: UInt8(ascii: "(")) ?? bytes.endIndex
        let texts = [bytes[...], bytes[open...], bytes[..<open]].map { part in
            String(decoding: part.filter { $0.isLetter || $0.isDigit }, as: UTF8.self).lowercased()
        }
        for text in texts where !text.isEmpty {
            let found = columns.first { $0.key == text || $0.names.contains(text) }
            if let found { return found.key }
        }
        return ""
    }

    // MARK: Rows

    /// Texts for people, whose blanks are theirs.
    private static let prose: Set<String> = ["st", "sd", "name"]

    func row(_ cells: [String], _ heading: TableHeading) throws(Problem) -> Row {
        var reader = RowReader(collection: collection)
        for (column, cell) in zip(heading.columns, cells) where !cell.isEmpty {
            guard let parameter = column.parameter else { continue }
            let text = SpreadsheetText.read(cell, trims: !Self.prose.contains(parameter))
            if !text.isEmpty { reader.values[parameter] = text }
        }
        let short = try ExportedShortLink(
            reader.values["short"] ?? "", of: collection, api, domain: domain)
        return Row(json: reader.json(slug: short.slug), notes: reader.notes + short.notes)
    }
}

extension PointedFault {
    init(_ note: FirebaseNote) {
        self.init("/\(note.parameter)", .wrongValue, note.detail, advice: note.advice)
    }
}
