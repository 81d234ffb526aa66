import Memory

// Where runs of octets of one class end: eight octets a step where so many are left.

extension Span<UInt8> {
    /// The first index from `start` on whose octet is no token character, or the span's end.
    func endOfToken(from start: Int) -> Int {
        var index = start
        while index < count, self[index].isTchar { index += 1 }
        return index
    }

    /// The first index from `start` on whose octet is no field content, or the span's end.
    func endOfFieldContent(from start: Int) -> Int {
        var index = start
        while index + 8 <= count {
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
        while index < count, self[index].isFieldContent { index += 1 }
        return index
    }

    /// The first index from `start` on whose octet is `octet` or no target character, or the
    /// span's end.
    func endOfTarget(from start: Int, orAt octet: UInt8 = .space) -> Int {
        var index = start
        while index + 8 <= count {
            let word = octets(at: index)
            // 0x7F and what follows it become at least 0x80 by adding one, or are that already.
            let stops =
                word.marks(below: 0x21) | (word &+ .each(1) | word) & .each(0x80)
                | word.marks(equalTo: UInt8(ascii: "#")) | word.marks(equalTo: octet)
            if stops != 0 { return index + stops.firstMark }
            index += 8
        }
        while index < count, self[index].isTargetCharacter, self[index] != octet { index += 1 }
        return index
    }

    /// Whether decoding a path would change nothing and refuse nothing: it holds no escape, no
    /// backslash, and no segment that begins with a full stop and could be `.` or `..`.
    func isLiteralPath(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if index + 8 <= count {
                let word = octets(at: index)
                let marks =
                    word.marks(equalTo: UInt8(ascii: "%")) | word.marks(equalTo: .backslash)
                    | word.marks(equalTo: UInt8(ascii: "."))
                guard marks != 0 else {
                    index += 8
                    continue
                }
                index += marks.firstMark
                guard index < range.upperBound else { return true }
            }
            switch self[index] {
            case UInt8(ascii: "%"), .backslash: return false
            case UInt8(ascii: ".") where mayBeDotSegment(index, range): return false
            default: index += 1
            }
        }
        return true
    }

    private func mayBeDotSegment(_ index: Int, _ path: Range<Int>) -> Bool {
        guard index > path.lowerBound, self[index - 1] == .slash else { return false }
        guard index + 1 < path.upperBound else { return true }
        return self[index + 1] == .slash || self[index + 1] == UInt8(ascii: ".")
    }
}
