/// A fixed number of slots for elements that cannot be copied, addressed by index. After `init`,
/// nothing moves and nothing is allocated. A slot is taken and freed in constant time.
@safe
public struct Slab<Element: ~Copyable>: ~Copyable {
    /// The number of slots.
    public let capacity: Int
    /// The number of elements.
    public private(set) var count = 0
    @usableFromInline let positions: UnsafeMutablePointer<Element>
    /// For a free slot the index of the next free one, or `capacity` for the last; for a taken slot
    /// `taken`.
    @usableFromInline private(set) var next: [Int32]
    private var firstFree = 0

    /// An empty slab with room for `capacity` values.
    public init(capacity: Int) {
        precondition(capacity > 0 && capacity < Int(Int32.max))
        self.capacity = capacity
        unsafe positions = .allocate(capacity: capacity)
        next = (1...Int32(capacity)).map { $0 }
    }

    deinit {
        for index in 0..<capacity where next[index] == Self.taken {
            unsafe (positions + index).deinitialize(count: 1)
        }
        unsafe positions.deallocate()
    }

    public var isFull: Bool { firstFree == capacity }

    /// Puts `element` into a free slot and returns its index; there must be one (`isFull`).
    public mutating func insert(_ element: consuming Element) -> Int {
        precondition(!isFull)
        let index = firstFree
        firstFree = Int(next[index])
        next[index] = Self.taken
        unsafe (positions + index).initialize(to: element)
        count += 1
        return index
    }

    /// Removes the element at `index` and frees its slot.
    public mutating func remove(at index: Int) -> Element {
        precondition(next[index] == Self.taken)
        next[index] = Int32(firstFree)
        firstFree = index
        count -= 1
        return unsafe (positions + index).move()
    }

    /// The element at `index`; the slot must be taken.
    @inlinable
    public subscript(index: Int) -> Element {
        _read {
            precondition(next[index] == Self.taken)
            yield unsafe positions[index]
        }
        _modify {
            precondition(next[index] == Self.taken)
            // Swift 6.3 cannot compile `&places[index]` for the thread sanitizer.
            let position = unsafe positions + index
            yield unsafe &position.pointee
        }
    }

    /// Whether there is an element at `index`; false for an index out of range.
    @inlinable
    public func contains(_ index: Int) -> Bool {
        index >= 0 && index < capacity && next[index] == Self.taken
    }

    @inlinable static var taken: Int32 { -1 }
}
