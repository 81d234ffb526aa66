import Files
import Sockets

/// The state of the inputs when they were last read, to notice changes. Checking reads files and
/// takes as long as that takes, so the main thread never does it.
struct InputRecord: Sendable {
    private let directories: DirectoryWatch?
    private var inputs: Inputs
    private var stamps = Inputs.Stamps()
    /// Of the inputs that were last read; empty if it is not known.
    private var hash = ""
    /// The stamps at the last check, if they had changed. Changed inputs are read when they are the
    /// same in two checks, because a file may be incomplete.
    private var settling: Inputs.Stamps?
    /// When changed inputs are read anyway, in milliseconds of the monotonic clock.
    private var settlesBy = 0
    /// Whether the inputs may differ from what was read.
    private(set) var isOutdated = false
    /// Why changes in some directory are noticed late, or nil.
    private(set) var fault: SystemError?

    /// - Parameters:
    ///   - attempt: what is served.
    ///   - directories: the watch for changes.
    init(_ attempt: SnapshotAttempt, _ directories: DirectoryWatch?) {
        self.directories = directories
        inputs = attempt.inputs
        follow(attempt)
    }

    /// Whether files have changed, and may still change.
    var isSettling: Bool { settling != nil }

    /// Whether the inputs' content differs from what was last read, and was the same in the
    /// previous check.
    mutating func look() -> Bool {
        isOutdated = false
        // There may be new directories that are still empty.
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

    /// Records what an attempt has read; if it failed, also what is still served.
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

/// A file that changes continuously must not prevent the renewal of certificates, so after this
/// time it is read anyway.
private let unsettledMilliseconds = 60_000
