private import Synchronization

/// The counts of visits, which two threads use one after the other: one adds to them, and another
/// answers what is asked of them.
package final class SharedVisits: Sendable {
    private let store = Mutex<(any CountedVisits)?>(nil)
    private let failure = Mutex<StoreError?>(nil)

    /// Of a file that was not opened yet.
    package init() {}

    /// The reason for which the file cannot be used now; nil if it can, or was not opened yet.
    package var error: StoreError? { failure.withLock { $0 } }

    /// Opens the file, unless it is open.
    /// - Parameter identity: of the store whose links it counts. A file that counts those of another
    ///   one is moved aside, and another is begun.
    /// - Returns: where such a file is now, and the greatest number of a link that was counted.
    @discardableResult
    package func open(
        _ path: String, of identity: [UInt8] = []
    ) throws(StoreError) -> (aside: String?, greatestLink: Int) {
        let result: Result<(aside: String?, greatestLink: Int), StoreError> = store.withLock {
            store in
            do throws(StoreError) {
                if let store { return .success((nil, store.greatestLink)) }
                var aside: String?
                var next = Optional(try VisitStore(path))
                if try next?.counts(linksOf: identity) == false {
                    try next?.close()
                    next = nil
                    aside = try moveAside(path)
                    next = try VisitStore(path)
                    _ = try next?.counts(linksOf: identity)
                }
                store = next
                return .success((aside, next?.greatestLink ?? 0))
            } catch {
                return .failure(error)
            }
        }
        note(result.map { _ in () })
        return try result.get()
    }

    /// Uses the counts of a database, unless some are used already.
    package func open(
        _ make: () throws(StoreError) -> sending any CountedVisits
    ) throws(StoreError) {
        let result: Result<Void, StoreError> = store.withLock { store in
            guard store == nil else { return .success(()) }
            do throws(StoreError) {
                store = try make()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        note(result)
        try result.get()
    }

    /// Closes the file.
    package func close() {
        store.withLock { store in
            try? store?.close()
            store = nil
        }
    }

    /// True while the file is open.
    package var isOpen: Bool { store.withLock { $0 != nil } }

    /// Uses the file.
    /// - Throws: what `body` throws, or why the file is not open.
    package func use<Value: Sendable>(
        _ body: (any CountedVisits) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = store.withLock { store in
            guard let store else { return .failure(error ?? .failed("it is being opened")) }
            do throws(StoreError) {
                return .success(try body(store))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Uses the file unless another thread does.
    /// - Returns: nil if it does.
    /// - Throws: what `body` throws, or why the file is not open.
    package func useIfFree<Value: Sendable>(
        _ body: (any CountedVisits) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        let result: Result<Value, StoreError>? = store.withLockIfAvailable { store in
            guard let store else { return .failure(error ?? .failed("it is being opened")) }
            do throws(StoreError) {
                return .success(try body(store))
            } catch {
                return .failure(error)
            }
        }
        return try result?.get()
    }

    /// Closes a file that failed, so that it is opened again. A database is tried again as it is.
    package func giveUp(_ error: StoreError) {
        store.withLock { store in
            guard store?.outlivesFailures != true else { return }
            store = nil
            note(.failure(error))
        }
    }

    private func note(_ result: Result<Void, StoreError>) {
        failure.withLock { failure in
            failure = if case .failure(let error) = result { error } else { nil }
        }
    }
}
