/// The validators of a stored representation, against which conditions and ranges are evaluated.
package struct Validators: Sendable {
    /// The strong entity tag with its quotes, as a range of the buffer that contains it.
    package let entityTag: Range<Int>
    /// Seconds since 1970, or nil if it is not known.
    package let lastModified: Int?

    package init(entityTag: Range<Int>, lastModified: Int?) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// For a representation without validators. No entity tag of a request equals an empty one.
    package init() { self.init(entityTag: 0..<0, lastModified: nil) }
}

/// The result of a request's conditions.
package enum ConditionResult: Sendable {
    case proceed, notModified, failed
}

extension FieldSection {
    /// Evaluates the conditions of a GET or HEAD in the order of RFC 9110 §13.2.2.
    /// - Parameters:
    ///   - bytes: the buffer that contains the request.
    ///   - store: the buffer that contains the validators' entity tag.
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

    /// Whether a list of entity tags, or `*`, contains this one (§8.8.3.2, §13.1.1, §13.1.2).
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

    /// The date of a field, or nil if the field is repeated or malformed (§13.1.3).
    private func date(_ name: FieldName, _ bytes: [UInt8], _ now: Int) -> Int? {
        guard let value = only(name) else { return nil }
        return HTTPDate.parse(bytes, value, now: now)
    }

    /// Whether If-Range allows a range (§13.1.5). Without the field it does. With it, only the same
    /// strong entity tag or the exact date of the last change does.
    func allowsRange(
        _ bytes: [UInt8], _ validators: Validators, in store: [UInt8], now: Int
    ) -> Bool {
        guard contains(.ifRange) else { return true }
        guard let value = only(.ifRange), !value.isEmpty else { return false }
        let span = bytes.span
        if span[value.lowerBound] == .quote {
            return span.equals(value, store.span, validators.entityTag)
        }
        // A date is a strong validator only after its second has passed (§8.8.2.2).
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
