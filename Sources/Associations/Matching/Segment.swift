/// What stands between two stars of a pattern.
enum Segment: Sendable {
    case literal(Literal)
    /// Runs and variables, in order.
    case sequence([Alternation])
}

/// Bytes to be found, with the table of Knuth, Morris and Pratt, so that no text makes finding
/// them slower than one look at each byte. Where they must stand at the beginning there is nothing
/// to be found, and no table.
struct Literal: Sendable {
    let bytes: [UInt8]
    private let borders: [Int]

    init(_ bytes: [UInt8], isAnchored: Bool) {
        self.bytes = bytes
        guard !isAnchored else {
            borders = []
            return
        }
        var borders = [Int](repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    func stands(in text: Span<UInt8>, at start: Int) -> Bool {
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

extension Segment {
    /// Where the earliest match ends that begins at `start` or, unless `anchored`, later. A star
    /// follows, and from the earliest end it reaches whatever it reaches from a later one.
    func earliestEnd(
        in text: Span<UInt8>, from start: Int, anchored: Bool, _ memory: inout MatchMemory
    ) -> Int? {
        switch self {
        case .literal(let literal):
            memory.steps &+= 1
            guard anchored else { return literal.firstEnd(in: text, from: start) }
            return literal.stands(in: text, at: start) ? start + literal.bytes.count : nil
        case .sequence(let parts):
            return run(parts, in: text, from: start, anchored: anchored, toEnd: false, &memory)
        }
    }

    /// Whether a match that begins at `start` or, unless `anchored`, later takes all that is left.
    func takesRest(
        of text: Span<UInt8>, from start: Int, anchored: Bool, _ memory: inout MatchMemory
    ) -> Bool {
        switch self {
        case .literal(let literal):
            memory.steps &+= 1
            let tail = text.count - literal.bytes.count
            return (anchored ? tail == start : tail >= start) && literal.stands(in: text, at: tail)
        case .sequence(let parts):
            let end = run(parts, in: text, from: start, anchored: anchored, toEnd: true, &memory)
            return end != nil
        }
    }
}

/// Moves through the text by 64 bytes, each part over all of them before the next one: where one
/// ends, as bits of a word, is where the next may begin.
private func run(
    _ parts: [Alternation], in text: Span<UInt8>, from start: Int, anchored: Bool, toEnd: Bool,
    _ memory: inout MatchMemory
) -> Int? {
    memory.prepare(parts)
    var index = start
    while index < text.count {
        let range = index..<min(index + 64, text.count)
        let scalars = scalarStarts(text, range)
        var reached = anchored ? (index == start ? 1 : 0) : scalars
        var isAlive = !anchored
        for number in parts.indices {
            reached = memory.consume(parts[number], number, text, range, begins: reached)
            // A question mark has taken the first byte of its scalar only.
            reached &= scalars
            isAlive = isAlive || memory.isAlive(number)
        }
        if reached != 0, !toEnd { return index + reached.trailingZeroBitCount }
        if !isAlive { return nil }
        index = range.upperBound
    }
    var reached = !anchored || start == text.count
    for number in parts.indices {
        reached = memory.endsText(parts[number], number, begins: reached)
    }
    return reached ? text.count : nil
}

/// A bit for each byte of the range with which a scalar begins.
private func scalarStarts(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var starts: UInt64 = 0
    for index in range where text[index] & 0xC0 != 0x80 {
        starts |= 1 << UInt64(index - range.lowerBound)
    }
    return starts
}
