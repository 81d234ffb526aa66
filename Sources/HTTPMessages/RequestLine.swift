private import Memory
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
