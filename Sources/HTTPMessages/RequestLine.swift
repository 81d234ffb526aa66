import Memory
private import URISyntax

/// The first line of a request (RFC 9112 §3). A line that cannot become valid is refused at its
/// first invalid octet. Nil means that it is valid so far, and more must arrive.
enum RequestLine {
    /// Reads the method at `start`, and returns the offset at which the target begins.
    @inline(__always)
    static func readMethod(
        _ span: Span<UInt8>, from start: Int, into method: inout Method
    ) throws(MessageError) -> Int? {
        if span.hasOctets(at: start), span.octets(at: start) & 0xFFFF_FFFF == Word.getSpace {
            method = .get
            return start + 4
        }
        let end = span.endOfToken(from: start)
        guard end - start <= methodBytesMax else {
            throw .init(.methodTooLong, at: start + methodBytesMax)
        }
        guard end < span.count else { return nil }
        guard span[end] == .space, end > start else { throw .init(.invalidMethod, at: end) }
        method = Method(span, start..<end)
        return end + 1
    }

    /// Reads the rest of the line, from the target at `start`, into `head`, and returns the offset
    /// at which the field section begins.
    @inline(__always)
    static func read(
        _ span: Span<UInt8>, from start: Int, _ limits: RequestLimits, into head: inout RequestHead
    ) throws(MessageError) -> Int? {
        let path = span.path(from: start)
        let hasQuery = path.end < span.count && span[path.end] == .questionMark
        let end = hasQuery ? span.endOfQuery(from: path.end) : path.end
        guard end - start <= limits.targetBytesMax else {
            throw .init(.targetTooLong, at: start + limits.targetBytesMax)
        }
        guard end < span.count else { return nil }
        guard span[end] == .space, end > start else {
            let ended = span[end] == .carriageReturn || span[end] == .lineFeed
            throw .init(ended ? .malformedRequestLine : .invalidTarget, at: end)
        }
        let version = end + 1
        var lineEnd = version + 10
        if lineEnd > span.count || span.octets(at: version) != Word.http11
            || span[version + 8] != .carriageReturn || span[version + 9] != .lineFeed
        {
            guard let end = try readVersion(span, from: version, into: &head) else { return nil }
            lineEnd = end
        }
        head.targetPosition = .init(start..<end)
        head.linePosition = .init(head.methodName.lowerBound..<lineEnd - 2)
        if span[start] == .slash, !head.method.isConnect {
            (head.pathPosition, head.isPathLiteral) = (.init(start..<path.end), path.isLiteral)
        } else {
            try TargetForm.read(span, into: &head)
        }
        return lineEnd
    }

    /// `HTTP/1.1` and the line's end; a higher minor version is answered as 1.1 (§2.3).
    private static func readVersion(
        _ span: Span<UInt8>, from start: Int, into head: inout RequestHead
    ) throws(MessageError) -> Int? {
        var index = start
        for octet in "HTTP/0.0\r\n".utf8 {
            guard index < span.count else { return nil }
            if octet == UInt8(ascii: "0") {
                guard span[index].isDigit else { throw .init(.malformedRequestLine, at: start) }
            } else if span[index] != octet {
                let isBare = octet == .lineFeed || index == start + 8 && span[index] == .lineFeed
                throw isBare
                    ? .init(.lineNotEndedByCRLF, at: index)
                    : .init(.malformedRequestLine, at: start)
            }
            index += 1
        }
        guard span[start + 5] == UInt8(ascii: "1") else {
            throw .init(.unsupportedVersion, at: start)
        }
        head.isHTTP10 = span[start + 7] == UInt8(ascii: "0")
        return index
    }

    /// No registered method has more than 17 octets.
    private static let methodBytesMax = 64
}

/// The forms of a request-target other than the origin form (RFC 9112 §3.2).
private enum TargetForm {
    static func read(
        _ span: Span<UInt8>, into head: inout RequestHead
    ) throws(MessageError) {
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
