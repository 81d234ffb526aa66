import Memory

/// The field lines of the last request, as offsets into the buffer. A loop has one section, so
/// reading a request allocates nothing.
public struct FieldSection: ~Copyable {
    package static let capacity = 256

    private var lines = FixedArray(repeating: FieldLine(), count: capacity)
    public private(set) var count = 0
    /// The known fields that occur, and those that are repeated; one bit for each.
    @usableFromInline var (present, repeated): (UInt32, UInt32) = (0, 0)
    /// The offset in the buffer at which the message of these lines begins.
    private var start = 0

    /// Removes all lines.
    mutating func reset() {
        count = 0
        (present, repeated) = (0, 0)
        start = 0
    }

    /// Sets the offset in the buffer at which the message of these lines begins.
    mutating func move(to start: Int) { self.start = start }

    @inline(__always)
    mutating func append(_ name: FieldName, valueFrom lower: Int, to upper: Int) {
        lines[count] = FieldLine(
            name: name, lower: UInt16(truncatingIfNeeded: lower),
            upper: UInt16(truncatingIfNeeded: upper))
        count += 1
        repeated |= present & name.bit
        present |= name.bit
    }

    /// Whether there is a line with this name; constant time.
    @inlinable public func contains(_ name: FieldName) -> Bool { present & name.bit != 0 }

    /// Whether there is more than one line with this name; constant time.
    func repeats(_ name: FieldName) -> Bool { repeated & name.bit != 0 }

    /// Whether the request has no conditions and no range.
    @inlinable public var isUnconditional: Bool {
        present & (FieldNames.conditions.bits | FieldName.range.bit) == 0
    }

    /// Whether there is a field with which browsers say that they ask before their user does.
    package var mayBeAhead: Bool { present & FieldNames.purposes.bits != 0 }

    /// Whether there is a line with one of these names.
    func contains(anyOf names: FieldNames) -> Bool { present & names.bits != 0 }

    /// The value of the only line with this name; nil if there is none, or more than one.
    package func only(_ name: FieldName) -> Range<Int>? {
        repeats(name) ? nil : next(name, from: 0).map { value(at: $0) }
    }

    /// The value of the first line with this name.
    @inlinable
    public func first(_ name: FieldName) -> Range<Int>? {
        contains(name) ? firstLine(name) : nil
    }

    @usableFromInline
    func firstLine(_ name: FieldName) -> Range<Int>? { next(name, from: 0).map { value(at: $0) } }

    /// The value of two bytes of the only line with a name that need not be one of those that are known.
    /// - Parameters:
    ///   - name: in lower case.
    ///   - buffer: in which the message is.
    /// - Returns: where it begins; nil if there is none, or more than one.
    package func onlyPair(named name: Span<UInt8>, in buffer: Span<UInt8>) -> Int? {
        var found: Int?
        var index = 0
        while index < count {
            let line = lines[index]
            index += 1
            guard line.upper &- line.lower == 2, line.upper > line.lower else { continue }
            let place = start + Int(line.lower)
            guard isNamed(name, before: place, in: buffer) else { continue }
            guard found == nil else { return nil }
            found = place
        }
        return found
    }

    /// Whether the line whose value begins at a place has a name.
    private func isNamed(_ name: Span<UInt8>, before place: Int, in buffer: Span<UInt8>) -> Bool {
        var end = place - 1
        while end > start, buffer[end] == 0x20 || buffer[end] == 0x09 { end -= 1 }
        let first = end - name.count
        // Before the first field, there is a request line.
        guard first > start, buffer[end] == 0x3A, buffer[first - 1] == 0x0A else { return false }
        var offset = 0
        while offset + 8 <= name.count {
            let word = buffer.word(at: first + offset).foldedToLowerCase
            guard word == name.word(at: offset) else { return false }
            offset += 8
        }
        while offset < name.count {
            let byte = buffer[first + offset]
            let isCapital = byte &- 0x41 < 26
            guard (isCapital ? byte | 0x20 : byte) == name[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// The index of the first line with this name at or after `index`.
    package func next(_ name: FieldName, from index: Int) -> Int? {
        guard contains(name) else { return nil }
        var index = index
        while index < count {
            if lines[index].bit == name.bit { return index }
            index += 1
        }
        return nil
    }

    /// The index of the last line with this name before `index`.
    package func last(_ name: FieldName, before index: Int) -> Int? {
        guard contains(name) else { return nil }
        var index = min(index, count)
        while index > 0 {
            index -= 1
            if lines[index].bit == name.bit { return index }
        }
        return nil
    }

    /// The range of a line's value in the buffer, without the whitespace around it.
    package func value(at index: Int) -> Range<Int> {
        let line = lines[index]
        return start + Int(line.lower)..<start + Int(line.upper)
    }
}

/// One field line: its name, if this origin uses it, and the offset of its value in the message.
/// The reader limits messages to what 16 bits can count. The type is not private, because optimized
/// code of other rooms refers to it by name.
struct FieldLine: BitwiseCopyable {
    var bit: UInt32 = 0
    var lower: UInt16 = 0
    var upper: UInt16 = 0

    init() {}

    init(name: FieldName, lower: UInt16, upper: UInt16) {
        (bit, self.lower, self.upper) = (name.bit, lower, upper)
    }
}

/// A set of names.
@usableFromInline
struct FieldNames {
    @usableFromInline let bits: UInt32

    @inlinable init(bits: UInt32) { self.bits = bits }

    /// The fields that decide where the content ends.
    static var framing: FieldNames {
        FieldNames(bits: FieldName.contentLength.bit | FieldName.transferEncoding.bit)
    }

    /// Sec-Purpose, and what browsers had before.
    static var purposes: FieldNames {
        FieldNames(
            bits: FieldName.secPurpose.bit | FieldName.purpose.bit | FieldName.xPurpose.bit
                | FieldName.xMoz.bit)
    }

    /// If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since.
    @inlinable static var conditions: FieldNames {
        FieldNames(
            bits: FieldName.ifMatch.bit | FieldName.ifNoneMatch.bit
                | FieldName.ifModifiedSince.bit | FieldName.ifUnmodifiedSince.bit)
    }
}
