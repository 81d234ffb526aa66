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
    /// When to check, and when to check at the latest, in milliseconds of the monotonic clock.
    private(set) var lookAt: Int
    private var lookBy: Int
    /// What was said since the last look began.
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
        if let directories { changes.formUnion(directories.take()) }
        isNoted = true
        let now = Clock.monotonicMilliseconds
        lookBy = min(lookBy, now + busyMilliseconds)
        lookAt = min(now + quietMilliseconds, lookBy)
    }

    /// A look begins: what happens from now on asks for another.
    /// - Returns: what to look at.
    mutating func beginLook() -> WatchedChanges {
        defer { changes = WatchedChanges() }
        // Nobody has said anything for a minute: who knows why.
        if !isNoted { changes.areMore = true }
        isNoted = false
        lookAt = Clock.monotonicMilliseconds + pollMilliseconds
        lookBy = lookAt
        return changes
    }

    /// Somebody has looked, or read: what was not what it is now is looked at again.
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
                .warning, "watch", at: nil, "cannot watch every directory: \(error)",
                advice: "changes in the others are noticed within a minute; raise "
                    + "fs.inotify.max_user_watches, or max_user_instances"))
    }
}

/// Programs that renew certificates or write configurations have finished after this time without
/// changes.
private let quietMilliseconds = 1000
/// With continuous changes, files are checked after this time.
private let busyMilliseconds = 10_000
private let pollMilliseconds = 60_000
