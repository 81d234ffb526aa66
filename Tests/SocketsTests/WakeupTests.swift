import Sockets
import Testing

@Suite("Wake-ups")
struct WakeupTests {
    @Test func `a wait takes all that have come`() throws {
        let wakeup = try Wakeup()
        for _ in 1...3 { wakeup.wake() }
        #expect(wakeup.wait() == 3)
        wakeup.wake()
        #expect(wakeup.wait() == 1)
    }

    @Test func `those that were cleared end no wait`() throws {
        let wakeup = try Wakeup()
        wakeup.wake()
        wakeup.clear()
        wakeup.wake()
        #expect(wakeup.wait() == 1)
    }

    @Test func `another thread ends a wait`() throws {
        let wakeup = try Wakeup()
        try startThread(name: "test-wakeup") { wakeup.wake() }
        #expect(wakeup.wait() == 1)
    }
}
