private import Synchronization

/// The file of visits, which two threads use one after the other: one adds to it, and another
/// answers what is asked of it.
package final class SharedVisits: Sendable {
    private let store = Mutex<VisitStore?>(nil)
    private let failure = Mutex<StoreError?>(nil)

    /// Of a file that was not opened yet.
    package init() {}

    /// Why the file cannot be used now; nil if it can, or was not opened yet.
    package var error: StoreError? { failure.withLock { $0 } }

    /// Opens the file, in place of one that was open before.
    package func open(_ path: String) throws(StoreError) {
        let result: Result<Void, StoreError> = store.withLock { store in
            store = nil
            do throws(StoreError) {
                store = try VisitStore(path)
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

    /// Whether the file is open.
    package var isOpen: Bool { store.withLock { $0 != nil } }

    /// Uses the file.
    /// - Throws: what `body` throws, or why the file is not open.
    package func use<Value: Sendable>(
        _ body: (VisitStore) throws(StoreError) -> Value
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
        _ body: (VisitStore) throws(StoreError) -> Value
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

    /// Closes a file that failed, so that it is opened again.
    package func giveUp(_ error: StoreError) {
        note(.failure(error))
        store.withLock { $0 = nil }
    }

    private func note(_ result: Result<Void, StoreError>) {
        failure.withLock { failure in
            failure = if case .failure(let error) = result { error } else { nil }
        }
    }
}
