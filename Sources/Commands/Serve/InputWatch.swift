import Diagnostics
import EventLog
import Files
import Logging
import Sockets

/// Notices that inputs have changed. The kernel says where something has happened, and once it has
/// been quiet there for a while they are looked at; so they are once a minute anyway, as not every
/// file system says what others do in it. It decides when; looking is another thread's work.
struct InputWatch: ~Copyable {
    let directories: DirectoryWatch?
    /// When to look, in milliseconds of the monotonic clock, and by when at the latest.
    private(set) var lookAt: Int
    private var lookBy: Int
    private var hasWarned = false
    private let events: Logger

    /// - Parameter token: what the poller's events about directories will carry.
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
    mutating func note() {
        directories?.clear()
        let now = Clock.monotonicMilliseconds
        lookBy = min(lookBy, now + busyMilliseconds)
        lookAt = min(now + quietMilliseconds, lookBy)
    }

    /// A look begins: what happens from now on asks for another.
    mutating func beginLook() {
        lookAt = Clock.monotonicMilliseconds + pollMilliseconds
        lookBy = lookAt
    }

    /// Somebody has looked, or read: what was not what it is now is looked at again.
    mutating func adopt(_ record: InputRecord) {
        if record.isOutdated { note() }
        if let fault = record.fault { warn(fault) }
    }

    private mutating func warn(_ error: SystemError) {
        guard !hasWarned else { return }
        hasWarned = true
        events.report(
            Diagnostic(
                .warning, .watch, at: nil, "cannot watch every directory: \(error)",
                advice: "changes there are noticed within a minute; raise "
                    + "fs.inotify.max_user_watches, or max_user_instances"))
    }
}

/// Programs that renew certificates or write configurations are done after so long a silence.
private let quietMilliseconds = 1000
/// Where it is never silent, files are looked at all the same.
private let busyMilliseconds = 10_000
private let pollMilliseconds = 60_000
