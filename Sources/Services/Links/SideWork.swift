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
        var lack: SystemError?

        mutating func append(_ work: @escaping @Sendable () -> Void, for token: Int) {
            if waiting[token] == nil { turns.append(token) }
            waiting[token, default: []].append(work)
            count += 1
        }

        /// Gives up what was appended last for a token.
        mutating func removeLast(of token: Int) {
            waiting[token]?.removeLast()
            count -= 1
            guard waiting[token]?.isEmpty == true else { return }
            waiting[token] = nil
            turns.removeAll { $0 == token }
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
    private let start: Start
    let refusals = Refusals()

    /// Half of the processors, so that as many are left for answering.
    private static let threadsMax = max(1, availableProcessors / 2)
    private static let waitingMax = 1_024

    typealias Start = @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> Void

    /// - Parameter start: starts a thread.
    init(
        _ start: @escaping Start = { body throws(SystemError) in
            try startThread(name: "waymark-side", body)
        }
    ) {
        self.start = start
    }

    /// Has work done, after what came before it for this token.
    /// - Returns: false if there is too much to do already, or no thread for it.
    package func submit(for token: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        queue.withLock { queue in
            guard queue.count < Self.waitingMax else { return false }
            queue.append(work, for: token)
            guard queue.threads < Self.threadsMax else { return true }
            do throws(SystemError) {
                try start { [self] in run() }
                queue.threads += 1
                queue.lack = nil
            } catch {
                queue.lack = error
                // Another thread does it, if there is one.
                if queue.threads == 0 { queue.removeLast(of: token) }
            }
            return queue.threads > 0
        }
    }

    /// The reason why no thread could be started last; nil if one could.
    var fault: SystemError? { queue.withLock { $0.lack } }

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
