/// Says by which day what is old is deleted. What a clock that was wrong for a while would delete is
/// gone for good, so a day that is far ahead counts when the clock has said so for an hour.
package struct RetentionClock: Equatable, Sendable {
    /// The last day that counts, in days since 1970; nil before the first one.
    package private(set) var day: Int?
    /// A day that is too far ahead, and may be true.
    package private(set) var doubted: Int?
    /// The time for which the clock has been there or later.
    package private(set) var seenMilliseconds = 0

    /// Of a file that has no day yet.
    package init() {}

    /// As it was written, by whatever program.
    package init(day: Int?, doubted: Int?, seenMilliseconds: Int) {
        func bounded(_ day: Int) -> Int { min(max(day, 0), 1 << 40) }
        (self.day, self.doubted) = (day.map(bounded), doubted.map(bounded))
        self.seenMilliseconds = min(max(seenMilliseconds, 0), Self.proofMilliseconds)
    }

    /// The clock says this day.
    /// - Parameters:
    ///   - milliseconds: since it was asked before, by a clock that does not jump.
    ///   - last: the last day of which something is counted, where no day counts yet; nil for none.
    package mutating func see(_ now: Int, after milliseconds: Int, lastCounted last: Int? = nil) {
        if day == nil, let last, last < now { day = max(last, 0) }
        guard let day, now > day + Self.stepDays else {
            // A clock that goes back shows that what it said before may be wrong; an earlier day deletes nothing.
            self = RetentionClock(day: now, doubted: nil, seenMilliseconds: 0)
            return
        }
        guard let first = doubted, now >= first else {
            (doubted, seenMilliseconds) = (now, 0)
            return
        }
        seenMilliseconds += min(max(milliseconds, 0), Self.stepMilliseconds)
        guard seenMilliseconds >= Self.proofMilliseconds else { return }
        // The clock may have gone much further since, for a moment.
        self = RetentionClock(day: first, doubted: nil, seenMilliseconds: 0)
        see(now, after: 0)
    }

    /// The day by which what is old is deleted, when the clock says this one.
    package func today(_ now: Int) -> Int { min(now, day ?? now) }

    /// The days that may pass from one question to the next without a doubt.
    package static let stepDays = 2
    /// The time for which a day that is far ahead has to be seen.
    package static let proofMilliseconds = 3_600_000
    /// The part of that time which one question can prove.
    package static let stepMilliseconds = 600_000
}
