/// Text that may hold anything, made to stay on its line: line ends, controls, and marks that turn
/// the direction of writing are escaped, and so is what build services take for a command. Letters,
/// quotes and backslashes stay what they are, so that a sentence is read as it was written.
package func onOneLine(_ text: String) -> String {
    let bytes = text.utf8
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), !mayHoldCommand(bytes) { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
        switch scalar {
        case "\n": result.append(contentsOf: "\\n".unicodeScalars)
        case "\r": result.append(contentsOf: "\\r".unicodeScalars)
        case "\t": result.append(contentsOf: "\\t".unicodeScalars)
        default:
            if steersReader(scalar) || beginsCommand(scalars, at: index) {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
    }
    return String(result)
}

/// Whether a terminal, or whatever else shows lines, obeys the character instead of showing it:
/// controls, line separators, and characters without a shape, among them those that turn the
/// direction of writing.
package func steersReader(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

/// Whether a build service could take what begins at `index` for a command, as far as it reads one
/// in the middle of a line: `##[…]` on GitHub and Azure, `##vso[…]`, `##teamcity[…]`. True of the
/// second `#`.
package func beginsMarkedCommand(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard scalars[index] == "#", index > 0, scalars[index - 1] == "#" else { return false }
    let end = scalars[(index + 1)...].first { !("a"..."z" ~= $0 || "A"..."Z" ~= $0) }
    return end == "["
}

/// The same, and `::` in front of a line, which GitHub reads a command after. True of the first
/// colon. What has no width is passed over there, as GitHub does.
private func beginsCommand(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard scalars[index] == ":" else { return beginsMarkedCommand(scalars, at: index) }
    guard index + 1 < scalars.count, scalars[index + 1] == ":" else { return false }
    return scalars[..<index].allSatisfy {
        $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
    }
}

/// Quickly: every command has two such characters, one behind the other.
private func mayHoldCommand(_ text: String.UTF8View) -> Bool {
    var last: UInt8 = 0
    for byte in text {
        if byte == last, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") { return true }
        last = byte
    }
    return false
}

private func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
}
