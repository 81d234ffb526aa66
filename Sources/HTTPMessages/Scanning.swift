import Memory

// Finds the end of runs of octets of one class, eight octets at a time if there are as many. A word
// is tested for the few octets that end a run or need a closer look; those are examined one by one.

extension Span<UInt8> {
    /// The first index from `start` on whose octet is not a token character, or the span's end.
    func endOfToken(from start: Int) -> Int {
        var index = endOfLetters(from: start)
        while index < count, self[index].isTchar { index = endOfLetters(from: index + 1) }
        return index
    }

    /// The first index of a range whose octet is not part of a host name, or the range's end.
    func endOfHostName(from range: Range<Int>) -> Int {
        var index = endOfLetters(from: range.lowerBound)
        while index < range.upperBound, self[index].isHostCharacter {
            index = endOfLetters(from: index + 1)
        }
        return Swift.min(index, range.upperBound)
    }

    /// The first index from `start` on whose octet is not a letter, digit, hyphen or full stop.
    @inline(__always)
    private func endOfLetters(from start: Int) -> Int {
        var index = start
        while hasOctets(at: index) {
            let word = octets(at: index)
            let plain =
                (word | .each(0x20)).marks(from: UInt8(ascii: "a"), to: UInt8(ascii: "z"))
                | word.marks(from: UInt8(ascii: "0"), to: UInt8(ascii: "9"))
                | word.marks(from: UInt8(ascii: "-"), to: UInt8(ascii: "."))
            if plain != .each(0x80) { return index + (plain ^ .each(0x80)).firstMark }
            index += 8
        }
        return index
    }

    /// The first index from `start` on whose octet is not field content, or the span's end.
    @inline(__always)
    func endOfFieldContent(from start: Int) -> Int {
        var index = start
        while hasOctets(at: index) {
            let word = octets(at: index)
            let stops = word.marks(below: .space) | word.marks(equalTo: 0x7F)
            if stops == 0 {
                index += 8
            } else {
                index += stops.firstMark
                guard self[index] == .tab else { return index }
                index += 1
            }
        }
        return endOfLastFieldContent(from: index)
    }

    /// The same where less than eight octets are left. They are the last of a word of which nothing
    /// else is looked at: zeros take its place, which end field content.
    @inline(__always)
    private func endOfLastFieldContent(from start: Int) -> Int {
        guard hasOctets(at: 0), start < count else { return endOfShortFieldContent(from: start) }
        let word = octets(at: count - 8) &>> UInt64(8 * (start + 8 - count))
        let stops = word.marks(below: .space) | word.marks(equalTo: 0x7F)
        let index = start + stops.firstMark
        return index < count && self[index] == .tab ? endOfShortFieldContent(from: index) : index
    }

    private func endOfShortFieldContent(from start: Int) -> Int {
        var index = start
        while index < count, self[index].isFieldContent { index += 1 }
        return index
    }

    /// The first index from `start` on whose octet is not allowed in a query, or the span's end.
    func endOfQuery(from start: Int) -> Int {
        var index = endOfQueryText(from: start)
        while index < count, self[index].isQueryCharacter {
            index = endOfQueryText(from: index + 1)
        }
        return index
    }

    /// The first index from `start` on whose octet ends a query, or needs a closer look.
    @inline(__always)
    private func endOfQueryText(from start: Int) -> Int {
        var index = start
        while hasOctets(at: index) {
            let word = octets(at: index)
            let stops =
                word.marks(below: .numberSign + 1) | word.marks(aboveOrEqual: 0x7F)
                | (word | .each(2)).marks(equalTo: UInt8(ascii: ">"))
            if stops != 0 { return index + stops.firstMark }
            index += 8
        }
        return index
    }

    /// The end of the path that begins at `start`: at a query, at an octet that is not allowed in a
    /// path, or at the span's end. The path is literal if decoding it would neither change nor
    /// refuse it: it has no escape, and no segment that could be `.` or `..`.
    @inline(__always)
    func path(from start: Int) -> (end: Int, isLiteral: Bool) {
        var (index, isLiteral) = (endOfPathText(from: start), true)
        while index < count {
            switch self[index] {
            case .fullStop:
                if index > start, self[index - 1] == .slash, !isAlphanumeric(at: index + 1) {
                    isLiteral = false
                }
            case .percent, .backslash: isLiteral = false
            case .questionMark: return (index, isLiteral)
            case let octet: if !octet.isPathCharacter { return (index, isLiteral) }
            }
            index = endOfPathText(from: index + 1)
        }
        return (index, isLiteral)
    }

    /// The first index from `start` on whose octet ends a path, or can matter when the path is
    /// decoded.
    @inline(__always)
    private func endOfPathText(from start: Int) -> Int {
        var index = start
        while hasOctets(at: index) {
            let word = octets(at: index)
            // One test covers `<`, `=`, `>` and `?`, and another everything from `{` on.
            let stops =
                word.marks(below: .percent + 1) | word.marks(aboveOrEqual: UInt8(ascii: "{"))
                | word.marks(equalTo: .fullStop)
                | (word | .each(3)).marks(equalTo: .questionMark)
                | word.marks(equalTo: .backslash)
            if stops != 0 { return index + stops.firstMark }
            index += 8
        }
        return index
    }

    private func isAlphanumeric(at index: Int) -> Bool {
        guard index < count else { return false }
        return (self[index] | 0x20) &- 0x61 < 26 || self[index] &- UInt8(ascii: "0") < 10
    }
}

extension UInt64 {
    /// Marks octets from `lower` on, which is at least 0x40. The addition carries into the octet's
    /// highest bit, and sets it for octets from `lower` on. Only the lowest mark is exact; those
    /// above it may be wrong.
    fileprivate func marks(aboveOrEqual lower: UInt8) -> UInt64 {
        (self &+ .each(0x80 - lower) | self) & .each(0x80)
    }
}
