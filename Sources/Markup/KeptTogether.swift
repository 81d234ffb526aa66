private import URISyntax

/// A text in which a number and its unit stay on one line: the space between them does not break. The lines of a title are
/// balanced, which would else end one with "20" and begin the next one with "%".
package func keptTogether(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(0x20) else { return text }
    var result = [UInt8]()
    result.reserveCapacity(bytes.count + 8)
    for (index, byte) in bytes.enumerated() {
        let isAfterNumber = index > 0 && bytes[index - 1].isDigit
        let rest = bytes[(index + 1)...]
        guard byte == 0x20, isAfterNumber && beginsWithUnit(rest) || beginsWithDash(rest) else {
            result.append(byte)
            continue
        }
        result += "\u{A0}".utf8
    }
    return String(decoding: result, as: UTF8.self)
}

/// Whether the bytes begin with a dash between two parts of a text. Such a dash stays on the line of the word before it.
private func beginsWithDash(_ bytes: ArraySlice<UInt8>) -> Bool {
    ["– ", "— "].contains { bytes.starts(with: $0.utf8) }
}

private func beginsWithUnit(_ bytes: ArraySlice<UInt8>) -> Bool {
    units.contains { unit in
        guard bytes.starts(with: unit) else { return false }
        // A longer word is no unit.
        guard let next = bytes.dropFirst(unit.count).first, let last = unit.last, last.isLetter
        else { return true }
        return !next.isLetter && !next.isDigit && next < 0x80
    }
}

private let units = [
    "%", "‰", "€", "£", "¥", "$", "°", "EUR", "CHF", "USD", "GBP", "mm", "cm", "m", "km", "g", "kg",
    "ml", "l", "kWh", "kW",
    "MB", "GB", "TB", "h", "min", "s", "Uhr", "am", "pm", "a.m.", "p.m.",
].map { Array($0.utf8) }
