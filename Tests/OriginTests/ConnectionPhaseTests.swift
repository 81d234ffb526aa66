import SiteConfiguration
import Snapshots
import Testing

@testable import Origin

@Suite("A connection's phases and their deadlines")
struct ConnectionPhaseTests {
    private static let events: [(event: ConnectionPhase.Event, phase: ConnectionPhase)] = [
        (.outputBlocked, .writing), (.handlerAwaited, .handling), (.turnAwaited, .waiting),
        (.contentIncomplete, .content), (.headIncomplete, .head),
        (.answered, .idle), (.established, .idle), (.unasked, .opening), (.finished, .lingering),
        (.ended, .closed),
    ]

    /// The events that can come in each phase.
    private static let possible: [(ConnectionPhase, Set<ConnectionPhase.Event>)] = [
        (.opening, Set(ConnectionPhase.Event.allCases)),
        (.idle, Set(ConnectionPhase.Event.allCases).subtracting([.unasked])),
        (.head, Set(ConnectionPhase.Event.allCases)),
        (.content, Set(ConnectionPhase.Event.allCases).subtracting([.established, .unasked])),
        (.handling, Set(ConnectionPhase.Event.allCases).subtracting([.established, .unasked])),
        (.waiting, Set(ConnectionPhase.Event.allCases).subtracting([.established, .unasked])),
        (.writing, Set(ConnectionPhase.Event.allCases)),
        (.lingering, [.finished, .ended]),
        (.closed, [.ended]),
    ]

    @Test func `each event leads from each phase to one phase, or cannot come in it`() {
        #expect(Self.possible.map(\.0) == ConnectionPhase.allCases)
        #expect(Self.events.map(\.event) == ConnectionPhase.Event.allCases)
        for (before, possible) in Self.possible {
            for (event, phase) in Self.events {
                let next = possible.contains(event) ? phase : nil
                #expect(before.next(event) == next, "\(event) in \(before)")
            }
        }
    }

    @Test func `an event that cannot come ends the process, because it is our own error`() async {
        await #expect(processExitsWith: .failure) {
            let turn = Turn(OriginLimits())
            var timer = ConnectionTimer(isOverLimit: false, turn)
            timer.close()
            _ = timer.apply(.answered, requests: 1)
        }
    }

    @Test func `a connection can end more than once, and stays closed`() {
        let turn = Turn(OriginLimits())
        var timer = ConnectionTimer(isOverLimit: false, turn)
        timer.close()
        timer.close()
        #expect(timer.phase == .closed)
    }

    @Test(
        "each phase has its own time",
        arguments: [
            (ConnectionPhase.Event.headIncomplete, 3), (.answered, 5), (.unasked, 2),
        ])
    func times(_ event: ConnectionPhase.Event, seconds: Int) {
        var limits = OriginLimits()
        (limits.handshakeSeconds, limits.headSeconds, limits.idleSeconds) = (2, 3, 5)
        limits.overLimitSeconds = 1
        let turn = Turn(limits)
        var timer = ConnectionTimer(isOverLimit: false, turn)
        #expect(timer.deadline == turn.deadline(seconds: 2))
        let isApplied = timer.apply(event, requests: 1)
        #expect(isApplied)
        timer.setDeadline(isOverLimit: false, progress: 0, turn)
        #expect(timer.deadline == turn.deadline(seconds: seconds))
        // Nothing has begun: a byte now and then moves no deadline.
        let isAppliedAgain = timer.apply(event, requests: 1)
        #expect(!isAppliedAgain)
        var over = ConnectionTimer(isOverLimit: true, turn)
        #expect(over.deadline == turn.deadline(seconds: 1))
        _ = over.apply(event, requests: 1)
        over.setDeadline(isOverLimit: true, progress: 0, turn)
        #expect(over.deadline == turn.deadline(seconds: 1))
    }

    @Test func `who waits for its turn has all the time, and its own when that has come`() {
        let turn = Turn(OriginLimits())
        var timer = ConnectionTimer(isOverLimit: false, turn)
        for (event, deadline) in [
            (ConnectionPhase.Event.turnAwaited, Int.max),
            (.answered, turn.deadline(seconds: OriginLimits().idleSeconds)),
        ] {
            let isApplied = timer.apply(event, requests: 2)
            #expect(isApplied)
            timer.setDeadline(isOverLimit: false, progress: 0, turn)
            #expect(timer.deadline == deadline)
        }
    }

    @Test func `an empty line in parts gives a connection no more time`() {
        var limits = OriginLimits()
        (limits.handshakeSeconds, limits.idleSeconds, limits.headSeconds) = (20, 20, 10)
        let clock = LoopClock.stopped()
        for start in [ConnectionPhase.Event.unasked, .answered] {
            var timer = ConnectionTimer(isOverLimit: false, Turn(limits, clock))
            let requests = start == .answered ? 1 : 0
            func take(_ event: ConnectionPhase.Event) {
                guard timer.apply(event, requests: requests) else { return }
                timer.setDeadline(isOverLimit: false, progress: 0, Turn(limits, clock))
            }
            take(start)
            let deadline = timer.deadline
            for _ in 0..<3 {
                clock.advance(milliseconds: 3_000)
                take(.headIncomplete)
                take(start)
                #expect(timer.deadline == deadline)
            }
            // A request is asked in the end, and the next one has its own time.
            _ = timer.apply(.answered, requests: requests + 1)
            timer.setDeadline(isOverLimit: false, progress: 0, Turn(limits, clock))
            #expect(timer.deadline == Turn(limits, clock).deadline(seconds: 20))
        }
    }

    @Test func `content and answers have more time for as long as enough of them moves`() {
        let limits = OriginLimits()
        let turn = Turn(limits)
        let content = limits.contentBytesPerSecond * limits.contentRateSeconds
        for (bytes, isExtended) in [(content, true), (content - 1, false)] {
            var timer = ConnectionTimer(isOverLimit: false, turn)
            _ = timer.apply(.contentIncomplete, requests: 1)
            timer.setDeadline(isOverLimit: false, progress: 0, turn)
            #expect(timer.deadline == turn.deadline(seconds: limits.contentRateSeconds))
            let extended = timer.extend(progress: bytes, turn)
            #expect(extended == isExtended)
        }
        let answer = limits.writeBytesPerSecond * limits.writeSeconds
        for taken in [answer, answer - 1] {
            var timer = ConnectionTimer(isOverLimit: false, turn)
            _ = timer.apply(.outputBlocked, requests: 1)
            timer.setDeadline(isOverLimit: false, progress: 2 * answer, turn)
            // Until the time for the answer is over, the connection is looked at each turn.
            #expect(timer.deadline == turn.milliseconds + 1)
            let isExtended = timer.extend(progress: 2 * answer - taken, turn)
            #expect(isExtended)
        }
    }
}
