import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

struct StoreClockTests {
    private let hour = 3_600_000

    @Test func `it has the time of the database's answers`() {
        let (clock, now) = (StoreClock(), Clock.unixMilliseconds)
        #expect(abs(clock.milliseconds - now) < safetyNetSeconds * 1_000)
        for (time, ahead) in [(now - hour, hour), (now + hour, -hour), (now, 0)] {
            clock.note(time, askedAt: now, answeredAt: now)
            #expect(clock.milliseconds - Clock.unixMilliseconds <= 20 - ahead)
            #expect(clock.milliseconds - Clock.unixMilliseconds >= -20 - ahead)
            #expect(abs(clock.seconds - clock.milliseconds / 1_000) <= 1)
        }
    }

    @Test func `an answer that took long changes nothing that it may agree with`() {
        let (clock, now) = (StoreClock(), Clock.unixMilliseconds)
        clock.note(now - hour, askedAt: now, answeredAt: now)
        let before = clock.milliseconds - Clock.unixMilliseconds
        clock.note(now - hour, askedAt: now - 9_000, answeredAt: now + 9_000)
        // No answer, and one for which this machine's clock was set back meanwhile.
        clock.note(nil, askedAt: now)
        clock.note(now, askedAt: now, answeredAt: now - hour)
        #expect(abs(clock.milliseconds - Clock.unixMilliseconds - before) <= 20)
    }

    @Test(arguments: [Int.min, .max]) func `a time that nobody can mean stays one`(_ time: Int) {
        let (clock, now) = (StoreClock(), Clock.unixMilliseconds)
        clock.note(time, askedAt: now)
        #expect(0...253_402_300_799 ~= clock.seconds)
    }

    @Test(.enabled(if: TestServer.isInstalled, TestServer.reason))
    func `a node notes the database's time at its start and with each question`() throws {
        let (place, now) = (try TestStores().place(), Clock.unixMilliseconds)
        func isRight() -> Bool {
            abs(place.clock.milliseconds - Clock.unixMilliseconds) < safetyNetSeconds * 1_000
        }
        // As if this machine's clock had been wrong before, and was set since.
        place.clock.note(now + hour, askedAt: now, answeredAt: now)
        #expect(!isRight())
        let store = try LinkStore(place)
        #expect(isRight())
        place.clock.note(now - hour, askedAt: now, answeredAt: now)
        #expect(!isRight() && store.follow() && isRight())
    }
}
