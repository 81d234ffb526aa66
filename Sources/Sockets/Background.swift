private import Synchronization

/// A value that a thread of its own works out while whoever needs it does something else. Where
/// the system has no thread to give, it is worked out at once.
package final class Background<Value: Sendable>: Sendable {
    private let found = Mutex<Value?>(nil)
    private let isFound: Semaphore?

    /// - Parameter name: what `top -H` shows; at most 15 bytes.
    package init(name: String, _ work: @escaping @Sendable () -> Value) {
        isFound = try? Semaphore()
        let find: @Sendable () -> Void = { [self] in
            let value = work()
            found.withLock { $0 = value }
            isFound?.signal()
        }
        if isFound == nil || (try? startThread(name: name, find)) == nil { find() }
    }

    /// The value, once it is there. One thread may ask, as often as it likes.
    package var value: Value {
        while true {
            if let value = found.withLock({ $0 }) { return value }
            isFound?.wait()
        }
    }
}
