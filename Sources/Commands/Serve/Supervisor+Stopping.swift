import Diagnostics
import EventLog
import Logging
import Origin
import Services
import Snapshots
import Sockets

// The stages of a stop. First the origin is not ready but still answers, so that load balancers
// notice. Then it accepts no connections and finishes requests in flight. When the time is over,
// the remaining requests are aborted. At the end, the services end: the access log writes its last
// lines, visits and links are closed.
extension Supervisor {
    mutating func leave(_ signal: Signal) {
        certificates?.beginStop(atOnce: false)
        let limits = server.limits
        let seconds = limits.drainDelaySeconds
        main.timeExtension = TimeExtension(
            main.manager, atMost: (seconds + limits.drainSeconds) * 1000, isUrgent: true)
        main.notify(["STOPPING=1", "STATUS=stopping"])
        main.events.info("\(signal.name) came", metadata: ["signal": .string(signal.name)])
        stageEnds = Clock.monotonicMilliseconds + seconds * 1000
        guard seconds > 0 else { return }
        main.events.info(
            "not ready any more; accepting requests for another \(seconds) s",
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

    /// - Parameter signal: nil if the loops had enough time.
    mutating func end(_ signal: Signal?) {
        endedBy = signal
        certificates?.beginStop(atOnce: signal != nil)
        server.beginEnd()
        stageEnds = Clock.monotonicMilliseconds + countMilliseconds
    }

    /// Requests in flight are aborted and counted, unless a loop hangs.
    mutating func finish(atOnce: Bool) {
        main.tellLoopEvents()
        let (requests, connections) = (server.requestsCutOff, server.connectionsClosed)
        var metadata: Logger.Metadata = ["requests_cut_off": .stringConvertible(requests)]
        let cutOff = counted(requests, "request", was: "cut off")
        if atOnce {
            let doubt = server.isStopped ? "" : ", or more: a loop hangs"
            metadata["signal"] = endedBy.map { .string($0.name) }
            metadata["connections_closed"] = .stringConvertible(connections)
            let closed = counted(connections, "connection", was: "closed")
            main.events.info("stopped at once; \(closed), \(cutOff)\(doubt)", metadata: metadata)
        } else {
            main.events.info(requests == 0 ? "stopped" : "stopped; \(cutOff)", metadata: metadata)
        }
        if !server.isStopped, server.links != nil { main.events.report(lossOfLoops) }
        // Certificates have this order already.
        endRest(services.filter { $0 !== certificates }, atOnce: atOnce)
    }

    /// The services have begun to end, and another order gives them less time.
    mutating func hurry(_ signal: Signal) {
        main.events.info(
            "\(signal.name) came; services have a short time left",
            metadata: ["signal": .string(signal.name)])
        endRest(services, atOnce: true)
    }

    private mutating func endRest(_ services: [any Service], atOnce: Bool) {
        for service in services { service.beginStop(atOnce: atOnce) }
        // A second order makes the stop no longer than it was.
        rest = RestTime(
            began: Clock.monotonicMilliseconds, atOnce: atOnce, endsBy: rest.map { _ in stageEnds })
    }

    /// The event about the counts of a loop that has not ended: they are its own until it hands them over.
    private var lossOfLoops: Diagnostic {
        Diagnostic(
            .error, .abandoned, at: nil,
            "a loop has not ended in its time, because it is busy or hangs in a read of a public file: the "
                + "visits that it has counted in its last seconds, of which nobody knows the number, will be missing"
        )
    }

    /// Looks whether the services have ended, each of which wakes this thread then, and how long the
    /// others may take.
    mutating func lookAtRest() {
        guard let rest else { return }
        let times = services.filter { !$0.hasStopped }
            .map { $0.stopMilliseconds(atOnce: rest.atOnce) }
        guard let longest = times.max() else { return react(to: .restEnded) }
        stageEnds = rest.end(after: longest)
    }

    /// A disk, the reader of a pipe or a server may hold a thread; the stop waits no longer for them.
    func abandonRest() {
        certificates?.killPrograms()
        for service in services where !service.hasStopped {
            if let loss = service.stopLoss { main.events.report(loss) }
        }
    }

    // MARK: Other orders

    /// The log's file was moved by a program that rotates logs.
    func reopenLogs() {
        main.events.info("logs are reopened", metadata: ["signal": "USR1"])
        log.reopen()
    }

    /// Tells the person who ordered a reload that it was not done.
    func refuseReload() {
        main.events.info(
            "stopping; nothing is reloaded, and logs are reopened", metadata: ["signal": "HUP"])
        log.reopen()
    }
}

/// The time in which the services end.
struct RestTime {
    /// When they were told to, in milliseconds of the monotonic clock.
    let began: Int
    /// Whether a signal has ordered that at once.
    let atOnce: Bool
    /// The end of the time that an order before has given them; nil if there was none.
    let endsBy: Int?

    /// The end for services that may take so long.
    func end(after milliseconds: Int) -> Int { min(began + milliseconds, endsBy ?? .max) }
}

/// The time that loops may take to count aborted requests.
private let countMilliseconds = 1000
/// The time that the loops may take to end after the time for requests in flight. A loop that takes
/// longer waits for the disk of a public file.
private let lateMilliseconds = 2000

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
