/// A fixed number of places for elements that cannot be copied, addressed by index. Nothing moves
/// and nothing is allocated after `init`; a place is taken and given back in constant time.
@safe
public struct Slab<Element: ~Copyable>: ~Copyable {
    /// How many elements there is room for.
    public let capacity: Int
    /// How many elements there are.
    public private(set) var count = 0
    @usableFromInline let positions: UnsafeMutablePointer<Element>
    /// For a free place the next free one, for the last `capacity`; for a taken place `taken`.
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

    /// Puts `element` into a free place and returns its index; there must be one (`isFull`).
    public mutating func insert(_ element: consuming Element) -> Int {
        precondition(!isFull)
        let index = firstFree
        firstFree = Int(next[index])
        next[index] = Self.taken
        unsafe (positions + index).initialize(to: element)
        count += 1
        return index
    }

    /// Takes the element at `index` out and frees its place.
    public mutating func remove(at index: Int) -> Element {
        precondition(next[index] == Self.taken)
        next[index] = Int32(firstFree)
        firstFree = index
        count -= 1
        return unsafe (positions + index).move()
    }

    /// The element at `index`, which must be taken.
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

    /// Whether there is an element at `index`; false for any index out of range.
    @inlinable
    public func contains(_ index: Int) -> Bool {
        index >= 0 && index < capacity && next[index] == Self.taken
    }

    @inlinable static var taken: Int32 { -1 }
}
