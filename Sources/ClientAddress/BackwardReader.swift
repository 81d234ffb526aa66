/// Takes pieces from the end of a range.
struct BackwardReader {
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
