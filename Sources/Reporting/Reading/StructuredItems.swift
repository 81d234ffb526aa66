import JSONSyntax
import URISyntax

/// The JSON-LD of a page: its items and their properties (JSON-LD 1.1; schema.org). Contexts are
/// not fetched; terms are assumed to be schema.org's.
struct StructuredItems: Sendable {
    let blocks: [Block]
    /// The items at the top of a block, or in its `@graph`.
    let things: [Thing]
    private let byIdentifier: [String: JSONValue]

    /// One `script` element.
    struct Block: Sendable {
        let document: JSONDocument
        /// The line of the page that it begins in.
        let line: Int
    }

    struct Thing: Sendable {
        let value: JSONValue
        let types: [String]
        /// The line of the page that it begins in.
        let line: Int
    }

    init(_ texts: [PageText]) {
        blocks = texts.map { text in
            Block(document: JSONDocument(Array(text.text.utf8), file: ""), line: text.line)
        }
        var things = [Thing]()
        var byIdentifier = [String: JSONValue]()
        for block in blocks {
            guard let root = block.document.root else { continue }
            things += Self.things(of: root, block.line)
            Self.collectIdentifiers(root, &byIdentifier)
        }
        self.things = Array(things.prefix(Self.thingsMax))
        self.byIdentifier = byIdentifier
    }

    private static func things(of root: JSONValue, _ line: Int) -> [Thing] {
        if let elements = root.elements { return elements.flatMap { things(of: $0, line) } }
        guard root.members != nil else { return [] }
        let graph = root["@graph"].map { things(of: $0, line) } ?? []
        guard graph.isEmpty || root["@type"] != nil else { return graph }
        let position = line + root.start.line - 1
        return [Thing(value: root, types: types(of: root), line: position)] + graph
    }

    private static func collectIdentifiers(_ value: JSONValue, _ found: inout [String: JSONValue]) {
        for element in value.elements ?? [] { collectIdentifiers(element, &found) }
        guard let members = value.members else { return }
        if members.count > 1, let identifier = value["@id"]?.text {
            found[identifier.comparable] = value
        }
        for member in members { collectIdentifiers(member.value, &found) }
    }

    /// Names of types without schema.org's address before them.
    static func types(of value: JSONValue) -> [String] {
        let written = value["@type"]?.elements ?? [value["@type"]].compactMap(\.self)
        return written.compactMap(\.text).map { name in
            let bytes = name.utf8
            let prefix = ["https://schema.org/", "http://schema.org/", "schema:"]
                .first { bytes.starts(with: $0.utf8) }
            return String(decoding: bytes.dropFirst(prefix?.utf8.count ?? 0), as: UTF8.self)
                .comparable
        }
    }
}

extension StructuredItems {
    /// The values of a path such as `offers.price`. Every element of a list counts, and `@id`
    /// refers to the item with this name.
    func values(_ path: String, of value: JSONValue) -> [JSONValue] {
        var found = [value]
        for key in path.utf8.split(separator: UInt8(ascii: ".")) {
            let key = String(decoding: key, as: UTF8.self)
            found = found.flatMap { flattened($0[key]) }
            // Lists that name one another could multiply.
            if found.count > Self.valuesMax { found = Array(found.prefix(Self.valuesMax)) }
        }
        return found
    }

    private func flattened(_ value: JSONValue?) -> [JSONValue] {
        guard let value else { return [] }
        let elements = value.elements.map { Array($0.prefix(Self.valuesMax)) } ?? [value]
        return elements.map { element in
            guard let members = element.members, members.count == 1,
                let identifier = element["@id"]?.text
            else { return element }
            return byIdentifier[identifier.comparable] ?? element
        }.filter { !$0.isEmpty }
    }

    /// The first text or number at the path.
    func text(_ path: String, of value: JSONValue) -> String? {
        values(path, of: value).lazy.compactMap(\.plainText).first
    }

    private static let valuesMax = 100
    /// The most items of one page that are examined.
    private static let thingsMax = 1_000
}

extension JSONValue {
    /// A text or a number as written; the name of an item.
    var plainText: String? {
        switch content {
        case .string(let text): trimmed(text)
        case .number(let digits): digits
        case .object: (self["name"] ?? self["@id"] ?? self["url"])?.text.map(trimmed)
        default: nil
        }
    }

    var isEmpty: Bool {
        switch content {
        case .null: true
        case .string(let text): trimmed(text).utf8.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }
}
