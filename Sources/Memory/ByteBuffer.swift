/// A buffer of fixed capacity that keeps its memory, and the number of its filled bytes. Appending
/// within the capacity allocates nothing.
public struct ByteBuffer: ~Copyable {
    /// The filled bytes come first; the rest has old content. After writing to it directly, call
    /// `grow`.
    public var storage: [UInt8]
    /// The number of bytes that are filled.
    @inlinable public var count: Int { filled }
    @usableFromInline var filled = 0

    /// An empty buffer. It allocates its memory now, and never again.
    public init(capacity: Int) { storage = [UInt8](repeating: 0, count: capacity) }

    @inlinable public var room: Int { storage.count - count }
    /// The range after the filled bytes.
    @inlinable public var free: Range<Int> { count..<storage.count }
    @inlinable public var isEmpty: Bool { count == 0 }

    /// Empties the buffer and keeps its memory.
    @inlinable public mutating func removeAll() { filled = 0 }

    /// Empties the buffer from `start` on.
    public mutating func removeAll(from start: Int) {
        precondition(start >= 0 && start <= count)
        filled = start
    }

    /// Marks the `more` bytes after the filled ones as filled.
    @inlinable
    public mutating func grow(by more: Int) {
        precondition(more >= 0 && more <= room)
        filled &+= more
    }

    /// Appends a part of `source`; there must be room for it.
    public mutating func append(_ source: [UInt8], _ range: Range<Int>) {
        storage.copy(source, range, to: count)
        filled += range.count
    }

    /// Appends a byte; there must be room for it.
    public mutating func append(_ byte: UInt8) {
        storage[count] = byte
        filled += 1
    }

    /// Appends a text's UTF-8; there must be room for it.
    public mutating func append(_ text: StaticString) {
        precondition(text.utf8CodeUnitCount <= room)
        storage.copy(text, to: count)
        filled += text.utf8CodeUnitCount
    }

    /// Appends `number`, which must not be negative, in decimal digits.
    public mutating func append(decimal number: Int) {
        precondition(number >= 0)
        var (rest, digits) = (UInt64(number), 1)
        var power: UInt64 = 10
        while digits < decimalDigitsMax, rest >= power {
            (power, digits) = (power &* 10, digits + 1)
        }
        precondition(digits <= room)
        var index = count + digits
        filled = index
        var target = storage.mutableSpan
        repeat {
            index -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            target[index] = UInt8(ascii: "0") | UInt8(truncatingIfNeeded: digit)
            rest = quotient
        } while rest > 0
    }

    /// Overwrites filled bytes from `start` on with a part of `source`.
    @inlinable
    public mutating func replace(at start: Int, with source: [UInt8], _ range: Range<Int>) {
        precondition(start + range.count <= count)
        storage.copy(source, range, to: start)
    }
}

extension [UInt8] {
    /// Copies a part of `source` over the bytes from `start` on; all of it must fit.
    @inlinable
    public mutating func copy(_ source: [UInt8], _ range: Range<Int>, to start: Int) {
        precondition(start >= 0 && range.count <= count - start)
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count)
        unsafe withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { bytes in
                guard let to = target.baseAddress, let from = bytes.baseAddress else { return }
                unsafe (to + start).copyMemory(
                    from: from + range.lowerBound, byteCount: range.count)
            }
        }
    }

    /// Copies a part of `source` over the bytes from `start` on, with ASCII letters in lower case;
    /// all of it must fit.
    public mutating func copyLowercased(_ source: [UInt8], _ range: Range<Int>, to start: Int) {
        let bytes = source.span.extracting(range)
        var target = mutableSpan
        // Eight at a time; the last eight can overlap the previous ones.
        let last = bytes.count - 8
        var index = 0
        while index < last {
            target.setOctets(bytes.octets(at: index).foldedToLowerCase, at: start + index)
            index += 8
        }
        guard last < 0 else {
            target.setOctets(bytes.octets(at: last).foldedToLowerCase, at: start + last)
            return
        }
        for index in bytes.indices {
            let byte = bytes[index]
            target[start + index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        }
    }

    fileprivate mutating func copy(_ text: StaticString, to start: Int) {
        precondition(start >= 0 && start + text.utf8CodeUnitCount <= count)
        unsafe withUnsafeMutableBytes { target in
            guard let to = target.baseAddress else { return }
            unsafe (to + start).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        }
    }
}

/// The number of digits of the largest number.
private let decimalDigitsMax = 19
