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
    private struct Progress: ~Copyable {
        var batch = VisitBatch()
        /// Milliseconds of the monotonic clock.
        var nextTry = 0
        var nextMove = Int.max
        /// Days and hours since 1970.
        var day = -1
        var hour = -1
        var reported: StoreError?
    }

    private static let writeMilliseconds = 2_000
    private static let retryMilliseconds = 5_000
    private static let restMilliseconds = 10_000
    /// Between two pieces that are moved to the tables: a loop's table must not be full meanwhile.
    private static let moveMilliseconds = 50

    private func run() {
        var progress = Progress()
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            gather(&progress.batch)
            let now = Clock.monotonicMilliseconds
            if isLast || now >= min(progress.nextTry, progress.nextMove) {
                attempt(&progress, isLast: isLast, at: now)
            }
            if isLast { break }
            let rest = progress.batch.isEmpty && progress.nextMove == .max && visits.isOpen
            let next = min(progress.nextTry, progress.nextMove) - Clock.monotonicMilliseconds
            wakeup.wait(atMost: rest ? Self.restMilliseconds : max(1, next))
        }
        visits.close()
        hasEnded.wake()
    }

    private func gather(_ batch: inout VisitBatch) {
        for lane in lanes.withLock({ $0 }) { lane.move(to: &batch) }
        var more = VisitBatch()
        others.withLock { others in swap(&others, &more) }
        more.counts.forEach { batch.add($0) }
        batch.drop(more.totals.dropped)
        let taken = batch.takeTotals()
        counted.withLock { $0.add(taken) }
    }

    /// Writes what there is, or moves a part of what was written.
    private func attempt(_ progress: inout Progress, isLast: Bool, at now: Int) {
        do throws(StoreError) {
            if isLast || now >= progress.nextTry {
                try write(&progress, isLast: isLast, at: now)
                progress.reported = nil
            } else {
                try move(&progress, at: now)
            }
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
            progress.nextMove = .max
        }
    }

    /// Opens the file if it is not open, and writes what there is.
    private func write(
        _ progress: inout Progress, isLast: Bool, at now: Int
    ) throws(StoreError) {
        if !visits.isOpen { try visits.open(path) }
        let day = Clock.unixSeconds / 86_400
        if progress.day != day {
            try begin(day)
            progress.day = day
        }
        let hour = Clock.unixSeconds / 3_600
        let isLater = progress.hour != hour
        func write(_ store: VisitStore) throws(StoreError) -> (isWritten: Bool, isMoving: Bool) {
            let isWritten = progress.batch.isEmpty || store.hasRoom || isLast
            if !progress.batch.isEmpty {
                // Somebody may have removed the file while it is open.
                try store.checkPresence()
                if isWritten { try store.add(progress.batch) }
            }
            if !isLast, isLater || store.isHeavy { try store.beginMoving() }
            return (isWritten, store.isMoving)
        }
        // Somebody may be reading, which must not keep the loops waiting.
        let done = isLast ? try visits.use(write) : try visits.useIfFree(write)
        progress.nextTry = now + Self.writeMilliseconds
        guard let done else { return }
        progress.nextMove = done.isMoving ? now : .max
        progress.hour = hour
        if done.isWritten, !progress.batch.isEmpty { progress.batch = VisitBatch() }
    }

    /// Moves a piece of what was written to the tables.
    private func move(_ progress: inout Progress, at now: Int) throws(StoreError) {
        let state = try visits.useIfFree { store throws(StoreError) in
            try store.moveNext()
            return (isMoving: store.isMoving, isHeavy: store.isHeavy)
        }
        if let state, !state.isMoving { return progress.nextMove = .max }
        progress.nextMove = state?.isHeavy == true ? now : now + Self.moveMilliseconds
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
    func move(to batch: inout VisitBatch) {
        state.withLock { state in
            if state.isFilled {
                state.table.move(to: &batch)
                state.isFilled = false
            }
            state.last?.move(to: &batch)
            state.last = nil
        }
    }
}
