/// The field lines of the request that was read last, as places in the buffer that it was read
/// from. One section serves a whole loop; reading a request allocates nothing.
package struct FieldSection: ~Copyable {
    package static let capacity = 100

    private var lines: [100 of FieldLine] = .init(repeating: FieldLine())
    package private(set) var count = 0
    /// Which known fields occur, a bit for each.
    private var present: UInt32 = 0
    /// Where the message that the lines belong to begins in the buffer.
    private var start = 0

    package init() {}

    mutating func reset() {
        count = 0
        present = 0
        start = 0
    }

    /// From now on places are counted `distance` bytes further on.
    mutating func move(by distance: Int) { start += distance }

    mutating func append(_ name: FieldName, valueFrom lower: Int, to upper: Int) {
        lines[count] = FieldLine(
            name: name, lower: UInt16(lower), upper: UInt16(upper))
        count += 1
        present |= name.bit
    }

    /// Whether a field line of this name was read; constant time.
    package func contains(_ name: FieldName) -> Bool { present & name.bit != 0 }

    /// The value of the only line of this name; nil when there is none, or more than one.
    package func only(_ name: FieldName) -> Range<Int>? {
        guard let index = next(name, from: 0), next(name, from: index + 1) == nil else {
            return nil
        }
        return value(at: index)
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
            if lines[index].name == name { return index }
            index += 1
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
private struct FieldLine {
    var name = FieldName.other
    var lower: UInt16 = 0
    var upper: UInt16 = 0
}
