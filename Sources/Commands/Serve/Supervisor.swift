import Diagnostics
import EventLog
import Logging
import Origin
import SiteConfiguration
import Sockets
import TLS

/// Answers signals, notices changes, builds snapshots and renews ticket keys, on the main thread,
/// while the loops serve.
struct Supervisor: ~Copyable {
    let manager: ServiceManager?
    let events: Logger
    let signals: SignalQueue
    /// What the server's loops report.
    let loopEvents: LoopEvents
    private var poller: Poller

    /// Keeps signals for `run` from now on, in all threads that are started later.
    /// - Parameter manager: told of reloads and of the end, if there is one.
    init(_ manager: ServiceManager?, _ events: Logger) throws(SystemError) {
        let signals = try SignalQueue()
        let poller = try Poller(eventsPerTurnMax: 8)
        try signals.register(with: poller, token: Token.signals)
        let loopEvents = try LoopEvents()
        try loopEvents.register(with: poller, token: Token.loopEvents)
        self.manager = manager
        self.events = events
        self.signals = signals
        self.loopEvents = loopEvents
        self.poller = poller
    }

    /// Returns when the server has stopped, or is to be left as it is.
    /// - Parameter first: what is served in the beginning.
    mutating func run(
        _ server: OriginServer, _ source: SnapshotSource, _ first: SnapshotAttempt,
        _ log: AccessLogOutput, _ watchdog: Watchdog?
    ) {
        defer { log.stop() }
        var watch = InputWatch(first, waking: poller, token: Token.directories, events)
        var expiry = ExpiryWatch()
        expiry.look(server, events)
        var stall = StallWatch(watchdog)
        server.reloads.hash = first.hash
        var reloading = Reloading(source, server, log, manager, events)
        var keysChangeAt = Clock.monotonicMilliseconds + keyMilliseconds
        while true {
            let next = min(watch.lookAt, keysChangeAt, stall.lookAt)
            let count = wait(milliseconds: max(0, next - Clock.monotonicMilliseconds))
            for index in 0..<count where poller.token(index) == Token.directories {
                watch.note()
            }
            while let signal = signals.next() {
                switch signal {
                case .hangUp:
                    reloading.reload(&watch, .ordered)
                    log.reopen()
                case .user1: reopen(log)
                case .terminate, .interrupt:
                    // What changes from now on would end waits, and nobody would look at it.
                    _ = consume watch
                    return drain(server, log, signal)
                case .quit: return stopAtOnce(server, signal)
                }
            }
            let now = Clock.monotonicMilliseconds
            if now >= watch.lookAt {
                if watch.look() {
                    reloading.reload(&watch, .changed)
                } else if !server.reloads.isLastGood
                    || server.snapshot.value.hasOutdatedCertificates(now: Clock.unixSeconds)
                {
                    // It may be right by now without a change: a date has come.
                    reloading.reload(&watch, .retried)
                }
                expiry.look(server, events)
            }
            stall.look(events)
            if now >= keysChangeAt {
                keysChangeAt = now + keyMilliseconds
                // Without randomness the old key is good enough until the next time.
                try? source.ticketKeys.value.get().rotate()
            }
        }
    }

    /// Waits for something to do, and tells what loops have reported meanwhile.
    /// - Returns: how many events the poller has.
    mutating func wait(milliseconds: Int) -> Int {
        defer { tellLoopEvents() }
        return poller.wait(milliseconds: milliseconds)
    }

    func tellLoopEvents() { for event in loopEvents.take() { event.report(to: events) } }

    /// What a poller's events are told apart by.
    enum Token {
        static var signals: UInt64 { 0 }
        static var directories: UInt64 { 1 }
        static var loopEvents: UInt64 { 2 }
    }
}

/// How long a ticket key seals: 12 hours.
private let keyMilliseconds = 12 * 3600 * 1000
