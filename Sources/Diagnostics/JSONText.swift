/// A JSON value to be written. Members keep their order, so equal values give equal texts.
package indirect enum JSONText: Sendable {
    case string(String)
    case number(Int)
    /// A number in its original digits, which must be a JSON number (RFC 8259 §6).
    case numeral(String)
    case boolean(Bool)
    case null
    case array([JSONText])
    case object([(key: String, value: JSONText)])

    /// A string, or null.
    package static func orNull(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }
    /// A number, or null.
    package static func orNull(_ number: Int?) -> JSONText { number.map(JSONText.number) ?? .null }
    /// An array of strings.
    package static func strings(_ texts: [String]) -> JSONText {
        .array(texts.map(JSONText.string))
    }

    /// The text, indented by two spaces for each level, without a line end at its end.
    package var indented: String {
        var text = ""
        write(into: &text, level: 0)
        return text
    }

    /// The text for people and for diffs: like `indented`, but a value that contains at most a list
    /// of plain values is on one line if it fits. Ends with a line end.
    package var formatted: String {
        var text = ""
        writeFormatted(into: &text, level: 0, behind: 0)
        return text + "\n"
    }

    /// - Parameter used: the number of bytes that the value's key takes on the line.
    private func writeFormatted(into text: inout String, level: Int, behind used: Int) {
        if isShallow {
            let line = compact
            if 2 * level + used + line.utf8.count <= Self.lineBytesMax {
                text += line
                return
            }
        }
        switch self {
        case .array(let elements) where !elements.isEmpty:
            Self.write(elements, between: ("[", "]"), into: &text, level) { element, text in
                element.writeFormatted(into: &text, level: level + 1, behind: 0)
            }
        case .object(let members) where !members.isEmpty:
            Self.write(members, between: ("{", "}"), into: &text, level) { member, text in
                let start = text.utf8.count
                writeJSON(member.key, into: &text)
                text += ": "
                member.value.writeFormatted(
                    into: &text, level: level + 1, behind: text.utf8.count - start)
            }
        default: text += compact
        }
    }

    /// The text on one line.
    package var compact: String {
        var text = ""
        writeCompact(into: &text)
        return text
    }

    private func writeCompact(into text: inout String) {
        switch self {
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                element.writeCompact(into: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ", " }
                writeJSON(member.key, into: &text)
                text += ": "
                member.value.writeCompact(into: &text)
            }
            text += "}"
        default: write(into: &text, level: 0)
        }
    }

    /// Whether it contains no list of objects, and nothing below the values of its members.
    private var isShallow: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isPlain)
        case .object(let members):
            members.allSatisfy { member in
                switch member.value {
                case .array(let inner): inner.allSatisfy(\.isPlain)
                case .object(let inner): inner.allSatisfy(\.value.isPlain)
                default: true
                }
            }
        default: true
        }
    }

    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    private static let lineBytesMax = 100

    private func write(into text: inout String, level: Int) {
        switch self {
        case .string(let string): writeJSON(string, into: &text)
        case .number(let number): text += String(number)
        case .numeral(let digits): text += digits
        case .boolean(let flag): text += String(flag)
        case .null: text += "null"
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), into: &text, level) { element, text in
                element.write(into: &text, level: level + 1)
            }
        case .object(let members):
            Self.write(members, between: ("{", "}"), into: &text, level) { member, text in
                writeJSON(member.key, into: &text)
                text += ": "
                member.value.write(into: &text, level: level + 1)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], between brackets: (String, String), into text: inout String,
        _ level: Int, _ write: (Item, inout String) -> Void
    ) {
        let margin = "\n" + String(repeating: "  ", count: level)
        text += brackets.0
        for (index, item) in items.enumerated() {
            text += (index == 0 ? "" : ",") + margin + "  "
            write(item, &text)
        }
        text += (items.isEmpty ? "" : margin) + brackets.1
    }
}

// A member is a tuple, which has no synthesized `==`.

extension JSONText: Hashable {
    public static func == (left: JSONText, right: JSONText) -> Bool {
        switch (left, right) {
        case (.string(let one), .string(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.numeral(let one), .numeral(let other)): one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.null, .null): true
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one.elementsEqual(other, by: ==)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text), .numeral(let text): hasher.combine(text)
        case .number(let number): hasher.combine(number)
        case .boolean(let flag): hasher.combine(flag)
        case .null: hasher.combine(0)
        case .array(let elements): hasher.combine(elements)
        case .object(let members):
            for member in members {
                hasher.combine(member.key)
                hasher.combine(member.value)
            }
        }
    }
}

/// Whether the text is a JSON number: an optional minus, an integer without leading zeros,
/// fraction, exponent (RFC 8259 §6).
package func isJSONNumber(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    func digits() -> Int {
        let count = rest.prefix { $0 &- 0x30 < 10 }.count
        rest.removeFirst(count)
        return count
    }
    func take(_ choices: UInt8...) -> Bool {
        guard let first = rest.first, choices.contains(first) else { return false }
        rest.removeFirst()
        return true
    }
    _ = take(UInt8(ascii: "-"))
    let leadsWithZero = rest.first == UInt8(ascii: "0")
    let integer = digits()
    guard integer == 1 || (integer > 1 && !leadsWithZero) else { return false }
    if take(UInt8(ascii: ".")), digits() == 0 { return false }
    if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
        _ = take(UInt8(ascii: "+"), UInt8(ascii: "-"))
        guard digits() > 0 else { return false }
    }
    return rest.isEmpty
}

/// The text as a JSON string (RFC 8259 §7). Commands to build services are escaped too.
private func writeJSON(_ string: String, into text: inout String) {
    text += "\""
    defer { text += "\"" }
    guard !string.utf8.allSatisfy(isPlain) else {
        text += string
        return
    }
    let scalars = Array(string.unicodeScalars)
    var result = [UInt8]()
    for (index, scalar) in scalars.enumerated() {
        let command = beginsMarkedCommand(scalars, at: index) ? JSONEscape(scalar) : nil
        if let escape = command ?? JSONEscape(neededBy: scalar) {
            escape.write { result.append($0) }
        } else {
            result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }
    text += String(decoding: result, as: UTF8.self)
}

private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        && byte != UInt8(ascii: "#")
}
