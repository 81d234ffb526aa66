import Logging
import Origin
import Sockets

extension Supervisor {
    /// First the origin says that it leaves and goes on answering, so that those who send requests
    /// can notice; then it accepts nothing new and finishes what is in flight; what is left when
    /// the time is over is cut off.
    mutating func drain(_ server: OriginServer, _ signal: Signal) {
        let limits = server.limits
        manager?.notify("STOPPING=1", "STATUS=stopping")
        events.info("\(signal.name) came", metadata: ["signal": .string(signal.name)])
        if limits.drainDelaySeconds > 0 {
            events.info(
                "not ready any more; still answering for \(limits.drainDelaySeconds) s",
                metadata: ["seconds": .stringConvertible(limits.drainDelaySeconds)])
            server.beginLeave()
            guard !isHurried(milliseconds: limits.drainDelaySeconds * 1000) else { return }
        }
        events.info(
            "stopping; requests in flight have \(limits.drainSeconds) s",
            metadata: ["seconds": .stringConvertible(limits.drainSeconds)])
        server.beginStop()
        while !server.isStopped {
            guard !isHurried(milliseconds: 20) else { return }
        }
        let count = server.requestsCutOff
        let message: Logger.Message =
            switch count {
            case 0: "stopped"
            case 1: "stopped; 1 request was cut off"
            default: "stopped; \(count) requests were cut off"
            }
        events.info(message, metadata: ["requests_cut_off": .stringConvertible(count)])
    }

    /// Waits, unless a signal comes that lets nobody wait any longer.
    private mutating func isHurried(milliseconds: Int) -> Bool {
        let end = Clock.monotonicMicroseconds + milliseconds * 1000
        while case let left = end - Clock.monotonicMicroseconds, left > 0 {
            _ = poller.wait(milliseconds: left / 1000 + 1)
            while let signal = signals.next() {
                switch signal {
                case .terminate, .interrupt, .quit:
                    stopAtOnce(signal)
                    return true
                case .hangUp, .user1: break
                }
            }
        }
        return false
    }

    /// What is in flight is lost.
    func stopAtOnce(_ signal: Signal) {
        events.info("stopped at once", metadata: ["signal": .string(signal.name)])
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
