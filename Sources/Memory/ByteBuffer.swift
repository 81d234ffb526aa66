/// Bytes on their way in or out: storage that is kept, and how much of it is filled. Appending
/// within `capacity` allocates nothing; a buffer never grows.
package struct ByteBuffer: ~Copyable {
    /// The filled bytes come first; what follows them is left from earlier use.
    @usableFromInline package private(set) var storage: [UInt8]
    @usableFromInline package private(set) var count = 0

    /// An empty buffer; its memory is taken now, and never more.
    package init(capacity: Int) { storage = [UInt8](repeating: 0, count: capacity) }

    package var capacity: Int { storage.count }
    package var room: Int { storage.count - count }
    package var isEmpty: Bool { count == 0 }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() { count = 0 }

    /// Appends a part of `source`; there must be room for it.
    package mutating func append(_ source: [UInt8], _ range: Range<Int>) {
        let start = count
        storage.copy(source, range, to: start)
        count = start + range.count
    }

    /// Adds a byte; there must be room for it.
    package mutating func append(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    /// Adds a text's UTF-8; there must be room for it.
    package mutating func append(_ text: StaticString) {
        let start = count
        precondition(text.utf8CodeUnitCount <= room)
        storage.copy(text, to: start)
        count = start + text.utf8CodeUnitCount
    }

    /// Appends `number`, which must not be negative, in decimal digits.
    package mutating func append(decimal number: Int) {
        precondition(number >= 0)
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// Overwrites filled bytes from `start` on with a part of `source`.
    package mutating func replace(at start: Int, with source: [UInt8], _ range: Range<Int>) {
        precondition(start + range.count <= count)
        storage.copy(source, range, to: start)
    }

    /// Lets `body` fill the free room after the filled bytes; it returns how many it filled.
    package mutating func fill<Failure: Error>(
        _ body: (inout [UInt8], Range<Int>) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        let filled = try body(&storage, count..<storage.count)
        precondition(filled >= 0 && filled <= room)
        count += filled
        return filled
    }
}

extension [UInt8] {
    /// Copies a part of `source` over the bytes from `start` on; all of it must fit.
    package mutating func copy(_ source: [UInt8], _ range: Range<Int>, to start: Int) {
        precondition(start >= 0 && start + range.count <= count)
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count)
        unsafe withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { bytes in
                let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...])
                    .copyMemory(from: part)
            }
        }
    }

    fileprivate mutating func copy(_ text: StaticString, to start: Int) {
        precondition(start >= 0 && start + text.utf8CodeUnitCount <= count)
        unsafe withUnsafeMutableBytes { target in
            let part = unsafe UnsafeRawBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount)
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...])
                .copyMemory(from: part)
        }
    }
}
