import Diagnostics
private import URISyntax

// Strings, numbers and words, and what people write instead.

extension JSONReader {
    /// The string that begins with the quote at the offset.
    mutating func string(_ start: TextPosition) -> JSONValue {
        skipQuoteTooMany(start)
        offset += 1
        let (first, faultsBefore) = (offset, faults)
        var text = [UInt8]()
        var run = offset
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[run..<offset]
                offset += 1
                if isInText(next), faults == faultsBefore, let own = misclosed(first, start) {
                    return own
                }
                skipQuoteTooMany(behind: text)
                return value(text, start)
            case UInt8(ascii: "\\"):
                text += bytes[run..<offset]
                escape(into: &text)
                run = offset
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                // A quote is missing: people see the line's end as the end of the text.
                if faults == faultsBefore, let own = misclosed(first, start) { return own }
                fault(
                    .jsonSyntax, start, "the string is not closed on its line",
                    advice: "add the closing quote")
                text += bytes[run..<offset]
                return value(text, start)
            case 0..<0x20:
                fault(
                    .jsonSyntax, currentPosition(), "control character \(character()) in a string",
                    advice: "write it as an escape, \\t for a tab")
                offset += 1
            default: offset += 1
            }
        }
        if faults == faultsBefore, let own = misclosed(first, start) { return own }
        fault(.jsonSyntax, start, "the string is not closed", advice: "add the closing quote")
        stop()
        return value(text, start)
    }

    func value(_ text: [UInt8], _ start: TextPosition) -> JSONValue {
        JSONValue(
            content: .string(String(decoding: text, as: UTF8.self)), start: start, end: offset)
    }

    private mutating func escape(into text: inout [UInt8]) {
        let start = currentPosition()
        offset += 1
        guard let byte = next, byte >= 0x20 else {
            fault(
                .jsonSyntax, start, "a backslash at the end of a line",
                advice: "write the string on one line")
            return
        }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): unicodeEscape(start, into: &text)
        default:
            offset -= 1
            fault(
                .jsonSyntax, start, "\\\(character()) is not an escape of JSON",
                advice: "write \\\\ for a backslash")
        }
    }

    private mutating func unicodeEscape(_ start: TextPosition, into text: inout [UInt8]) {
        guard let unit = hexUnit() else {
            fault(
                .jsonSyntax, start, "\\u has fewer than four hexadecimal digits after it",
                advice: "write four, such as \\u00E9, or the character itself")
            return
        }
        var code = UInt32(unit)
        if UTF16.isLeadSurrogate(unit), starts(with: Array("\\u".utf8)) {
            offset += 2
            if let trail = hexUnit(), UTF16.isTrailSurrogate(trail) {
                code = 0x10000 + (code - 0xD800) << 10 + UInt32(trail) - 0xDC00
            }
        }
        guard let scalar = Unicode.Scalar(code) else {
            fault(
                .jsonSyntax, start, "half a surrogate pair is not a character",
                advice: "write the character itself")
            text += [0xEF, 0xBF, 0xBD]
            return
        }
        text += Array(String(scalar).utf8)
    }

    private mutating func hexUnit() -> UInt16? {
        guard bytes.count - offset >= 4 else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = byte.hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        offset += 4
        return unit
    }

    mutating func number(_ start: TextPosition) -> JSONValue {
        let first = offset
        while let byte = next, isNumberByte(byte) { offset += 1 }
        let text = String(decoding: bytes[first..<offset], as: UTF8.self)
        if !isJSONNumber(text) {
            fault(
                .jsonSyntax, start, "\(quoted(text)) is not a JSON number",
                advice: "put it in quotes")
        } else if Double(text)?.isFinite == false {
            fault(
                .jsonNumberRange, start, "the number \(quoted(text)) is beyond 1.8E308",
                advice: "Apple's parser refuses the whole file: put it in quotes, or remove it")
        }
        return JSONValue(content: .number(text), start: start, end: offset)
    }

    /// A word, or something that word processors and people write instead of JSON.
    mutating func unusual(_ start: TextPosition) -> JSONValue? {
        if typographicQuote() != nil { return typographicString(start) }
        if skipEllipsis(start) { return nil }
        if let text = unopenedString(start) { return text }
        let word = word()
        switch word {
        case "true": return JSONValue(content: .boolean(true), start: start, end: offset)
        case "false": return JSONValue(content: .boolean(false), start: start, end: offset)
        case "null": return JSONValue(content: .null, start: start, end: offset)
        case "NOT", "not", "Not": return excluded(start)
        default:
            let text = word + unquoted()
            guard !text.isEmpty else {
                fault(
                    .jsonSyntax, start, "expected a value, found \(character())",
                    advice: "values are \"text\", { }, [ ], numbers, true, false and null")
                return nil
            }
            fault(
                .jsonSyntax, start, "\(quoted(text)) is not a JSON value",
                advice: "put text in quotes; true, false and null are in lower case")
        }
        return nil
    }

    /// Reads a text without quotes, so that the rest of it is not reported, too.
    private mutating func unquoted() -> String {
        let first = offset
        while let byte = next, byte > 0x20, !",:;={}[]\"".utf8.contains(byte) { offset += 1 }
        return String(decoding: bytes[first..<offset], as: UTF8.self)
    }

    /// A text whose first quote is missing; its last quote is at the end of a value.
    mutating func unopenedString(_ start: TextPosition) -> JSONValue? {
        let line = bytes[offset...].prefix(Self.lookaheadMax).prefix { $0 >= 0x20 }
        guard let end = line.firstIndex(where: { ",{}[]\"".utf8.contains($0) }),
            bytes[end] == UInt8(ascii: "\"")
        else { return nil }
        guard isEndOfValue(line[(end + 1)...]) else { return nil }
        let text = Array(bytes[offset..<end])
        let words = quoted(String(decoding: text, as: UTF8.self))
        fault(.jsonSyntax, start, "the quote before \(words) is missing", advice: "write \(words)")
        offset = end + 1
        return value(text, start)
    }

    /// `NOT "/path"`, as technical notes have printed it. It is read as `"NOT /path"`.
    private mutating func excluded(_ start: TextPosition) -> JSONValue? {
        skipSpace()
        fault(
            .jsonNotOutsideQuotes, start, "NOT is outside the quotes",
            advice: "write \"NOT /path\"")
        guard next == UInt8(ascii: "\"") else { return nil }
        let path = string(currentPosition())
        return JSONValue(content: .string("NOT " + (path.text ?? "")), start: start, end: path.end)
    }

    mutating func word() -> String {
        let first = offset
        while let byte = next, isWordByte(byte) { offset += 1 }
        return String(decoding: bytes[first..<offset], as: UTF8.self)
    }
}

// MARK: - Copied from a document

extension JSONReader {
    /// The number of bytes of the quote at the offset, if it is one that JSON does not allow.
    func typographicQuote() -> Int? { typographicQuote(at: offset) }

    func typographicQuote(at index: Int) -> Int? {
        let rest = bytes[index...]
        return Self.typographicQuotes.first { rest.starts(with: $0) }?.count
    }

    /// Single and double ones, and the escaped quote of a text that was copied from a program.
    private static let typographicQuotes = [
        "'", "`", "‘", "’", "‚", "“", "”", "„", "«", "»", "\\\"",
    ]
    .map { Array($0.utf8) }

    /// Reads up to the quote that ends the text, or to the end of the line.
    mutating func typographicString(_ start: TextPosition) -> JSONValue {
        reportTypographicQuote(start)
        offset += typographicQuote() ?? 1
        let first = offset
        let end = endOfTypographicString(first)
        let text = Array(bytes[first..<end])
        offset = end + (typographicQuote(at: end) ?? (isQuote(at: end) ? 1 : 0))
        return value(text, start)
    }

    mutating func reportTypographicQuote(_ position: TextPosition) {
        let isEscaped = next == UInt8(ascii: "\\")
        fault(
            .jsonTypographic, position,
            isEscaped
                ? "a backslash is before a quote that begins a string"
                : "\(character()) is not a JSON quote",
            advice: isEscaped
                ? "the text comes from a program: remove the backslashes"
                : "write straight double quotes: \"")
    }

    /// The first quote of any kind that can be the end of a value or key, because others may be
    /// apostrophes. If there is none, the first quote, or the end of the line.
    private func endOfTypographicString(_ first: Int) -> Int {
        var quote: Int?
        var index = first
        while index < bytes.count, bytes[index] >= 0x20 {
            if let length = typographicQuote(at: index) ?? (isQuote(at: index) ? 1 : nil) {
                if isEndOfTypographicText(bytes[(index + length)...]) { return index }
                quote = quote ?? index
            }
            if let quote, index - first > Self.lookaheadMax { return quote }
            index += 1
        }
        return quote ?? index
    }

    /// Whether a key or value can end here, or the next one begins here without a comma.
    private func isEndOfTypographicText(_ rest: ArraySlice<UInt8>) -> Bool {
        if isEndOfText(rest) { return true }
        guard rest.first == 0x20, let next = rest.firstIndex(where: { $0 != 0x20 }) else {
            return false
        }
        return isQuote(at: next) || typographicQuote(at: next) != nil
    }

    private func isQuote(at index: Int) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: "\"")
    }

    /// Three dots, or the single character that editors write instead.
    mutating func skipEllipsis(_ start: TextPosition) -> Bool {
        let length = starts(with: [0xE2, 0x80, 0xA6]) || starts(with: Array("...".utf8)) ? 3 : 0
        guard length > 0 else { return false }
        fault(
            .jsonTypographic, start, "an ellipsis is where a value is expected",
            advice: "write the value")
        offset += length
        return true
    }

    /// Characters that look like a space, and a byte-order mark within the text.
    mutating func skipSpaceLookalike() -> Bool {
        let spaces: [[UInt8]] = [[0xC2, 0xA0], [0xE2, 0x80, 0x8B], [0xEF, 0xBB, 0xBF]]
        guard let space = spaces.first(where: starts) else { return false }
        fault(
            .jsonTypographic, currentPosition(),
            "\(character()) is not a JSON space", advice: "replace it by a plain space")
        offset += space.count
        return true
    }

    /// A line that a merge has left.
    mutating func skipConflictMark() -> Bool {
        guard offset == 0 || bytes[offset - 1] == 0x0A else { return false }
        let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
        guard isConflictMark(bytes[offset..<end]) else { return false }
        fault(
            .jsonSyntax, currentPosition(), "a merge conflict is not resolved here",
            advice: conflictAdvice)
        offset = end
        return true
    }

    mutating func skipComment() -> Bool {
        let start: TextPosition
        let end: [UInt8]
        if starts(with: Array("//".utf8)) || next == UInt8(ascii: "#") {
            (start, end) = (currentPosition(), [0x0A])
        } else if starts(with: Array("/*".utf8)) {
            (start, end) = (currentPosition(), Array("*/".utf8))
        } else {
            return false
        }
        fault(
            .jsonComment, start, "JSON has no comments",
            advice: "remove it, or use a component's \"comment\" key")
        while offset < bytes.count, !starts(with: end) { offset += 1 }
        offset = min(bytes.count, offset + end.count)
        return true
    }
}

func isWordByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
}

private func isNumberByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: ".")
}
