import Glibc
import Sockets
import Testing

@Suite("A value that another thread works out")
struct BackgroundTests {
    @Test func `this thread goes on meanwhile`() throws {
        let gate = try Wakeup()
        let background = Background(name: "test-background") {
            gate.wait()
            return pthread_self()
        }
        // Nobody would come here if it were worked out at once.
        gate.wake()
        #expect(background.value != pthread_self())
    }

    @Test func `it is worked out once, however often it is asked for`() {
        let random = Background(name: "test-background") { UInt64.random(in: 0...UInt64.max) }
        let first = random.value
        #expect(random.value == first)
    }
}
