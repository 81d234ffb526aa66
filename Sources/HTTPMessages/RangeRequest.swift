private import URISyntax

/// The part of a representation that a GET requests (RFC 9110 §14).
package enum RangeRequest: Equatable, Sendable {
    /// All of it: there is no range, or one that can be ignored, such as another unit, a malformed
    /// list, or too many ranges.
    case whole
    case part(Range<Int>)
    /// Two or more parts in the order of the request, none touching another.
    case parts([Range<Int>])
    case notSatisfiable
}

extension FieldSection {
    /// The parts of `count` bytes that the request asks for, with If-Range taken into account.
    ///
    /// Ranges that overlap, or whose gap is shorter than the frame of a part, become one part. A
    /// list of more than `rangesMax` ranges is ignored (§14.2, §17.15).
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
    /// The part for `2-5`, `2-` or `-5`; empty if it lies beyond the end, and nil for anything
    /// else.
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

    /// The number that the digits of a range represent, or `positionMax` if it is greater.
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
    /// Adds a part. If it touches others, it is merged with them at the position of the first.
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
                // A merged part can touch one before it.
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
/// Greater than any size, and small enough to be multiplied by ten.
private let positionMax = 1 << 59
/// The approximate size of a part's frame.
private let gapBytesMax = 80
