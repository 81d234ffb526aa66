/// Bytes that are looked for in others, where ASCII letters of either case are the same.
package struct SoughtBytes: Sendable {
    private let bytes: [UInt8]
    /// The place of the two bytes that are looked for first, because others have them most seldom.
    private let pair: Int
    private let first, second: SIMD16<UInt8>
    /// Bits that are set before bytes are compared: that of lower case for letters.
    private let firstMask, secondMask: SIMD16<UInt8>

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
        first = SIMD16(repeating: one)
        second = SIMD16(repeating: two)
        firstMask = SIMD16(repeating: one.maskOfCase)
        secondMask = SIMD16(repeating: two.maskOfCase)
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
        while place + 17 <= range.upperBound, place < end {
            let matches = unsafe text.bytes.withUnsafeBytes { memory in
                let one = unsafe memory.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                let two = unsafe memory.loadUnaligned(
                    fromByteOffset: place + 1, as: SIMD16<UInt8>.self)
                return ((one | firstMask) .== first) .& ((two | secondMask) .== second)
            }
            if any(matches) {
                for offset in 0..<16 where matches[offset] && place + offset < end {
                    if isHere(text, place + offset - pair) { return true }
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
