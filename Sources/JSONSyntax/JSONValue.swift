package import Diagnostics

/// A JSON value of a text, with its position.
package struct JSONValue: Sendable {
    /// The kinds of values, with their content.
    package enum Content: Sendable {
        case null
        case boolean(Bool)
        /// As written, because JSON does not limit digits, and no caller computes with them.
        case number(String)
        case string(String)
        case array([JSONValue])
        case object([JSONMember])
    }

    package let content: Content
    /// The value's first byte.
    package let start: TextPosition
    /// The offset after the value's last byte.
    package let end: Int

    package init(content: Content, start: TextPosition, end: Int) {
        (self.content, self.start, self.end) = (content, start, end)
    }
}

/// A key of a JSON object with its value; an object keeps all of them, duplicates too.
package struct JSONMember: Sendable {
    package let key: String
    package let keyStart: TextPosition
    package let value: JSONValue
}

/// A position in a text: bytes from its start, and line and column from 1, with columns in Unicode
/// scalars. A byte-order mark has no column.
package struct TextPosition: Hashable, Sendable {
    // Half the size of `Int`, because a text of 8 MiB can have four million values.
    private let offset32, line32, column32: UInt32

    /// Each number is below 2³².
    package init(offset: Int, line: Int, column: Int) {
        offset32 = UInt32(offset)
        line32 = UInt32(line)
        column32 = UInt32(column)
    }

    package var offset: Int { Int(offset32) }
    package var line: Int { Int(line32) }
    package var column: Int { Int(column32) }
}

extension JSONValue {
    /// The member with this key; if there are several, the last one, as in most parsers. Nil if
    /// there is none, or the value is not an object.
    package func member(_ key: String) -> JSONMember? { members?.last { $0.key.isScalarwise(key) } }

    /// The value of `member(_:)`.
    package subscript(_ key: String) -> JSONValue? { member(key)?.value }

    package var members: [JSONMember]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The members without those whose key is repeated later, as in most parsers.
    package var lastMembers: [JSONMember] {
        var seen = Set<[UInt8]>()
        return (members ?? []).reversed()
            .filter { seen.insert(Array($0.key.utf8)).inserted }.reversed()
    }

    package var elements: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    package var text: String? {
        if case .string(let text) = content { text } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let flag) = content { flag } else { nil }
    }

    /// The kind of the value, for messages: `a string`, `an object`.
    package var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
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
