import Answering
import Synchronization

/// Passes the events of one request on: the first to the console's thread, the later ones to the transfer that took the
/// request over.
final class ConsoleRelay: Sendable {
    private let state = Mutex(State())

    private struct State {
        var hasBegun = false
        var next: (@Sendable (HandledRequest) -> Void)?
    }

    /// Tells of content that has come, of room for more of the answer, or of the end of the request.
    /// - Parameter begin: called the first time.
    func advance(_ request: HandledRequest, _ begin: (HandledRequest) -> Void) {
        let (isFirst, next) = state.withLock { state in
            defer { state.hasBegun = true }
            return (!state.hasBegun, state.next)
        }
        isFirst ? begin(request) : next?(request)
    }

    /// Hands the request over. What came before is found by looking at the request.
    func hand(to next: @escaping @Sendable (HandledRequest) -> Void) {
        state.withLock { $0.next = next }
    }
}
