import LinkAPI
import LinkStore
import SharedStore
import Sockets
import Synchronization

/// Asks the store from a thread that may wait for it, until a time.
struct StoreAsker {
    let links: LinkService
    /// Wakes the thread that asks.
    private let wakeup: Wakeup
    let isEnding: @Sendable () -> Bool
    private let deadline: Int

    /// - Parameters:
    ///   - wakeup: of the thread that asks.
    ///   - isEnding: whether that thread is to end.
    ///   - deadline: by a clock that never goes back, in milliseconds.
    init(
        _ links: LinkService, _ wakeup: Wakeup, until deadline: Int,
        isEnding: @escaping @Sendable () -> Bool
    ) {
        (self.links, self.wakeup, self.deadline) = (links, wakeup, deadline)
        self.isEnding = isEnding
    }

    /// The same for a thread beside the one of `other`.
    init(beside other: StoreAsker) throws(SystemError) {
        (links, isEnding, deadline) = (other.links, other.isEnding, other.deadline)
        wakeup = try Wakeup()
    }

    /// The state of work that the store's thread is given.
    private final class Slot<Value: Sendable>: Sendable {
        enum State { case waiting, abandoned, done(Value) }
        let state = Mutex(State.waiting)
    }

    /// Lets the store's thread do something, and waits for its result. What it has not begun when the time is over is not
    /// done.
    /// - Returns: nil if the store has too much to do, or does not answer in time.
    func ask<Value: Sendable>(
        _ work: @escaping @Sendable (Result<LinkStore, StoreError>) -> Value
    ) -> Value? {
        let slot = Slot<Value>()
        let isTaken = links.submit { [wakeup] store in
            let isWanted = slot.state.withLock { state in
                if case .waiting = state { true } else { false }
            }
            guard isWanted else { return {} }
            let value = work(store)
            return {
                slot.state.withLock { $0 = .done(value) }
                wakeup.wake()
            }
        }
        guard isTaken else { return nil }
        while true {
            let left = isEnding() ? 0 : deadline - Clock.monotonicMilliseconds
            let (value, isOver) = slot.state.withLock { state -> (Value?, Bool) in
                if case .done(let value) = state { return (value, true) }
                if left <= 0 { state = .abandoned }
                return (nil, left <= 0)
            }
            if isOver { return value }
            wakeup.wait(atMost: left)
        }
    }

    /// The same for work that needs the store open.
    /// - Returns: nil also if the store cannot do it now.
    func store<Value: Sendable>(
        _ body: @escaping @Sendable (LinkStore) throws(StoreError) -> Value
    ) -> Value? {
        let result = ask { store -> Value? in
            guard case .success(let store) = store else { return nil }
            return try? body(store)
        }
        return result ?? nil
    }

    /// The same in one transaction.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (LinkStore) throws(StoreError) -> Value
    ) -> Value? {
        store { store throws(StoreError) in
            try store.transaction { _ throws(StoreError) in try body(store) }
        }
    }

    // MARK: The API

    /// Answers a request to the API with the rights of a person, as it is answered to a program with a token.
    func answer(_ request: APIRequest, of person: StoredPerson, _ api: LinkAPI) -> APIResponse {
        let admitted: AdmittedRequest
        switch api.admit(request, of: person, at: links.clock.milliseconds) {
        case .failure(let response): return response
        case .success(let found): admitted = found
        }
        // What takes as long as a client wants has a thread of its own (`ConsoleTransfer`).
        guard admitted.transfer == nil else { return .noOperation }
        let bytes = LinkService.memoryBytes(of: request.content)
        guard let content = links.memory.claim(forWork: bytes) else {
            return api.busy(links.noMemory("a request to the console"), for: request)
        }
        do throws(APIResponse) {
            let room = try links.claimAnswer(to: admitted, api)
            return withExtendedLifetime((content, room)) { answerAdmitted(admitted, api) }
        } catch {
            return error
        }
    }

    private func answerAdmitted(_ admitted: AdmittedRequest, _ api: LinkAPI) -> APIResponse {
        var admitted = admitted
        api.prepare(&admitted, at: links.clock.seconds)
        while true {
            let response = answer(admitted, api)
            guard let link = response.merging else {
                return response.drawing.map { links.draw($0, for: admitted.request, api) }
                    ?? response
            }
            api.merge(&admitted, into: link, at: links.clock.seconds)
        }
    }

    private func answer(_ admitted: AdmittedRequest, _ api: LinkAPI) -> APIResponse {
        let visits = links.visits.visits
        var response = ask { [links] store -> APIResponse in
            switch store {
            case .failure(let error):
                return api.unavailable(error.words.fact, for: admitted.request)
            case .success where !admitted.isReading && !links.decides(like: api, for: admitted):
                return api.unavailable(LinkService.otherRules, for: admitted.request)
            case .success(let store):
                return api.answer(admitted, store, at: links.clock.milliseconds, visits: visits)
            }
        }
        while let rest = response?.rest {
            response = ask { store in
                switch store {
                case .failure(let error):
                    api.unavailable(error.words.fact, for: admitted.request)
                case .success(let store): rest.next(store)
                }
            }
        }
        return response ?? api.busy(LinkService.busy, for: admitted.request)
    }
}
