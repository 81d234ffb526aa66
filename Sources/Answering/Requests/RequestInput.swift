package import HTTPMessages
package import Memory
import URISyntax

/// The bytes of requests, and the reader of their heads. Every range of a head or a field is a
/// range of `buffer.storage`.
package struct RequestInput: ~Copyable {
    package var buffer: ByteBuffer
    package var reader: RequestReader

    package init(capacity: Int, limits: RequestLimits) {
        buffer = ByteBuffer(capacity: capacity)
        reader = RequestReader(limits: limits)
    }
}

extension [UInt8] {
    /// The number of characters of a target that no URL may hold.
    func escapesNeeded(in target: Range<Int>) -> Int {
        var count = 0
        for index in target where mustEscape(at: index, in: target) { count += 1 }
        return count
    }

    /// Whether a character of a target must be escaped in a URL (RFC 3986 §2.1).
    func mustEscape(at index: Int, in target: Range<Int>) -> Bool {
        let byte = self[index]
        guard byte == UInt8(ascii: "%") else { return !byte.isPathOrQueryCharacter }
        guard index + 2 < target.upperBound else { return true }
        return self[index + 1].hexDigitValue == nil || self[index + 2].hexDigitValue == nil
    }
}
