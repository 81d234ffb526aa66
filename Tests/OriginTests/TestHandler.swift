import Answering
import Dispatch
import HTTPMessages
import Synchronization
import TestSupport

/// Answers the requests of paths that begin with `/_/` on a thread of its own.
final class TestHandler: RequestHandler {
    let sitePrefix: String? = "/_/"
    private let content: HandledRoute.Content
    private let answersStalls: Bool
    private let act: @Sendable (HandledRequest) -> Void
    private let queue = DispatchQueue(label: "handler")
    private let cancelled = Mutex(0)

    /// How often the handler was told that a request is cancelled.
    var cancellations: Int { cancelled.withLock { $0 } }

    /// - Parameter act: called on the handler's thread whenever a request has changed.
    init(
        _ content: HandledRoute.Content = .whole(bytesMax: 65_536), answersStalls: Bool = false,
        _ act: @escaping @Sendable (HandledRequest) -> Void = TestHandler.echo
    ) {
        (self.content, self.answersStalls, self.act) = (content, answersStalls, act)
    }

    func route(_ head: HandledHead) -> HandledRoute? {
        head.path.hasPrefix("/_/")
            ? HandledRoute(content, answersStalls: answersStalls) { [self] in advance($0) } : nil
    }

    private func advance(_ request: HandledRequest) {
        if request.isCancelled { cancelled.withLock { $0 += 1 } }
        queue.async { [act] in act(request) }
    }

    /// Answers with what was asked, and the content.
    @Sendable static func echo(_ request: HandledRequest) {
        guard case .piece(let content) = request.takeContent() else {
            return request.answer(.ok, ["Content-Type: text/plain"], summary(request, []))
        }
        request.answer(.created, ["Content-Type: text/plain"], summary(request, content))
    }

    private static func summary(_ request: HandledRequest, _ content: [UInt8]) -> [UInt8] {
        let head = request.head
        let text = "\(head.scope) \(head.method) \(head.host) \(head.path) \(head.query ?? "-") "
        return Array("\(text)\(request.client) ".utf8) + content
    }
}

/// A number that several threads change, and that a test waits for.
final class Milestone: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func reach() { semaphore.signal() }

    /// False if it was never reached.
    func wait() -> Bool { semaphore.wait(timeout: .now() + .seconds(safetyNetSeconds)) == .success }
}
