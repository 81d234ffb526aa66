/// The validators of a stored representation, against which conditions and ranges are evaluated.
package struct Validators: Sendable {
    /// The strong entity tag, quotes included, as a place in the buffer that holds it.
    package let entityTag: Range<Int>
    /// Seconds since 1970; nil when it is not known.
    package let lastModified: Int?

    package init(entityTag: Range<Int>, lastModified: Int?) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Those of a representation that has none: no entity tag of a request equals an empty one.
    package init() { self.init(entityTag: 0..<0, lastModified: nil) }
}

/// The result of a request's conditions.
package enum ConditionResult: Sendable {
    case proceed, notModified, failed
}

extension FieldSection {
    /// Evaluates the conditions of a GET or HEAD in RFC 9110's order (§13.2.2).
    /// - Parameters:
    ///   - bytes: what the request was read from.
    ///   - store: what the validators' entity tag stands in.
    package func evaluateConditions(
        _ bytes: [UInt8], _ validators: Validators, in store: [UInt8], now: Int
    ) -> ConditionResult {
        guard contains(anyOf: .conditions) else { return .proceed }
        if contains(.ifMatch) {
            guard lists(.ifMatch, bytes, validators.entityTag, store, weakly: false) else {
                return .failed
            }
        } else if contains(.ifUnmodifiedSince), let date = date(.ifUnmodifiedSince, bytes, now),
            let modified = validators.lastModified, modified > date
        {
            return .failed
        }
        if contains(.ifNoneMatch) {
            return lists(.ifNoneMatch, bytes, validators.entityTag, store, weakly: true)
                ? .notModified : .proceed
        }
        if contains(.ifModifiedSince), let date = date(.ifModifiedSince, bytes, now),
            let modified = validators.lastModified, modified <= date
        {
            return .notModified
        }
        return .proceed
    }

    /// Whether a list of entity tags, or `*`, names this one (§8.8.3.2, §13.1.1, §13.1.2).
    private func lists(
        _ name: FieldName, _ bytes: [UInt8], _ tag: Range<Int>, _ store: [UInt8], weakly: Bool
    ) -> Bool {
        let span = bytes.span
        let own = store.span
        var line = next(name, from: 0)
        while let index = line {
            var list = FieldList(value(at: index))
            while var item = list.next(span) {
                if item.count == 1, span[item.lowerBound] == UInt8(ascii: "*") { return true }
                if item.count > 2, span[item.lowerBound] == UInt8(ascii: "W"),
                    span[item.lowerBound + 1] == .slash
                {
                    guard weakly else { continue }
                    item = item.lowerBound + 2..<item.upperBound
                }
                if span.equals(item, own, tag) { return true }
            }
            line = next(name, from: index + 1)
        }
        return false
    }

    /// The date of a field; a field that is repeated or malformed is ignored (§13.1.3).
    private func date(_ name: FieldName, _ bytes: [UInt8], _ now: Int) -> Int? {
        guard let value = only(name) else { return nil }
        return HTTPDate.parse(bytes, value, now: now)
    }

    /// Whether If-Range lets a range be answered (§13.1.5): without the field it does; with it,
    /// only the same strong entity tag, or the exact date of the last change, does.
    func allowsRange(
        _ bytes: [UInt8], _ validators: Validators, in store: [UInt8], now: Int
    ) -> Bool {
        guard contains(.ifRange) else { return true }
        guard let value = only(.ifRange), !value.isEmpty else { return false }
        let span = bytes.span
        if span[value.lowerBound] == .quote {
            return span.equals(value, store.span, validators.entityTag)
        }
        // A date is a strong validator only once its second is over (§8.8.2.2).
        guard let date = HTTPDate.parse(bytes, value, now: now), date < now else { return false }
        return date == validators.lastModified
    }
}

extension Span<UInt8> {
    func equals(_ range: Range<Int>, _ other: Span<UInt8>, _ otherRange: Range<Int>) -> Bool {
        guard range.count == otherRange.count else { return false }
        for offset in 0..<range.count
        where self[range.lowerBound + offset] != other[otherRange.lowerBound + offset] {
            return false
        }
        return true
    }
}
