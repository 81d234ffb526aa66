/// The identity of a link: a UUID that begins with the time of its creation (RFC 9562 §5.7).
package struct LinkID: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// - Parameter milliseconds: since 1970.
    package init(milliseconds: Int, random: inout some RandomNumberGenerator) {
        let time = UInt64(milliseconds)
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: time >> UInt64(8 * (5 - $0))) }
        for word in [random.next(), random.next()] as [UInt64] {
            for index in 0..<5 {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
            }
        }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// The time of its making, since 1970.
    package var milliseconds: Int { bytes[..<6].reduce(0) { $0 << 8 | Int($1) } }

    /// One that comes directly after; nil after the last one.
    var successor: LinkID? {
        var next = bytes
        for index in next.indices.reversed() {
            // The bits of the version and the variant stay.
            let mask: UInt8 =
                switch index {
                case 6: 0x0F
                case 8: 0x3F
                default: 0xFF
                }
            next[index] = next[index] & ~mask | (next[index] &+ 1) & mask
            if next[index] & mask != 0 { return LinkID(next) }
        }
        return nil
    }

    /// Whether it comes before another one in lists.
    package func isBefore(_ other: LinkID) -> Bool { bytes.lexicographicallyPrecedes(other.bytes) }

    /// Nil if these are not 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the form of `description`, in either letter case.
    package init?(_ text: some StringProtocol) {
        var digits = [UInt8]()
        for (index, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                switch byte {
                case 0x30...0x39: digits.append(byte - 0x30)
                case 0x41...0x46, 0x61...0x66: digits.append((byte | 0x20) - 0x61 + 10)
                default: return nil
                }
            }
        }
        guard digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8]()
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
