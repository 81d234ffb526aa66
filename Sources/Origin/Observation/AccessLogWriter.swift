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
    /// Bytes that were taken from a ring and are still to be written, and how many more of the
    /// same ring belong to this turn.
    private var chunk = [UInt8](repeating: 0, count: chunkBytesMax)
    private var start = 0
    private var end = 0
    private var lane = 0
    private var left = 0
    /// Whether the file ends in the middle of a line.
    private var isTorn = false
    private var trouble = Trouble.none
    private var droppedBefore = 0

    static let stopMilliseconds = 2000

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
            if orders.stops { return finish() }
            tellTrouble()
            rest(afterFinding: found)
        }
    }

    // MARK: Waiting

    /// Lets lines gather, so that many go out in one write. After a turn without any the loops are
    /// asked to wake this thread; should one miss that, a second passes.
    private mutating func rest(afterFinding found: Bool) {
        if trouble == .failing {
            wait(milliseconds: retryMilliseconds)
        } else if found {
            wait(milliseconds: gatherMilliseconds)
        } else {
            log.isSleeping.store(true, ordering: .relaxed)
            wait(milliseconds: 1000)
            log.isSleeping.store(false, ordering: .relaxed)
            wait(milliseconds: gatherMilliseconds)
        }
    }

    private mutating func wait(milliseconds: Int) {
        if poller.wait(milliseconds: milliseconds) > 0 { log.wakeup.clear() }
    }

    // MARK: Writing

    /// Writes what is in the rings now; true when there was anything.
    private mutating func writeOnce() -> Bool {
        var found = start < end || left > 0
        guard writeLeft() else { return true }
        for next in log.lanes.indices {
            lane = next
            left = log.lanes[next].ring.count
            found = found || left > 0
            guard writeLeft() else { return true }
        }
        return found
    }

    /// Writes what was taken and what belongs to it; false when the file does not take it.
    private mutating func writeLeft() -> Bool {
        while true {
            while start < end {
                guard let count = write() else { return false }
                start += count
                isTorn = chunk[start - 1] != UInt8(ascii: "\n")
            }
            guard left > 0 else { return true }
            start = 0
            end = log.lanes[lane].ring.take(into: &chunk, atMost: left)
            left -= end
        }
    }

    /// How many bytes the file took; nil when it took none.
    private mutating func write() -> Int? {
        do {
            if file == nil { file = try destination.open() }
            guard let count = try file?.write(chunk, start..<end), count > 0 else { return nil }
            // The loops may go on dropping until the rings have room again.
            if trouble == .failing { trouble = .behind }
            return count
        } catch {
            if trouble == .none { droppedBefore = log.droppedCount }
            if trouble != .failing { report(.cannotWrite(destination, error)) }
            trouble = .failing
            return nil
        }
    }

    // MARK: The file

    /// Goes on in the file of this path, and in the old one when that cannot be opened.
    private mutating func reopen(_ next: AccessLogOutput.Destination) {
        // What is already here belongs to the file that was open when it happened.
        _ = writeOnce()
        do {
            file = try next.open()
        } catch {
            return report(.cannotOpen(next, error))
        }
        destination = next
        if isTorn { dropTornLine() }
    }

    /// The rest of a line whose beginning is in another file helps nobody.
    private mutating func dropTornLine() {
        while true {
            while start < end {
                start += 1
                guard chunk[start - 1] != UInt8(ascii: "\n") else {
                    log.lanes[lane].dropped.wrappingAdd(1, ordering: .relaxed)
                    isTorn = false
                    return
                }
            }
            guard left > 0 else { return }
            start = 0
            end = log.lanes[lane].ring.take(into: &chunk, atMost: left)
            left -= end
        }
    }

    // MARK: Telling

    private mutating func tellTrouble() {
        let dropped = log.droppedCount
        switch trouble {
        case .failing: break
        case .none where dropped != droppedBefore:
            trouble = .behind
            report(.falling(behind: destination))
        case .none: break
        case .behind where log.lanes.allSatisfy { $0.ring.count < $0.ring.capacity / 2 }:
            report(.caughtUp(destination, dropped: dropped - droppedBefore))
            trouble = .none
            droppedBefore = dropped
        case .behind: break
        }
    }

    /// The last lines, while the loops are gone or about to be.
    private mutating func finish() {
        let deadline = Clock.monotonicMilliseconds + Self.stopMilliseconds
        while writeOnce(), Clock.monotonicMilliseconds < deadline {
            if trouble == .failing { wait(milliseconds: gatherMilliseconds) }
        }
        let lost = abandon()
        if lost > 0 { report(.abandoned(destination, dropped: lost)) }
    }

    private mutating func abandon() -> Int {
        var lost = 0
        for next in log.lanes.indices {
            repeat {
                let lines = chunk[start..<end].count { $0 == UInt8(ascii: "\n") }
                log.lanes[next].dropped.wrappingAdd(lines, ordering: .relaxed)
                lost += lines
                start = 0
                end = log.lanes[next].ring.take(into: &chunk, atMost: .max)
            } while end > 0
        }
        return lost
    }
}

private let chunkBytesMax = 131_072
/// How long lines gather before they are written.
private let gatherMilliseconds = 50
/// How long a file that takes nothing is left alone.
private let retryMilliseconds = 500
