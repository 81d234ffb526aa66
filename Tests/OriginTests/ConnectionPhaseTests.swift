import SiteConfiguration
import Testing

@testable import Origin

@Suite("A connection's phases and their deadlines")
struct ConnectionPhaseTests {
    private static let events: [(event: ConnectionPhase.Event, phase: ConnectionPhase)] = [
        (.outputBlocked, .writing), (.handlerAwaited, .handling), (.contentIncomplete, .content),
        (.headIncomplete, .head),
        (.answered, .idle), (.established, .idle), (.unasked, .opening), (.finished, .lingering),
        (.ended, .closed),
    ]

    @Test func `an event has one phase, whatever phase came before`() {
        for before in [ConnectionPhase.opening, .idle, .head, .content, .handling, .writing] {
            for (event, phase) in Self.events { #expect(before.next(event) == phase) }
        }
    }

    @Test func `a connection that has its last answer begins nothing, and only ends`() {
        for before in [ConnectionPhase.lingering, .closed] {
            for (event, phase) in Self.events {
                #expect(before.next(event) == (phase == .closed ? .closed : before))
            }
        }
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
