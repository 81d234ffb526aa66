import Diagnostics
import EventLog
import Files
import Logging
import Sockets

/// Notices that inputs have changed. The kernel reports changes in directories, and the inputs are
/// checked when there were no changes for a while. They are also checked once a minute, because not
/// every file system reports changes. This type decides when; another thread checks.
struct InputWatch: ~Copyable {
    let directories: DirectoryWatch?
    /// The time of the next check, and the latest one, in milliseconds of the monotonic clock.
    private(set) var lookAt: Int
    private var lookBy: Int
    /// The time at which the last check began.
    private var lookedAt = 0
    /// The changes since the last check began.
    private var changes = WatchedChanges()
    private var isNoted = false
    private var hasWarned = false
    private let events: Logger

    /// - Parameter token: the token of the poller's events about directories.
    init(waking poller: borrowing Poller, token: UInt64, _ events: Logger) {
        self.events = events
        lookAt = Clock.monotonicMilliseconds + pollMilliseconds
        lookBy = lookAt
        do throws(SystemError) {
            let directories = try DirectoryWatch()
            try directories.register(with: poller, token: token)
            self.directories = directories
        } catch {
            directories = nil
            warn(error)
        }
    }

    /// Something has happened in a directory.
    mutating func noticeChange() {
        if let directories { changes = directories.take(after: changes) }
        isNoted = true
        let now = Clock.monotonicMilliseconds
        lookBy = min(lookBy, now + busyMilliseconds)
        let next =
            changes.areComplete
            ? max(now + completedMilliseconds, lookedAt + quietMilliseconds)
            : now + quietMilliseconds
        lookAt = min(next, lookBy)
    }

    /// A check begins. Changes from now on cause another.
    /// - Returns: what has changed before.
    mutating func beginLook() -> WatchedChanges {
        defer { changes = WatchedChanges() }
        // Not every file system reports changes, so all inputs are checked once a minute.
        if !isNoted { changes.areMore = true }
        isNoted = false
        lookedAt = Clock.monotonicMilliseconds
        lookAt = lookedAt + pollMilliseconds
        lookBy = lookAt
        return changes
    }

    /// Takes the result of a check or of a build. If files have changed since, they are checked
    /// again.
    mutating func apply(_ record: InputRecord) {
        if record.isOutdated {
            noticeChange()
            if record.isSettlingAll { changes.areMore = true }
        }
        if let fault = record.fault { warn(fault) }
    }

    private mutating func warn(_ error: SystemError) {
        guard !hasWarned else { return }
        hasWarned = true
        events.report(
            Diagnostic(
                .warning, .watch, at: nil, "cannot watch every directory: \(error)",
                advice: "changes in the others are noticed within a minute; raise "
                    + "fs.inotify.max_user_watches\(present("max_user_watches")) or "
                    + "fs.inotify.max_user_instances\(present("max_user_instances"))"))
    }

    /// The value of a kernel setting in parentheses; empty where it cannot be read.
    private func present(_ setting: String) -> String {
        kernelSetting("fs/inotify/\(setting)").map { " (\($0))" } ?? ""
    }
}

/// Programs that renew certificates or write configurations have finished after this time without
/// changes.
private let quietMilliseconds = 1000
/// Files that were renamed into place, or closed after writing, are complete. This time passes so
/// that a second change has another time than the first, and changes of one moment make one
/// snapshot.
private let completedMilliseconds = 50
/// With continuous changes, files are checked after this time.
private let busyMilliseconds = 10_000
private let pollMilliseconds = 60_000
