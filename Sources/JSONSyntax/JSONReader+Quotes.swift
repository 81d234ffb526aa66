internal import Diagnostics

// Quotes that are missing, too many, or different from the one at the other end of the string. The
// intended string is guessed, so that one mistake is one finding, and the brackets after it are
// still found.

extension JSONReader {
    /// The second of two quotes at the start of a string: `""paths"`.
    mutating func skipQuoteTooMany(_ start: TextPosition) {
        let quote = UInt8(ascii: "\"")
        guard starts(with: [quote, quote]),
            isInText(offset + 2 < bytes.count ? bytes[offset + 2] : nil)
        else { return }
        let text = bytes[(offset + 2)...].prefix { $0 >= 0x20 && $0 != quote }
            .prefix(Self.lookaheadMax)
        fault(
            .jsonSyntax, start,
            "there is an extra quote before \(quoted(String(decoding: text, as: UTF8.self)))",
            advice: "remove one of the two")
        offset += 1
    }

    /// The second of two quotes at the end of a string: `"paths""`.
    mutating func skipQuoteTooMany(behind text: [UInt8]) {
        guard next == UInt8(ascii: "\""), isEndOfText(bytes[(offset + 1)...]) else { return }
        fault(
            .jsonSyntax, currentPosition(),
            "there is an extra quote after \(quoted(String(decoding: text, as: UTF8.self)))",
            advice: "remove one of the two")
        offset += 1
    }

    /// A string that contains the text after it, because its last quote is missing or of another
    /// kind. Nil if its intended end is not clear.
    /// - Parameter first: the first byte of its text.
    mutating func misclosed(_ first: Int, _ start: TextPosition) -> JSONValue? {
        if let end = typographicEnd(of: first) {
            let text = Array(bytes[first..<end])
            offset = end
            reportTypographicQuote(currentPosition())
            offset = end + (typographicQuote() ?? 1)
            return value(text, start)
        }
        var text = bytes[first..<offset]
        if text.last == UInt8(ascii: "\"") { text.removeLast() }
        let isBracket: (UInt8) -> Bool = { ",]} ".utf8.contains($0) }
        let own = text.prefix(text.count - text.reversed().prefix(while: isBracket).count)
        guard !own.isEmpty, text[own.endIndex...].contains(where: { $0 != 0x20 }) else {
            return nil
        }
        let words = quoted(String(decoding: own, as: UTF8.self))
        fault(.jsonSyntax, start, "the quote after \(words) is missing", advice: "write \(words)")
        offset = own.endIndex
        return value(Array(own), start)
    }

    /// The position at which a typographic quote ends the text that begins at `first`, if one does.
    private func typographicEnd(of first: Int) -> Int? {
        let rest = bytes[first..<min(offset, first + Self.lookaheadMax)]
        return rest.indices.first { index in
            // Plain apostrophes and backslashes are part of many texts.
            rest[index] >= 0x80
                && typographicQuote(at: index).map { isEndOfText(bytes[(index + $0)...]) } == true
        }
    }

    /// `"paths: [`: a key whose last quote is missing. Such keys are words. A key that contains a
    /// colon ends with a quote, and has a colon after that.
    mutating func unclosedKey(_ start: TextPosition) -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        let word = bytes[(offset + 1)...].prefix(while: isWordByte)
        guard !word.isEmpty, word.endIndex < bytes.count, bytes[word.endIndex] == UInt8(ascii: ":")
        else { return nil }
        let rest = bytes[word.endIndex...].prefix(Self.lookaheadMax)
        let end = rest.first { $0 < 0x20 || "\"\\".utf8.contains($0) }
        switch end {
        case nil where rest.count == Self.lookaheadMax: return nil
        case UInt8(ascii: "\\"): return nil
        case UInt8(ascii: "\""):
            let quote = rest.firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex
            let behind = bytes[(quote + 1)...].first { !isJSONSpace($0) }
            guard behind != UInt8(ascii: ":") else { return nil }
        default: break
        }
        let key = String(decoding: word, as: UTF8.self)
        fault(
            .jsonSyntax, start, "the quote after the key \(quoted(key)) is missing",
            advice: "write \(quoted(key))")
        offset = word.endIndex
        return key
    }

    /// Whether a byte after a quote can only belong to a text.
    func isInText(_ byte: UInt8?) -> Bool {
        byte.map { $0 > 0x20 && !",:]}\"".utf8.contains($0) } ?? false
    }

    /// Whether a key or a value can end here.
    func isEndOfText(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first { $0 != 0x20 }.map { $0 < 0x20 || ",:=]}".utf8.contains($0) } ?? true
    }

    /// Whether a value can end here.
    func isEndOfValue(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first { $0 != 0x20 }.map { $0 < 0x20 || ",]}".utf8.contains($0) } ?? true
    }

    /// Patterns and identifiers are shorter. All these bytes may have to be read twice.
    static var lookaheadMax: Int { 256 }
}
