import Diagnostics
import Logging
import Origin
import Sockets

extension Supervisor {
    /// First the origin says that it leaves and goes on answering, so that those who send requests
    /// can notice; then it accepts nothing new and finishes what is in flight; what is left when
    /// the time is over is cut off.
    mutating func drain(_ server: OriginServer, _ log: AccessLogOutput, _ signal: Signal) {
        let limits = server.limits
        manager?.notifyWithoutWaiting("STOPPING=1", "STATUS=stopping")
        var time = StopTime(manager, limits)
        events.info("\(signal.name) came", metadata: ["signal": .string(signal.name)])
        if limits.drainDelaySeconds > 0 {
            events.info(
                "not ready any more; still answering for \(limits.drainDelaySeconds) s",
                metadata: ["seconds": .stringConvertible(limits.drainDelaySeconds)])
            server.beginLeave()
            let milliseconds = limits.drainDelaySeconds * 1000
            guard !isHurried(server, log, milliseconds: milliseconds, &time) else { return }
        }
        events.info(
            "stopping; requests in flight have \(limits.drainSeconds) s",
            metadata: ["seconds": .stringConvertible(limits.drainSeconds)])
        server.beginStop()
        while !server.isStopped {
            guard !isHurried(server, log, milliseconds: 20, &time) else { return }
        }
        tellLoopEvents()
        let count = server.requestsCutOff
        events.info(
            count == 0 ? "stopped" : "stopped; \(counted(count, "request", was: "cut off"))",
            metadata: ["requests_cut_off": .stringConvertible(count)])
    }

    /// Waits, unless a signal comes that lets nobody wait any longer. Others are answered: lines
    /// are still written, and whoever orders a reload must not take it for done.
    private mutating func isHurried(
        _ server: OriginServer, _ log: AccessLogOutput, milliseconds: Int, _ time: inout StopTime
    ) -> Bool {
        let end = Clock.monotonicMicroseconds + milliseconds * 1000
        while case let left = end - Clock.monotonicMicroseconds, left > 0 {
            time.extend()
            _ = wait(
                milliseconds: min(left / 1000 + 1, ServiceManager.extensionMilliseconds))
            while let signal = signals.next() {
                switch signal {
                case .terminate, .interrupt, .quit:
                    stopAtOnce(server, signal)
                    return true
                case .hangUp:
                    events.info(
                        "stopping; nothing is reloaded, and logs are opened anew",
                        metadata: ["signal": "HUP"])
                    log.reopen()
                case .user1: reopen(log)
                }
            }
        }
        return false
    }

    /// Whoever rotates logs has moved the file.
    func reopen(_ log: AccessLogOutput) {
        events.info("logs are opened anew", metadata: ["signal": "USR1"])
        log.reopen()
    }

    /// What is in flight is lost, and counted, unless a loop does not turn.
    mutating func stopAtOnce(_ server: OriginServer, _ signal: Signal) {
        server.beginEnd()
        let end = Clock.monotonicMilliseconds + countMilliseconds
        while !server.isStopped, Clock.monotonicMilliseconds < end {
            _ = wait(milliseconds: 5)
            while signals.next() != nil {}
        }
        tellLoopEvents()
        let (requests, connections) = (server.requestsCutOff, server.connectionsClosed)
        let doubt = server.isStopped ? "" : ", as far as is known: a loop does not turn"
        events.info(
            """
            stopped at once; \(counted(connections, "connection", was: "closed")), \
            \(counted(requests, "request", was: "cut off"))\(doubt)
            """,
            metadata: [
                "signal": .string(signal.name), "requests_cut_off": .stringConvertible(requests),
                "connections_closed": .stringConvertible(connections),
            ])
    }
}

/// How long loops have to count what they cut off.
private let countMilliseconds = 1000

/// Has the service manager wait for a stop as long as that may take by its own limits, and no
/// longer: a loop that hangs is for the manager to end.
private struct StopTime {
    private let manager: ServiceManager?
    /// In milliseconds of the monotonic clock.
    private let until: Int
    private var next = 0

    init(_ manager: ServiceManager?, _ limits: OriginLimits) {
        self.manager = manager
        let seconds = limits.drainDelaySeconds + limits.drainSeconds
        until = Clock.monotonicMilliseconds + seconds * 1000
    }

    mutating func extend() {
        let now = Clock.monotonicMilliseconds
        guard now >= next, now < until else { return }
        next = now + ServiceManager.extensionMilliseconds
        manager?.extendTimeout()
    }
}

extension Signal {
    /// Its name in kill(1).
    var name: String {
        switch self {
        case .hangUp: "HUP"
        case .interrupt: "INT"
        case .quit: "QUIT"
        case .user1: "USR1"
        case .terminate: "TERM"
        }
    }
}
