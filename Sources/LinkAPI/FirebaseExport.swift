import Associations
import Diagnostics
import LinkIndex
import SiteConfiguration
import URISyntax

/// The rows of an export of Firebase Dynamic Links (Google Takeout), as links of a collection. The
/// columns are those of the documentation of the export, whose literal titles it does not have: so
/// they are found by several names, or by their order.
struct FirebaseExport: Sendable {
    let collection: ServedCollection

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
        return Row(json: reader.json(), notes: reader.notes)
    }
}

private struct RowReader {
    let collection: ServedCollection
    var values = [String: String]()
    private(set) var notes = [PointedFault]()

    init(collection: ServedCollection) { self.collection = collection }

    private mutating func note(_ parameter: String, _ detail: String, advice: String? = nil) {
        notes.append(PointedFault("/\(parameter)", .wrongValue, detail, advice: advice))
    }

    mutating func json() -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("collection", .string(collection.name.description)),
            ("slug", .string(suffix(values["short"] ?? ""))),
            ("destination", .string(url("link") ?? "")),
        ]
        let web = web()
        if !web.isEmpty { members.append(("web", .object(web))) }
        let page = page()
        if !page.isEmpty { members.append(("page", .object(page))) }
        let apple = appleCampaign()
        if !apple.isEmpty { members.append(("campaign", .object([("apple", .object(apple))]))) }
        let data = appData()
        if !data.isEmpty { members.append(("app", .object([("data", .object(data))]))) }
        if let name = values["name"] { members.append(("note", .string(name))) }
        if flag("archived") { members.append(("archived", .boolean(true))) }
        if let created = created() { members.append(("created", .string(created))) }
        for key in ["at", "mt"] where values[key] != nil {
            note(key, "\(key) is not passed on to the App Store")
        }
        return .object(members)
    }

    /// What is behind the last slash of a short link.
    private func suffix(_ short: String) -> String {
        let bytes = short.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = bytes.split(separator: UInt8(ascii: "/")).last
        return last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: Actions

    private mutating func web() -> [(key: String, value: JSONText)] {
        let apps = collection.site.site.publications
            .filter { $0.links.contains(collection.link) }.map(\.app)
        let opensAndroid = isKnown(
            ["apn"], as: "package", among: apps.compactMap { $0.android?.package.description })
        let opensIOS = isKnown(
            ["ibi", "ipbi"], as: "bundle identifier",
            among: apps.compactMap { $0.ios?.id.bundleIdentifier })
        if let id = values["isi"], opensIOS,
            !apps.contains(where: { $0.ios?.storeIdentifier == id })
        {
            note(
                "isi", "the configuration's app has not the App Store ID \(quoted(id))",
                advice: "set `store` of the app, which is what people are led to")
        }
        if let scheme = values["ius"], !apps.contains(where: { $0.ios?.scheme == scheme }) {
            note(
                "ius", "no app that opens the collection has the scheme \(quoted(scheme))",
                advice: "set `scheme` of the app in the configuration, where it is for all links")
        }
        var web = [(key: String, value: JSONText)]()
        func add(_ platform: String, _ action: String?) {
            if let action { web.append((platform, .string(action))) }
        }
        let (afl, ifl, ipfl, ofl) = (url("afl"), url("ifl"), url("ipfl"), url("ofl"))
        add("android", afl ?? (opensAndroid ? googlePlay : nil))
        // The page before the store was Firebase's way to open the app from a browser.
        add("ios", ifl ?? (opensIOS ? (flag("efr") ? "store" : "landing") : nil))
        add("ipad", ipfl)
        add("desktop", ofl)
        return web
    }

    private static let utm = [
        "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content",
    ]

    /// Google Play's page of the app; it tells the app the link's UTM parameters.
    private var googlePlay: String {
        let parameters = utmItems { _ in true }
        guard !parameters.isEmpty, let package = values["apn"] else { return "store" }
        return "https://play.google.com/store/apps/details?id=\(package)&referrer="
            + parameters.queryEscaped
    }

    private func utmItems(where isWanted: (String) -> Bool) -> String {
        Self.utm.compactMap { name in
            values[name].flatMap { isWanted(name) ? "\(name)=\($0.queryEscaped)" : nil }
        }.joined(separator: "&")
    }

    /// Whether the link names an app that opens it. Others were refused by Firebase.
    private mutating func isKnown(
        _ parameters: [String], as kind: String, among known: [String]
    ) -> Bool {
        var isKnown = false
        for parameter in parameters {
            guard let value = values[parameter] else { continue }
            if known.contains(value) {
                isKnown = true
            } else {
                note(
                    parameter, "no app that opens the collection has the \(kind) \(quoted(value))",
                    advice: "the link leads to no store for it; add the app and publish it")
            }
        }
        return isKnown
    }

    /// The URL of a column, with the link's UTM parameters.
    private func url(_ key: String) -> String? {
        guard var text = values[key] else { return nil }
        let start = text.utf8.prefix(9).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        if start.starts(with: "http%3a".utf8) || start.starts(with: "https%3a".utf8) {
            text = queryItems("x=\(text)").first?.value ?? text
        }
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        let present = question.map {
            queryItems(String(decoding: bytes[($0 + 1)..<end], as: UTF8.self)).map(\.name)
        }
        let added = utmItems { present?.contains($0) != true }
        guard !added.isEmpty else { return text }
        let separator = question == nil ? "?" : question == end - 1 ? "" : "&"
        return String(decoding: bytes[..<end], as: UTF8.self) + separator + added
            + String(decoding: bytes[end...], as: UTF8.self)
    }

    // MARK: Other members

    private mutating func page() -> [(key: String, value: JSONText)] {
        var page = [(key: String, value: JSONText)]()
        if let title = values["st"] { page.append(("title", .string(title))) }
        if let text = values["sd"] { page.append(("description", .string(text))) }
        if let image = values["si"] {
            if image.lowercased().utf8.starts(with: "https://".utf8) {
                page.append(("image", .string(image)))
            } else {
                note("si", "the image \(quoted(image)) is left out: previews need https")
            }
        }
        return page
    }

    private mutating func appleCampaign() -> [(key: String, value: JSONText)] {
        var apple = [(key: String, value: JSONText)]()
        if let provider = values["pt"] {
            if provider.utf8.allSatisfy(\.isDigit), provider.utf8.count <= 18 {
                apple.append(("provider", .string(provider)))
            } else {
                note("pt", "\(quoted(provider)) is not a provider token, which has digits only")
            }
        }
        if let campaign = values["ct"] {
            if campaign.utf8.count <= Campaign.appleTokenBytesMax {
                apple.append(("campaign", .string(campaign)))
            } else {
                note(
                    "ct",
                    "the campaign has \(campaign.utf8.count) bytes, the App Store takes "
                        + "\(Campaign.appleTokenBytesMax)")
            }
        }
        return apple
    }

    /// Firebase's SDK gave the app the link, and the versions that it should have at least.
    private func appData() -> [(key: String, value: JSONText)] {
        ["link", "amv", "imv"].compactMap { key in
            let value = key == "link" ? url(key) : values[key]
            return value.map { (key, .string($0)) }
        }
    }

    private mutating func flag(_ key: String) -> Bool {
        guard let text = values[key] else { return false }
        switch text.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default:
            note(key, "\(quoted(text)) is neither true nor false, and counts as false")
            return false
        }
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
