private import Synchronization

/// A value that another thread computes while this one continues. If the system cannot start a
/// thread, the value is computed at once.
package final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let isFound: Wakeup?

    /// - Parameters:
    ///   - name: the name in `top -H`; at most 15 bytes.
    ///   - wakeup: is woken when the value is there, for a thread that polls `found`.
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

    /// The value, if it is there; does not wait.
    package var found: Value? { result.withLock { $0 } }

    /// The value, if it comes in this time. Only one thread may call this.
    package func value(atMost milliseconds: Int) -> Value? {
        if found == nil { isFound?.wait(atMost: milliseconds) }
        return found
    }

    /// The value; waits for it. Only one thread may call this, any number of times.
    package var value: Value {
        while true {
            if let found { return found }
            isFound?.wait()
        }
    }
}
