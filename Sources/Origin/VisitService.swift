import Diagnostics
package import LinkStore
import Memory
import Sockets
import Synchronization
import TLS
import Visits

/// Writes what the loops count of visits, on a thread of its own: loops never wait for the file.
///
/// A loop hands its counts over within three seconds, and they are written within two more. So a
/// crash loses at most five seconds.
package final class VisitService: Sendable {
    /// The file.
    package let visits = SharedVisits()
    /// The keys with which visitors of today and tomorrow are hashed; nil until they are known.
    let salts = Published<VisitSalts?>(nil)
    let wakeup: Wakeup
    private let path: String
    private let report: @Sendable (OriginEvent) -> Void
    private let lanes = Mutex([VisitLane]())
    /// What was not counted by a loop.
    private let others = Mutex(VisitBatch())
    private let counted = Mutex(VisitTotals())
    private let isStopping = Atomic<Bool>(false)
    private let hasEnded: Wakeup

    /// Starts to open the file; it returns at once.
    /// - Parameter report: called on the thread.
    init(
        path: String, report: @escaping @Sendable (OriginEvent) -> Void
    ) throws(SystemError) {
        (self.path, self.report) = (path, report)
        wakeup = try Wakeup()
        hasEnded = try Wakeup()
        try startThread(name: "waymark-visits") { [self] in run() }
    }

    /// Where another loop hands over what it counts.
    func makeLane() -> VisitLane {
        let lane = VisitLane()
        lanes.withLock { $0.append(lane) }
        return lane
    }

    /// Counts what apps have reported.
    func add(_ keys: [VisitKey]) {
        guard !keys.isEmpty else { return }
        others.withLock { batch in
            for key in keys { batch.add(key, 1) }
        }
        wakeup.wake()
    }

    /// What was counted, since the process began.
    var totals: VisitTotals { counted.withLock { $0 } }

    /// Writes what the loops have handed over, and closes the file.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.wake()
        hasEnded.wait()
    }

    // MARK: The thread

    /// What the thread remembers.
    private struct Progress {
        var batch = VisitBatch()
        /// Milliseconds of the monotonic clock.
        var nextTry = 0
        var day = -1
        var reported: StoreError?
    }

    private static let writeMilliseconds = 2_000
    private static let retryMilliseconds = 5_000
    private static let restMilliseconds = 10_000

    private func run() {
        var progress = Progress()
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            gather(&progress.batch)
            let now = Clock.monotonicMilliseconds
            if isLast || now >= progress.nextTry { work(&progress, at: now) }
            if isLast { break }
            let rest = progress.batch.isEmpty && visits.isOpen
            wakeup.wait(
                atMost: rest
                    ? Self.restMilliseconds
                    : max(1, progress.nextTry - Clock.monotonicMilliseconds))
        }
        visits.close()
        hasEnded.wake()
    }

    private func gather(_ batch: inout VisitBatch) {
        let hour = Clock.unixSeconds / 3_600
        for lane in lanes.withLock({ $0 }) { lane.move(to: &batch, hour: hour) }
        let more = others.withLock { others in
            defer { others = VisitBatch() }
            return others
        }
        for (key, count) in more.counts { batch.add(key, count) }
        batch.drop(more.totals.dropped)
        let taken = batch.takeTotals()
        counted.withLock { $0.add(taken) }
    }

    /// Opens the file if it is not open, and writes what there is.
    private func work(_ progress: inout Progress, at now: Int) {
        do throws(StoreError) {
            if !visits.isOpen { try visits.open(path) }
            let day = Clock.unixSeconds / 86_400
            if progress.day != day {
                try begin(day)
                progress.day = day
            }
            if !progress.batch.isEmpty {
                let batch = progress.batch
                try visits.use { store throws(StoreError) in
                    // Somebody may have removed the file while it is open.
                    try store.checkPresence()
                    try store.add(batch)
                }
                progress.batch = VisitBatch()
            }
            progress.reported = nil
            progress.nextTry = now + Self.writeMilliseconds
        } catch {
            if progress.reported != error {
                var advice = "visits wait in memory, and are dropped if they become too many; "
                if case .isGone = error {
                    advice += "another file is begun"
                } else {
                    advice += error.words.advice
                }
                report(
                    .finding(
                        Diagnostic(.error, .linkStore, at: nil, error.words.fact, advice: advice)))
            }
            progress.reported = error
            progress.day = -1
            visits.giveUp(error)
            progress.nextTry = now + Self.retryMilliseconds
        }
    }

    /// A day begins: it has a key, and what is too old is deleted.
    private func begin(_ day: Int) throws(StoreError) {
        let known = try visits.use { store throws(StoreError) in
            let salts = try store.salts(day: day) { (try? randomBytes(16)) ?? [] }
            try store.expire(today: day)
            return salts
        }
        salts.publish(known)
    }
}

/// Where a loop hands over what it counts, without waiting.
final class VisitLane: Sendable {
    private struct State: ~Copyable {
        /// An empty one, or one that was handed over.
        var table = VisitTable()
        var isFilled = false
        /// What the loop had counted when it ended.
        var last: VisitTable?
    }

    private let state = Mutex(State())

    /// Hands a table over and gets an empty one in its place.
    /// - Returns: false if the table before is still being read.
    func handOver(_ table: inout VisitTable) -> Bool {
        state.withLockIfAvailable { state in
            guard !state.isFilled else { return false }
            swap(&state.table, &table)
            state.isFilled = true
            return true
        } ?? false
    }

    /// Hands over the last table of the loop.
    func handOverLast(_ table: consuming VisitTable) {
        var table = Optional(table)
        state.withLock { state in swap(&state.last, &table) }
    }

    /// Adds what was handed over to a batch.
    func move(to batch: inout VisitBatch, hour: Int) {
        state.withLock { state in
            if state.isFilled {
                state.table.move(to: &batch, hour: hour)
                state.isFilled = false
            }
            state.last?.move(to: &batch, hour: hour)
            state.last = nil
        }
    }
}
