/// The number of terminal columns of a text: two for East Asian letters and pictures, none for
/// combining marks. The text must not contain control characters, which have no width.
package func terminalColumns(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + terminalColumns($1) }
}

/// The text with blanks after it up to a number of terminal columns.
package func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - terminalColumns(text)))
}

/// The number of terminal columns of one scalar.
package func terminalColumns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    if scalar.properties.generalCategory == .nonspacingMark { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        return 2
    default: return 1
    }
}
