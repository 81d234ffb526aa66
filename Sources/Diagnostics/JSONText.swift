/// A JSON value that is to be written; members keep their order, so equal values give equal texts.
package indirect enum JSONText: Sendable {
    case string(String)
    case number(Int)
    /// A number in the digits that somebody wrote, which must be one of JSON (RFC 8259 §6).
    case numeral(String)
    case boolean(Bool)
    case null
    case array([JSONText])
    case object([(key: String, value: JSONText)])

    /// A string, or null for nothing.
    package static func orNull(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }
    /// A number, or null for nothing.
    package static func orNull(_ number: Int?) -> JSONText { number.map(JSONText.number) ?? .null }
    /// An array of strings.
    package static func strings(_ texts: [String]) -> JSONText {
        .array(texts.map(JSONText.string))
    }

    /// The text, indented by two blanks a level, without a last line end.
    package var indented: String {
        var text = ""
        write(into: &text, level: 0)
        return text
    }

    /// The text for people and for diffs: like `indented`, but what holds no more than a list of
    /// plain values, and fits, takes one line. Ends with a line end.
    package var formatted: String {
        var text = ""
        writeFormatted(into: &text, level: 0, behind: 0)
        return text + "\n"
    }

    /// - Parameter used: bytes of the line that the value's key takes.
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
                let key = jsonString(member.key) + ": "
                text += key
                member.value.writeFormatted(
                    into: &text, level: level + 1, behind: key.utf8.count)
            }
        default: text += compact
        }
    }

    /// The text on one line.
    package var compact: String {
        switch self {
        case .array(let elements): "[" + elements.map(\.compact).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + members.map { jsonString($0.key) + ": " + $0.value.compact }
                .joined(separator: ", ") + "}"
        default: indented
        }
    }

    /// Whether it holds no list of objects, and nothing deeper than the values of its members.
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
        case .string(let string): text += jsonString(string)
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
                text += jsonString(member.key) + ": "
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

/// The text as a JSON string (RFC 8259 §7). It goes by scalars: a quote with a combining mark
/// after it is a quote. What steers a terminal, or is a command to a build service, is escaped.
private func jsonString(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return "\"\(text)\"" }
    let scalars = Array(text.unicodeScalars)
    var result = "\""
    for (index, scalar) in scalars.enumerated() {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        default:
            if steersReader(scalar) || beginsMarkedCommand(scalars, at: index) {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result + "\""
}

private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        && byte != UInt8(ascii: "#")
}
