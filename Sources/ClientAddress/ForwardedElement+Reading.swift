// RFC 7239 §4, read from the right:
//
//     Forwarded         = 1#forwarded-element
//     forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )
//     forwarded-pair    = token "=" ( token / quoted-string )
//
// What the nearest proxy has added stands at the right end. Whatever a client wrote left of it, a
// quote that is never closed for instance, cannot change how that is read.

extension ForwardedElement {
    /// The last element of a `Forwarded` list. If it is malformed, it has no node and no scheme,
    /// and begins at the start of the range, because nothing to the left of it can be understood.
    static func lastForwarded(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ForwardedElement {
        var reader = BackwardReader(bytes: range)
        var element = ForwardedElement(start: range.lowerBound, wantsBrackets: true)
        var isEmpty = true
        while true {
            reader.skipSpace(bytes)
            guard let last = reader.last(bytes), last != .comma else { break }
            guard last != .semicolon else {
                reader.drop()
                continue
            }
            isEmpty = false
            guard let value = reader.takeValue(bytes), reader.take(.equals, bytes),
                let name = reader.takeToken(bytes), element.note(bytes, name, value)
            else { return .init(start: range.lowerBound, wantsBrackets: true) }
            reader.skipSpace(bytes)
            guard let before = reader.last(bytes) else { break }
            guard before == .semicolon || before == .comma else {
                return .init(start: range.lowerBound, wantsBrackets: true)
            }
        }
        element.start = reader.end
        element.isEmpty = isEmpty
        return element
    }

    /// Keeps a pair's value; false if its name is repeated.
    private mutating func note(
        _ bytes: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>
    ) -> Bool {
        if bytes.spells("for", name) {
            guard node == nil else { return false }
            node = value
        } else if bytes.spells("proto", name) {
            guard scheme == nil else { return false }
            scheme = value
        }
        return true
    }
}

/// Takes pieces from the end of a range.
private struct BackwardReader {
    private let start: Int
    private(set) var end: Int

    init(bytes range: Range<Int>) { (start, end) = (range.lowerBound, range.upperBound) }

    func last(_ bytes: Span<UInt8>) -> UInt8? { end > start ? bytes[end - 1] : nil }

    mutating func drop() { end -= 1 }

    mutating func skipSpace(_ bytes: Span<UInt8>) {
        while end > start, bytes[end - 1].isOWS { end -= 1 }
    }

    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard last(bytes) == byte else { return false }
        end -= 1
        return true
    }

    mutating func takeToken(_ bytes: Span<UInt8>) -> Range<Int>? {
        let upper = end
        while end > start, bytes[end - 1].isTokenCharacter { end -= 1 }
        return end < upper ? end..<upper : nil
    }

    /// A token, or the content of a quoted string as it was sent.
    mutating func takeValue(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard last(bytes) == .quote else { return takeToken(bytes) }
        guard !isEscaped(bytes, end - 1) else { return nil }
        let upper = end - 1
        var index = upper - 1
        while index >= start {
            if bytes[index] == .quote, !isEscaped(bytes, index) {
                end = index
                return index + 1..<upper
            }
            index -= 1
        }
        return nil
    }

    /// Whether an odd number of backslashes precedes an index.
    private func isEscaped(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        var count = 0
        while index - count > start, bytes[index - count - 1] == UInt8(ascii: "\\") { count += 1 }
        return count % 2 == 1
    }
}
