/// The part of a pattern between two stars.
enum Segment: Sendable {
    case literal(Literal)
    /// Runs and variables, in order.
    case sequence([Alternation])
}

extension Segment {
    /// The end of the earliest match that begins at `start` or, unless `anchored`, later. A star
    /// follows, which can reach from the earliest end everything that it can reach from a later
    /// one.
    func earliestEnd(
        in text: Span<UInt8>, from start: Int, anchored: Bool, _ memory: inout MatchMemory
    ) -> Int? {
        switch self {
        case .literal(let literal):
            memory.steps &+= 1
            guard anchored else { return literal.firstEnd(in: text, from: start) }
            return literal.occurs(in: text, at: start) ? start + literal.bytes.count : nil
        case .sequence(let parts):
            return run(parts, in: text, from: start, anchored: anchored, toEnd: false, &memory)
        }
    }

    /// Whether a match that begins at `start` or, unless `anchored`, later ends with the text.
    func takesRest(
        of text: Span<UInt8>, from start: Int, anchored: Bool, _ memory: inout MatchMemory
    ) -> Bool {
        switch self {
        case .literal(let literal):
            memory.steps &+= 1
            let tail = text.count - literal.bytes.count
            return (anchored ? tail == start : tail >= start) && literal.occurs(in: text, at: tail)
        case .sequence(let parts):
            let end = run(parts, in: text, from: start, anchored: anchored, toEnd: true, &memory)
            return end != nil
        }
    }
}

/// Moves through the text in steps of 64 bytes. Each part reads all bytes of a step before the next
/// part does. The ends of one part, as bits of a word, are the beginnings of the next.
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
            // A part can end within a scalar, because `?` accepts its first byte.
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

/// A bit for each byte of the range that begins a scalar.
private func scalarStarts(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var starts: UInt64 = 0
    for index in range where text[index] & 0xC0 != 0x80 {
        starts |= 1 << UInt64(index - range.lowerBound)
    }
    return starts
}
