/// What a GET asks for of a representation (RFC 9110 §14).
package enum RangeRequest: Equatable, Sendable {
    /// All of it: no range was asked for, or one that may be passed over — another unit, a
    /// malformed one, several at once.
    case whole
    case part(Range<Int>)
    case notSatisfiable
}

extension FieldSection {
    /// The part of `count` bytes that the request asks for, If-Range considered.
    package func requestedRange(
        _ bytes: [UInt8], of count: Int, _ validators: Validators, in store: [UInt8], now: Int
    ) -> RangeRequest {
        guard contains(.range), let value = only(.range),
            allowsRange(bytes, validators, in: store, now: now)
        else { return .whole }
        let span = bytes.span
        guard value.count > 6, span[value.lowerBound + 5] == UInt8(ascii: "="),
            span.equals(value.lowerBound..<value.lowerBound + 5, lowercased: Word.bytes)
        else { return .whole }
        let specification = span.trimmingOWS(value.lowerBound + 6..<value.upperBound)
        var hyphen = specification.lowerBound
        while hyphen < specification.upperBound, span[hyphen] != UInt8(ascii: "-") { hyphen += 1 }
        guard hyphen < specification.upperBound else { return .whole }
        let first = specification.lowerBound..<hyphen
        let last = hyphen + 1..<specification.upperBound
        return first.isEmpty ? suffix(span, last, count) : span.part(first, last, count)
    }

    private func suffix(_ span: Span<UInt8>, _ digits: Range<Int>, _ count: Int) -> RangeRequest {
        guard let length = span.decimal(digits) else { return .whole }
        guard length > 0, count > 0 else { return .notSatisfiable }
        return .part(max(0, count - length)..<count)
    }
}

extension Span<UInt8> {
    fileprivate func part(_ first: Range<Int>, _ last: Range<Int>, _ count: Int) -> RangeRequest {
        guard let lower = decimal(first) else { return .whole }
        guard !last.isEmpty else {
            return lower < count ? .part(lower..<count) : .notSatisfiable
        }
        guard let upper = decimal(last), upper >= lower else { return .whole }
        return lower < count ? .part(lower..<min(upper + 1, count)) : .notSatisfiable
    }
}
