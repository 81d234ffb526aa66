import Diagnostics
import EventLog
import Files
import Logging
import Sockets

/// Notices that inputs have changed. The kernel says where something has happened, and once it has
/// been quiet there for a while they are looked at; so they are once a minute anyway, as not every
/// file system says what others do in it.
struct InputWatch: ~Copyable {
    private var directories: DirectoryWatch?
    private var inputs: Inputs
    private var stamps: Inputs.Stamps
    /// Of what was last read; empty where that is not known.
    private var hash = ""
    /// What they were at the last look, if they had changed: they are read once they have been the
    /// same for a while, as a file may be on its way still.
    private var settling: Inputs.Stamps?
    private var settlesBy = 0
    /// When to look, in milliseconds of the monotonic clock, and by when at the latest.
    private(set) var lookAt: Int
    private var lookBy: Int
    private var hasWarned = false
    private let events: Logger

    /// - Parameters:
    ///   - attempt: what is served.
    ///   - token: what the poller's events about directories will carry.
    init(
        _ attempt: SnapshotAttempt, waking poller: borrowing Poller, token: UInt64,
        _ events: Logger
    ) {
        self.events = events
        let now = Clock.monotonicMilliseconds
        inputs = attempt.inputs
        stamps = [:]
        lookAt = now + pollMilliseconds
        lookBy = lookAt
        do throws(SystemError) {
            let directories = try DirectoryWatch()
            try directories.register(with: poller, token: token)
            self.directories = consume directories
        } catch {
            warn(error)
        }
        follow(attempt)
    }

    /// Something has happened in a directory.
    mutating func note() {
        directories?.clear()
        lookSoon()
    }

    private mutating func lookSoon() {
        let now = Clock.monotonicMilliseconds
        lookBy = min(lookBy, now + busyMilliseconds)
        lookAt = min(now + quietMilliseconds, lookBy)
    }

    /// Whether files have changed, and may do so still: nothing is read until they have not changed
    /// from one look to the next.
    var isSettling: Bool { settling != nil }

    /// Whether the inputs have other content than what was last read, and are as they were at the
    /// look before.
    mutating func look() -> Bool {
        lookAt = Clock.monotonicMilliseconds + pollMilliseconds
        lookBy = lookAt
        // Directories may be new, with nothing in them yet.
        watchDirectories()
        let now = inputs.stamps()
        guard now != stamps else {
            settling = nil
            return false
        }
        guard isSettled(now) else { return false }
        settling = nil
        stamps = now
        let before = hash
        hash = inputs.hash()
        return hash != before
    }

    private mutating func isSettled(_ now: Inputs.Stamps) -> Bool {
        if now == settling { return true }
        if settling == nil { settlesBy = Clock.monotonicMilliseconds + unsettledMilliseconds }
        settling = now
        // A file that is written all the time must not keep certificates from being renewed.
        guard Clock.monotonicMilliseconds < settlesBy else { return true }
        lookSoon()
        return false
    }

    /// Watches what an attempt has read; where it came to nothing, also what is served still.
    mutating func follow(_ attempt: SnapshotAttempt) {
        if attempt.snapshot == nil {
            inputs.formUnion(attempt.inputs)
            hash = inputs.hash()
        } else {
            inputs = attempt.inputs
            hash = attempt.hash
        }
        watchDirectories()
        stamps = inputs.stamps()
        settling = nil
        if !attempt.changes.isEmpty {
            hash = ""
            stamps = [:]
            note()
        }
    }

    private mutating func watchDirectories() {
        do throws(SystemError) {
            try directories?.watch(inputs.decidingDirectories())
        } catch {
            warn(error)
        }
    }

    private mutating func warn(_ error: SystemError) {
        guard !hasWarned else { return }
        hasWarned = true
        events.report(
            Diagnostic(
                .warning, "watch", at: nil, "cannot watch every directory: \(error)",
                advice: "changes there are noticed within a minute; raise "
                    + "fs.inotify.max_user_watches, or max_user_instances"))
    }
}

/// Programs that renew certificates or write configurations are done after so long a silence.
private let quietMilliseconds = 1000
/// Where it is never silent, files are looked at all the same.
private let busyMilliseconds = 10_000
/// What has not stopped changing by then is read as it is.
private let unsettledMilliseconds = 60_000
private let pollMilliseconds = 60_000
