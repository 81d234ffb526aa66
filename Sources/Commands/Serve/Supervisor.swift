import ArgumentParser
import Origin
import SiteConfiguration
import Sockets

/// Answers signals and builds snapshots, on the main thread, while the loops serve.
struct Supervisor: ~Copyable {
    private let manager: ServiceManager?
    private let drainDelaySeconds: Int
    private let signals: SignalQueue
    private var poller: Poller
    /// How many configurations have been served, the first included.
    private var generation = 1

    /// Keeps signals for `run` from now on, in all threads that are started later.
    /// - Parameter manager: told of reloads and of the end, if there is one.
    init(_ manager: ServiceManager?, drainDelaySeconds: Int) throws(SystemError) {
        let signals = try SignalQueue()
        let poller = try Poller(eventsPerTurnMax: 8)
        try signals.register(with: poller, token: 0)
        self.manager = manager
        self.drainDelaySeconds = drainDelaySeconds
        self.signals = signals
        self.poller = poller
    }

    /// Returns when the server has stopped, or is to be left as it is.
    mutating func run(
        _ server: OriginServer, _ source: SnapshotSource, _ log: AccessLogOutput
    ) {
        defer { log.stop() }
        while true {
            _ = poller.wait(milliseconds: -1)
            while let signal = signals.next() {
                switch signal {
                case .hangUp:
                    reload(server, source, log)
                    log.reopen()
                case .user1: log.reopen()
                case .terminate, .interrupt: return drain(server, source.limits)
                case .quit: return printMessage("waymark: stopped at once")
                }
            }
        }
    }

    private mutating func reload(
        _ server: OriginServer, _ source: SnapshotSource, _ log: AccessLogOutput
    ) {
        let began = Clock.monotonicMicroseconds
        manager?.notify("RELOADING=1", "MONOTONIC_USEC=\(began)")
        do {
            let snapshot = try source.build()
            try snapshot.environment.accessLog.check()
            server.publish(snapshot)
            log.reopen(snapshot.environment.accessLog.destination)
            generation += 1
            let elapsed = (Clock.monotonicMicroseconds - began) / 1000
            let name = snapshot.environment.name
            printMessage("waymark: reloaded \(name): generation \(generation), \(elapsed) ms")
            manager?.notify("READY=1", "STATUS=serving \(name), generation \(generation)")
        } catch {
            printMessage(
                "waymark: error: not reloaded; still serving generation \(generation) "
                    + "[reload-refused]")
            manager?.notify("READY=1", "STATUS=reload refused, serving generation \(generation)")
        }
    }

    // MARK: Stopping

    /// First the origin says that it leaves and goes on answering, so that those who send requests
    /// can notice; then it accepts nothing new and finishes what is in flight; what is left when
    /// the time is over is cut off.
    private mutating func drain(_ server: OriginServer, _ limits: OriginLimits) {
        manager?.notify("STOPPING=1", "STATUS=stopping")
        if drainDelaySeconds > 0 {
            printMessage(
                "waymark: not ready any more; still answering for \(drainDelaySeconds) s")
            server.beginLeave()
            guard !isHurried(milliseconds: drainDelaySeconds * 1000) else { return }
        }
        printMessage("waymark: stopping; requests in flight have \(limits.drainSeconds) s")
        server.beginStop()
        while !server.isStopped {
            guard !isHurried(milliseconds: 20) else { return }
        }
        let count = server.requestsCutOff
        printMessage(
            "waymark: stopped"
                + (count > 0
                    ? "; \(count) \(count == 1 ? "request was" : "requests were") cut off" : ""))
    }

    /// Waits, unless a signal comes that lets nobody wait any longer.
    private mutating func isHurried(milliseconds: Int) -> Bool {
        let end = Clock.monotonicMicroseconds + milliseconds * 1000
        while case let left = end - Clock.monotonicMicroseconds, left > 0 {
            _ = poller.wait(milliseconds: left / 1000 + 1)
            while let signal = signals.next() {
                switch signal {
                case .terminate, .interrupt, .quit:
                    printMessage("waymark: stopped at once")
                    return true
                case .hangUp, .user1: break
                }
            }
        }
        return false
    }
}
