import Diagnostics
import Files
import LinkIndex
import LinkStore
import SharedStore
import Sockets

/// Keeps the links of a shared store in a file of the node (`BaseFile`), so that a start answers them while the
/// database is away. It belongs to the store's thread; the file is written on another one.
struct BaseKeeper {
    private let file: BaseFile
    private let place: PostgreSQLPlace
    private var schedule = BaseSchedule()
    private var running: (version: StoreBase.Version, task: Background<Attempt>)?
    /// Whether the file could be given the time at which the database has confirmed it.
    private var confirmation: Background<Bool>?
    /// Whether the log has said that the file cannot be written.
    private var hasFailed = false
    /// Whether a start has looked for the file.
    private var wasRead = false
    /// The duration of the last writing.
    private var lastMilliseconds: Int?
    /// The time at which the database has said last that the links are all, since 1970.
    private var confirmed = Clock.unixSeconds
    /// The message about links that the store has lost.
    private var loss: Diagnostic?

    /// The result of an attempt to write.
    private struct Attempt: Sendable {
        /// The bytes that were written; nil if the attempt was given up.
        let bytes: Result<Int?, FileError>
        let milliseconds: Int
    }

    /// Links that are answered again, from the file.
    struct Resumed {
        let store: LinkStore
        /// Seconds since the database has confirmed them.
        let age: Int
        let path: String
    }

    /// Nil where the store belongs to one process.
    init?(_ place: ServedStore) {
        guard case .database(let database, let own) = place else { return nil }
        self.place = database
        file = BaseFile("\(own)/links.base", of: database.database)
    }

    /// The history of the database that the node has seen before it was started.
    var seen: KnownHistory? { file.history() }

    // MARK: At a start

    /// Refuses a store without any link that stands in the place of the one whose links the file has, and notes if it
    /// lacks some of them.
    mutating func check(_ store: LinkStore) throws(StoreError) {
        if let slugs = file.slugs(missingIn: store) {
            let count = store.index.count
            guard count > 0 else { throw .database(place: store.path, .isEmpty) }
            loss = Diagnostic(
                .warning, .linkStore, at: nil,
                "\(quoted(store.path)) has \(counted(count, "slug")), and had \(slugs) when this node knew the same "
                    + "generation of it",
                advice:
                    "rows of waymark.link or waymark.slug were removed; restore the database if nobody meant that"
            )
        }
        guard store.hasHadNoLink, let (base, _) = try? file.read(), base.hasHadLinks,
            !base.isOf(store)
        else { return }
        throw .database(place: store.path, .isEmpty)
    }

    /// Reads the file, so that its links are answered because the database is away.
    /// - Returns: nil if there is nothing to answer from, and the message about that if there is one.
    mutating func resume(
        because reason: StoreError, at now: Int
    ) -> (resumed: Resumed?, finding: Diagnostic?) {
        guard !wasRead, reason.leavesBase else { return (nil, nil) }
        wasRead = true
        do throws(BaseFault) {
            guard let (base, confirmed) = try file.read() else { return (nil, nil) }
            guard let store = try? LinkStore(place, base, because: reason) else {
                return (nil, nil)
            }
            schedule.wrote(base.version, bytes: 0, within: 0, at: 0)
            self.confirmed = confirmed
            // The time of a file can be any.
            let age = max(0, now - max(0, confirmed))
            return (Resumed(store: store, age: age, path: file.path), nil)
        } catch {
            let finding = Diagnostic(
                .warning, .linkStore, at: nil, "\(quoted(file.path)) \(error)",
                advice:
                    "it is passed over, and written anew when the links were read from the database"
            )
            return (nil, finding)
        }
    }

    // MARK: While it is served

    /// Writes the file when it is time.
    /// - Parameters:
    ///   - isConfirmed: whether the database has said in this turn that the links are all.
    ///   - goesOn: whether an attempt may take longer; asked on another thread.
    /// - Returns: the message about a file that cannot be written, once.
    mutating func turn(
        _ store: LinkStore, isConfirmed: Bool, while goesOn: @escaping @Sendable () -> Bool
    ) -> Diagnostic? {
        let finding = takeResult() ?? loss
        loss = nil
        if isConfirmed { confirmed = Clock.unixSeconds }
        let now = Clock.monotonicMilliseconds
        guard running == nil, let base = store.base,
            let action = schedule.due(base.version, isConfirmed: isConfirmed, at: now)
        else { return finding }
        switch action {
        case .write: begin(base, goesOn)
        case .confirm:
            schedule.confirmed(at: now)
            // A disk that does not answer must not hold the store's thread.
            confirmation = Background(name: Self.threadName) { [file, confirmed] in
                (try? file.confirm(at: confirmed)) != nil
            }
        }
        return finding
    }

    private mutating func begin(_ base: StoreBase, _ goesOn: @escaping @Sendable () -> Bool) {
        let isFirst = lastMilliseconds == nil
        running = (
            base.version,
            Background(name: Self.threadName) { [file, confirmed] in
                let started = Clock.monotonicMilliseconds
                if isFirst { file.removeDrafts() }
                var attempt = Result<Int?, FileError>.success(nil)
                do throws(FileError) {
                    attempt = .success(try file.write(base, asOf: confirmed, while: goesOn))
                } catch {
                    attempt = .failure(error)
                }
                return Attempt(bytes: attempt, milliseconds: Clock.monotonicMilliseconds - started)
            }
        )
    }

    private static let threadName = "waymark-base"

    private mutating func takeResult() -> Diagnostic? {
        if let isConfirmed = confirmation?.found {
            confirmation = nil
            if !isConfirmed { schedule.lost() }
        }
        guard let (version, task) = running, let attempt = task.found else { return nil }
        running = nil
        let now = Clock.monotonicMilliseconds
        switch attempt.bytes {
        case .success(let bytes):
            guard let bytes else { return nil }
            lastMilliseconds = attempt.milliseconds
            schedule.wrote(version, bytes: bytes, within: attempt.milliseconds, at: now)
            hasFailed = false
            return nil
        case .failure(let error):
            schedule.failed(at: now)
            defer { hasFailed = true }
            return hasFailed
                ? nil
                : Diagnostic(
                    .warning, .linkStore, at: nil,
                    "\(quotedPath(file.path)) cannot be written: \(error)",
                    advice:
                        "without it, this node answers no stored links if it starts while the database "
                        + "is away; it is tried again")
        }
    }

    // MARK: At the end

    /// Writes what has changed, if that is likely to take less time than a stop has.
    /// - Parameter goesOn: whether there is time left.
    /// - Returns: the event about a file whose disk does not answer.
    mutating func finish(
        _ store: LinkStore, while goesOn: @escaping @Sendable () -> Bool
    ) -> Diagnostic? {
        guard wait(goesOn) else { return disk }
        guard goesOn(), let base = store.base else { return nil }
        if !schedule.lacks(base.version) {
            let confirmation = Background(name: Self.threadName) { [file, confirmed] in
                (try? file.confirm(at: confirmed)) != nil
            }
            guard let isConfirmed = Self.value(of: confirmation, while: goesOn) else { return disk }
            if isConfirmed { return nil }
        }
        let expected = lastMilliseconds ?? base.index.bytes / Self.bytesPerMillisecond
        guard expected <= Self.stopMilliseconds else { return nil }
        begin(base, goesOn)
        return wait(goesOn) ? nil : disk
    }

    /// Waits for the file to be written.
    /// - Returns: false if there is no time for it any more.
    private mutating func wait(_ goesOn: () -> Bool) -> Bool {
        if let running, Self.value(of: running.task, while: goesOn) == nil { return false }
        _ = takeResult()
        return true
    }

    private static func value<Value>(
        of task: Background<Value>, while goesOn: () -> Bool
    ) -> Value? {
        while goesOn() {
            if let value = task.value(atMost: Self.lookMilliseconds) { return value }
        }
        // A writer that was told to end needs a moment for that.
        return task.value(atMost: Self.lookMilliseconds)
    }

    private var disk: Diagnostic {
        Diagnostic(
            .error, .abandoned, at: nil,
            "\(quoted(file.path)) could not be written: its disk has not answered in time; the file "
                + "has the links that were written before")
    }

    private static let lookMilliseconds = 100

    /// A stop writes nothing that is likely to take longer.
    private static let stopMilliseconds = 1_500
    /// The speed of a slow disk.
    private static let bytesPerMillisecond = 50_000
}

extension StoreError {
    /// Whether it leaves the links that a node has known as they were: the database is away, or does not let the node in.
    fileprivate var leavesBase: Bool {
        guard case .database(_, let fault) = self else { return false }
        return switch fault {
        case .away, .busy, .refused, .isReplaced, .isEmpty: true
        case .noLibrary, .isForeign, .isCopied, .isNewer, .isUnwritable, .copiesItself: false
        }
    }
}
