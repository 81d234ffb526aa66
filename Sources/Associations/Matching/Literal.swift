/// Bytes to be found, with the table of Knuth, Morris and Pratt, so that each byte of a text is
/// read once. A literal at the beginning of a pattern is not searched, and needs no table.
struct Literal: Sendable {
    let bytes: [UInt8]
    private let borders: [Int]

    init(_ bytes: [UInt8], isAnchored: Bool) {
        self.bytes = bytes
        borders = isAnchored ? [] : bordersOfBeginnings(bytes)
    }

    func occurs(in text: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, text.count - start >= bytes.count else { return false }
        let bytes = bytes.span
        for index in bytes.indices where text[start + index] != bytes[index] { return false }
        return true
    }

    /// The end of the first occurrence that begins at `start` or later.
    func firstEnd(in text: Span<UInt8>, from start: Int) -> Int? {
        let bytes = bytes.span
        let borders = borders.span
        var length = 0
        for index in start..<text.count {
            let byte = text[index]
            while length > 0, byte != bytes[length] { length = borders[length - 1] }
            if byte == bytes[length] { length += 1 }
            if length == bytes.count { return index + 1 }
        }
        return nil
    }
}

/// For each beginning of a text, the length of the longest shorter one that is also its end.
func bordersOfBeginnings<Unit: Equatable>(_ units: [Unit]) -> [Int] {
    var borders = [Int](repeating: 0, count: units.count)
    var count = 0
    for index in units.indices.dropFirst() {
        while count > 0, units[index] != units[count] { count = borders[count - 1] }
        if units[index] == units[count] { count += 1 }
        borders[index] = count
    }
    return borders
}
