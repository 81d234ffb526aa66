/// Spreads the orders of one account over time: some at once, and then one after the other, so that
/// also a thousand hosts at once stay below what authorities allow an account (Let's Encrypt: 300
/// orders in three hours).
struct OrderPace: Hashable, Sendable {
    /// The time at which the allowance is whole again, in milliseconds of a monotonic clock.
    private var wholeAt = Int.min

    /// The time at which the next order may begin.
    /// - Parameter isByHand: whether somebody has ordered it. It takes the part of a later one then, for
    ///   which authorities leave room.
    func next(now: Int, isByHand: Bool = false) -> Int {
        let owed = max(0, (wholeAt == .min ? now : wholeAt) - now)
        let burst = isByHand ? 2 * Self.burst : Self.burst
        return now + max(0, owed - (burst - 1) * Self.pauseMilliseconds)
    }

    /// Notes an order.
    mutating func note(now: Int) { wholeAt = max(wholeAt, now) + Self.pauseMilliseconds }

    /// Takes back an order that was not made.
    mutating func forgive() { wholeAt = wholeAt == .min ? .min : wholeAt - Self.pauseMilliseconds }

    static let reason =
        "of many orders, \(burst) begin at once, and then one every \(pauseMilliseconds / 1_000) seconds"
    static let burst = 20
    static let pauseMilliseconds = 40_000
}

/// The limit on certificates for a registered domain, as a bucket that is refilled: so many at once, and
/// then one after the other. It counts the first certificate of each host; authorities exempt renewals.
struct DomainPace: Hashable, Sendable {
    /// The time at which the bucket is full again, in seconds since 1970.
    private(set) var fullAt = Int.min

    init() {}

    init(fullAt: Int) { self.fullAt = fullAt }

    /// The time at which another may be ordered.
    /// - Parameter underway: orders that have not ended yet.
    func next(now: Int, underway: Int, _ limit: DomainLimit) -> Int {
        let owed = max(0, max(fullAt, now) - now) + underway * limit.secondsEach
        return now + max(0, owed - (limit.certificates - 1) * limit.secondsEach)
    }

    /// Notes a certificate.
    mutating func note(now: Int, _ limit: DomainLimit) {
        fullAt = max(fullAt, now) + limit.secondsEach
    }
}

/// The most certificates that an authority issues for the hosts of one registered domain.
package struct DomainLimit: Hashable, Sendable {
    package let certificates, seconds: Int

    package var secondsEach: Int { (seconds + certificates - 1) / certificates }

    /// The limit that the authority of a directory is known to have; nil if none is known.
    package static func known(of directory: String) -> DomainLimit? {
        directory.utf8.starts(with: "https://acme-v02.api.letsencrypt.org/".utf8)
            ? DomainLimit(certificates: 50, seconds: 7 * 86_400) : nil
    }
}
