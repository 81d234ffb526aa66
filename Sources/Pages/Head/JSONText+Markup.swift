internal import Diagnostics
internal import Markup

extension JSONText {
    /// Writes the value so that it is safe in a script.
    func write(to page: inout MarkupWriter) {
        switch self {
        case .object(let members):
            page.list("{", members, "}") { page, member in
                page.jsonString(member.key)
                page.raw(":")
                member.value.write(to: &page)
            }
        case .array(let values):
            page.list("[", values, "]") { page, value in value.write(to: &page) }
        case .string(let text): page.jsonString(text)
        case .number(let number): page.number(number)
        case .numeral(let digits):
            // Digits, signs, `.` and `e` need no escapes; a text that is not a number is written as
            // a string.
            if isJSONNumber(digits) { page.text(digits) } else { page.jsonString(digits) }
        case .boolean(let isTrue): page.raw(isTrue ? "true" : "false")
        case .null: page.raw("null")
        }
    }

    /// The value of an object's member; nil for another value.
    subscript(key: String) -> JSONText? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// A node with the members that have a value.
    static func node(_ type: String, _ members: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(
            [("@type", .string(type))]
                + members.compactMap { key, value in value.map { (key, $0) } })
    }

    static func text(_ text: String?) -> JSONText? { text.map { .string($0) } }

    /// A URL that is allowed in a page.
    static func url(_ text: String?) -> JSONText? {
        text.flatMap { PageURL($0) }.map { .string($0.description) }
    }

    static func oneOrMore(_ values: [JSONText]) -> JSONText? {
        values.count > 1 ? .array(values) : values.first
    }
}

extension MarkupWriter {
    fileprivate mutating func list<Item>(
        _ start: MarkupLiteral, _ items: [Item], _ end: MarkupLiteral,
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
