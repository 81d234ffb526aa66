private import URISyntax

/// The text of a configuration in JSON, in which characters beyond U+FFFF are two escapes (RFC 8259
/// §7). YAML has one escape for them, and refuses each of the two.
struct SurrogatePairs {
    /// The text with YAML's escapes, each of which has two characters less.
    private(set) var text: [UInt8]
    /// By line, the columns in `text` that follow such an escape.
    private var columns = [Int: [Int]]()

    /// Takes a text as it is unless it is an object of JSON with such pairs.
    init(_ text: [UInt8]) {
        self.text = text
        guard text.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{"),
            zip(text, text.dropFirst()).contains(where: {
                $0 == backslash && $1 == UInt8(ascii: "u")
            })
        else { return }
        replace()
    }

    /// The column in the file of a column of `text`.
    func column(_ column: Int, ofLine line: Int) -> Int {
        guard !columns.isEmpty, let before = columns[line] else { return column }
        return column + 2 * before.count { $0 <= column }
    }

    private mutating func replace() {
        let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
        var result = String.UnicodeScalarView()
        var (index, isQuoted, here) = (0, false, (line: 1, column: 1))
        func take(_ count: Int) {
            for scalar in scalars[index..<min(index + count, scalars.count)] {
                let previous = result.last
                result.append(scalar)
                advance(&here, over: scalar, behind: previous)
            }
            index += count
        }
        while index < scalars.count {
            guard isQuoted, scalars[index] == "\\" else {
                if scalars[index] == "\"" { isQuoted.toggle() }
                take(1)
                continue
            }
            guard let high = Self.unit(scalars, index), 0xD800..<0xDC00 ~= high,
                let low = Self.unit(scalars, index + 6), 0xDC00..<0xE000 ~= low
            else {
                take(2)
                continue
            }
            let value = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
            result.append(contentsOf: "\\U\(hex(value, digits: 8))".unicodeScalars)
            index += 12
            here.column += 10
            columns[here.line, default: []].append(here.column)
        }
        text = Array(String(result).utf8)
    }

    /// The UTF-16 code unit whose escape begins at an index; nil if none does.
    private static func unit(_ scalars: [Unicode.Scalar], _ index: Int) -> UInt32? {
        guard index + 6 <= scalars.count, scalars[index] == "\\", scalars[index + 1] == "u" else {
            return nil
        }
        var value: UInt32 = 0
        for scalar in scalars[index + 2..<index + 6] {
            guard scalar.isASCII, let digit = UInt8(scalar.value).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

private let backslash = UInt8(ascii: "\\")
