package import Markup

/// A value of JSON-LD (JSON-LD 1.1, RFC 8259).
package indirect enum SchemaValue: Hashable, Sendable {
    /// Members in order.
    case object([Member])
    case array([SchemaValue])
    case string(String)
    /// As written; what is no number of JSON is written as a string.
    case number(String)
    case bool(Bool)
    case null

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: SchemaValue

        package init(_ name: String, _ value: SchemaValue) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Writes the value so that it may stand in a script.
    package func write(to page: inout MarkupWriter) {
        switch self {
        case .object(let members):
            page.list("{", members, "}") { page, member in
                page.jsonString(member.name)
                page.raw(":")
                member.value.write(to: &page)
            }
        case .array(let values):
            page.list("[", values, "]") { page, value in value.write(to: &page) }
        case .string(let text): page.jsonString(text)
        case .number(let text):
            // Digits, signs, `.` and `e` need no escaping, and so are written as a string would be.
            if isJSONNumber(text) { page.text(text) } else { page.jsonString(text) }
        case .bool(let isTrue): page.raw(isTrue ? "true" : "false")
        case .null: page.raw("null")
        }
    }

    /// The members of an object, in order; none of another value.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// An object of the members that have a value.
    static func object(type: String, _ members: KeyValuePairs<String, SchemaValue?>) -> SchemaValue
    {
        .object(
            [Member("@type", .string(type))]
                + members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    static func string(_ text: String?) -> SchemaValue? { text.map { .string($0) } }

    static func number(_ value: Int?) -> SchemaValue? { value.map { .number(String($0)) } }
}

extension MarkupWriter {
    fileprivate mutating func list<Item>(
        _ start: StaticString, _ items: [Item], _ end: StaticString,
        _ write: (inout MarkupWriter, Item) -> Void
    ) {
        raw(start)
        for (index, item) in items.enumerated() {
            if index > 0 { raw(",") }
            write(&self, item)
        }
        raw(end)
    }
}

/// Whether the text is a number (RFC 8259 §6).
private func isJSONNumber(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let count = digits(&rest)
    guard count == 1 || (count > 1 && !startsWithZero) else { return false }
    if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        guard digits(&rest) > 0 else { return false }
    }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
            rest = rest.dropFirst()
        }
        guard digits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
}
