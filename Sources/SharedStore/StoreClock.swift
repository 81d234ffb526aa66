internal import Sockets
internal import Synchronization

/// The clock by which stored times are made, and by which tokens, sessions and kept answers end. All nodes of a database have
/// its clock: that of their machine, corrected by the last answer that told the time. Any thread may ask.
package final class StoreClock: Sendable {
    /// Milliseconds by which this machine's clock is ahead of the database's.
    private let ahead = Atomic<Int>(0)

    /// The machine's clock, until a database tells another time.
    package init() {}

    /// Milliseconds since 1970, up to the end of the year 9999.
    package var milliseconds: Int {
        min(max(Clock.unixMilliseconds - ahead.load(ordering: .relaxed), 0), Self.last)
    }

    /// Seconds since 1970.
    package var seconds: Int { milliseconds / 1_000 }

    /// Notes the time that an answer of the database has told. It was taken after the question and before the answer came, so
    /// what is known of the difference stays, unless this shows that it cannot be.
    /// - Parameter asked: when the question was sent, by this machine's clock in milliseconds since 1970.
    func note(_ time: Int?, askedAt asked: Int, answeredAt answered: Int = Clock.unixMilliseconds) {
        guard let time else { return }
        let told = min(max(time, 0), Self.last)
        let (least, most) = (asked - told - Self.tick, answered - told + Self.tick)
        // This machine's clock was set meanwhile.
        guard least <= most else { return }
        ahead.store(
            min(max(ahead.load(ordering: .relaxed), least), most), ordering: .relaxed)
    }

    /// The step of this machine's clock.
    private static let tick = 10
    private static let last = 253_402_300_799_999
}
