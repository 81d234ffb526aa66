/// A country as ISO 3166-1 writes it with two letters, or none that is known.
package struct CountryCode: Hashable, Sendable {
    /// The first letter in the upper byte, and the second in the lower one; 0 for none.
    package let number: UInt16

    /// No country that is known.
    package static let unknown = CountryCode(number: 0)

    private init(number: UInt16) { self.number = number }

    /// Two letters, in any letter case. Everything else is unknown, and so is `XX`, as which proxies write it.
    @inline(__always)
    package init(_ first: UInt8, _ second: UInt8) {
        let (upper, lower) = (first & 0xDF, second & 0xDF)
        let isWord = upper &- 0x41 < 26 && lower &- 0x41 < 26 && !(upper == 0x58 && lower == 0x58)
        number = isWord ? UInt16(upper) << 8 | UInt16(lower) : 0
    }

    /// - Parameter number: of a country; unknown for others.
    package init(of number: Int) {
        self =
            number >= 0 && number <= Int(UInt16.max)
            ? CountryCode(UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
            : .unknown
    }

    /// The two letters; `unknown` for none.
    package var name: String {
        guard number > 0 else { return "unknown" }
        return String(
            decoding: [
                UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
            ], as: UTF8.self)
    }
}
