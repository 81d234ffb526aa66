import Snapshots
import Testing

@testable import Origin

@Suite("A connection's share of a turn")
struct ShareTests {
    /// The numbers of the requests before which the clock is read, the second one being 1, until
    /// the share is over.
    private static func readings(
        length: Int = 1000, microsecondsOfRequest: (Int) -> Int
    ) -> [Int] {
        var share = Share()
        var (now, read) = (1_000_000, [Int]())
        for number in 1...2_000 {
            if share.needsClock() {
                read.append(number)
                if share.isOver(at: now, length: length) { break }
            }
            now += microsecondsOfRequest(number)
        }
        return read
    }

    @Test func `slow requests are stopped by the first that begins after its end`() {
        #expect(Self.readings { _ in 200 } == [1, 2, 3, 4, 5, 6])
        #expect(Self.readings { _ in 5_000 } == [1, 2])
        #expect(Self.readings(length: 125) { _ in 100 } == [1, 2, 3])
    }

    @Test func `of quick requests the clock is read before each eighth`() {
        let read = Self.readings { _ in 10 }
        #expect(read.prefix(4) == [1, 2, 10, 18] && read.last == 106)
        #expect(Self.readings(length: 125) { _ in 1 }.last == 130)
    }

    @Test func `quick requests hide at most eight that are slow`() {
        #expect(Self.readings { $0 == 1 ? 1 : 5_000 } == [1, 2, 10])
    }

    @Test func `it is an eighth in a busy turn`() {
        var limits = OriginLimits()
        limits.shareMicroseconds = 16_000
        for (isBusy, expected) in [(false, [false, false, true]), (true, [false, true, true])] {
            let clock = LoopClock.stopped()
            var turn = Turn(limits, clock)
            turn.isBusy = isBusy
            var isOver = [turn.isShareOver()]
            for milliseconds in [2, 14] {
                clock.advance(milliseconds: milliseconds)
                isOver.append(turn.isShareOver())
            }
            #expect(isOver == expected)
        }
    }

    @Test func `where it has no length, each further request waits`() {
        var share = Share()
        let needsClock = share.needsClock()
        let isOver = share.isOver(at: 5, length: 0)
        #expect(needsClock && isOver)
    }
}
