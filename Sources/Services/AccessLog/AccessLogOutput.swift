package import AccessLog
package import Diagnostics
package import Files
package import Memory
package import SiteConfiguration
package import Snapshots
package import Sockets
package import Synchronization

/// The access log of one origin: a ring for each loop, and a thread that empties them into a file.
/// A loop never waits for it; a line that finds no room is dropped and counted.
package final class AccessLogOutput: Service {
    /// The place that the lines go to.
    package enum Destination: Hashable, Sendable {
        case standardOutput
        case file(String)

        /// - Throws: when the file can neither be opened nor made.
        func open() throws(FileError) -> AppendingFile {
            switch self {
            case .standardOutput: AppendingFile()
            case .file(let path): try AppendingFile(path: path)
            }
        }

        /// Opens the file once, to say before anything depends on it that it cannot be written.
        package func check() throws(FileError) { _ = try open() }

        /// Whether it could be opened by this process; a file is neither opened nor made.
        package func checkPermission() throws(FileError) {
            if case .file(let path) = self { try checkAppendable(path) }
        }
    }

    /// An event that operators should know; reported once when it begins, and once when it is over.
    package enum Event: Sendable {
        case cannotOpen(Destination, FileError)
        case cannotWrite(Destination, FileError)
        /// Lines arrive faster than they are written: `dropped` of them found no room in the
        /// queues, each of which has `queueBytes`.
        case falling(behind: Destination, dropped: Int, queueBytes: Int)
        case caughtUp(Destination, dropped: Int)
        /// The lines that were left when the origin stopped.
        case abandoned(Destination, dropped: Int)
    }

    package let lanes: [Lane]
    private let defaultForm: AccessLogSettings.Form
    package let thread: ServiceThread
    package var wakeup: Wakeup { thread.wakeup }
    /// Whether the writer waits for the first line after a pause.
    package let isSleeping = Atomic<Bool>(false)
    let orders: Mutex<Orders>

    /// The supervisor's orders to the writer.
    struct Orders: Sendable {
        var destination: Destination
        var reopens = true
        /// The deadline of the last lines, in milliseconds of the monotonic clock.
        var end: Int?
    }

    /// One loop's share.
    package final class Lane: Sendable {
        package let ring: ByteRing
        /// Lines that found no room, or that no file took.
        package let dropped = Atomic<Int>(0)

        package init(bytesMax: Int, isTouched: Bool = false) {
            ring = ByteRing(capacity: powerOfTwo(atLeast: bytesMax), isTouched: isTouched)
        }
    }

    /// Begins to write.
    /// - Parameters:
    ///   - defaultForm: that of an environment whose configuration names none.
    ///   - isTouched: whether the queues use their memory from now on.
    ///   - report: called on the writer's thread.
    package init(
        to destination: Destination, defaultForm: AccessLogSettings.Form, loops: Int,
        limits: OriginLimits, isTouched: Bool = false,
        report: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        self.defaultForm = defaultForm
        lanes = (0..<loops).map { _ in
            Lane(bytesMax: limits.logQueueBytesMax, isTouched: isTouched)
        }
        thread = try ServiceThread()
        orders = Mutex(Orders(destination: destination))
        try thread.start(name: "waymark-log") { [self] in
            do {
                var writer = try AccessLogWriter(self, report)
                writer.run()
            } catch {
                report(.cannotOpen(destination, .system("\(error)")))
            }
        }
    }

    /// The format of lines under a configuration; nil when it wants none.
    package func format(_ form: AccessLogSettings.Form?) -> AccessFormat? {
        switch form ?? defaultForm {
        case .json: .json
        case .combined: .combined
        case .off: nil
        }
    }

    /// Lines dropped since the start.
    package var droppedCount: Int { lanes.reduce(0) { $0 + $1.dropped.load(ordering: .relaxed) } }

    /// The dropped lines of which events have told the whole number.
    let toldDrops = Atomic<Int>(0)
    /// Those of which none has.
    var untoldDrops: Int { droppedCount - toldDrops.load(ordering: .relaxed) }

    /// The bytes that wait in the fullest of the loops' queues, and the most that may wait in each.
    package var fullestQueueBytes: Int { lanes.map(\.ring.count).max() ?? 0 }
    package var queueBytesMax: Int { lanes.first?.ring.capacity ?? 0 }

    /// Writes to this destination from now on; a file is opened anew even if it is the same, as it
    /// may have been renamed.
    package func reopen(_ destination: Destination? = nil) {
        orders.withLock {
            if let destination { $0.destination = destination }
            $0.reopens = true
        }
        wakeup.wake()
    }

    /// Begins to write the lines that are left. The reader of a pipe may have stopped, and its
    /// writer with it: lines that are not taken in time are dropped, and reported.
    package func beginStop(atOnce: Bool) {
        let milliseconds = stopMilliseconds(atOnce: atOnce) - Self.lateMilliseconds
        orders.withLock { $0.end = Clock.monotonicMilliseconds + milliseconds }
        thread.beginStop()
    }

    package func stopMilliseconds(atOnce: Bool) -> Int {
        (atOnce ? 500 : 2_000) + Self.lateMilliseconds
    }

    /// The time that the thread may take to report its end.
    private static let lateMilliseconds = 100

    /// The event about lines that are in no file yet.
    package var stopLoss: Diagnostic? {
        let bytes = lanes.reduce(0) { $0 + $1.ring.count }
        guard bytes > 0 else { return nil }
        let before = untoldDrops
        let others = before > 0 ? ", and \(counted(before, "line")) before found no room" : ""
        return loss(
            "the last \(counted(bytes, "byte")) of the access log could not be written\(others)")
    }
}
