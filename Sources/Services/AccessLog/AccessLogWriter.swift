import Files
import Memory
import Sockets
import Synchronization

/// The thread that empties the loops' rings into the log's file. What the file does not take is
/// kept and tried again; meanwhile the rings fill, and the loops count what they drop.
///
/// A line leaves the rings whole: nothing of another ring goes between its pieces.
struct AccessLogWriter: ~Copyable {
    private let log: AccessLogOutput
    private let report: @Sendable (AccessLogOutput.Event) -> Void
    private var poller: Poller
    private var file: AppendingFile?
    private var destination: AccessLogOutput.Destination
    /// The ring that is being emptied, and how many of its bytes belong to this turn.
    private var lane = 0
    private var left = 0
    /// Whether the file ends in the middle of a line.
    private var isTorn = false
    /// Whether the file is a pipe that had no room for all of it.
    private var isFull = false
    private var trouble = Trouble.none
    /// Whether the operator was told that the file takes nothing, and not yet that it does again.
    private var isFailureSaid = false

    private enum Trouble { case none, behind, failing }

    init(
        _ log: AccessLogOutput, _ report: @escaping @Sendable (AccessLogOutput.Event) -> Void
    ) throws(SystemError) {
        let poller = try Poller(eventsPerTurnMax: 1)
        try log.wakeup.register(with: poller, token: 0)
        self.log = log
        self.report = report
        self.poller = poller
        destination = log.orders.withLock { $0.destination }
    }

    /// Runs until it is told to stop, and what there was then is written or given up.
    mutating func run() {
        while true {
            let orders = log.orders.withLock { orders in
                defer { orders.reopens = false }
                return orders
            }
            if orders.reopens { reopen(orders.destination) }
            let found = writeOnce()
            if orders.end != nil { return finish() }
            tellTrouble()
            rest(afterFinding: found)
        }
    }

    // MARK: Waiting

    /// Lets lines gather, so that many go out in one write. After a turn without any the loops are
    /// asked to wake this thread. A loop that writes a line at this moment may miss that; after a
    /// second without a line, each of them has seen it.
    private mutating func rest(afterFinding found: Bool) {
        if trouble == .failing {
            wait(milliseconds: retryMilliseconds)
        } else if isFull {
            file?.waitForRoom(milliseconds: retryMilliseconds)
        } else if found {
            wait(milliseconds: gatherMilliseconds)
        } else {
            log.isSleeping.store(true, ordering: .relaxed)
            if !wait(milliseconds: 1000), log.lanes.allSatisfy({ $0.ring.count == 0 }) {
                wait(milliseconds: -1)
            }
            log.isSleeping.store(false, ordering: .relaxed)
            wait(milliseconds: gatherMilliseconds)
        }
    }

    /// - Returns: whether somebody has woken this thread.
    @discardableResult
    private mutating func wait(milliseconds: Int) -> Bool {
        guard poller.wait(milliseconds: milliseconds) > 0 else { return false }
        log.wakeup.clear()
        return true
    }

    // MARK: Writing

    /// Writes what is in the rings now; true when there was anything.
    private mutating func writeOnce() -> Bool {
        isFull = false
        var found = left > 0
        guard writeLeft() else { return true }
        for next in log.lanes.indices {
            lane = next
            left = log.lanes[next].ring.count
            found = found || left > 0
            guard writeLeft() else { return true }
        }
        return found
    }

    /// Writes what is left of the ring at hand; false when the file does not take it.
    private mutating func writeLeft() -> Bool {
        while left > 0 {
            do {
                if file == nil { file = try destination.open() }
                let count = try log.lanes[lane].ring.consume(atMost: left) {
                    bytes throws(FileError) in
                    let count = try file?.write(bytes) ?? 0
                    if count > 0 { isTorn = bytes[count - 1] != UInt8(ascii: "\n") }
                    return count
                }
                guard count > 0 else {
                    isFull = true
                    return false
                }
                left -= count
            } catch {
                fail(error)
                return false
            }
            // The loops may go on dropping until the rings have room again.
            if trouble == .failing { trouble = .behind }
        }
        return true
    }

    private mutating func fail(_ error: FileError) {
        if !isFailureSaid { report(.cannotWrite(destination, error)) }
        isFailureSaid = true
        trouble = .failing
    }

    // MARK: The file

    /// Goes on in the file of this path, and in the old one when that cannot be opened.
    private mutating func reopen(_ next: AccessLogOutput.Destination) {
        // What is already here belongs to the file that was open when it happened.
        _ = writeOnce()
        do {
            let opened = try next.open()
            let isSame = file?.isSame(as: opened) ?? false
            file = consume opened
            destination = next
            if isTorn, !isSame { dropTornLine() }
        } catch {
            report(.cannotOpen(next, error))
        }
    }

    /// The rest of a line whose beginning is in another file is useless.
    private mutating func dropTornLine() {
        while isTorn, left > 0 {
            var isWhole = false
            left -= log.lanes[lane].ring.consume(atMost: left) { bytes in
                for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
                    isWhole = true
                    return index + 1
                }
                return bytes.count
            }
            guard isWhole else { continue }
            log.lanes[lane].dropped.wrappingAdd(1, ordering: .relaxed)
            isTorn = false
        }
    }

    // MARK: Telling

    private mutating func tellTrouble() {
        let (dropped, told) = (log.droppedCount, log.toldDrops.load(ordering: .relaxed))
        switch trouble {
        case .failing: break
        case .none where dropped != told:
            trouble = .behind
            report(
                .falling(
                    behind: destination, dropped: dropped - told,
                    queueBytes: log.lanes[0].ring.capacity))
        case .none: break
        case .behind where log.lanes.allSatisfy { $0.ring.count < $0.ring.capacity / 2 }:
            report(.caughtUp(destination, dropped: dropped - told))
            trouble = .none
            isFailureSaid = false
            log.toldDrops.store(dropped, ordering: .relaxed)
        case .behind: break
        }
    }

    /// Writes the last lines, for as long as a stop has: the loops have ended, or will soon. Another order can make that
    /// shorter.
    private mutating func finish() {
        while writeOnce(), case let left = timeLeft, left > 0 {
            if trouble == .failing { wait(milliseconds: min(left, gatherMilliseconds)) }
            if isFull { file?.waitForRoom(milliseconds: min(left, gatherMilliseconds)) }
        }
        abandon()
        // Also those for which the queues had no room before, and of which nothing was said yet.
        let lost = log.untoldDrops
        if lost > 0 { report(.abandoned(destination, dropped: lost)) }
    }

    /// The milliseconds until the end of a stop.
    private var timeLeft: Int {
        (log.orders.withLock(\.end) ?? .max) - Clock.monotonicMilliseconds
    }

    private func abandon() {
        for lane in log.lanes {
            var lines = 0
            while lane.ring.consume(
                atMost: .max,
                { bytes in
                    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
                        lines += 1
                    }
                    return bytes.count
                }) > 0
            {}
            lane.dropped.wrappingAdd(lines, ordering: .relaxed)
        }
    }
}

/// The time for which lines gather before they are written.
private let gatherMilliseconds = 50
/// The time for which a file that takes nothing is left alone.
private let retryMilliseconds = 500
