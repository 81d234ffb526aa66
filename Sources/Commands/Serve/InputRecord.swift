import Files
import Services
import Sockets

/// The inputs as they were last read, to notice that they have changed since. Comparing them reads
/// files, which can take long, so the main thread never does it.
///
/// If the kernel names the public files that have changed, only these are compared. So the cost of
/// a change does not depend on the number of files.
struct InputRecord: Sendable {
    private let directories: DirectoryWatch?
    private let memory: WorkMemory
    private var watched = Set<[UInt8]>()
    private(set) var inputs: Inputs
    private(set) var stamps = Inputs.Stamps()
    /// The public files.
    private(set) var trees = PublicTrees()
    /// Of what was last read; nil where that is not known.
    private(set) var hash: InputHash?
    /// The inputs as the last comparison found them, if they had changed. They are read when two
    /// comparisons in a row show the same, because a file may still be written.
    private var settling: Seen?
    /// The same of public files that the kernel has named.
    private var settlingFiles = [[UInt8]: SharedRoot.Entry]()
    /// The time at which they are read all the same, in milliseconds of the monotonic clock.
    private var settlesBy = 0
    /// Whether what is served is made of these inputs.
    private var isServed = true
    /// Whether what was read, and what is there by now, may be two things.
    private(set) var isOutdated = false
    /// The reason why changes in some directory are noticed late; nil if there is none.
    private(set) var fault: SystemError?

    private struct Seen: Sendable {
        let stamps: Inputs.Stamps
        let trees: PublicTrees

        func isSame(as other: Seen) -> Bool {
            stamps == other.stamps && trees.isSame(as: other.trees)
        }
    }

    /// - Parameters:
    ///   - attempt: what is served.
    ///   - directories: the watch for changes.
    init(
        _ attempt: SnapshotAttempt, _ directories: DirectoryWatch?,
        _ memory: WorkMemory = WorkMemory()
    ) {
        (self.directories, self.memory) = (directories, memory)
        inputs = attempt.inputs
        follow(attempt)
    }

    /// Whether files have changed, and may do so still.
    var isSettling: Bool { settling != nil || !settlingFiles.isEmpty }

    /// Whether all inputs must be compared again, because some have changed.
    var isSettlingAll: Bool { settling != nil || isOutdated && settlingFiles.isEmpty }

    /// The inputs, if what is served is made of them.
    var servedInputs: Inputs? { isServed ? inputs : nil }

    /// The result of a comparison.
    enum Finding: Sendable {
        case nothing
        /// These public files, by their directories, have other content. Nothing else has changed.
        case files([String: [FoundFile]])
        case anything
    }

    /// Compares the files that the kernel has named with what was last read. Public files that
    /// their writers have completed are found at once, everything else when two comparisons in a
    /// row show the same.
    /// - Parameter milliseconds: the time since 1970.
    mutating func look(
        at changes: WatchedChanges, milliseconds: Int = Clock.unixMilliseconds
    ) -> Finding {
        let isEarly = changes.areComplete
        if !changes.areMore, isServed, settling == nil, !isEarly || settlingFiles.isEmpty,
            let found = lookAtFiles(changes.paths, isEarly: isEarly, milliseconds)
        {
            return found
        }
        guard !isEarly else {
            // Other files have changed, too: all are compared when there were no changes for
            // longer.
            (settlingFiles, isOutdated) = ([:], true)
            return .nothing
        }
        return look() ? .anything : .nothing
    }

    /// Compares all inputs with what was last read. Returns whether they have changed, and are as
    /// they were at the comparison before.
    mutating func look() -> Bool {
        (isOutdated, settlingFiles) = (false, [:])
        let room = PublicFilesRoom(memory, for: .comparison, after: trees.all.values)
        guard let found = inputs.findPublicFiles(within: room) else {
            // A reload says that they are more than there is room for.
            settling = nil
            return true
        }
        let now = Seen(stamps: inputs.stamps(), trees: found)
        // Directories may be new, with nothing in them yet.
        watchDirectories(now.trees)
        guard !now.isSame(as: Seen(stamps: stamps, trees: trees)) else {
            settling = nil
            return false
        }
        guard isSettled(now) else {
            isOutdated = true
            return false
        }
        settling = nil
        let hasOtherFiles = !now.trees.isSame(as: trees)
        let before = hash?.text
        (stamps, trees) = (now.stamps, now.trees)
        hash = InputHash(inputs.hash(), trees)
        return hasOtherFiles || hash?.text != before
    }

    private mutating func isSettled(_ now: Seen) -> Bool {
        if let settling, now.isSame(as: settling) { return true }
        if settling == nil { settlesBy = Clock.monotonicMilliseconds + unsettledMilliseconds }
        settling = now
        return Clock.monotonicMilliseconds >= settlesBy
    }

    /// Compares the files at these paths alone; nil if that is not enough to know what has changed.
    /// - Parameter isEarly: whether their writers have completed them a moment ago.
    private mutating func lookAtFiles(
        _ paths: some Sequence<[UInt8]>, isEarly: Bool, _ milliseconds: Int
    ) -> Finding? {
        var entries = settlingFiles
        for path in paths { entries[path] = .missing }
        var (changed, isSame) = ([String: [FoundFile]](), true)
        var roots = [[UInt8]: SharedRoot]()
        for (whole, before) in entries {
            guard let directory = trees.directory(of: whole), let tree = trees[directory],
                tree.faults.isEmpty, let root = roots[directory] ?? open(directory, of: tree)
            else { return nil }
            roots[directory] = root
            let path = Array(whole.dropFirst(directory.count + 1))
            let (now, index) = (root.look(at: path), tree.index(of: path))
            switch (now, index) {
            case (.missing, nil): entries[whole] = nil
            case (.file(let stamp), let index?) where !tree.files[index].isLink:
                entries[whole] = now
                if stamp == tree.files[index].stamp {
                    entries[whole] = nil
                } else {
                    // A change during the reading must be visible in the stamp.
                    let isSettled = stamp.isSettled(atMilliseconds: milliseconds)
                    isSame = isSame && (isEarly ? isSettled : now == before)
                    changed[String(decoding: directory, as: UTF8.self), default: []].append(
                        FoundFile(relativePath: tree.files[index].relativePath, stamp: stamp))
                }
            // A file has come or gone, or a link or a directory has changed.
            default: return nil
            }
        }
        if isEarly {
            guard isSame else { return nil }
            return changed.isEmpty ? .nothing : .files(changed)
        }
        if settlingFiles.isEmpty { settlesBy = Clock.monotonicMilliseconds + unsettledMilliseconds }
        settlingFiles = entries
        isOutdated = !entries.isEmpty
        guard !changed.isEmpty else { return .nothing }
        guard isSame || Clock.monotonicMilliseconds >= settlesBy else { return .nothing }
        (settlingFiles, isOutdated) = ([:], false)
        return .files(changed)
    }

    /// A public directory, if it is still the one in which these files were found.
    private func open(_ directory: [UInt8], of tree: FileTree) -> SharedRoot? {
        let root = try? RootDirectory(String(decoding: directory, as: UTF8.self)).shared()
        return root?.identity == tree.directories.first?.identity ? root : nil
    }

    /// Takes what an attempt has read. If it failed, the inputs of what is still served remain.
    mutating func follow(_ attempt: SnapshotAttempt) {
        isServed = attempt.snapshot != nil
        if isServed {
            (inputs, hash) = (attempt.inputs, attempt.hash)
        } else {
            inputs.formUnion(attempt.inputs)
            hash = InputHash(inputs.hash(), attempt.trees)
        }
        let watchesOthers = watchDirectories(attempt.trees)
        (stamps, trees) = (isServed ? attempt.stamps : inputs.stamps(), attempt.trees)
        (settling, settlingFiles) = (nil, [:])
        // Directories that were watched all the time report changes themselves.
        isOutdated = attempt.isPostponed || watchesOthers && attempt.isOutdated
        if isOutdated, !attempt.changesOfRead.isEmpty { (hash, stamps) = (nil, [:]) }
    }

    /// Takes the result of replacing public files only: nothing else was read.
    mutating func followFiles(_ attempt: SnapshotAttempt) {
        isServed = attempt.snapshot != nil
        (trees, hash) = (attempt.trees, attempt.hash)
    }

    /// - Returns: whether any of the directories was not watched before.
    @discardableResult
    private mutating func watchDirectories(_ trees: PublicTrees) -> Bool {
        guard let directories else { return true }
        let needed = inputs.decidingDirectories(trees)
        defer { watched = needed }
        do throws(SystemError) {
            try directories.watch(needed)
        } catch {
            fault = error
            return true
        }
        return !needed.isSubset(of: watched)
    }
}

/// A file that changes continuously must not prevent the renewal of certificates, so after this
/// time it is read anyway.
private let unsettledMilliseconds = 60_000
