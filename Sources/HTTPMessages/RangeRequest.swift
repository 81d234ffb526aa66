private import URISyntax

/// What a GET asks for of a representation (RFC 9110 §14).
package enum RangeRequest: Equatable, Sendable {
    /// All of it: no range was asked for, or what may be passed over — another unit, a malformed
    /// list, more ranges than a reader needs.
    case whole
    case part(Range<Int>)
    /// Two or more parts in the order in which they were asked for, none touching another.
    case parts([Range<Int>])
    case notSatisfiable
}

extension FieldSection {
    /// The parts of `count` bytes that the request asks for, If-Range considered.
    ///
    /// Ranges that overlap, or lie so near that a part's frame would be longer than the gap, are
    /// answered as one; a list of more than `rangesMax` as if it had not been sent (§14.2, §17.15).
    package func requestedRange(
        _ bytes: [UInt8], of count: Int, _ validators: Validators, in store: [UInt8], now: Int
    ) -> RangeRequest {
        // An empty representation has no parts.
        guard contains(.range), count > 0, let value = only(.range),
            allowsRange(bytes, validators, in: store, now: now)
        else { return .whole }
        let span = bytes.span
        guard value.count > 6, span[value.lowerBound + 5] == UInt8(ascii: "="),
            span.equals(value.lowerBound..<value.lowerBound + 5, lowercased: Word.bytes)
        else { return .whole }
        var list = FieldList(value.lowerBound + 6..<value.upperBound)
        var (parts, ranges) = ([Range<Int>](), 0)
        while let item = list.next(span) {
            ranges += 1
            guard ranges <= rangesMax, let part = span.part(item, of: count) else { return .whole }
            if !part.isEmpty { parts.add(part) }
        }
        guard ranges > 0 else { return .whole }
        return switch parts.count {
        case 0: .notSatisfiable
        case 1: .part(parts[0])
        default: .parts(parts)
        }
    }
}

extension Span<UInt8> {
    /// The part that `2-5`, `2-` or `-5` names; empty where there is no such part, and nil for
    /// anything else.
    fileprivate func part(_ item: Range<Int>, of count: Int) -> Range<Int>? {
        var hyphen = item.lowerBound
        while hyphen < item.upperBound, self[hyphen] != UInt8(ascii: "-") { hyphen += 1 }
        guard hyphen < item.upperBound else { return nil }
        let last = hyphen + 1..<item.upperBound
        guard hyphen > item.lowerBound else {
            return position(last).map { max(0, count - $0)..<count }
        }
        guard let lower = position(item.lowerBound..<hyphen) else { return nil }
        guard !last.isEmpty else { return min(lower, count)..<count }
        guard let upper = position(last), upper >= lower else { return nil }
        return min(lower, count)..<min(upper + 1, count)
    }

    /// The number that the digits of a range write, however many there are, or `positionMax`.
    private func position(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        var number = 0
        for index in range {
            guard self[index].isDigit else { return nil }
            number = Swift.min(number * 10 + Int(self[index] &- 0x30), positionMax)
        }
        return number
    }
}

extension [Range<Int>] {
    /// Adds a part, or makes it one with those that it touches, at the place of their first.
    fileprivate mutating func add(_ part: Range<Int>) {
        var merged = part
        var position = count
        var index = 0
        while index < count {
            let other = self[index]
            if merged.lowerBound <= other.upperBound + gapBytesMax,
                other.lowerBound <= merged.upperBound + gapBytesMax
            {
                merged =
                    Swift.min(
                        merged.lowerBound, other.lowerBound)..<Swift.max(
                        merged.upperBound, other.upperBound)
                position = Swift.min(position, index)
                remove(at: index)
                // What it touches now may stand before.
                index = 0
            } else {
                index += 1
            }
        }
        insert(merged, at: Swift.min(position, count))
    }
}

/// More ranges than any reader of documents asks for at once.
private let rangesMax = 16
/// Behind the end of everything that there is, and ten times it is still a number.
private let positionMax = 1 << 59
/// A part's frame has about so many bytes.
private let gapBytesMax = 80
