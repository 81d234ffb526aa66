package import LinkIndex

/// The links of an environment in a database, and the index that answers them. It belongs to one thread.
///
/// Its decisions, such as conflicts, are the same for each kind of database: `LinkRows` has the statements.
package final class LinkStore {
    /// All links, with the changes of every commit so far.
    package private(set) var index = LinkIndex()
    let rows: any LinkRows
    /// Changes of the open transaction, for the index.
    private var changes = [SlugName: LinkChange]()
    /// The slugs that it adds.
    var written = [SlugKey: String]()
    /// The bytes that the open transaction adds to the index, about.
    var growth = 0
    /// The memory of all links, with what the open transaction adds.
    package var bytes: Int { index.bytes + growth }
    /// About as many bytes of the index as the open transaction copies when it ends.
    package var copiedBytes: Int { index.copiedBytes(byChanges: changes.count) }
    /// The memory of searches in the index.
    var lookup = LinkLookup()
    /// Counts changes of tokens: who has read them before a change must read them again. A change
    /// that was taken back counts, too.
    package internal(set) var tokenChanges = 0
    /// Counts of the answers that are kept for requests that can be repeated.
    var keptAnswers = KeptAnswers()
    /// The properties of links that questions about visits have needed.
    var known = KnownColumns()
    private var generation = 0
    private var setback: (from: Int, to: Int)?
    private var isAwaited = false
    /// The reason for which the store cannot be changed: its file was damaged or written by others, or
    /// the last transaction failed. Nil after one that did not, unless the disk was full for a larger one a moment before.
    package var failure: StoreError? { rows.fault ?? lastFailure }
    private var lastFailure: StoreError?
    /// Not nil while the last failure is a full disk.
    private var shortage: RoomShortage?
    /// Tells the time; another clock in tests.
    var clock: () -> ContinuousClock.Instant = { ContinuousClock.now }
    /// The answers of a database after which a change that it has refused is forgotten, if nobody tries another one.
    private var refusalAnswers = 0
    /// Whether memory has all that was committed before the thread of the store took the work of this turn, so that no
    /// question of the turn needs to be asked there; nil where nobody takes turns.
    package var isFresh: Bool?
    /// The failure of a part of the open transaction, with which all of it fails, whatever becomes of the error.
    private var innerFailure: StoreError?
    /// The same, or the failure of a statement, which nobody may have noticed: PostgreSQL takes no other one after it.
    private var partialFailure: StoreError? { innerFailure ?? rows.statementFailure }
    /// Whether the last transaction was begun, and not committed: what fails then is not in the database.
    private var isWorking = false
    /// The requests whose changes the open transaction has.
    private var joined = JoinedChanges()
    /// The names of the collections that the index has by their numbers.
    package private(set) var names = [UInt32: CollectionName]()
    /// The greatest identity.
    private(set) var lastID: LinkID?
    /// Links of the file that are not answered.
    package private(set) var unanswered = UnansweredLinks()
    private var newlyUnanswered = UnansweredLinks()
    /// Links of which a search reads the rows in any case.
    package private(set) var oddRows = OddRows(areAll: false)
    /// The highest number of a link.
    private(set) var lastRow = 0
    package var hasHadNoLink: Bool { lastRow == 0 }
    /// By which the file of visits knows that it counts the links of this store, and not those of
    /// another one that have the same numbers; empty if it could not be written.
    package private(set) var identity = [UInt8]()

    /// Opens the store at `path`, or creates it, and reads its links.
    /// - Throws: why it cannot be used. A file that is no store, or damaged, is left as it is.
    package convenience init(_ path: String) throws(StoreError) {
        try self.init(SQLiteLinkRows(path))
    }

    /// Reads the links of a database.
    package init(_ rows: any LinkRows) throws(StoreError) {
        self.rows = rows
        try load()
        identity = rows.identity()
        rows.noteRead()
    }

    /// Answers the links of a base while the database of the rows is away.
    /// - Parameter reason: why it is.
    package init(_ rows: any LinkRows, _ base: StoreBase, because reason: StoreError) {
        (self.rows, index, identity) = (rows, base.index, base.identity)
        (generation, lastID) = (index.generation, base.lastID)
        lastRow = min(base.lastRow, LinkLoading.skippedMax)
        for name in base.names { names[name.number] = name }
        lastFailure = reason
        rows.resume(at: base.history, lastRow: lastRow, of: base.identity)
    }

    package var path: String { rows.path }
    /// The name and the version of the database; nil while that is not known.
    package var software: String? { rows.software }

    /// Whether several nodes change it, so that it has to be followed.
    package var isShared: Bool { rows.isShared }

    /// A descriptor that can be read when others may have changed it; nil where no notifications come.
    package var newsSource: Int? { rows.newsSource }

    /// Checkpoints what is left, so that the file alone has everything.
    package func close() throws(StoreError) { try rows.close() }

    /// The version of the tables that were upgraded when it was opened; nil if none were.
    package var upgradedFrom: Int? { rows.upgradedFrom }

    /// The reason for which searches read every row, because notes have no index; nil if they do not.
    package var noteFault: StoreError? { rows.noteFault }

    /// Checks that the file is whole; `failure` says so if it is not. This reads all of it, so it comes
    /// when its links are answered.
    package func check() {
        do throws(StoreError) {
            try rows.checkServed()
        } catch {
            lastFailure = error
        }
    }

    /// Reads all links into the index.
    private func load() throws(StoreError) {
        var loading = LinkLoading()
        let loaded = try rows.load(&loading)
        (generation, lastID) = (loaded.generation, loaded.lastID)
        (unanswered, names) = (loading.unanswered, loading.names)
        (oddRows, newlyUnanswered) = (unanswered.rows, unanswered)
        lastRow = max(lastRow, loading.lastRow)
        index = loading.index(generation)
    }

    func noteName(_ collection: String) {
        let name = CollectionName(collection)
        names[name.number] = name
    }

    // MARK: Transactions

    /// Runs `body` as one transaction, which takes the next generation. After it, the index has
    /// every change; if it fails, nothing has changed. In an open transaction, it is a part of that. If other
    /// nodes were in the way, `body` is run again, so it must do nothing that lasts besides.
    package func transaction<Value>(
        _ body: (_ generation: Int) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        if rows.isInTransaction {
            do throws(StoreError) {
                return try body(generation + 1)
            } catch {
                innerFailure = error
                throw error
            }
        }
        var attempts = 1
        while true {
            do throws(StoreError) {
                _ = rows.takeWrittenPages()
                let value = try commit(body)
                noteSuccess()
                return value
            } catch {
                rows.rollBack()
                if error.isRepeatable, attempts < Self.attemptsMax {
                    attempts += 1
                    continue
                }
                if error != .refused {
                    lastFailure = error
                    noteShortage(error)
                    // On a connection that is there: reading goes on, and says nothing of a right to change links.
                    refusalAnswers = rows.newsSource == nil ? 0 : Self.refusalAnswersMax
                }
                throw error
            }
        }
    }

    /// Ends a failure after a transaction, unless that was smaller than one for which the disk was full just now.
    private func noteSuccess() {
        if let shortage, !shortage.isOver(afterWriting: rows.takeWrittenPages(), at: clock()) {
            return
        }
        (lastFailure, shortage) = (nil, nil)
    }

    private func noteShortage(_ error: StoreError) {
        guard error == .isFull else { return shortage = nil }
        let pages = max(rows.takeWrittenPages(), shortage?.pages ?? 0)
        shortage = RoomShortage(pages: pages, last: clock())
    }

    /// A transaction that other nodes are in the way of is tried so many times.
    private static let attemptsMax = 3
    /// A minute of answers where nobody has work for the store.
    static let refusalAnswersMax = 60

    /// Makes the changes of several requests as one transaction, each of which would be one by itself: its end costs a
    /// round trip and a write to the disk, for one request as for many.
    /// - Parameters:
    ///   - requests: the work of each; if it fails, its effects besides this store must not matter.
    ///   - mayGoOn: whether another one begins. The first one does in any case.
    package func join(
        _ requests: [() -> Void], while mayGoOn: () -> Bool = { true }
    ) -> JoinedChanges.Outcome {
        do throws(StoreError) {
            try commit { _ throws(StoreError) in
                for request in requests {
                    joined.begin()
                    request()
                    // What follows would be in vain.
                    if partialFailure != nil || !mayGoOn() { return }
                }
            }
            noteSuccess()
            return .done
        } catch {
            rows.rollBack()
            guard !isWorking, case .database(_, .away) = error else { return .undone }
            (lastFailure, refusalAnswers) = (error, 0)
            return .unknown(error)
        }
    }

    /// Notes that the open transaction changes a link.
    func noteChange(of row: Int) throws(StoreError) {
        guard joined.take(row) else {
            throw .database(place: path, .busy("two requests change one link"))
        }
    }

    private func commit<Value>(
        _ body: (_ generation: Int) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        defer {
            (changes, written, growth, innerFailure) = ([:], [:], 0, nil)
            joined = JoinedChanges()
        }
        isWorking = false
        guard try take(rows.begin(after: generation)) else {
            throw .database(place: path, .busy("its history went back"))
        }
        let next = generation + 1
        isWorking = true
        let value = try body(next)
        // A part of the work failed. `body` may have made a refusal of that, but what it wrote before must not stay.
        if let partialFailure { throw partialFailure }
        let change = CommittedChange(generation: changes.isEmpty ? nil : next, lastRow: lastRow)
        isWorking = false
        try rows.commit(change)
        guard change.generation != nil else { return value }
        generation = next
        index = index.changed(Array(changes.values), generation: next)
        return value
    }

    // MARK: Other nodes

    /// Reads what other nodes have committed since; `failure` says so if that is not possible.
    /// - Parameter isPoll: whether the thread of the store asks, once in a while, and no request.
    /// - Returns: whether it was possible.
    @discardableResult
    package func follow(isPoll: Bool = true) -> Bool {
        do throws(StoreError) {
            _ = try take(rows.news(after: generation))
            if case .database(_, let fault) = lastFailure, fault.endsWithAnswer {
                if case .refused = fault, refusalAnswers > 0 {
                    if isPoll { refusalAnswers -= 1 }
                } else {
                    lastFailure = nil
                }
            }
            return true
        } catch {
            (lastFailure, refusalAnswers) = (error, 0)
            return false
        }
    }

    /// The generations between which the history went back since this was asked; nil if it did not.
    package func takeSetback() -> (from: Int, to: Int)? {
        defer { setback = nil }
        return setback
    }

    /// Links that are not answered and were read since this was asked.
    package func takeUnanswered() -> UnansweredLinks {
        defer { newlyUnanswered = UnansweredLinks() }
        return newlyUnanswered
    }

    /// Whether another node has wanted to know, since this was asked, which generation this one has.
    package func takeAwaited() -> Bool {
        defer { isAwaited = false }
        return isAwaited
    }

    /// Brings the index up to date. If the history went back, another index is built beside it.
    /// - Returns: false if it did.
    private func take(_ news: StoreNews?) throws(StoreError) -> Bool {
        guard let news else { return true }
        guard !news.isOtherHistory else {
            rows.rollBack()
            // Somebody has made an empty store in the place of the one that these links are of.
            guard news.lastRow > 0 || news.identity == identity || index.count == 0 else {
                throw .database(place: path, .isEmpty)
            }
            let before = generation
            try load()
            identity = news.identity
            tokenChanges += 1
            keptAnswers = KeptAnswers()
            setback = (from: setback?.from ?? before, to: generation)
            return false
        }
        skipNumbers(to: news.lastRow)
        if news.hasTokens { tokenChanges += 1 }
        if news.isAsked { isAwaited = true }
        if let id = news.lastID { note(id) }
        for name in news.collections { noteName(name) }
        if oddRows.add(news.unanswered.rows) { newlyUnanswered.add(news.unanswered) }
        guard news.generation != generation else { return true }
        generation = news.generation
        index = index.changed(news.changes, generation: generation)
        return true
    }

    /// Notes a change of the index by the open transaction.
    /// Of several changes of a slug, the last one is kept.
    func note(_ change: LinkChange) { changes[change.name] = change }

    /// Gives no new link a number up to this one: in a copy from before, they would be given to
    /// other links.
    package func skipNumbers(to number: Int) {
        lastRow = max(lastRow, min(number, LinkLoading.skippedMax))
    }

    /// Checks that the file is what it was; `failure` says so if it is not.
    package func checkFile() {
        do throws(StoreError) {
            try rows.checkPresence()
        } catch {
            lastFailure = error
        }
    }

    /// Notes an identity that was given elsewhere: those that are made from now on come after it, as they do after
    /// the next start.
    func note(_ id: LinkID) {
        let isLast = lastID.map { $0.bytes.lexicographicallyPrecedes(id.bytes) } ?? true
        if isLast { lastID = id }
    }

    /// The number of a new link. SQLite's own choice would follow a row of any number.
    func makeRow() -> Int {
        lastRow += 1
        return lastRow
    }

    /// An identity that comes after all that were made before, so that lists have them in the order
    /// in which they were made, also after the clock was set back.
    /// - Parameter milliseconds: since 1970.
    package func makeID(milliseconds: Int, _ random: inout some RandomNumberGenerator) -> LinkID {
        // Random bits cost more than everything else, and identities are no secrets.
        if let next = lastID?.successor, next.milliseconds >= milliseconds {
            lastID = next
            return next
        }
        let id = LinkID(milliseconds: milliseconds, random: &random)
        lastID = id
        return id
    }
}
