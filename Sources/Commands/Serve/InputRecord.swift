import Files
import Sockets

/// What was last read of the inputs, to notice that they have changed since. Whoever looks at them
/// reads files, and waits for as long as these take: never the main thread.
///
/// Where the kernel names the public files that have changed, only these are looked at, so that a
/// change costs the same however many files there are.
struct InputRecord: Sendable {
    private let directories: DirectoryWatch?
    private var inputs: Inputs
    private(set) var stamps = Inputs.Stamps()
    /// The public files.
    private(set) var tree = FileTree()
    /// Of what was last read; nil where that is not known.
    private(set) var hash: InputHash?
    /// What they were at the last look, if they had changed: they are read once they are the same
    /// at two looks, as a file may be on its way still.
    private var settling: Seen?
    /// The same of public files that the kernel has named.
    private var settlingFiles = [[UInt8]: SharedRoot.Entry]()
    /// When they are read all the same, in milliseconds of the monotonic clock.
    private var settlesBy = 0
    /// Whether what is served is made of these inputs.
    private var isServed = true
    /// Whether what was read, and what is there by now, may be two things.
    private(set) var isOutdated = false
    /// Why changes in some directory are noticed late, or nil.
    private(set) var fault: SystemError?

    private struct Seen: Sendable {
        let stamps: Inputs.Stamps
        let tree: FileTree

        func isSame(as other: Seen) -> Bool {
            stamps == other.stamps && tree.isSame(as: other.tree)
        }
    }

    /// - Parameters:
    ///   - attempt: what is served.
    ///   - directories: the watch for changes.
    init(_ attempt: SnapshotAttempt, _ directories: DirectoryWatch?) {
        self.directories = directories
        inputs = attempt.inputs
        follow(attempt)
    }

    /// Whether files have changed, and may do so still.
    var isSettling: Bool { settling != nil || !settlingFiles.isEmpty }

    /// Whether all inputs must be looked at again, as some have changed.
    var isSettlingAll: Bool { settling != nil || isOutdated && settlingFiles.isEmpty }

    /// The inputs, if what is served is made of them.
    var servedInputs: Inputs? { isServed ? inputs : nil }

    /// What a look has found.
    enum Finding: Sendable {
        case nothing
        /// Public files have other content, and nothing else has changed.
        case files([FoundFile])
        case anything
    }

    /// Looks at what the kernel has named, and whether it has other content than what was last read
    /// and is as it was at the look before.
    mutating func look(at changes: WatchedChanges) -> Finding {
        if !changes.areMore, isServed, settling == nil,
            let found = lookAtFiles(changes.paths)
        {
            return found
        }
        return look() ? .anything : .nothing
    }

    /// Looks at all inputs: whether they have other content than what was last read, and are as they
    /// were at the look before.
    mutating func look() -> Bool {
        (isOutdated, settlingFiles) = (false, [:])
        let now = Seen(stamps: inputs.stamps(), tree: inputs.findPublicFiles())
        // Directories may be new, with nothing in them yet.
        watchDirectories(now.tree)
        guard !now.isSame(as: Seen(stamps: stamps, tree: tree)) else {
            settling = nil
            return false
        }
        guard isSettled(now) else {
            isOutdated = true
            return false
        }
        settling = nil
        let hasOtherFiles = !now.tree.isSame(as: tree)
        let before = hash?.text
        (stamps, tree) = (now.stamps, now.tree)
        hash = InputHash(inputs.hash(), tree)
        return hasOtherFiles || hash?.text != before
    }

    private mutating func isSettled(_ now: Seen) -> Bool {
        if let settling, now.isSame(as: settling) { return true }
        if settling == nil { settlesBy = Clock.monotonicMilliseconds + unsettledMilliseconds }
        settling = now
        return Clock.monotonicMilliseconds >= settlesBy
    }

    /// Looks at these paths alone; nil where that does not say enough.
    private mutating func lookAtFiles(_ paths: Set<[UInt8]>) -> Finding? {
        guard let publicDirectory = inputs.publicDirectory, tree.faults.isEmpty,
            let root = try? RootDirectory(String(decoding: publicDirectory, as: UTF8.self))
                .shared(),
            tree.directories.first?.identity == root.identity
        else { return nil }
        let prefix = publicDirectory + [UInt8(ascii: "/")]
        var entries = settlingFiles
        for path in paths {
            guard path.starts(with: prefix) else { return nil }
            entries[Array(path.dropFirst(prefix.count))] = .missing
        }
        var (changed, isSame) = ([FoundFile](), true)
        for (path, before) in entries {
            let (now, index) = (root.look(at: path), tree.index(of: path))
            switch (now, index) {
            case (.missing, nil): entries[path] = nil
            case (.file(let stamp), let index?) where !tree.files[index].isLink:
                entries[path] = now
                if stamp == tree.files[index].stamp {
                    entries[path] = nil
                } else {
                    isSame = isSame && now == before
                    changed.append(
                        FoundFile(relativePath: tree.files[index].relativePath, stamp: stamp))
                }
            // A file has come or gone, or a link or a directory has changed.
            default: return nil
            }
        }
        if settlingFiles.isEmpty {
            settlesBy = Clock.monotonicMilliseconds + unsettledMilliseconds
        }
        settlingFiles = entries
        isOutdated = !entries.isEmpty
        guard !changed.isEmpty else { return .nothing }
        guard isSame || Clock.monotonicMilliseconds >= settlesBy else { return .nothing }
        (settlingFiles, isOutdated) = ([:], false)
        return .files(changed)
    }

    /// Takes what an attempt has read; where it came to nothing, also what is served still.
    mutating func follow(_ attempt: SnapshotAttempt) {
        isServed = attempt.snapshot != nil
        if isServed {
            inputs = attempt.inputs
            hash = attempt.hash
        } else {
            inputs.formUnion(attempt.inputs)
            hash = InputHash(inputs.hash(), attempt.tree)
        }
        watchDirectories(attempt.tree)
        (stamps, tree) = (isServed ? attempt.stamps : inputs.stamps(), attempt.tree)
        (settling, settlingFiles) = (nil, [:])
        isOutdated = attempt.isOutdated
        if isOutdated, !attempt.changesOfRead.isEmpty { (hash, stamps) = (nil, [:]) }
    }

    /// Takes what came of exchanging public files alone: nothing else was looked at.
    mutating func followFiles(_ attempt: SnapshotAttempt) {
        isServed = attempt.snapshot != nil
        (tree, hash) = (attempt.tree, attempt.hash)
    }

    private mutating func watchDirectories(_ tree: FileTree) {
        do throws(SystemError) {
            try directories?.watch(inputs.decidingDirectories(tree))
        } catch {
            fault = error
        }
    }
}

/// A file that changes continuously must not prevent the renewal of certificates, so after this
/// time it is read anyway.
private let unsettledMilliseconds = 60_000
