/// Cells as programs for spreadsheets leave them alone.
///
/// A cell that such a program would compute, or rewrite as a number, a date or a truth value, has an
/// apostrophe before it. So has one that already begins with apostrophes before such a text, so that
/// taking one away gives back what was written.
package enum TableCell {
    /// The byte-order mark by which spreadsheets know that a table is UTF-8. It stands before all cells.
    package static let mark = Array("\u{FEFF}".utf8)

    /// The cell as it is written.
    package static func protected(_ cell: String) -> String {
        isRewritten(cell.utf8.drop { $0 == apostrophe }) ? "'" + cell : cell
    }

    /// The cell as it was before it was protected.
    package static func unprotected(_ cell: String) -> String {
        guard cell.utf8.first == apostrophe,
            isRewritten(cell.utf8.drop { $0 == apostrophe })
        else { return cell }
        return String(decoding: cell.utf8.dropFirst(), as: UTF8.self)
    }

    /// A text in a list with commas: in quotes, which are doubled within, if it could be taken for two,
    /// for a quoted one, or for one with other blanks around it.
    package static func listed(_ text: String) -> String {
        let bytes = text.utf8
        let needsQuotes =
            bytes.contains(UInt8(ascii: ",")) || bytes.first == UInt8(ascii: "\"")
            || bytes.isEmpty || withoutBlanks(text).utf8.count < bytes.count
        return needsQuotes ? String(decoding: inQuotes(bytes), as: UTF8.self) : text
    }

    private static let apostrophe = UInt8(ascii: "'")

    /// Whether a spreadsheet takes it for anything but text. A text for which this says so without
    /// need has an apostrophe, and is no worse for it.
    private static func isRewritten(_ cell: Substring.UTF8View) -> Bool {
        guard let first = cell.first else { return false }
        if "=+-@\t\r\n".utf8.contains(first) { return true }
        // Input methods of Japanese and Chinese write these.
        if ["＝", "＋", "－", "＠"].contains(where: { cell.starts(with: $0.utf8) }) { return true }
        // JSON is none of these.
        guard cell.count <= valueBytesMax, !"{[\"".utf8.contains(first) else { return false }
        var (words, hasDigit) = ([[UInt8]()], false)
        for byte in withPlainSpaces(cell) {
            if byte >= 0x80 || 0x41...0x5A ~= byte & 0xDF {
                words[words.count - 1].append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
                if words[words.count - 1].count > wordBytesMax { return false }
                continue
            }
            if words.last?.isEmpty == false { words.append([]) }
            if 0x30...0x39 ~= byte { hasDigit = true }
        }
        if words.last?.isEmpty == true { words.removeLast() }
        guard hasDigit else {
            return words.count == 1 && truthValues.contains { $0.utf8.elementsEqual(words[0]) }
        }
        return words.allSatisfy { word in
            parts.contains { $0.utf8.elementsEqual(word) }
                || months.contains { word.starts(with: $0.utf8) }
        }
    }

    /// Spaces in place of those that typography has within numbers and before units: U+00A0, U+2009 and
    /// U+202F.
    private static func withPlainSpaces(_ cell: Substring.UTF8View) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), cell)
        while let byte = rest.first {
            if byte >= 0x80, let space = spaces.first(where: { rest.starts(with: $0) }) {
                bytes.append(0x20)
                rest = rest.dropFirst(space.count)
            } else {
                bytes.append(byte)
                rest.removeFirst()
            }
        }
        return bytes
    }

    private static let spaces: [[UInt8]] = [
        [0xC2, 0xA0], [0xE2, 0x80, 0x89], [0xE2, 0x80, 0xAF],
    ]

    /// Of a month or a truth value.
    private static let wordBytesMax = 12
    private static let valueBytesMax = 64
    /// Of numbers, times and currencies.
    private static let parts = [
        "e", "a", "p", "am", "pm", "t", "z", "h", "utc", "gmt", "eur", "usd", "chf", "gbp", "kr",
        "€", "£",
    ]
    /// Beginnings, in the usual languages.
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        "mär", "mrz", "mai", "okt", "dez", "fév", "fev", "avr", "jui", "aoû", "déc", "ene", "abr",
        "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott", "out", "mrt", "mei", "maj",
    ]
    /// In the languages of the programs that write them.
    private static let truthValues = yes + no
    private static let yes = [
        "true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "sant", "sand", "prawda",
    ]
    private static let no = [
        "false", "falsch", "faux", "falso", "onwaar", "falskt", "falsk", "fałsz",
    ]

    /// The truth value that a program has written in its language; nil for another text.
    package static func truth(_ cell: String) -> Bool? {
        guard cell.utf8.count <= valueBytesMax else { return nil }
        let text = cell.lowercased()
        return yes.contains(text) ? true : no.contains(text) ? false : nil
    }
}

/// A record of a table, with commas and a line end.
package func csvLine(_ cells: [String]) -> String {
    var line = [UInt8]()
    for (index, cell) in cells.enumerated() {
        if index > 0 { line.append(UInt8(ascii: ",")) }
        let bytes = cell.utf8
        let needsQuotes =
            bytes.first == 0x20 || bytes.last == 0x20
            || bytes.contains { byte in
                byte < 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
                    || byte == UInt8(ascii: "\"")
            }
        guard needsQuotes else {
            line += bytes
            continue
        }
        line += inQuotes(bytes)
    }
    return String(decoding: line + [0x0D, 0x0A], as: UTF8.self)
}

/// The text in quotes, which are doubled within, also those that a mark follows.
private func inQuotes(_ text: String.UTF8View) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var result = [quote]
    for byte in text {
        if byte == quote { result.append(quote) }
        result.append(byte)
    }
    return result + [quote]
}

/// A text without the blanks around it: spaces, tabs and no-break spaces (U+00A0, U+2007 and U+202F), which programs and people
/// leave there unseen.
package func withoutBlanks(_ text: String) -> String {
    let blanks: [[UInt8]] = [
        [0x20], [0x09], [0xC2, 0xA0], [0xE2, 0x80, 0x87], [0xE2, 0x80, 0xAF],
    ]
    var bytes = Substring(text).utf8
    while let blank = blanks.first(where: { bytes.starts(with: $0) }) {
        bytes = bytes.dropFirst(blank.count)
    }
    while let blank = blanks.first(where: { bytes.suffix($0.count).elementsEqual($0) }) {
        bytes = bytes.dropLast(blank.count)
    }
    return String(decoding: bytes, as: UTF8.self)
}
