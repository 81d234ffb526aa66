/// The keys of two days with which visitors are told apart. Nobody can say which of two days'
/// visitors are the same, or who one was, after the keys were deleted.
package struct VisitSalts: Equatable, Sendable {
    /// The first of the days, in days since 1970; the other is the next one.
    package let day: Int
    private let first: VisitSalt
    private let second: VisitSalt

    package init(day: Int, _ first: VisitSalt, _ second: VisitSalt) {
        (self.day, self.first, self.second) = (day, first, second)
    }

    /// The key of a day; nil for a day of which none is known.
    package func salt(of day: Int) -> VisitSalt? {
        switch day - self.day {
        case 0: first
        case 1: second
        default: nil
        }
    }
}

/// A key of SipHash-2-4 (Aumasson and Bernstein, 2012): 128 bits by chance.
package struct VisitSalt: Equatable, Sendable {
    private let low: UInt64
    private let high: UInt64

    /// - Parameter bytes: 16 of them.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        func word(_ start: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
        }
        (low, high) = (word(0), word(8))
    }

    /// The hash of a visitor: of 24 bytes, those of the client's network, its user agent's hash and
    /// the link.
    package func hash(_ network: UInt64, _ userAgent: UInt64, _ link: UInt64) -> UInt64 {
        var state = SipState(low, high)
        state.add(network)
        state.add(userAgent)
        state.add(link)
        state.add(24 << 56)
        return state.finish()
    }
}

private struct SipState {
    private var v0, v1, v2, v3: UInt64

    init(_ low: UInt64, _ high: UInt64) {
        v0 = low ^ 0x736F_6D65_7073_6575
        v1 = high ^ 0x646F_7261_6E64_6F6D
        v2 = low ^ 0x6C79_6765_6E65_7261
        v3 = high ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    mutating func add(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
        v2 ^= 0xFF
        round()
        round()
        round()
        round()
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v2 &+= v3
        v1 = v1 &<< 13 | v1 &>> 51
        v3 = v3 &<< 16 | v3 &>> 48
        v1 ^= v0
        v3 ^= v2
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v1
        v0 &+= v3
        v1 = v1 &<< 17 | v1 &>> 47
        v3 = v3 &<< 21 | v3 &>> 43
        v1 ^= v2
        v3 ^= v0
        v2 = v2 &<< 32 | v2 &>> 32
    }
}
