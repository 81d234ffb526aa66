package import Associations
package import Diagnostics
package import URISyntax

/// A link as a request describes it, checked by the rules of the configuration.
package struct LinkDescription: Sendable {
    /// The members that the request has, with null for those that it takes away.
    package let members: [(key: String, value: JSONText)]
    package let collection: String?
    package let slug: String?
    package let destination: WebURL?
    package let details: StoredDetails
    package let tags: [String]
    package let note: String?
    package let from: Timestamp?
    package let until: Timestamp?
    package let isDisabled: Bool
    package let isArchived: Bool
    package let externalID: String?

    /// The value of a member; nil if it has none, or null.
    package func member(_ key: String) -> JSONText? {
        guard let value = members.last(where: { $0.key == key })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// What is stored besides the columns of their own, as compact JSON; nil for nothing.
    package var detailsText: String? {
        let kept = Shape.storedDetails.keys.compactMap { key in
            member(key.name).map { (key: key.name, value: $0) }
        }
        return kept.isEmpty ? nil : JSONText.object(kept).compact
    }
}

/// A fault of a described link, at a JSON Pointer (RFC 6901).
package struct DescriptionFault: Hashable, Sendable {
    package let pointer: String
    package let diagnostic: Diagnostic

    package init(pointer: String, _ diagnostic: Diagnostic) {
        (self.pointer, self.diagnostic) = (pointer, diagnostic)
    }
}

extension LinkDescription {
    /// Reads the JSON of a link.
    /// - Returns: what could be read, unless it is no object, and everything that was found. The link
    ///   is valid if no finding is an error.
    package static func read(_ json: JSONValue) -> (LinkDescription?, [DescriptionFault]) {
        guard var (reader, value) = StoredLinkReader.begin(json) else {
            return (nil, [DescriptionFault(noObject: json)])
        }
        return (reader.read(&value, json), reader.faults)
    }

    /// Reads the slug of an alias.
    package static func readAlias(_ json: JSONValue) -> (slug: String?, [DescriptionFault]) {
        guard var (reader, value) = StoredLinkReader.begin(json) else {
            return (nil, [DescriptionFault(noObject: json)])
        }
        reader.check(&value, .storedAlias, "the alias")
        return (value["slug"]?.text, reader.faults)
    }
}

/// A token as a request describes it.
package struct TokenDescription: Sendable {
    package let name: String
    package let scopes: [String]
    /// Nil for all.
    package let collections: [String]?
    package let expires: Timestamp?

    /// - Parameter scopes: what tokens can be for.
    /// - Returns: nil if anything is wrong.
    package static func read(
        _ json: JSONValue, scopes: [String]
    ) -> (TokenDescription?, [DescriptionFault]) {
        guard var (reader, value) = StoredLinkReader.begin(json) else {
            return (nil, [DescriptionFault(noObject: json)])
        }
        reader.check(&value, .storedToken(scopes: scopes), "the token")
        func texts(_ key: String) -> [String]? { value[key]?.items.compactMap(\.text) }
        let token = TokenDescription(
            name: value["name"]?.text ?? "", scopes: texts("scopes") ?? [],
            collections: texts("collections"), expires: value["expires"]?.time)
        return (reader.faults.isEmpty ? token : nil, reader.faults)
    }
}

extension DescriptionFault {
    fileprivate init(noObject json: JSONValue) {
        self.init(
            pointer: "",
            Diagnostic(
                .error, .wrongValue, at: nil, "a link is a JSON object, not \(json.kind)"))
    }
}

extension StoredDetails {
    /// Reads what the store has kept; what an older program has written and this one refuses is left
    /// out.
    package init(stored text: [UInt8]) {
        self.init()
        guard !text.isEmpty, let json = JSONDocument(text, file: "").root else { return }
        var pointers = PointerTable()
        var value = pointers.value(json, at: "")
        var reader = StoredLinkReader(pointers)
        reader.isOfRequest = false
        self = reader.readDetails(&value, .storedDetails)
    }
}

/// Reads a described link with the reader of configurations.
private struct StoredLinkReader {
    var reader = SiteReader(file: "", directory: ".")
    let pointers: PointerTable
    /// Whether it reads a request, and not what the store has kept.
    var isOfRequest = true
    /// A collection has one star.
    private static let stars = Stars(["*"])

    init(_ pointers: PointerTable) { self.pointers = pointers }

    /// Nil if the value is no object.
    static func begin(_ json: JSONValue) -> (StoredLinkReader, Value)? {
        var pointers = PointerTable()
        let value = pointers.value(json, at: "")
        return value.isMapping ? (StoredLinkReader(pointers), value) : nil
    }

    mutating func check(_ value: inout Value, _ shape: Shape, _ subject: String) {
        var check = ShapeCheck(
            findings: reader.findings, acceptsNull: true, requiresTypes: isOfRequest)
        check.check(&value, .object(shape), subject)
        reader.findings = check.findings
    }

    mutating func read(_ value: inout Value, _ json: JSONValue) -> LinkDescription {
        let details = readDetails(&value, .storedLink)
        let times = reader.readTimes(
            Value.Entry(key: value["slug"]?.text ?? "", position: value.position, value: value),
            stars: Self.stars)
        return LinkDescription(
            members: (json.members ?? []).map { ($0.key, $0.value.written) },
            collection: value["collection"]?.text, slug: value["slug"]?.text,
            destination: value["destination"]?.url, details: details,
            tags: value["tags"]?.items.compactMap(\.text) ?? [], note: value["note"]?.text,
            from: times?.period.from, until: times?.period.until,
            isDisabled: value["state"]?.text == "disabled",
            isArchived: value.flag("archived") ?? false, externalID: value["externalId"]?.text)
    }

    mutating func readDetails(_ value: inout Value, _ shape: Shape) -> StoredDetails {
        // A null takes a member away, so it is no fault.
        let entries = value.entries.filter {
            if case .unset = $0.value.content { false } else { true }
        }
        value.content = .mapping(entries)
        check(&value, shape, "the link")
        var details = StoredDetails()
        details.page = value["page"].map { reader.readPage($0, stars: Self.stars) }
        details.web = value["web"].map { reader.readActions($0, stars: Self.stars) }
        details.campaign = reader.readCampaign(value["campaign"])
        details.after = value["after"].map { reader.readActions($0, stars: Self.stars) }
        return details
    }

    var faults: [DescriptionFault] {
        reader.findings.sorted(file: "").map { diagnostic in
            DescriptionFault(
                pointer: diagnostic.position.map { pointers[$0] } ?? "", diagnostic)
        }
    }
}

/// The JSON Pointers of values. The position of a value has the number of its pointer as its line.
private struct PointerTable {
    private var pointers = [""]

    subscript(position: SourcePosition) -> String {
        pointers.indices.contains(position.line) ? pointers[position.line] : ""
    }

    /// A JSON value as the reader of configurations has it.
    mutating func value(_ json: JSONValue, at pointer: String) -> Value {
        pointers.append(pointer)
        let position = SourcePosition(file: "", line: pointers.count - 1, column: 1)
        switch json.content {
        case .null: return Value(content: .unset, position: position)
        case .boolean(let flag):
            return Value(content: .text(flag ? "true" : "false"), position: position, isPlain: true)
        case .number(let digits):
            return Value(content: .text(digits), position: position, isPlain: true)
        case .string(let text): return Value(content: .text(text), position: position)
        case .array(let elements):
            let items = elements.enumerated().map { value($1, at: "\(pointer)/\($0)") }
            return Value(content: .list(items), position: position)
        case .object(let members):
            let entries = members.map { member in
                let own = "\(pointer)/\(escaped(member.key))"
                let value = value(member.value, at: own)
                return Value.Entry(key: member.key, position: value.position, value: value)
            }
            return Value(content: .mapping(entries), position: position)
        }
    }

    private func escaped(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
        else {
            return key
        }
        let bytes = key.utf8.flatMap { byte in
            switch byte {
            case UInt8(ascii: "~"): Array("~0".utf8)
            case UInt8(ascii: "/"): Array("~1".utf8)
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue {
    /// The value as it is written again.
    package var written: JSONText {
        switch content {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let digits): .numeral(digits)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.written))
        case .object(let members): .object(members.map { ($0.key, $0.value.written) })
        }
    }
}
