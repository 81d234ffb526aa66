import LinkStore

/// Work that waits for the store's thread.
struct WaitingWork: Sendable {
    let work: LinkService.Work
    /// Whether it may be a part of a transaction with other work, and may be done again if that fails.
    let isJoinable: Bool

    /// The most changes of one transaction: together they hold the lock that the other nodes wait for.
    static let joinedMax = 64
    /// The time after which a transaction begins no further change, and leaves the rest for the next one. Each change costs
    /// round trips, and with a database that is far away, other nodes would wait for the lock longer than they may.
    static let joinedTime = Duration.milliseconds(100)
}

extension [WaitingWork] {
    /// Does all of it, in its order. In a store that several nodes share, changes that follow each other are one
    /// transaction, because the others wait for its lock, and its end is a write to the disk of the server.
    func answers(of store: LinkStore) -> [@Sendable () -> Void] {
        var answers = [@Sendable () -> Void]()
        var rest = self[...]
        while let first = rest.first {
            let joinable = rest.prefix(WaitingWork.joinedMax).prefix(while: \.isJoinable)
            if store.isShared, joinable.count > 1 {
                let joined = joinable.joinedAnswers(of: store)
                answers += joined
                rest = rest.dropFirst(joined.count)
            } else {
                answers.append(first.work(.success(store)))
                rest = rest.dropFirst()
            }
        }
        return answers
    }
}

extension ArraySlice<WaitingWork> {
    /// The answers of the first ones, at least of one.
    /// - Parameter isRepeated: whether the first ones were taken back once because of what followed them.
    fileprivate func joinedAnswers(
        of store: LinkStore, isRepeated: Bool = false
    ) -> [@Sendable () -> Void] {
        var answers = [@Sendable () -> Void]()
        let end = ContinuousClock.now + WaitingWork.joinedTime
        let outcome = store.join(
            map { piece in { answers.append(piece.work(.success(store))) } },
            while: { ContinuousClock.now < end })
        return switch outcome {
        case .done: answers
        case .undone where answers.count > 2 && !isRepeated:
            // The last one that was begun is the reason, and begins the next transaction. Those before it are still one.
            prefix(answers.count - 1).joinedAnswers(of: store, isRepeated: true)
        case .undone:
            // None is begun where other nodes are in the way.
            prefix(answers.isEmpty ? count : answers.count).map { $0.work(.success(store)) }
        case .unknown(let error): map { $0.work(.failure(error)) }
        }
    }
}
