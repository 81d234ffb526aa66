// The lines of files of build settings, as Xcode reads them (swift-build, "MacroConfigFileParser").

extension BuildSettings {
    /// A line of a file of settings.
    enum Line {
        case setting([UInt8], String)
        case include(String)
    }

    /// The lines of an `.xcconfig` file that say something, with their numbers. A value whose line ends in a
    /// backslash goes on in the next one.
    static func numberedLines(ofFile bytes: [UInt8]) -> [(number: Int, line: Line)] {
        let rows = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var lines = [(number: Int, line: Line)]()
        var unfinished: Unfinished?
        for (number, row) in zip(1..., rows) {
            let row = row.last == 0x0D ? row.dropLast() : row
            for part in row.split(separator: 0x0D, omittingEmptySubsequences: false) {
                let text = withoutComment(part)
                if var setting = unfinished {
                    unfinished = setting.goesOn(with: text) ? setting : nil
                    if unfinished == nil { lines.append((setting.number, setting.line)) }
                } else if text.first == UInt8(ascii: "#") {
                    if let line = include(text) { lines.append((number, line)) }
                } else if let equals = equalSign(of: text) {
                    var setting = Unfinished(number: number, name: Array(trimmed(text[..<equals])))
                    if setting.goesOn(with: trimmed(text[(equals + 1)...])) {
                        unfinished = setting
                    } else {
                        lines.append((number, setting.line))
                    }
                }
            }
        }
        if let setting = unfinished { lines.append((setting.number, setting.line)) }
        return lines
    }

    /// A setting whose value may go on in the next line.
    private struct Unfinished {
        /// That of its first line.
        let number: Int
        let name: [UInt8]
        private var value = [UInt8]()

        init(number: Int, name: [UInt8]) { (self.number, self.name) = (number, name) }

        var line: Line { .setting(name, String(decoding: value, as: UTF8.self)) }

        /// Adds a line, without one semicolon at its end. Returns whether the value goes on in the next one, which no
        /// empty line does.
        mutating func goesOn(with text: ArraySlice<UInt8>) -> Bool {
            var part = text.last == UInt8(ascii: ";") ? trimmed(text.dropLast()) : text
            let goesOn = part.last == UInt8(ascii: "\\")
            if goesOn { part = trimmed(part.dropLast()) }
            if !part.isEmpty {
                if !value.isEmpty { value.append(UInt8(ascii: " ")) }
                value += part
            }
            return goesOn
        }
    }

    private static func withoutComment(_ row: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let comment = row.indices.dropLast().first {
            row[$0] == UInt8(ascii: "/") && row[$0 + 1] == UInt8(ascii: "/")
        }
        return trimmed(row[..<(comment ?? row.endIndex)])
    }

    private static func include(_ line: ArraySlice<UInt8>) -> Line? {
        let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return parts.count == 3 ? .include(String(decoding: parts[1], as: UTF8.self)) : nil
    }

    /// The sign that ends the name: one in brackets is of a condition.
    private static func equalSign(of line: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        return line.indices.first { index in
            if line[index] == UInt8(ascii: "[") { depth += 1 }
            if line[index] == UInt8(ascii: "]") { depth -= 1 }
            return line[index] == UInt8(ascii: "=") && depth == 0
        }
    }
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0B, 0x0C].contains($0) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
        let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
}
