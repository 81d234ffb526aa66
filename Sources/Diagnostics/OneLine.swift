/// Text from outside on one line: line ends, control characters, and marks that change the
/// direction of text are escaped, and so are commands to build services. Letters, quotes and
/// backslashes are unchanged.
package func onOneLine(_ text: String) -> String { onOneLine(text, isWhole: true) }

/// The same for a text that becomes a part of a line, and does not begin it.
package func withinOneLine(_ text: String) -> String { onOneLine(text, isWhole: false) }

private func onOneLine(_ text: String, isWhole: Bool) -> String {
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
            let isCommand =
                isWhole
                ? beginsCommand(scalars, at: index) : beginsMarkedCommand(scalars, at: index)
            if steersReader(scalar) || isCommand {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
    }
    return String(result)
}

/// Whether the character controls a terminal or another display instead of being shown: control
/// characters, line separators, and characters without a shape, including those that change the
/// direction of text.
package func steersReader(_ scalar: Unicode.Scalar) -> Bool {
    // The standard library looks a category up in 40 ns, and every character of a JSON text is asked.
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x5FF: false
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x600...0x605, 0x61C, 0x6DD, 0x70F, 0x890...0x891, 0x8E2,
        0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFEFF,
        0xFFF9...0xFFFB, 0x110BD, 0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3,
        0x1D173...0x1D17A, 0xE0001, 0xE0020...0xE007F:
        true
    default: false
    }
}

/// Whether a build service could read a command at `index`, within a line: `##[…]` on GitHub and
/// Azure, `##vso[…]`, `##teamcity[…]`. True for the second `#`.
package func beginsMarkedCommand(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard scalars[index] == "#", index > 0, scalars[index - 1] == "#" else { return false }
    let end = scalars[(index + 1)...].first { !("a"..."z" ~= $0 || "A"..."Z" ~= $0) }
    return end == "["
}

/// The same, and `::` at the start of a line, which begins a command on GitHub. True for the first
/// colon. Characters without width before it are skipped, as on GitHub.
private func beginsCommand(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard scalars[index] == ":" else { return beginsMarkedCommand(scalars, at: index) }
    guard index + 1 < scalars.count, scalars[index + 1] == ":" else { return false }
    return scalars[..<index].allSatisfy {
        $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
    }
}

/// A quick check: every command has two such characters in a row.
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

/// Text from outside, safe to print: in double quotes, with everything escaped except printable
/// ASCII and ordinary letters, and cut after `quotedBytesMax` bytes with an ellipsis.
///
/// It works on Unicode scalars like a terminal: a control character followed by a combining mark
/// would be one `Character` that no table lists.
public func quoted(_ text: some StringProtocol) -> String { quoted(text, quotedBytesMax) }

/// Quotes a path, which a reader needs whole to find the file. Of one that is longer than systems have, the end stays, where its name is.
package func quotedPath(_ path: String) -> String {
    var bytes = 0
    let end = path.unicodeScalars.reversed().prefix {
        bytes += UTF8.width($0)
        return bytes <= pathBytesMax
    }
    guard bytes > pathBytesMax else { return quoted(path, pathBytesMax) }
    var text = String.UnicodeScalarView("…".unicodeScalars)
    text.append(contentsOf: end.reversed())
    return quoted(String(text), .max)
}

private func quoted(_ text: some StringProtocol, _ bytesMax: Int) -> String {
    var result = "\""
    var bytes = 0
    for scalar in text.unicodeScalars {
        bytes += UTF8.width(scalar)
        guard bytes <= bytesMax else { return result + "…\"" }
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if isPrintable(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
    }
    return result + "\""
}

/// The number of bytes of a text that a message repeats.
private let quotedBytesMax = 80
/// That of a path (`PATH_MAX` of Linux).
private let pathBytesMax = 4_096

/// Control characters, direction overrides, private use and lone marks could change how a terminal
/// shows the text around them.
private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
        return false
    // It looks like a space, and is another character.
    case .spaceSeparator: return false
    default: return true
    }
}
