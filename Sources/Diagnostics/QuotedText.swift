/// Text from outside, safe to print: in double quotes, with everything escaped except printable
/// ASCII and ordinary letters, and cut after `quotedBytesMax` bytes with an ellipsis.
///
/// It works on Unicode scalars like a terminal: a control character followed by a combining mark
/// would be one `Character` that no table lists.
public func quoted(_ text: some StringProtocol) -> String {
    var result = "\""
    var bytes = 0
    for scalar in text.unicodeScalars {
        bytes += UTF8.width(scalar)
        guard bytes <= quotedBytesMax else { return result + "…\"" }
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

/// How many bytes of a text a message repeats.
private let quotedBytesMax = 80

/// Control characters, direction overrides, private use and lone marks could change how a terminal
/// shows the text around them.
private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
        return false
    default: return true
    }
}
