internal import Diagnostics
internal import JSONSyntax
private import URISyntax

/// The texts of the fields of a link's form, as somebody has typed them, or as a link has them.
struct LinkForm: Sendable {
    private var values = [LinkField: String]()
    /// The clocks of its times.
    private let clock: SiteClock

    subscript(field: LinkField) -> String {
        get { values[field] ?? "" }
        set { values[field] = newValue }
    }

    /// The fields of a form that was sent.
    /// - Parameter prefix: before the name of each, such as that of the fields that the link had.
    init(
        _ items: [(name: String, value: String)], prefix: String = "",
        _ clock: SiteClock = .universal
    ) {
        self.clock = clock
        var given = [String: String](minimumCapacity: items.count)
        for item in items where given[item.name] == nil { given[item.name] = item.value }
        for field in LinkField.allCases {
            let name = prefix + field.rawValue
            var value = given[name] ?? ""
            if field.isAction, value == Self.otherAction {
                let url = given["\(name)-url"]?.trimmed ?? ""
                // Without an address the choice itself is refused, beside its field.
                if !url.isEmpty { value = url }
            } else if field.isAction, value.isEmpty, let url = given["\(name)-url"]?.trimmed,
                !url.isEmpty, !url.isScalarwise(given["was.\(name)"] ?? "")
            {
                // An address that was typed counts, also where the choice was left as it was.
                value = url
            }
            values[field] = value.withoutLineEnds(keeping: field.isLong).trimmed
        }
    }

    /// The fields of the form of a link that is there, as somebody has changed them, and as the page had them.
    ///
    /// The page fills in the fields of a campaign from the destination. Where another destination was typed that has
    /// one of these parameters itself, and the field stayed as it was, the destination counts.
    static func edited(
        _ items: [(name: String, value: String)], _ clock: SiteClock
    ) -> (form: LinkForm, seen: LinkForm) {
        var form = LinkForm(items, clock)
        let seen = LinkForm(items, prefix: "was.", clock)
        let destination = form[.destination]
        guard !destination.isScalarwise(seen[.destination]) else { return (form, seen) }
        let typed = queryItems(query(of: destination))
        for field in LinkField.campaignFields
        where form[field].isScalarwise(seen[field])
            && typed.contains(where: { $0.name.isScalarwise(field.rawValue) })
        {
            form[field] = ""
        }
        return (form, seen)
    }

    /// The choice of an action that is written in the field beside it.
    static let otherAction = "url"

    /// The fields of a link.
    init(link: JSONValue, _ clock: SiteClock = .universal) {
        self.clock = clock
        for field in [LinkField.collection, .slug, .note, .state] {
            self[field] = link[field.rawValue]?.text ?? ""
        }
        self[.title] = link["page"]?["title"]?.text ?? ""
        self[.description] = link["page"]?["description"]?.text ?? ""
        let image = link["page"]?["image"]
        self[.image] = image?.text ?? image?["url"]?.text ?? ""
        let destination = CampaignURL(link["destination"]?.text ?? "")
        self[.destination] = destination.rest
        for (field, value) in zip(LinkField.campaignFields, destination.values) {
            self[field] = value
        }
        if let action = link["web"]?.text { self[.everybody] = action }
        for field in LinkField.actionFields {
            if let action = link["web"]?[field.rawValue]?.text { self[field] = action }
        }
        self[.after] = link["after"]?.text ?? link["after"]?["default"]?.text ?? ""
        self[.appPath] = link["app"]?["path"]?.text ?? ""
        self[.appData] = link["app"]?["data"].map(Self.lines) ?? ""
        self[.tags] = Self.shown(tags: (link["tags"]?.elements ?? []).compactMap(\.text))
        self[.from] = TypedTime.shown(link["from"]?.text, clock)
        self[.until] = TypedTime.shown(link["until"]?.text, clock)
    }

    /// The fields in which two forms differ.
    func changes(from other: LinkForm) -> [LinkField] {
        LinkField.ofLink.filter { !self[$0].isScalarwise(other[$0]) }
    }

    // MARK: JSON

    /// The link that the form describes, without what is empty.
    var json: JSONText {
        var page = [(key: String, value: JSONText)]()
        for field in [LinkField.title, .description, .image] where !self[field].isEmpty {
            page.append((field.rawValue, .string(self[field])))
        }
        let web = LinkField.actionFields.filter { !self[$0].isEmpty }
            .map { (key: $0.rawValue, value: JSONText.string(self[$0])) }
        var app = [(key: String, value: JSONText)]()
        if !self[.appPath].isEmpty { app.append(("path", .string(self[.appPath]))) }
        if !self[.appData].isEmpty { app.append(("data", Self.data(self[.appData]))) }
        var members = [(key: String, value: JSONText)]()
        func add(_ key: String, _ value: JSONText?) {
            if let value { members.append((key, value)) }
        }
        for field in [LinkField.collection, .slug] where !self[field].isEmpty {
            add(field.rawValue, .string(self[field]))
        }
        add("destination", destination.map(JSONText.string))
        for (key, own) in [("page", page), ("web", web), ("app", app)] where !own.isEmpty {
            add(key, .object(own))
        }
        if !tags.isEmpty { add("tags", .strings(tags)) }
        add("note", self[.note].nonempty.map(JSONText.string))
        for field in [LinkField.from, .until] {
            let time = self[field].nonempty.map {
                TypedTime.written($0, isEnd: field == .until, clock)
            }
            add(field.rawValue, time.map(JSONText.string))
        }
        add("after", self[.after].nonempty.map(JSONText.string))
        if self[.state] == "disabled" { add("state", .string("disabled")) }
        return .object(members)
    }

    /// The destination with the campaign's parameters; nil if it is empty.
    private var destination: String? {
        let campaign = LinkField.campaignFields.map { self[$0] }
        return CampaignURL(rest: addressWithScheme(self[.destination]), values: campaign).text
            .nonempty
    }

    private var tags: [String] { Self.tags(self[.tags]) }

    /// The tags of a field, with commas between them, as in a table: one that has a comma is in quotes.
    static func tags(_ text: String) -> [String] {
        if let tags = TableList.texts(text) { return tags.map(\.trimmed).filter { !$0.isEmpty } }
        return text.utf8.split(separator: UInt8(ascii: ","))
            .map { String(decoding: $0, as: UTF8.self).trimmed }.filter { !$0.isEmpty }
    }

    /// The text of a field with these tags.
    static func shown(tags: [String]) -> String {
        tags.map(TableCell.listed).joined(separator: ", ")
    }
}

// MARK: - Data for the app

extension LinkForm {
    /// Data as lines `name=value`; as JSON if a value is no text.
    private static func lines(_ data: JSONValue) -> String {
        let members = data.members ?? []
        let areLines = members.allSatisfy { member in
            guard let text = member.value.text else { return false }
            let own = member.key.utf8
            return ![own, text.utf8].contains { $0.contains { $0 == 0x0A || $0 == 0x0D } }
                && !own.contains(UInt8(ascii: "=")) && own.first != UInt8(ascii: "{")
                && member.key.trimmed.isScalarwise(member.key) && text.trimmed.isScalarwise(text)
                && !member.key.isEmpty
        }
        guard areLines else { return data.written.compact }
        return members.map { "\($0.key)=\($0.value.text ?? "")" }.joined(separator: "\n")
    }

    /// The same as JSON. A text that is none is left to the API, which refuses it.
    static func data(_ text: String) -> JSONText {
        if text.utf8.first == UInt8(ascii: "{") {
            let document = JSONDocument(Array(text.utf8), file: "")
            let isWhole = document.diagnostics.isEmpty
            return isWhole ? document.root?.written ?? .string(text) : .string(text)
        }
        var members = [(key: String, value: JSONText)]()
        for line in text.utf8.split(separator: 0x0A) {
            let parts = line.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map { String(decoding: $0, as: UTF8.self).trimmed }
            guard parts.count == 2 else { return .string(text) }
            members.append((parts[0], .string(parts[1])))
        }
        return .object(members)
    }
}

extension String {
    var nonempty: String? { isEmpty ? nil : self }

    /// Without spaces, tabs and line ends around it.
    var trimmed: String {
        func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
        let start = utf8.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return String(
            decoding: start[..<(end.map { start.index(after: $0) } ?? start.startIndex)],
            as: UTF8.self)
    }

    /// The text of a field. Browsers send line ends as CR LF; those of a short field are of no browser.
    fileprivate func withoutLineEnds(keeping isKept: Bool) -> String {
        guard utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return self }
        let bytes = utf8.filter { $0 != 0x0D }.map { $0 == 0x0A && !isKept ? 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
