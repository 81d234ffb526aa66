/// Bytes that are looked for in others, where ASCII letters of either case are the same.
package struct SoughtBytes: Sendable {
    private let bytes: [UInt8]
    /// The place of the two bytes that are looked for first, because others have them most seldom.
    private let pair: Int
    private let first, second: SIMD2<UInt64>
    /// Bits that are set before bytes are compared: that of lower case for letters.
    private let firstMask, secondMask: SIMD2<UInt64>

    /// - Returns: nil for fewer than two bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        let folded = bytes.map(\.foldedLetter)
        guard folded.count >= 2 else { return nil }
        var (best, least) = (0, Int.max)
        for place in 0..<folded.count - 1 {
            let weight = Self.weight(folded[place]) + Self.weight(folded[place + 1])
            if weight < least { (best, least) = (place, weight) }
        }
        (self.bytes, pair) = (folded, best)
        let one = folded[best]
        let two = folded[best + 1]
        (first, second) = (Self.vector(one), Self.vector(two))
        (firstMask, secondMask) = (Self.vector(one.maskOfCase), Self.vector(two.maskOfCase))
    }

    /// Sixteen times the same byte.
    private static func vector(_ byte: UInt8) -> SIMD2<UInt64> {
        SIMD2(repeating: UInt64(byte) &* 0x0101_0101_0101_0101)
    }

    /// How frequent a byte is in links, about.
    private static func weight(_ byte: UInt8) -> Int {
        frequent.firstIndex(of: byte).map { frequent.count - $0 } ?? 0
    }

    private static let frequent = Array("etaos/rinmcpl.whd:gu-kb=?_fv20&1y".utf8)

    /// Whether a range of bytes has them.
    package func isPart(of text: Span<UInt8>, in range: Range<Int>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= text.count)
        // The places that the pair can have.
        let end = range.upperBound - (bytes.count - pair) + 1
        var place = range.lowerBound + pair
        let (ones, highs) = (Self.vector(0x01), Self.vector(0x80))
        while place + 17 <= range.upperBound, place < end {
            // Zero where both bytes of the pair are.
            let (one, two) = unsafe text.bytes.withUnsafeBytes { memory in
                (
                    unsafe memory.loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self),
                    unsafe memory.loadUnaligned(fromByteOffset: place + 1, as: SIMD2<UInt64>.self)
                )
            }
            let firstDifferences = (one | firstMask) ^ first
            let differences = firstDifferences | ((two | secondMask) ^ second)
            // The high bits of bytes that are zero, and perhaps of some behind these.
            let borrowed = differences &- ones
            let zeros = borrowed & ~differences & highs
            if zeros[0] | zeros[1] != 0 {
                for half in 0..<2 {
                    var bits = zeros[half]
                    while bits != 0 {
                        let found = place + 8 * half + bits.trailingZeroBitCount / 8
                        if found < end, isHere(text, found - pair) { return true }
                        bits &= bits - 1
                    }
                }
            }
            place += 16
        }
        while place < end {
            if isHere(text, place - pair) { return true }
            place += 1
        }
        return false
    }

    private func isHere(_ text: Span<UInt8>, _ start: Int) -> Bool {
        for offset in bytes.indices where text[start + offset].foldedLetter != bytes[offset] {
            return false
        }
        return true
    }
}

extension UInt8 {
    fileprivate var foldedLetter: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
    fileprivate var maskOfCase: UInt8 { 0x61...0x7A ~= self ? 0x20 : 0 }
}
