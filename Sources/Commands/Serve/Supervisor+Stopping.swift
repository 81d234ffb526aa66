import Origin
import Sockets

extension Supervisor {
    /// First the origin says that it leaves and goes on answering, so that those who send requests
    /// can notice; then it accepts nothing new and finishes what is in flight; what is left when
    /// the time is over is cut off.
    mutating func drain(_ server: OriginServer) {
        let limits = server.limits
        manager?.notify("STOPPING=1", "STATUS=stopping")
        if limits.drainDelaySeconds > 0 {
            printMessage(
                "waymark: not ready any more; still answering for \(limits.drainDelaySeconds) s")
            server.beginLeave()
            guard !isHurried(milliseconds: limits.drainDelaySeconds * 1000) else { return }
        }
        printMessage("waymark: stopping; requests in flight have \(limits.drainSeconds) s")
        server.beginStop()
        while !server.isStopped {
            guard !isHurried(milliseconds: 20) else { return }
        }
        switch server.requestsCutOff {
        case 0: printMessage("waymark: stopped")
        case 1: printMessage("waymark: stopped; 1 request was cut off")
        case let count: printMessage("waymark: stopped; \(count) requests were cut off")
        }
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
