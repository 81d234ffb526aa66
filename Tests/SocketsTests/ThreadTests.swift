import Glibc
import Synchronization
import Testing

@testable import Sockets

/// A thread that took a signal would end the process, or let it pass without anybody's answer.
@Suite("Signals and threads")
struct ThreadTests {
    @Test func `a thread takes no signal that is sent to the process`() throws {
        let gate = try Wakeup()
        let blocked = Mutex([CInt]())
        let before = Self.blockedSignals()
        try startThread(name: "test-signals") {
            blocked.withLock { $0 = Self.blockedSignals() }
            gate.wake()
        }
        gate.wait()
        let found = blocked.withLock { $0 }
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2] {
            #expect(found.contains(signal), "\(signal)")
        }
        // Its own faults are its own.
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
            #expect(!found.contains(signal), "\(signal)")
        }
        #expect(Self.blockedSignals() == before)
    }

    @Test func `a lack of threads is told from other errors`() {
        let advice = SystemError("pthread_create", number: EAGAIN).threadAdvice
        #expect(advice?.contains("TasksMax=") == true)
        #expect(SystemError("pthread_create", number: EPERM).threadAdvice == nil)
        #expect(SystemError("recv", number: EAGAIN).threadAdvice == nil)
    }

    @Test func `a lack of memory for a thread's stack is told from a lack of threads`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var limit = rlimit(rlim_cur: 100, rlim_max: .max)
            setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
            // Stacks of threads that have ended are used again.
            for _ in 0..<1_000 {
                do throws(SystemError) {
                    try startThread(name: "test-memory") { sleep(60) }
                } catch {
                    let isSaid = error.threadAdvice?.contains("LimitDATA= is 100 bytes") == true
                    exit(error.number == ENOMEM && isSaid ? 7 : 8)
                }
            }
        }
    }

    private static func blockedSignals() -> [CInt] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return (1..<32).filter { sigismember(&mask, $0) == 1 }
    }
}
