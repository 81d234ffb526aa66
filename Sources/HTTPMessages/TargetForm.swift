/// The forms of a request-target other than the origin form (RFC 9112 §3.2).
enum TargetForm {
    static func read(_ span: Span<UInt8>, into head: inout RequestHead) throws(MessageError) {
        let target = head.target
        let isAsterisk = target.count == 1 && span[target.lowerBound] == UInt8(ascii: "*")
        switch head.method {
        case .options where isAsterisk: head.isAsteriskForm = true
        case .connect:
            // The method is not allowed for any authority.
            guard let authority = Authority.read(span, target), !authority.port.isEmpty else {
                throw .init(.invalidTarget, at: target.lowerBound)
            }
            head.isAsteriskForm = true
        default:
            guard let rest = afterScheme(span, target) else {
                // The target of an unknown method is not interpreted.
                if case .other = head.method { return head.isAsteriskForm = true }
                throw .init(.invalidTarget, at: target.lowerBound)
            }
            try readAbsoluteForm(span, rest, into: &head)
        }
    }

    private static func readAbsoluteForm(
        _ span: Span<UInt8>, _ rest: Range<Int>, into head: inout RequestHead
    ) throws(MessageError) {
        var index = rest.lowerBound
        while index < rest.upperBound, span[index] != .slash, span[index] != .questionMark {
            index += 1
        }
        guard let authority = Authority.read(span, rest.lowerBound..<index), !authority.host.isEmpty
        else { throw .init(.invalidTarget, at: rest.lowerBound) }
        (head.hostPosition, head.portPosition) = (.init(authority.host), .init(authority.port))
        let path = span.path(from: index)
        (head.pathPosition, head.isPathLiteral) = (.init(index..<path.end), path.isLiteral)
        head.targetPosition = .init(index..<rest.upperBound)
    }

    private static func afterScheme(_ span: Span<UInt8>, _ target: Range<Int>) -> Range<Int>? {
        let start = target.lowerBound
        if target.count > 7, span.equals(start..<start + 7, lowercased: Word.http) {
            return start + 7..<target.upperBound
        }
        if target.count > 8, span.equals(start..<start + 8, lowercased: Word.https) {
            return start + 8..<target.upperBound
        }
        return nil
    }
}
