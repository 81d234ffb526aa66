// RFC 7239 §4, read from the right:
//
//     Forwarded         = 1#forwarded-element
//     forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )
//     forwarded-pair    = token "=" ( token / quoted-string )
//
// What the nearest proxy has added stands at the right end. Whatever a client wrote left of it, a
// quote that is never closed for instance, cannot change how that is read.

extension ForwardedElement {
    /// The last element of a `Forwarded` list. If it is malformed, it has no node and no scheme,
    /// and begins at the start of the range, because nothing to the left of it can be understood.
    static func lastForwarded(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ForwardedElement {
        var reader = BackwardReader(bytes: range)
        var element = ForwardedElement(start: range.lowerBound, wantsBrackets: true)
        var isEmpty = true
        while true {
            reader.skipSpace(bytes)
            guard let last = reader.last(bytes), last != .comma else { break }
            guard last != .semicolon else {
                reader.drop()
                continue
            }
            isEmpty = false
            guard let value = reader.takeValue(bytes), reader.take(.equals, bytes),
                let name = reader.takeToken(bytes), element.note(bytes, name, value)
            else { return .init(start: range.lowerBound, wantsBrackets: true) }
            reader.skipSpace(bytes)
            guard let before = reader.last(bytes) else { break }
            guard before == .semicolon || before == .comma else {
                return .init(start: range.lowerBound, wantsBrackets: true)
            }
        }
        element.start = reader.end
        element.isEmpty = isEmpty
        return element
    }

    /// Keeps a pair's value; false if its name is repeated.
    private mutating func note(
        _ bytes: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>
    ) -> Bool {
        if bytes.spells("for", name) {
            guard node == nil else { return false }
            node = value
        } else if bytes.spells("proto", name) {
            guard scheme == nil else { return false }
            scheme = value
        }
        return true
    }
}
