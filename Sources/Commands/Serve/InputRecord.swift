import Files
import Sockets

/// What was last read of the inputs, to notice that they have changed since. Whoever looks at them
/// reads files, and waits for as long as these take: never the main thread.
struct InputRecord: Sendable {
    private let directories: DirectoryWatch?
    private var inputs: Inputs
    private var stamps = Inputs.Stamps()
    /// Of what was last read; empty where that is not known.
    private var hash = ""
    /// What they were at the last look, if they had changed: they are read once they are the same
    /// at two looks, as a file may be on its way still.
    private var settling: Inputs.Stamps?
    /// When they are read all the same, in milliseconds of the monotonic clock.
    private var settlesBy = 0
    /// Whether what was read, and what is there by now, may be two things.
    private(set) var isOutdated = false
    /// Why changes in some directory are noticed late, if they are.
    private(set) var fault: SystemError?

    /// - Parameters:
    ///   - attempt: what is served.
    ///   - directories: told where to look for changes.
    init(_ attempt: SnapshotAttempt, _ directories: DirectoryWatch?) {
        self.directories = directories
        inputs = attempt.inputs
        follow(attempt)
    }

    /// Whether files have changed, and may do so still.
    var isSettling: Bool { settling != nil }

    /// Whether the inputs have other content than what was last read, and are as they were at the
    /// look before.
    mutating func look() -> Bool {
        isOutdated = false
        // Directories may be new, with nothing in them yet.
        watchDirectories()
        let now = inputs.stamps()
        guard now != stamps else {
            settling = nil
            return false
        }
        guard isSettled(now) else {
            isOutdated = true
            return false
        }
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
        return Clock.monotonicMilliseconds >= settlesBy
    }

    /// Takes what an attempt has read; where it came to nothing, also what is served still.
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
        isOutdated =
            attempt.snapshot == nil ? !attempt.changes.isEmpty : stamps != attempt.stamps
        if isOutdated { (hash, stamps) = ("", [:]) }
    }

    private mutating func watchDirectories() {
        do throws(SystemError) {
            try directories?.watch(inputs.decidingDirectories())
        } catch {
            fault = error
        }
    }
}

/// A file that is written all the time must not keep certificates from being renewed: what has not
/// stopped changing after so long is read as it is.
private let unsettledMilliseconds = 60_000
