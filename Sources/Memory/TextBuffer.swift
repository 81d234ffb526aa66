/// Text that is composed piece by piece in memory of its own: like `ByteBuffer`, but without an
/// array. Appending allocates nothing; there must be room for each piece, or the program stops.
@safe
public struct TextBuffer: ~Copyable {
    @usableFromInline let start: UnsafeMutableRawPointer
    public let capacity: Int
    @usableFromInline var used = 0

    /// The number of bytes.
    @inlinable public var count: Int { used }

    /// An empty buffer. It allocates its memory now, and never again.
    public init(capacity: Int) {
        self.capacity = capacity
        unsafe start = .allocate(byteCount: max(1, capacity), alignment: 16)
    }

    deinit { unsafe start.deallocate() }

    /// Empties the buffer and keeps its memory.
    @inlinable public mutating func removeAll() { used = 0 }

    /// Appends a text's UTF-8. If the text is a literal, its bytes are stored without a call.
    @inlinable @inline(__always)
    public mutating func append(_ text: StaticString) {
        precondition(text.utf8CodeUnitCount <= capacity - count)
        unsafe (start + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        used += text.utf8CodeUnitCount
    }

    /// Appends a byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        precondition(count < capacity)
        unsafe start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        used += 1
    }

    /// Appends a part of `source`.
    public mutating func append(_ source: [UInt8], _ range: Range<Int>) {
        let bytes = source.span.extracting(range)
        precondition(bytes.count <= capacity - count)
        guard bytes.count <= 64 else { return appendLong(bytes) }
        // Eight at a time; the last eight can overlap the previous ones.
        let last = bytes.count - 8
        var index = 0
        while index < last {
            store(bytes.octets(at: index), at: index)
            index += 8
        }
        if last >= 0 {
            store(bytes.octets(at: last), at: last)
        } else {
            for index in 0..<bytes.count { store(bytes[index], at: index) }
        }
        used += bytes.count
    }

    /// Appends a part of `source` up to the first byte that is a quote, a backslash, or neither
    /// visible ASCII nor a space. Returns that byte's index, or the range's end.
    public mutating func appendPlain(_ source: [UInt8], _ range: Range<Int>) -> Int {
        let bytes = source.span.extracting(range)
        precondition(bytes.count <= capacity - count)
        let last = bytes.count - 8
        var index = 0
        while index <= last {
            let word = bytes.octets(at: index)
            guard !word.hasOctetToEscape else { break }
            store(word, at: index)
            guard index < last else {
                used += bytes.count
                return range.upperBound
            }
            index = min(index + 8, last)
        }
        while index < bytes.count, !bytes[index].mustBeEscaped {
            store(bytes[index], at: index)
            index += 1
        }
        used += index
        return range.lowerBound + index
    }

    /// Appends `number`, which must not be negative, in decimal digits.
    public mutating func append(decimal number: Int) {
        precondition(number >= 0)
        var rest = UInt(number)
        var digits = 1
        var limit: UInt = 10
        while limit <= rest {
            digits += 1
            limit = digits < 19 ? limit &* 10 : .max
        }
        precondition(digits <= capacity - count)
        for index in (0..<digits).reversed() {
            let (quotient, digit) = (rest / 10, rest % 10)
            store(UInt8(truncatingIfNeeded: digit) | 0x30, at: index)
            rest = quotient
        }
        used += digits
    }

    /// Appends the filled bytes of `range` again.
    public mutating func repeatBytes(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        precondition(range.count <= capacity - count)
        unsafe (start + count).copyMemory(from: start + range.lowerBound, byteCount: range.count)
        used += range.count
    }

    /// A copy of the bytes.
    public var array: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }

    private mutating func appendLong(_ bytes: Span<UInt8>) {
        let target = unsafe start + count
        unsafe bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe target.copyMemory(from: base, byteCount: source.count)
        }
        used += bytes.count
    }

    private func store(_ octets: UInt64, at offset: Int) {
        unsafe start.storeBytes(
            of: octets.littleEndian, toByteOffset: count + offset, as: UInt64.self)
    }

    private func store(_ byte: UInt8, at offset: Int) {
        unsafe start.storeBytes(of: byte, toByteOffset: count + offset, as: UInt8.self)
    }
}

extension UInt8 {
    fileprivate var mustBeEscaped: Bool {
        self < 0x20 || self > 0x7E || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

extension UInt64 {
    fileprivate var hasOctetToEscape: Bool {
        // 0x7F and above: adding one sets bit 7, or it was set.
        let high = ((self &+ .each(1)) | self) & .each(0x80)
        return marks(below: 0x20) | marks(equalTo: UInt8(ascii: "\""))
            | marks(equalTo: UInt8(ascii: "\\")) | high != 0
    }
}
