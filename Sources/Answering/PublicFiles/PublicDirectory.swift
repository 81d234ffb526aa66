import Diagnostics
import Files
import SiteConfiguration
import Synchronization
import URISyntax

/// What the files of a public directory have in common.
final class PublicDirectory: Sendable {
    /// As the configuration names it.
    let path: String
    let position: SourcePosition
    let root: SharedRoot
    let openFiles: OpenFiles
    /// Field lines that every file has.
    let indexFields: [String]
    /// Receives what is found in files after the start.
    let report: @Sendable (Diagnostic) -> Void
    private let digest: @Sendable ([UInt8]) -> [UInt8]

    init(
        _ reference: FileReference, _ root: SharedRoot, _ openFiles: OpenFiles,
        indexFields: [String], digest: @escaping @Sendable ([UInt8]) -> [UInt8],
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        (path, position) = (reference.path, reference.position)
        (self.root, self.openFiles, self.indexFields) = (root, openFiles, indexFields)
        (self.digest, self.report) = (digest, report)
    }

    /// Whether files of it are answered for in the same way.
    func isSame(as other: PublicDirectory) -> Bool {
        root.identity == other.root.identity && path == other.path && position == other.position
            && indexFields == other.indexFields
    }

    /// The entity tag of content.
    func tag(of bytes: [UInt8]) -> String { digest(bytes).prefix(16).hexadecimal }

    /// The entity tag of a file that is not read. A changed file has another tag, and so has a
    /// copy.
    func tag(of stamp: FileStamp) -> String { tag(of: Array(stamp.description.utf8)) }
}

/// Counts the public files that are open, over all snapshots. At the limit, files that are not
/// being sent are closed, the oldest first.
package final class OpenFiles: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State: Sendable {
        var count = 0
        var reportsAt = 0
        /// Those that were opened, in the order of that; some of them are closed by now.
        var opened = [Reference]()
    }

    private struct Reference: Sendable {
        weak let file: PublicFile?
    }

    init(limit: Int) { self.limit = limit }

    /// How many are open.
    var count: Int { state.withLock { $0.count } }

    /// Makes room for one more, which `release` gives back.
    /// - Throws: `outOfDescriptors` where all that may be open are being sent.
    func reserve() throws(FileError) {
        guard !take() else { return }
        // Closing gives back, which takes the lock: not within it.
        var candidates = state.withLock { state in
            defer { state.opened = [] }
            return state.opened
        }[...]
        var busy = [Reference]()
        while let candidate = candidates.popFirst() {
            guard let isClosed = candidate.file?.closeIfIdle() else { continue }
            if isClosed { break }
            busy.append(candidate)
        }
        state.withLock { $0.opened = busy + candidates + $0.opened }
        guard take() else {
            throw .outOfDescriptors("\(limit) public files are being sent from the disk")
        }
    }

    func add(_ file: PublicFile) { state.withLock { $0.opened.append(Reference(file: file)) } }

    func release() { state.withLock { $0.count -= 1 } }

    private func take() -> Bool {
        state.withLock { state in
            guard state.count < limit else { return false }
            state.count += 1
            return true
        }
    }

    /// Whether it is time to report again that there are too many.
    func isReportDue(at now: Int) -> Bool {
        state.withLock { state in
            guard now >= state.reportsAt else { return false }
            state.reportsAt = now + reportSeconds
            return true
        }
    }
}

/// An open file that counts as one as long as it is.
package final class CountedFile: Sendable {
    let file: OpenFile
    private let openFiles: OpenFiles

    init(_ file: OpenFile, _ openFiles: OpenFiles) {
        (self.file, self.openFiles) = (file, openFiles)
    }

    deinit { openFiles.release() }
}

private let reportSeconds = 60
