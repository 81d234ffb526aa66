import HTTPMessages
import Memory

/// A date as the Date field has it, in words of eight octets, so that it is written without a loop:
/// the last word repeats three octets of the third.
struct DateWords {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter seconds: since 1970.
    init(_ seconds: Int) {
        let text = HTTPDate.format(seconds)
        let span = text.span
        words = (
            span.octets(at: 0), span.octets(at: 8), span.octets(at: 16),
            span.octets(at: HTTPDate.count - 8)
        )
    }

    /// Writes it over the octets from `start` on; there must be room.
    @inline(__always)
    func write(to bytes: inout [UInt8], at start: Int) {
        var target = bytes.mutableSpan
        target.setOctets(words.0, at: start)
        target.setOctets(words.1, at: start + 8)
        target.setOctets(words.2, at: start + 16)
        target.setOctets(words.3, at: start + HTTPDate.count - 8)
    }
}
