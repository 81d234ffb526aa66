package import Diagnostics
package import LinkStore
package import Memory
import SharedStore
import Sockets
import Synchronization
import TLS
package import Visits

/// Writes what the loops count of visits, on a thread of its own: loops never wait for the database.
///
/// A loop hands its counts over within three seconds, and they are written within two more. So a
/// crash loses at most five seconds.
package final class VisitService: Service {
    /// The file, or the tables of a database.
    package let visits = SharedVisits()
    /// The keys with which visitors of today and tomorrow are hashed; nil until they are known.
    package let salts = Published<VisitSalts?>(nil)
    package let thread: ServiceThread
    private let place: ServedStore
    private let memory: WorkMemory
    /// The path of the file; or the servers and the database, for people.
    private let path: String
    private let report: @Sendable (ServiceEvent) -> Void
    private let lanes = Mutex([VisitLane]())
    /// The visits that no loop has counted.
    private let others = Mutex(VisitBatch())
    private let counted = Mutex(VisitTotals())
    /// The identity of the store whose links are counted; nil before they were read.
    private let store = Mutex<[UInt8]?>(nil)
    private let greatest = Atomic<Int>(0)
    /// The visits that waited when the thread began to write last, and are not written yet.
    private let unwritten = Atomic<Int>(0)

    /// Starts the thread, which opens the file when the store is known.
    /// - Parameter report: called on the thread.
    init(
        _ place: ServedStore, memory: WorkMemory = WorkMemory(),
        report: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(SystemError) {
        (self.place, path, self.memory, self.report) = (place, place.visitsName, memory, report)
        thread = try ServiceThread()
        try thread.start(name: "waymark-visits") { [self] in run() }
    }

    /// The links of a store were read, so their visits can be counted.
    /// - Parameter store: its identity; empty if it has none.
    func begin(_ store: [UInt8]) {
        self.store.withLock { $0 = store }
        // The thread tries again, and reports it.
        do throws(StoreError) {
            try open()
            salts.publish(try salts(of: Clock.unixSeconds / 86_400))
        } catch {}
        thread.wakeup.wake()
    }

    /// The same where the database is away: nobody waits for an attempt.
    func beginLater(_ store: [UInt8]) {
        self.store.withLock { $0 = store }
        thread.wakeup.wake()
    }

    /// The greatest number of a link that was counted: another link must not get it.
    var greatestLink: Int { greatest.load(ordering: .acquiring) }

    private func open() throws(StoreError) {
        guard let store = store.withLock({ $0 }) else { throw .failed("it is being opened") }
        if case .database(let place, _) = place {
            return try visits.open { () throws(StoreError) in try place.visits() }
        }
        let opened = try visits.open(path, of: store)
        greatest.store(opened.greatestLink, ordering: .releasing)
        guard let aside = opened.aside else { return }
        report(
            .finding(
                Diagnostic(
                    .warning, .linkStore, at: nil,
                    "\(quoted(path)) counts the links of another store",
                    advice: "it is kept as \(quoted(aside)), and another file is begun")))
    }

    /// Makes the lane in which another loop hands over what it counts.
    package func makeLane() -> VisitLane {
        let lane = VisitLane()
        lanes.withLock { $0.append(lane) }
        return lane
    }

    /// Counts what apps have reported.
    func add(_ keys: [VisitKey]) {
        guard !keys.isEmpty else { return }
        others.withLock { batch in for key in keys { batch.add(key, 1) } }
        thread.wakeup.wake()
    }

    /// The totals counted since the process began.
    package var totals: VisitTotals { counted.withLock { $0 } }

    package var stopLoss: Diagnostic? {
        let fact =
            "the visits of the last seconds could not be written to \(quoted(path)), which does not answer"
        let handedOver = lanes.withLock { $0 }.reduce(0) { $0 + $1.waiting }
        let count = unwritten.load(ordering: .relaxed) + handedOver
        guard count > 0 else { return loss(fact) }
        let visits = Diagnostics.counted(count, "visit")
        return loss("\(fact): \(visits), or more, may be missing")
    }

    // MARK: The thread

    /// The state of the thread between its rounds.
    private struct Progress: ~Copyable {
        var writer = VisitWriter()
        /// Milliseconds of the monotonic clock.
        var nextTry = 0
        var nextMove = Int.max
        var lastClock: Int?
        /// Days since 1970: that of the keys, and that by which what is old was deleted.
        var day = -1
        var retentionDay = -1
        var reported: StoreError?
        /// The time of the last failure.
        var failed = 0
    }

    private static let writeMilliseconds = 2_000
    private static let retryMilliseconds = 5_000
    /// The time without a failure after which the file counts as writable again, whatever is still to be moved.
    private static let quietMilliseconds = 60_000
    private static let restMilliseconds = 10_000
    /// The time between two looks at the day, besides that when it begins.
    private static let clockMilliseconds = 300_000
    /// Between two pieces that are moved to the tables: a loop's table must not be full meanwhile.
    private static let moveMilliseconds = 50

    private func run() {
        var progress = Progress()
        while true {
            // All loops have ended, or what they count from now on is lost.
            let isLast = thread.isEnding
            // Without memory, the loops' tables, whose size is fixed, take what they can.
            if isLast || memory.hasRoom { gather(&progress.writer.batch) }
            let now = Clock.monotonicMilliseconds
            let isReady = store.withLock { $0 != nil }
            if isReady, isLast || now >= min(progress.nextTry, progress.nextMove) {
                unwritten.store(progress.writer.waiting, ordering: .relaxed)
                attempt(&progress, isLast: isLast, at: now)
                unwritten.store(progress.writer.waiting, ordering: .relaxed)
            }
            if isLast { break }
            let rest =
                !isReady
                || progress.writer.isEmpty && progress.nextMove == .max && visits.isOpen
            let next = min(progress.nextTry, progress.nextMove) - Clock.monotonicMilliseconds
            thread.wakeup.wait(atMost: rest ? Self.restMilliseconds : max(1, next))
        }
        tellLoss(progress.writer, because: progress.reported)
        visits.close()
    }

    /// Tells the operator of visits that end with the process.
    private func tellLoss(_ writer: borrowing VisitWriter, because reason: StoreError?) {
        let count = writer.waiting
        guard count > 0 else { return }
        // A file has what it has said that it has.
        let unknown = if case .database = place { writer.unknown } else { 0 }
        counted.withLock { $0.dropped += count }
        let visits = Diagnostics.counted(count, "visit")
        var fact = "\(visits) could not be written to \(quoted(path)), and "
        switch unknown {
        case 0: fact += "will be missing"
        case count: fact += "may be missing, because nobody knows whether they have arrived"
        default: fact += "will be missing, but for \(unknown) that may have arrived"
        }
        report(.finding(loss(reason.map { "\(fact): \($0.words.fact)" } ?? fact)))
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
                guard try write(&progress, isLast: isLast, at: now) else { return }
            } else {
                try move(&progress, at: now)
            }
            // While a disk is nearly full, there is room for what is written, and not for moving that to the tables.
            if progress.reported != nil,
                progress.nextMove == .max || now - progress.failed >= Self.quietMilliseconds
            {
                report(.storeRecovered(path: path))
                progress.reported = nil
            }
        } catch {
            if progress.reported?.isAlike(error) != true {
                let waits = "visits wait in memory, and are dropped if they become too many; "
                let (fact, cure) = error.words(at: path, isShared: place.isShared)
                var advice = isLast ? "" : waits
                switch error {
                case _ where isLast: advice = cure
                case .isGone: advice += "another file is begun"
                case .isOverwritten: advice += "the file that is there now is used"
                default: advice += cure
                }
                report(
                    .finding(
                        Diagnostic(.error, .linkStore, at: nil, fact, advice: advice)))
            }
            (progress.reported, progress.failed) = (error, now)
            (progress.day, progress.retentionDay) = (-1, -1)
            progress.writer.begin()
            visits.giveUp(error)
            progress.nextTry = now + Self.retryMilliseconds
            progress.nextMove = .max
        }
    }

    /// Opens the file if it is not open, and writes what there is.
    /// - Returns: false if somebody is reading, which must not keep the loops waiting.
    private func write(
        _ progress: inout Progress, isLast: Bool, at now: Int
    ) throws(StoreError) -> Bool {
        if !visits.isOpen { try open() }
        try keepTime(&progress, at: now)
        let hour = Clock.unixSeconds / 3_600
        func write(_ store: any CountedVisits) throws(StoreError) -> Bool {
            try progress.writer.write(to: store, hour: hour, isLast: isLast)
            return store.isMoving
        }
        let isMoving = isLast ? try visits.use(write) : try visits.useIfFree(write)
        progress.nextTry = now + Self.writeMilliseconds
        guard let isMoving else { return false }
        progress.nextMove = isMoving ? now : .max
        return true
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

    /// The keys of a day and of the one after it, which are made if there are none.
    private func salts(of day: Int) throws(StoreError) -> VisitSalts? {
        // The loops may have used a key of this day already, where the clock has gone some days on.
        let before = salts.value
        var own = try visits.use { store throws(StoreError) in
            try store.salts(day: day) { day in
                before?.salt(of: day)?.bytes ?? (try? randomBytes(16)) ?? []
            }
        }
        own?.later = (try? randomBytes(16)).flatMap(VisitSalt.init)
        return own
    }

    /// Each day has a key, and what is too old is deleted.
    private func keepTime(_ progress: inout Progress, at now: Int) throws(StoreError) {
        let day = Clock.unixSeconds / 86_400
        let passed = progress.lastClock.map { now - $0 }
        guard progress.day != day || (passed ?? .max) >= Self.clockMilliseconds else { return }
        let isNew = progress.day != day
        let expired = progress.retentionDay
        if isNew { salts.publish(try salts(of: day)) }
        let retentionDay = try visits.use { store throws(StoreError) in
            let retentionDay = try store.retentionDay(day, after: passed ?? 0)
            guard retentionDay != expired else { return expired }
            return try store.expire(today: retentionDay) ? retentionDay : expired
        }
        (progress.day, progress.retentionDay, progress.lastClock) = (day, retentionDay, now)
    }
}
