import Answering
package import Diagnostics
import Files
package import LinkAPI
package import LinkIndex
package import LinkStore
package import Memory
import SiteConfiguration
package import Snapshots
package import Sockets
import Synchronization

/// The store of links on a thread of its own, which is the only one that waits for the database.
/// Loops answer from the index that it publishes.
///
/// A change is published before its maker is answered, so that every loop answers a link when its
/// maker knows of it.
package final class LinkService: Service {
    /// The index that loops answer from; nil until it was read.
    package let links = Published<LinkIndex?>(nil)
    /// Whoever can read the file that has it may use the API on the admin listener: `PATH.token`, or one of the
    /// process beside a database. Only the user of this process and root can read it.
    package let secret = TokenSecret.make()
    /// The path of the file; or the servers and the database, for people.
    package let path: String
    private let place: ServedStore
    /// Whether several servers share it.
    var isShared: Bool { place.isShared }
    /// The counts of their visits.
    package let visits: VisitService
    /// The directory of what an answer does not keep in memory.
    var directory: String { place.directory }
    /// The nodes that share the store.
    package let fleet: ServedFleet
    /// The tokens that may use the API; nil until the store was opened.
    let tokens = Published<TokenTable?>(nil)
    /// Requests that are answered by the store's thread. Each may have content that waits in memory.
    package let requests = TokenPlaces(perToken: 64)
    /// Each has a thread, and a batch of lines in memory.
    package let imports = TokenPlaces(perToken: 2, all: 8)
    /// Each has the form of an import of the console in memory, and a thread.
    let uploads = TokenPlaces(perToken: 2, all: 8)
    /// Each has a page of links in memory.
    package let exports = TokenPlaces(perToken: 4)
    package let sideWork = SideWork()
    package let memory: WorkMemory
    /// Contents are read beside the store's thread, and do not wait for codes that are drawn.
    let preparations = SideWork()
    private let answering = Mutex<LinkAPI?>(nil)
    private let served = Mutex<SiteTable?>(nil)
    private let queue = Mutex(Queue())
    /// Clients that wait until all nodes have their change.
    private let waits = Mutex(FleetWaits())
    private let secretState = Atomic<SecretState>(.due)
    /// The time at which the file of the links is written no more.
    private let baseEnd = Atomic<Int>(.max)
    package let thread: ServiceThread
    private let report: @Sendable (ServiceEvent) -> Void

    /// Work on the store. It returns what happens after the index is published: the answer.
    package typealias Work = @Sendable (Result<LinkStore, StoreError>) -> @Sendable () -> Void

    private struct Queue {
        var work = [WaitingWork]()
        var state = State.opening
        var isStopping = false
        /// Whether links were not compared yet with the configuration that is served now.
        var isSurveyDue = true
        /// The name and the version of the database; nil before it was opened.
        var software: String?
        /// The time at which the state was found, in seconds since 1970; nil before.
        var seen: Int?
    }

    /// The state of the secret's file. Only the store's thread asks.
    private enum SecretState: UInt8, AtomicRepresentable {
        case due, failed, written
    }

    /// Starts to open the store; it returns at once.
    /// - Parameters:
    ///   - version: of the program, for the list of nodes.
    ///   - report: called on the store's thread.
    package init(
        _ place: ServedStore, version: String = "", memory: WorkMemory = WorkMemory(),
        report: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(SystemError) {
        (self.place, path, self.memory) = (place, place.name, memory)
        (fleet, self.report) = (ServedFleet(of: place, version: version), report)
        thread = try ServiceThread()
        visits = try VisitService(place, memory: memory, report: report)
        try thread.start(name: "waymark-links") { [self] in run() }
    }

    /// Lets an operator hear of something that the console has found; on any thread.
    func tell(_ finding: Diagnostic) { report(.finding(finding)) }

    /// The API as the served configuration sets it up.
    package var api: LinkAPI? {
        get { answering.withLock { $0 } }
        set {
            answering.withLock { $0 = newValue }
            queue.withLock { $0.isSurveyDue = true }
            thread.wakeup.wake()
        }
    }

    /// Answers from now on as a snapshot's configuration says.
    package func serve(_ snapshot: Snapshot) {
        fleet.configuration = snapshot.environment.digest
        served.withLock { $0 = snapshot.sites }
        api = snapshot.api
    }

    /// The sites that are served; nil before they are.
    var sites: SiteTable? { served.withLock { $0 } }

    package var state: State { queue.withLock { $0.state } }

    /// The state with the database, and the time at which it was found, in seconds since 1970.
    var sight: (state: State, software: String?, seen: Int?) {
        queue.withLock { ($0.state, $0.software, $0.seen) }
    }

    /// Lets the store's thread do this work, after all that came before.
    /// - Parameter isJoinable: whether it may share a transaction with other work, and be done again if that fails.
    /// - Returns: false if there is too much to do already.
    package func submit(isJoinable: Bool = false, _ work: @escaping Work) -> Bool {
        let isTaken = queue.withLock { queue in
            guard queue.work.count < Self.waitingMax, !queue.isStopping else { return false }
            queue.work.append(WaitingWork(work: work, isJoinable: isJoinable))
            return true
        }
        if isTaken { thread.wakeup.wake() }
        return isTaken
    }

    /// Lets a client wait until all nodes have a generation, or this time is over; on the store's thread.
    func letWait(
        for generation: Int, seconds: Int, _ answer: @escaping @Sendable (FleetWaits.Nodes) -> Void
    ) {
        let now = Clock.monotonicMilliseconds
        waits.withLock { $0.add(generation, until: now + seconds * 1_000, at: now, answer) }
    }

    /// Answers clients that have waited long enough.
    /// - Returns: the longest time until the next of them; nil if nobody waits.
    private func serveWaits(_ store: LinkStore) -> Int? {
        let answers = waits.withLock { waits in
            waits.turn(at: Clock.monotonicMilliseconds) { isNews in
                try? store.fleet(askingAll: isNews)
            }
        }
        for answer in answers { answer() }
        return waits.withLock { $0.rest(at: Clock.monotonicMilliseconds) }
    }

    /// The work that waits for the store's thread.
    package var waiting: Int { queue.withLock { $0.work.count } }

    private static let waitingMax = 4_096

    /// Lets the thread do the work that is there, and close the store.
    package func beginStop(atOnce: Bool) {
        let end = Clock.monotonicMilliseconds + (atOnce ? 0 : Self.baseStopMilliseconds)
        _ = baseEnd.min(end, ordering: .relaxed)
        queue.withLock { $0.isStopping = true }
        thread.beginStop()
    }

    package var stopLoss: Diagnostic? {
        loss(
            "the store of links \(quoted(path)) was not closed: its disk or server has not answered in "
                + "time, or a long operation is under way; each acknowledged change is in it")
    }

    /// Whether the file of the links may be written on: a stop has no time for all of a large one.
    private var baseGoesOn: @Sendable () -> Bool {
        { [self] in Clock.monotonicMilliseconds < baseEnd.load(ordering: .relaxed) }
    }

    private static let baseStopMilliseconds = 2_500

    // MARK: The thread

    private func run() {
        var base = BaseKeeper(place)
        warnOfMemory()
        guard let store = open(&base) else { return }
        serve(store, &base)
        store.leave()
        if let loss = base?.finish(store, while: baseGoesOn) { report(.finding(loss)) }
        do throws(StoreError) { try store.close() } catch {
            // What a database has is not in this process.
            if case .database = error { return }
            report(event(error))
        }
    }

    /// Opens the store; until that succeeds, work is refused.
    /// - Returns: nil if the service stops.
    private func open(_ base: inout BaseKeeper?) -> LinkStore? {
        var last: StoreError?
        while true {
            var stamp: FileStamp?
            do throws(StoreError) {
                let started = Clock.monotonicMilliseconds
                let store = try place.open(seen: base?.seen)
                try base?.check(store)
                links.publish(store.index)
                // Before the origin is ready, so that the first visitor is counted.
                visits.begin(store.identity)
                // If their table cannot be read, the store says why.
                if let all = try? store.tokensByHash() { tokens.publish(TokenTable(all)) }
                writeSecret()
                // Whether it takes changes is known before the origin is ready.
                try? store.transaction { _ in }
                let (failure, milliseconds) = (store.failure, Clock.monotonicMilliseconds - started)
                let software = store.software
                queue.withLock { queue in
                    queue.state = failure.map(State.failed) ?? .open
                    (queue.software, queue.seen) = (software, Clock.unixSeconds)
                }
                report(
                    .storeOpened(
                        path: path, slugs: store.index.count, milliseconds: milliseconds,
                        upgradedFrom: store.upgradedFrom, node: place.node))
                if let failure { report(event(failure)) }
                for finding in store.takeFirstFindings() { report(.finding(finding)) }
                // Its links are answered meanwhile, also if they are what is left of a damaged file.
                store.check()
                returnFreeMemory()
                return store
            } catch {
                if let store = resume(&base, because: error) { return store }
                queue.withLock { ($0.state, $0.seen) = (.closed(error), Clock.unixSeconds) }
                if last?.isAlike(error) != true { report(event(error)) }
                last = error
                if error.isOfFile { stamp = FileStamp(of: path) }
            }
            repeat {
                let end = Clock.monotonicMilliseconds + place.retryMilliseconds
                while Clock.monotonicMilliseconds < end {
                    let (work, isStopping) = take()
                    for piece in work { piece.work(.failure(last ?? .isFull))() }
                    if isStopping { return nil }
                    thread.wakeup.wait(atMost: max(0, end - Clock.monotonicMilliseconds))
                }
            } while stamp != nil && FileStamp(of: path) == stamp
        }
    }

    /// Answers the links of the node's file, because the database is away.
    /// - Returns: nil if there is nothing to answer from.
    private func resume(_ base: inout BaseKeeper?, because reason: StoreError) -> LinkStore? {
        let started = Clock.monotonicMilliseconds
        guard let (resumed, finding) = base?.resume(because: reason, at: Clock.unixSeconds) else {
            return nil
        }
        if let finding { report(.finding(finding)) }
        guard let resumed else { return nil }
        links.publish(resumed.store.index)
        fleet.resume(ageSeconds: resumed.age)
        queue.withLock { ($0.state, $0.seen) = (.failed(reason), Clock.unixSeconds) }
        report(event(reason))
        report(.finding(resumed.finding(after: Clock.monotonicMilliseconds - started)))
        writeSecret()
        // Their database is away, too, and nothing waits for it here.
        visits.beginLater(resumed.store.identity)
        returnFreeMemory()
        return resumed.store
    }

    /// Writes the secret of this start into its file. It is called until that succeeds; the first
    /// failure is reported.
    private func writeSecret() {
        guard secretState.load(ordering: .relaxed) != .written else { return }
        let path = place.secretPath
        do throws(FileError) {
            if case .database(_, let own) = place { try createDirectory(own, mode: 0o700) }
            try replaceFile(path, Array("\(secret)\n".utf8), mode: 0o600)
            secretState.store(.written, ordering: .relaxed)
        } catch {
            guard secretState.exchange(.failed, ordering: .relaxed) != .failed else { return }
            report(
                .finding(
                    Diagnostic(
                        .warning, .linkStore, at: nil,
                        "\(quotedPath(path)) cannot be written: \(error)",
                        advice: "without it, `waymark links` needs a token")))
        }
    }

    /// The time between two looks at a file, or at whether a store that failed can be changed again.
    private static let checkMilliseconds = 5_000
    /// The time between two questions to a database that several nodes share. A notification wakes earlier, and
    /// is lost where nobody passes it on.
    private static let pollMilliseconds = 1_000
    /// The same while there is work without a pause.
    private static let busyPollMilliseconds = 50

    private func serve(_ store: LinkStore, _ base: inout BaseKeeper?) {
        var (followed, watch) = (0, FleetWatch())
        /// The changes of tokens up to which they were published; nil until they were read here.
        var tokenChanges: Int?
        while true {
            survey(store)
            let (work, isStopping) = take()
            if isStopping, work.isEmpty { return }
            store.skipNumbers(to: visits.greatestLink)
            let now = Clock.monotonicMilliseconds
            var isConfirmed = false
            let isDue = work.isEmpty || now - followed >= Self.busyPollMilliseconds
            let follows = store.isShared && isDue && hasMemoryToFollow
            if follows {
                isConfirmed = store.follow()
                // The others are told below that this node has a change. Its loops must answer with it before that.
                if store.index !== links.value { links.publish(store.index) }
                for news in isConfirmed ? fleet.follow(store, &watch, at: now) : [] {
                    report(news)
                }
                followed = now
                for finding in store.takeFindings() { report(.finding(finding)) }
            }
            store.isFresh = isConfirmed
            if let finding = base?.turn(store, isConfirmed: isConfirmed, while: baseGoesOn) {
                report(.finding(finding))
            }
            let answers = work.answers(of: store)
            // A token that was removed is refused when its remover knows of it. If the table cannot
            // be read, the store says why, and the next turn reads it again.
            if store.tokenChanges != tokenChanges, let all = try? store.tokensByHash() {
                tokens.publish(TokenTable(all))
                tokenChanges = store.tokenChanges
            }
            // Each transaction may have brought what other nodes have changed.
            if store.index !== links.value { links.publish(store.index) }
            for answer in answers { answer() }
            let rest = serveWaits(store)
            note(store.failure)
            guard work.isEmpty else { continue }
            let pause = store.isShared ? Self.pollMilliseconds : Self.checkMilliseconds
            // Notifications that nobody reads would end each wait at once.
            let news = follows ? store.newsSource : nil
            thread.wakeup.wait(atMost: min(pause, rest ?? pause), orReading: news)
            writeSecret()
            if store.isShared { continue }
            if store.failure == nil {
                // Nobody may ask for days, but the operator has to know that the file is another one.
                store.checkFile()
            } else {
                // Nobody may change a link for hours, but the operator has to know.
                try? store.transaction { _ in }
                note(store.failure)
            }
        }
    }

    /// Tells the operator which links do not fit to a configuration that was published. Looking at a
    /// million links takes a second, so it is done beside the store's thread, where changes would wait.
    private func survey(_ store: LinkStore) {
        let isDue = queue.withLock { queue in
            defer { queue.isSurveyDue = false }
            return queue.isSurveyDue && !queue.isStopping
        }
        guard isDue, let api else { return }
        let (index, names) = (store.index, store.names)
        let isTaken = sideWork.submit(for: Self.noToken) { [self] in
            let findings = LinkSurvey(index, names, at: path, api).findings
            guard !findings.isEmpty else { return }
            _ = submit { [self] _ in
                for finding in findings { report(.finding(finding)) }
                return {}
            }
        }
        // The next turn tries again.
        if !isTaken { queue.withLock { $0.isSurveyDue = true } }
    }

    /// Stands for the origin's own work where tokens take turns.
    private static let noToken = -1

    /// Tells the operator when changes begin to fail, and when they succeed again.
    private func note(_ failure: StoreError?) {
        let next = failure.map(State.failed) ?? .open
        let before = queue.withLock { queue in
            defer { (queue.state, queue.seen) = (next, Clock.unixSeconds) }
            return queue.state
        }
        guard !before.isAlike(next) else { return }
        report(failure.map(event) ?? .storeRecovered(path: path))
    }

    private func take() -> (work: [WaitingWork], isStopping: Bool) {
        queue.withLock { queue in
            defer { queue.work = [] }
            return (queue.work, queue.isStopping)
        }
    }
}
