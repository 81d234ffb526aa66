/// A fixed number of trivial values in memory of its own: an array whose elements are changed
/// without a check whether the storage is shared. Every access is checked against the bounds.
@safe
public struct FixedArray<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
    // It has one owner, which may be another thread later.
    @usableFromInline nonisolated(unsafe) let elements: UnsafeMutableBufferPointer<Element>

    /// `count` copies of `element`. The memory is allocated now, and never again.
    public init(repeating element: Element, count: Int) {
        unsafe elements = .allocate(capacity: count)
        unsafe elements.initialize(repeating: element)
    }

    deinit { unsafe elements.deallocate() }

    /// The number of elements.
    @inlinable public var count: Int { unsafe elements.count }

    /// The element at `index`, which must be less than `count`.
    @inlinable
    public subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count)
            return unsafe elements[index]
        }
        set {
            precondition(index >= 0 && index < count)
            unsafe elements[index] = newValue
        }
    }
}

/// The least power of two that is no less than `number`.
package func powerOfTwo(atLeast number: Int) -> Int {
    number <= 1 ? 1 : 1 << (Int.bitWidth - (number - 1).leadingZeroBitCount)
}
