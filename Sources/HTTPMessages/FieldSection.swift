import Memory

/// The field lines of the request that was read last, as places in the buffer that it was read
/// from. One section serves a whole loop; reading a request allocates nothing.
package struct FieldSection: ~Copyable {
    package static let capacity = 256

    private var lines = FixedArray(repeating: FieldLine(), count: capacity)
    package private(set) var count = 0
    /// Which known fields occur, and which of them more than once; a bit for each.
    private var (present, repeated): (UInt32, UInt32) = (0, 0)
    /// Where the message that the lines belong to begins in the buffer.
    private var start = 0

    /// Forgets all lines.
    mutating func reset() {
        count = 0
        (present, repeated) = (0, 0)
        start = 0
    }

    /// Says where in the buffer the message begins that the lines belong to.
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

    /// Whether a field line of this name was read; constant time.
    package func contains(_ name: FieldName) -> Bool { present & name.bit != 0 }

    /// Whether there is more than one line of this name; constant time.
    func repeats(_ name: FieldName) -> Bool { repeated & name.bit != 0 }

    /// Whether the request asks for a resource under no condition, and for all of it.
    package var isUnconditional: Bool {
        present & (FieldNames.conditions.bits | FieldName.range.bit) == 0
    }

    /// Whether a line of one of these names was read.
    func contains(anyOf names: FieldNames) -> Bool { present & names.bits != 0 }

    /// The value of the only line of this name; nil when there is none, or more than one.
    package func only(_ name: FieldName) -> Range<Int>? {
        repeats(name) ? nil : next(name, from: 0).map { value(at: $0) }
    }

    /// The value of the first line of this name.
    package func first(_ name: FieldName) -> Range<Int>? {
        guard let index = next(name, from: 0) else { return nil }
        return value(at: index)
    }

    /// The index of the first line of this name at or after `index`.
    package func next(_ name: FieldName, from index: Int) -> Int? {
        guard contains(name) else { return nil }
        var index = index
        while index < count {
            if lines[index].bit == name.bit { return index }
            index += 1
        }
        return nil
    }

    /// The index of the last line of this name before `index`.
    package func last(_ name: FieldName, before index: Int) -> Int? {
        guard contains(name) else { return nil }
        var index = min(index, count)
        while index > 0 {
            index -= 1
            if lines[index].bit == name.bit { return index }
        }
        return nil
    }

    /// Where the value of a line stands in the buffer, whitespace around it left off.
    package func value(at index: Int) -> Range<Int> {
        let line = lines[index]
        return start + Int(line.lower)..<start + Int(line.upper)
    }
}

/// One field line: its name, if this origin acts on it, and its value's place in the message.
/// The reader bounds a message to what sixteen bits can count. It is not private because optimized
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

/// Several names, to be asked for at once.
struct FieldNames {
    let bits: UInt32

    /// What decides how the content ends.
    static var framing: FieldNames {
        FieldNames(bits: FieldName.contentLength.bit | FieldName.transferEncoding.bit)
    }

    /// If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since.
    static var conditions: FieldNames {
        FieldNames(
            bits: FieldName.ifMatch.bit | FieldName.ifNoneMatch.bit
                | FieldName.ifModifiedSince.bit | FieldName.ifUnmodifiedSince.bit)
    }
}
