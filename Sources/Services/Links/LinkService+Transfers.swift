import Answering
import LinkAPI
import LinkStore
import Sockets
import Synchronization

// Imports: each has a thread, which may wait for its client and for the store.

extension LinkService {
    /// Threads that read the lines of one import.
    var readers: Int { min(availableProcessors, 4) }

    /// Lets the store's thread do this work, and waits for what comes of it, which is published by
    /// then; nil if the service stops.
    func wait<Value: Sendable>(
        _ work: @escaping @Sendable (Result<LinkStore, StoreError>) -> Value
    ) -> Value? {
        guard let pending = begin(work) else { return nil }
        return pending.wait()
    }

    /// The same, without waiting.
    func begin<Value: Sendable>(
        _ work: @escaping @Sendable (Result<LinkStore, StoreError>) -> Value
    ) -> PendingValue<Value>? {
        guard let pending = try? PendingValue<Value>() else { return nil }
        let isTaken = submit { store in
            let value = work(store)
            return { pending.fulfil(value) }
        }
        return isTaken ? pending : nil
    }
}

/// A value that another thread gives.
final class PendingValue<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let wakeup: Wakeup

    init() throws(SystemError) { wakeup = try Wakeup() }

    func fulfil(_ value: Value) {
        self.value.withLock { $0 = value }
        wakeup.wake()
    }

    func wait() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            wakeup.wait()
        }
    }
}

/// A handled request for a thread that may wait.
struct BlockingStream: Sendable {
    let request: HandledRequest
    let wakeup: Wakeup

    /// The next piece of the content; `later` if none comes for a second.
    func next() -> HandledRequest.Content {
        let end = Clock.monotonicMilliseconds + 1000
        while true {
            let content = request.takeContent()
            let rest = end - Clock.monotonicMilliseconds
            guard content == .later, rest > 0 else { return content }
            wakeup.wait(atMost: rest)
        }
    }

    /// Gives a piece of the answer, and waits until there is room for another.
    /// - Returns: false if the request is cancelled.
    func write(_ content: [UInt8]) -> Bool {
        guard !content.isEmpty, !request.write(content) else { return !request.isCancelled }
        while !request.isCancelled {
            wakeup.wait()
            if request.write([]) { return true }
        }
        return false
    }

    func answer(_ response: APIResponse) { request.answer(response) }
}

extension Result where Success == LinkStore, Failure == StoreError {
    /// - Returns: what `body` makes of the store, or the answer that there is none.
    func onStore<Value>(
        _ body: (LinkStore) -> Result<Value, APIResponse>
    ) -> Result<Value, APIResponse> {
        switch self {
        case .success(let store): body(store)
        case .failure(let error): .failure(.unavailable(error.words.fact))
        }
    }
}
