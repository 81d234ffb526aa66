internal import Memory

/// The keys of two days with which visitors are told apart. Nobody can say which of two days'
/// visitors are the same, or who one was, after the keys were deleted.
package struct VisitSalts: Equatable, Sendable {
    /// The first of the days, in days since 1970; the other is the next one.
    package let day: Int
    private let first: VisitSalt
    private let second: VisitSalt
    /// Makes the keys of days after these, which are kept once such a day has come. It is forgotten then, so that nobody makes
    /// them anew when they were deleted.
    package var later: VisitSalt?

    package init(day: Int, _ first: VisitSalt, _ second: VisitSalt) {
        (self.day, self.first, self.second) = (day, first, second)
    }

    /// The key of a day. A clock can go several days on at once, as when a machine has slept, and visitors do not wait until
    /// its key is kept.
    /// - Returns: nil for a day before, whose key may be another one.
    package func salt(of day: Int) -> VisitSalt? {
        switch day - self.day {
        case 0: first
        case 1: second
        case 2...: later?.key(ofDay: day)
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

    /// The key that this one makes for a day, and for no other.
    package func key(ofDay day: Int) -> VisitSalt {
        let number = UInt64(bitPattern: Int64(day))
        return VisitSalt(hash(number, 0, 0), hash(number, 0, 1))
    }

    private init(_ low: UInt64, _ high: UInt64) { (self.low, self.high) = (low, high) }

    /// As it is stored.
    package var bytes: [UInt8] {
        [low, high].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }

    /// The hash of a visitor: of 24 bytes, those of the client's network, its user agent's hash and
    /// the link.
    package func hash(_ network: UInt64, _ userAgent: UInt64, _ link: UInt64) -> UInt64 {
        var state = SipState(low, high)
        state.add(network, rounds: 2)
        state.add(userAgent, rounds: 2)
        state.add(link, rounds: 2)
        state.add(24 << 56, rounds: 2)
        return state.finish(rounds: 4)
    }
}
