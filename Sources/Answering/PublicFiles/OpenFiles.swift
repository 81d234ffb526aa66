import Files
import Synchronization

/// Counts the public files that are open, over all snapshots. At the limit, files that are not
/// being sent are closed, the oldest first.
final class OpenFiles: Sendable {
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

private let reportSeconds = 60
