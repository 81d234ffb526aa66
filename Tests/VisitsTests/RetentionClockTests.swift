import Testing
import Visits

@Suite("The day by which what is old is deleted")
struct RetentionClockTests {
    private let step = RetentionClock.stepMilliseconds

    private func clock(_ day: Int) -> RetentionClock {
        var clock = RetentionClock()
        clock.see(day, after: 0)
        return clock
    }

    @Test(arguments: [1, 2]) func `days follow one another`(_ days: Int) {
        var clock = clock(100)
        clock.see(100 + days, after: 0)
        #expect(clock.today(100 + days) == 100 + days)
    }

    @Test func `a day that is far ahead counts after an hour`() {
        var clock = clock(100)
        clock.see(103, after: step)
        #expect(clock.today(103) == 100)
        for _ in 0..<5 { clock.see(103, after: step) }
        #expect(clock.today(103) == 100)
        // Midnight meanwhile is no doubt.
        clock.see(104, after: step)
        #expect(clock.today(104) == 104)
        #expect(clock.today(105) == 104)
    }

    /// What the clock says at last may be wrong.
    @Test func `a day counts that was seen for an hour, and none after it`() {
        var clock = clock(100)
        clock.see(103, after: 0)
        for _ in 0..<5 { clock.see(103, after: step) }
        clock.see(903, after: step)
        #expect(clock.today(903) == 103)
        clock.see(103, after: step)
        #expect(clock.today(103) == 103)
    }

    @Test(
        "without a day that counts, the last one of which something is counted does",
        arguments: [
            (nil, 1_300, 1_300), (99, 100, 100), (99, 1_300, 99), (1_300, 100, 100),
            (-7, 100, 0), (Int.min, 100, 0), (Int.max, 100, 100),
        ] as [(Int?, Int, Int)])
    func lastCounted(_ last: Int?, _ now: Int, _ today: Int) {
        var clock = RetentionClock()
        clock.see(now, after: 0, lastCounted: last)
        #expect(clock.today(now) == today)
    }

    @Test(arguments: [Int.min, Int.max]) func `what another program has written ends nothing`(
        _ number: Int
    ) {
        var clock = RetentionClock(day: number, doubted: number, seenMilliseconds: number)
        for _ in 0..<2 { clock.see(100, after: .max) }
        #expect(clock.today(100) == (number < 0 ? 0 : 100))
    }

    @Test func `a day that was wrong does not count for longer than the clock says it`() {
        var clock = clock(900)
        clock.see(100, after: step)
        clock.see(900, after: step)
        #expect(clock.today(900) == 100)
    }

    @Test func `one question proves little`() {
        var clock = clock(100)
        clock.see(1_300, after: 0)
        clock.see(1_300, after: .max)
        #expect(clock.today(1_300) == 100)
    }

    @Test func `a clock that goes back begins again`() {
        var clock = clock(100)
        for _ in 0..<6 { clock.see(1_300, after: step) }
        clock.see(100, after: step)
        clock.see(1_300, after: step)
        clock.see(1_300, after: step)
        #expect(clock.today(1_300) == 100 && clock.today(100) == 100)
    }

    /// A file that was made while the clock was ahead is not behind the clock afterwards.
    @Test func `what is deleted is never younger than the clock says`() {
        let clock = clock(1_300)
        #expect(clock.today(100) == 100)
    }
}
