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

    /// Whether the inputs have other content than what was last read.
    mutating func look() -> Bool {
        isOutdated = false
        // Directories may be new, with nothing in them yet.
        watchDirectories()
        let now = inputs.stamps()
        guard now != stamps else { return false }
        stamps = now
        let before = hash
        hash = inputs.hash()
        return hash != before
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
        isOutdated = attempt.isOutdated
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
