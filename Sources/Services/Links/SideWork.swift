import Sockets
import Synchronization

/// Work for requests that needs no store, on few threads beside that of the store: drawing codes, and
/// writing the lines of exports. Tokens take turns, so that one that wants much waits for itself.
package final class SideWork: Sendable {
    private struct Queue {
        /// The work that waits for each token, and the order in which it is their turn.
        var waiting = [Int: [@Sendable () -> Void]]()
        var turns = [Int]()
        var count = 0
        var threads = 0

        mutating func append(_ work: @escaping @Sendable () -> Void, for token: Int) {
            if waiting[token] == nil { turns.append(token) }
            waiting[token, default: []].append(work)
            count += 1
        }

        mutating func next() -> (@Sendable () -> Void)? {
            guard !turns.isEmpty else { return nil }
            let token = turns.removeFirst()
            guard let work = waiting[token]?.removeFirst() else { return nil }
            if waiting[token]?.isEmpty == true { waiting[token] = nil } else { turns.append(token) }
            count -= 1
            return work
        }
    }

    private let queue = Mutex(Queue())

    /// Half of the processors, so that as many are left for answering.
    private static let threadsMax = max(1, availableProcessors / 2)
    private static let waitingMax = 1_024

    /// Has work done, after what came before it for this token.
    /// - Returns: false if there is too much to do already.
    package func submit(for token: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, startsThread) = queue.withLock { queue in
            guard queue.count < Self.waitingMax else { return (false, false) }
            queue.append(work, for: token)
            guard queue.threads < Self.threadsMax else { return (true, false) }
            queue.threads += 1
            return (true, true)
        }
        guard startsThread else { return isTaken }
        do throws(SystemError) {
            try startThread(name: "waymark-side") { [self] in run() }
        } catch {
            // The handlers' time ends for what waits, unless another thread does it.
            queue.withLock { $0.threads -= 1 }
        }
        return true
    }

    /// A thread ends when there is nothing to do.
    private func run() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        queue.withLock { queue in
            let work = queue.next()
            if work == nil { queue.threads -= 1 }
            return work
        }
    }
}
