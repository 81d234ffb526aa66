import Diagnostics
import EventLog
import Logging
import Origin
import Sockets

// The stages of the end: first the origin says that it leaves and goes on answering, so that those
// who send requests can notice; then it accepts nothing new and finishes what is in flight; what is
// left when the time is over is cut off; last come the last lines of the access log.
extension Supervisor {
    mutating func leave(_ signal: Signal) {
        let limits = server.limits
        let seconds = limits.drainDelaySeconds
        main.timeExtension = TimeExtension(
            main.manager, atMost: (seconds + limits.drainSeconds) * 1000, isUrgent: true)
        main.tell(["STOPPING=1", "STATUS=stopping"])
        main.events.info("\(signal.name) came", metadata: ["signal": .string(signal.name)])
        stageEnds = Clock.monotonicMilliseconds + seconds * 1000
        guard seconds > 0 else { return }
        main.events.info(
            "not ready any more; still answering for \(seconds) s",
            metadata: ["seconds": .stringConvertible(seconds)])
        server.beginLeave()
    }

    mutating func stop() {
        let seconds = server.limits.drainSeconds
        main.events.info(
            "stopping; requests in flight have \(seconds) s",
            metadata: ["seconds": .stringConvertible(seconds)])
        server.beginStop()
        stageEnds = Clock.monotonicMilliseconds + seconds * 1000 + lateMilliseconds
    }

    /// - Parameter signal: nil where the loops had time enough.
    mutating func end(_ signal: Signal?) {
        hurriedBy = signal
        server.beginEnd()
        stageEnds = Clock.monotonicMilliseconds + countMilliseconds
    }

    /// What is in flight is lost, and counted, unless a loop does not turn.
    mutating func finish(isHurried: Bool) {
        main.tellLoopEvents()
        let (requests, connections) = (server.requestsCutOff, server.connectionsClosed)
        var metadata: Logger.Metadata = ["requests_cut_off": .stringConvertible(requests)]
        let cutOff = counted(requests, "request", was: "cut off")
        if isHurried {
            let doubt = server.isStopped ? "" : ", as far as is known: a loop does not turn"
            metadata["signal"] = hurriedBy.map { .string($0.name) }
            metadata["connections_closed"] = .stringConvertible(connections)
            let closed = counted(connections, "connection", was: "closed")
            main.events.info(
                "stopped at once; \(closed), \(cutOff)\(doubt)", metadata: metadata)
        } else {
            main.events.info(
                requests == 0 ? "stopped" : "stopped; \(cutOff)", metadata: metadata)
        }
        let patience =
            isHurried ? hurriedLogMilliseconds : AccessLogOutput.stopMilliseconds
        log.beginStop(milliseconds: patience)
        stageEnds = Clock.monotonicMilliseconds + patience + lateLogMilliseconds
    }

    /// Its thread may hang, or the reader of a pipe: the stop waits for neither any longer.
    func abandonLog() {
        let bytes = log.waitingBytes
        guard bytes > 0 else { return }
        main.events.report(
            Diagnostic(
                .warning, .logQueue, at: nil,
                "the last \(counted(bytes, "byte")) of the access log did not go there any more"))
    }

    // MARK: Other orders

    /// Whoever rotates logs has moved the file.
    func reopenLogs() {
        main.events.info("logs are opened anew", metadata: ["signal": "USR1"])
        log.reopen()
    }

    /// Whoever orders a reload must not take it for done.
    func refuseReload() {
        main.events.info(
            "stopping; nothing is reloaded, and logs are opened anew", metadata: ["signal": "HUP"])
        log.reopen()
    }
}

/// How long loops have to count what they cut off.
private let countMilliseconds = 1000
/// How much longer than the time for requests in flight the loops may take to end.
private let lateMilliseconds = 5000
/// How long the last lines of the access log may take, once nobody wants to wait.
private let hurriedLogMilliseconds = 500
/// How much later the log's thread may say that it has ended.
private let lateLogMilliseconds = 100

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
