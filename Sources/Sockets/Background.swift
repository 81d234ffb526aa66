private import Synchronization

/// A value that a thread of its own works out while whoever needs it does something else. Where
/// the system has no thread to give, it is worked out at once.
package final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let isFound: Wakeup?

    /// - Parameters:
    ///   - name: what `top -H` shows; at most 15 bytes.
    ///   - wakeup: ends the wait of whoever looks at `found`, once the value is there.
    package init(
        name: String, waking wakeup: Wakeup? = nil, _ work: @escaping @Sendable () -> Value
    ) {
        isFound = try? Wakeup()
        let find: @Sendable () -> Void = { [self] in
            let value = work()
            result.withLock { $0 = value }
            isFound?.wake()
            wakeup?.wake()
        }
        if isFound == nil || (try? startThread(name: name, find)) == nil { find() }
    }

    /// The value, if it is there already; waits for nothing.
    package var found: Value? { result.withLock { $0 } }

    /// The value, once it is there. One thread may ask, as often as it likes.
    package var value: Value {
        while true {
            if let found { return found }
            isFound?.wait()
        }
    }
}
