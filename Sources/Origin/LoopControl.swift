import Sockets
import Synchronization

/// The orders of the supervisor to a loop, and the loop's reports to it.
final class LoopControl: Sendable {
    let wakeup: Wakeup
    let watchdog: Watchdog?
    let handledTokens: HandledTokens
    private let ordered = Atomic<Int>(Stage.serving.rawValue)
    private let cutOff = Atomic<Int>(0)
    private let closed = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    /// A step of the origin on the way to its end.
    enum Stage: Int, Sendable {
        case serving
        /// Everything is answered, and every answer says that its connection ends.
        case leaving
        /// Nothing new is accepted, except from who asks how the origin is.
        case stopping
        /// Every connection is closed at once.
        case ending
    }

    init(_ watchdog: Watchdog?) throws(SystemError) {
        wakeup = try Wakeup()
        handledTokens = HandledTokens(wakeup)
        self.watchdog = watchdog
    }

    var stage: Stage { Stage(rawValue: ordered.load(ordering: .acquiring)) ?? .ending }

    /// Orders a stage; there is no way back to an earlier one.
    func order(_ stage: Stage) {
        _ = ordered.max(stage.rawValue, ordering: .acquiringAndReleasing)
        wakeup.wake()
    }

    /// Reports that the loop has ended, how many connections it had, and how many requests among
    /// them were not answered whole.
    func ended(closed connections: Int, cutOff requests: Int) {
        closed.store(connections, ordering: .relaxed)
        cutOff.store(requests, ordering: .relaxed)
        isOver.store(true, ordering: .releasing)
        watchdog?.leave()
    }

    /// Whether the loop has ended.
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Requests that were not answered whole when the loop ended.
    var requestsCutOff: Int { cutOff.load(ordering: .relaxed) }

    /// Connections that were open when the loop ended.
    var connectionsClosed: Int { closed.load(ordering: .relaxed) }
}

/// The connections of a loop whose handlers have taken content or given a part of an answer.
final class HandledTokens: Sendable {
    private let tokens = Mutex([UInt64]())
    private let wakeup: Wakeup

    init(_ wakeup: Wakeup) { self.wakeup = wakeup }

    /// Lets the loop go on with a connection; may be called on any thread.
    func add(_ token: UInt64) {
        tokens.withLock { $0.append(token) }
        wakeup.wake()
    }

    func takeAll() -> [UInt64] {
        tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }
}
