package import Diagnostics
package import JSONSyntax
package import URISyntax

/// A link as a request describes it, checked by the rules of the configuration.
package struct LinkDescription: Sendable {
    /// The members that the request has, with null for those that it takes away: those that were
    /// checked.
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
        guard let value = members.first(where: { $0.key == key })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// The details that have no columns of their own, as compact JSON; nil for none.
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
        return (reader.read(&value), reader.faults)
    }

    /// Reads the aliases of an exported link: slugs like its own, of which it has at most
    /// `aliasesMax`.
    package static func readAliases(_ json: JSONValue) -> (slugs: [String], [DescriptionFault]) {
        guard json["aliases"] != nil, var (reader, value) = StoredLinkReader.begin(json),
            var list = value["aliases"]
        else { return ([], []) }
        if case .unset = list.content { return ([], []) }
        reader.check(&list, .list(of: .text(.slug), canBeEmpty: true), "the list of aliases")
        if list.items.count > aliasesMax, reader.faults.isEmpty {
            reader.findings.error(
                .tooMany, at: list.position,
                "the link has \(list.items.count) aliases, may have \(aliasesMax)",
                advice: "make a link of its own for some of them")
        }
        value.content = .unset
        return (list.items.compactMap(\.text), reader.faults)
    }

    /// The most other slugs that a link can have: a change writes each of them.
    package static let aliasesMax = 100
    /// The most tags that a link can have.
    package static let tagsMax = 100
    /// The most bytes of another system's name.
    package static let externalIDBytesMax = 128

    /// Reads the slug of an alias.
    package static func readAlias(_ json: JSONValue) -> (slug: String?, [DescriptionFault]) {
        guard var (reader, value) = StoredLinkReader.begin(json) else {
            return (nil, [DescriptionFault(noObject: json)])
        }
        reader.check(&value, .object(.storedAlias), "the alias")
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
        reader.check(&value, .object(.storedToken(scopes: scopes)), "the token")
        func texts(_ key: String) -> [String]? { value[key]?.items.compactMap(\.text) }
        let token = TokenDescription(
            name: value["name"]?.text ?? "", scopes: texts("scopes") ?? [],
            collections: texts("collections"), expires: value["expires"]?.time)
        return (reader.faults.isEmpty ? token : nil, reader.faults)
    }
}

/// A person as a request describes them.
package struct PersonDescription: Sendable {
    /// In lower case.
    package let name: String
    /// Nil to leave it as it is.
    package let role: String?
    /// Nil to leave them as they are.
    package let collections: [String]?
    /// The end of the sign-in link; nil for the usual one.
    package let expires: Timestamp?

    /// - Parameter roles: what people can be.
    /// - Returns: nil if anything is wrong.
    package static func read(
        _ json: JSONValue, roles: [String]
    ) -> (PersonDescription?, [DescriptionFault]) {
        guard var (reader, value) = StoredLinkReader.begin(json) else {
            return (nil, [DescriptionFault(noObject: json)])
        }
        reader.check(&value, .object(.storedPerson(roles: roles)), "the person")
        let person = PersonDescription(
            name: (value["name"]?.text ?? "").lowercased(), role: value["role"]?.text,
            collections: value["collections"]?.items.compactMap(\.text),
            expires: value["expires"]?.time)
        return (reader.faults.isEmpty ? person : nil, reader.faults)
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
        var reader = StoredLinkReader(json)
        reader.isOfRequest = false
        var value = reader.pointers.root
        self = reader.readDetails(&value, .storedDetails)
    }
}

/// Reads a described link with the parts that read the links of a configuration.
private struct StoredLinkReader {
    var findings = Findings()
    let pointers: PointerTable
    /// Whether it reads a request, and not what the store has kept.
    var isOfRequest = true
    /// The value read, in which no object has a key twice: one meaning to check and to keep.
    private let json: JSONValue
    private let duplicates: DuplicateMembers
    /// A collection has one star.
    private static let stars = Stars(["*"])

    init(_ written: JSONValue) {
        duplicates = DuplicateMembers(in: written)
        json = duplicates.count > 0 ? written.withoutDuplicates : written
        pointers = PointerTable(json)
    }

    /// Nil if the value is no object.
    static func begin(_ json: JSONValue) -> (StoredLinkReader, Value)? {
        let reader = StoredLinkReader(json)
        let value = reader.pointers.root
        return value.isMapping ? (reader, value) : nil
    }

    mutating func check(_ value: inout Value, _ kind: Kind, _ subject: String) {
        var check = ShapeCheck(findings: findings, isOfStoredLink: true, requiresTypes: isOfRequest)
        check.check(&value, kind, subject)
        findings = check.findings
    }

    mutating func read(_ value: inout Value) -> LinkDescription {
        let details = readDetails(&value, .storedLink)
        if let tags = value["tags"], tags.items.count > LinkDescription.tagsMax {
            findings.error(
                .tooMany, at: tags.position,
                "the link has \(tags.items.count) tags, may have \(LinkDescription.tagsMax)",
                advice: "leave some out")
        }
        let times = LinkTimes(
            Value.Entry(key: value["slug"]?.text ?? "", position: value.position, value: value),
            stars: Self.stars, into: &findings)
        return LinkDescription(
            members: (json.members ?? []).map { ($0.key, $0.value.written) },
            collection: value["collection"]?.text, slug: value["slug"]?.text,
            destination: value["destination"]?.url, details: details,
            tags: distinct(value["tags"]?.items.compactMap(\.text) ?? []),
            note: value["note"]?.text,
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
        check(&value, .object(shape), "the link")
        var details = StoredDetails()
        details.page = value["page"].map {
            LinkPage($0, stars: Self.stars, languages: Presentation().languages, into: &findings)
        }
        details.web = value["web"].map { WebActions($0, stars: Self.stars, into: &findings) }
        details.campaign = Campaign(value["campaign"])
        details.after = value["after"].map { WebActions($0, stars: Self.stars, into: &findings) }
        return details
    }

    var faults: [DescriptionFault] {
        let repeated = duplicates.members.map { member in
            DescriptionFault(
                pointer: member.pointer,
                Diagnostic(
                    .error, .duplicateKey, at: nil, "\(quoted(member.key)) is there twice",
                    advice: "keep one of them"))
        }
        return repeated
            + findings.sorted(file: "").map { diagnostic in
                DescriptionFault(
                    pointer: diagnostic.position.map { pointers[$0] } ?? "", diagnostic)
            }
    }
}

/// Each text once, in the order of the first ones. Texts that only look the same are different.
private func distinct(_ texts: [String]) -> [String] {
    var seen = Set<[UInt8]>()
    return texts.filter { seen.insert(Array($0.utf8)).inserted }
}

/// The values of a JSON text as the reader of configurations has them, and their JSON Pointers. The
/// position of a value has its number as its line. A pointer is made where it is asked for: below a
/// long key, all of them would be longer than the text by far.
private struct PointerTable {
    private(set) var root = Value(
        content: .unset, position: SourcePosition(file: "", line: 0, column: 1))
    /// The key or index of each value, and the number of the value that has it.
    private var places = [(owner: 0, part: "")]

    init(_ json: JSONValue) { root = value(json, "", of: 0) }

    subscript(position: SourcePosition) -> String {
        var (path, number) = ([String](), position.line)
        while number > 1, places.indices.contains(number) {
            path.append(places[number].part)
            number = places[number].owner
        }
        return jsonPointer(path.reversed())
    }

    private mutating func value(_ json: JSONValue, _ part: String, of owner: Int) -> Value {
        let number = places.count
        places.append((owner, part))
        let position = SourcePosition(file: "", line: number, column: 1)
        switch json.content {
        case .null: return Value(content: .unset, position: position)
        case .boolean(let flag):
            return Value(content: .text(flag ? "true" : "false"), position: position, isPlain: true)
        case .number(let digits):
            return Value(content: .text(digits), position: position, isPlain: true)
        case .string(let text): return Value(content: .text(text), position: position)
        case .array(let elements):
            let items = elements.enumerated().map { value($1, "\($0)", of: number) }
            return Value(content: .list(items), position: position)
        case .object(let members):
            let entries = members.map { member in
                let value = value(member.value, member.key, of: number)
                return Value.Entry(key: member.key, position: value.position, value: value)
            }
            return Value(content: .mapping(entries), position: position)
        }
    }
}
