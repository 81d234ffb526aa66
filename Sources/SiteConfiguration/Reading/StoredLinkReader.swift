package import Diagnostics
package import JSONSyntax
package import URISyntax

/// A link as a request describes it, checked by the rules of the configuration.
package struct LinkDescription: Sendable {
    /// The members that the request has, with null for those that it takes away: those that were
    /// checked. What is refused is not written, so it is not made ready for that.
    fileprivate let json: JSONValue
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
        guard let value = json[key] else { return nil }
        if case .null = value.content { return nil }
        return value.written
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
    /// The number of faults for which it stands.
    package let count: Int

    package init(pointer: String, _ diagnostic: Diagnostic, count: Int = 1) {
        (self.pointer, self.diagnostic, self.count) = (pointer, diagnostic, count)
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
        var value = Value(reader.json)
        self = reader.readDetails(&value, .storedDetails)
    }
}

/// Reads a described link with the parts that read the links of a configuration.
private struct StoredLinkReader {
    var findings = Findings()
    /// Whether it reads a request, and not what the store has kept.
    var isOfRequest = true
    /// The value read, in which no object has a key twice: one meaning to check and to keep.
    let json: JSONValue
    private let duplicates: DuplicateMembers
    /// A collection has one star.
    private static let stars = Stars(["*"])

    init(_ written: JSONValue) {
        duplicates = DuplicateMembers(in: written)
        json = duplicates.count > 0 ? written.withoutDuplicates : written
    }

    /// Nil if the value is no object.
    static func begin(_ json: JSONValue) -> (StoredLinkReader, Value)? {
        guard json.members != nil else { return nil }
        let reader = StoredLinkReader(json)
        // Nobody else has it, so that the check need not copy it.
        return (reader, Value(reader.json))
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
            json: json, collection: value["collection"]?.text, slug: value["slug"]?.text,
            destination: value["destination"]?.url, details: details,
            tags: distinct(value["tags"]?.items.compactMap(\.text) ?? []),
            note: value["note"]?.text,
            from: times?.period.from, until: times?.period.until,
            isDisabled: value["state"]?.text == "disabled",
            isArchived: value.flag("archived") ?? false, externalID: value["externalId"]?.text)
    }

    mutating func readDetails(_ value: inout Value, _ shape: Shape) -> StoredDetails {
        // A null takes a member away, so it is no fault.
        value.content = .mapping(
            value.takeEntries().filter {
                if case .unset = $0.value.content { false } else { true }
            })
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
                if diagnostic.rule == .tooManyFindings {
                    return DescriptionFault(pointer: "", diagnostic, count: findings.leftOut)
                }
                return DescriptionFault(
                    pointer: diagnostic.position.map { json.pointer(toOffset: $0.line) } ?? "",
                    diagnostic)
            }
    }
}

/// Each text once, in the order of the first ones. Texts that only look the same are different.
private func distinct(_ texts: [String]) -> [String] {
    var seen = Set<[UInt8]>()
    return texts.filter { seen.insert(Array($0.utf8)).inserted }
}

extension Value {
    /// A JSON value as the reader of configurations has it. The line of its position is the number of bytes before it.
    fileprivate init(_ json: JSONValue) {
        let position = SourcePosition(file: "", line: json.start.offset, column: 1)
        switch json.content {
        case .null: self.init(content: .unset, position: position)
        case .boolean(let flag):
            self.init(content: .text(flag ? "true" : "false"), position: position, isPlain: true)
        case .number(let digits):
            self.init(content: .text(digits), position: position, isPlain: true)
        case .string(let text): self.init(content: .text(text), position: position)
        case .array(let elements):
            self.init(content: .list(elements.map { Value($0) }), position: position)
        case .object(let members):
            let entries = members.map { member in
                let value = Value(member.value)
                return Entry(key: member.key, position: value.position, value: value)
            }
            self.init(content: .mapping(entries), position: position)
        }
    }
}

extension JSONValue {
    /// The JSON Pointer to the value that begins behind so many bytes of the text. It is made where it is asked for: below a
    /// long key, those of all values would be longer than the text by far.
    fileprivate func pointer(toOffset offset: Int) -> String {
        var (path, value) = ([String](), self)
        while value.start.offset < offset, let (name, part) = value.part(at: offset) {
            path.append(name)
            value = part
        }
        return jsonPointer(path)
    }

    /// The part that has the byte behind so many bytes of the text, with its key or index.
    private func part(at offset: Int) -> (name: String, value: JSONValue)? {
        switch content {
        case .array(let elements):
            last(of: elements.count) { elements[$0].start.offset <= offset }
                .map { ("\($0)", elements[$0]) }
        case .object(let members):
            last(of: members.count) { members[$0].value.start.offset <= offset }
                .map { (members[$0].key, members[$0].value) }
        default: nil
        }
    }
}

/// The last of so many indexes for which something is true that is false for all behind it.
private func last(of count: Int, where isTrue: (Int) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
        let middle = (low + high) / 2
        if isTrue(middle) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
}
