public import Synchronization

/// A value that one thread replaces and every loop reads: one atomic load a turn, the lock only
/// on the turn after a change.
public final class Published<Value: Sendable>: Sendable {
    @usableFromInline let generation = Atomic<UInt64>(1)
    @usableFromInline let current: Mutex<Value>

    /// Publishes the first value.
    public init(_ value: Value) { current = Mutex(value) }

    /// Replaces the value; the next reader gets this one.
    public func publish(_ value: Value) {
        current.withLock { $0 = value }
        generation.wrappingAdd(1, ordering: .releasing)
    }

    /// The value, if it changed since `seen`, which is brought up to date; 0 has seen none.
    @inlinable
    public func changed(since seen: inout UInt64) -> Value? {
        let now = generation.load(ordering: .acquiring)
        guard now != seen else { return nil }
        seen = now
        return current.withLock { $0 }
    }

    public var value: Value { current.withLock { $0 } }
}
