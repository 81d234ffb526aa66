private import Diagnostics

extension XMLNode {
    /// Writes the boolean attributes of a manifest as `true` and `false`, so that they are compared with these alone. In
    /// source, aapt2 takes three spellings of each with blanks around them, and refuses other values. In a binary manifest,
    /// Android takes every number but 0 and some texts for true. References and placeholders stay. The readers have bounded
    /// the depth.
    /// - Throws: if aapt2 refuses a value.
    mutating func normalizeFlags(_ kind: AndroidDeclaration.Kind) throws(FormatFault) {
        let names = flagNames[name] ?? []
        for index in attributes.indices
        where attributes[index].isAndroid && names.contains(attributes[index].name) {
            let attribute = attributes[index]
            let text = trimmed(attribute.value)
            guard !attribute.isFilledIn else {
                attributes[index].value = text
                continue
            }
            let flag = kind == .source ? sourceFlag(text) : binaryFlag(text)
            if let flag {
                attributes[index].value = flag ? "true" : "false"
            } else if kind == .source {
                throw FormatFault(
                    "has android:\(attribute.name)=\(quoted(attribute.value)) on <\(name)>, must be \"true\" or "
                        + "\"false\": aapt2 refuses another value",
                    at: attribute.place, advice: "write \"true\" or \"false\"")
            }
        }
        for index in children.indices { try children[index].normalizeFlags(kind) }
    }
}

/// The boolean attributes that are read, by their elements.
private let flagNames: [String: Set<String>] = [
    "application": ["debuggable", "enabled", "testOnly"],
    "activity": ["enabled", "exported"], "activity-alias": ["enabled", "exported"],
    "intent-filter": ["autoVerify"], "uri-relative-filter-group": ["allow"],
    "uses-feature": ["required"],
]

extension XMLAttribute {
    /// Whether a resource or Gradle decides its value.
    var isFilledIn: Bool {
        let first = value.utf8.first { !isSpace($0) }
        return isReference || first == UInt8(ascii: "@") || first == UInt8(ascii: "?")
            || holds("${", in: value)
    }
}

/// A boolean as aapt2 reads it (`ResourceUtils::ParseBool`); nil for another text.
private func sourceFlag(_ text: String) -> Bool? {
    switch text {
    case "true", "TRUE", "True": true
    case "false", "FALSE", "False": false
    default: nil
    }
}

/// Whether aapt2 reads a text as true.
func isTrueFlag(_ text: String) -> Bool { sourceFlag(trimmed(text)) == true }

/// A boolean as Android reads it in a binary manifest (`TypedArray.getBoolean`); nil if there is no value.
private func binaryFlag(_ text: String) -> Bool? {
    if text.isEmpty { return nil }
    if let number = Int(text) { return number != 0 }
    return text == "true" || text == "TRUE"
}

/// A text without the blanks around it, which C's `isspace` takes for such.
private func trimmed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
        let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
