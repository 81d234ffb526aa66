/// The first line of a request (RFC 9112 §3).
enum RequestLine {
    /// More than the method, the version and the two spaces could fill.
    static let overheadBytesMax = 64

    /// Reads the line at `start` into `head` and returns where the field section begins. The line
    /// must be there up to its line feed.
    static func read(
        _ span: Span<UInt8>, from start: Int, _ limits: RequestLimits, into head: inout RequestHead
    ) throws(MessageError) -> Int {
        var index = start
        while span[index].isTchar { index += 1 }
        guard span[index] == .space, index > start else {
            throw .init(.invalidMethod, at: index)
        }
        head.methodName = start..<index
        head.method = Method(span, head.methodName)
        let target = index + 1
        index = target
        while span[index].isTargetCharacter { index += 1 }
        guard index - target <= limits.targetBytesMax else {
            throw .init(.targetTooLong, at: target + limits.targetBytesMax)
        }
        guard span[index] == .space, index > target else {
            let ended = span[index] == .carriageReturn || span[index] == .lineFeed
            throw .init(ended ? .malformedRequestLine : .invalidTarget, at: index)
        }
        head.target = target..<index
        let end = try readVersion(span, from: index + 1, into: &head)
        head.line = start..<end - 2
        try decideForm(span, into: &head)
        return end
    }

    /// `HTTP/1.1` and the line's end; a higher minor version is answered as 1.1 (§2.3).
    private static func readVersion(
        _ span: Span<UInt8>, from start: Int, into head: inout RequestHead
    ) throws(MessageError) -> Int {
        var end = start
        while span[end] != .lineFeed { end += 1 }
        guard span[end - 1] == .carriageReturn else { throw .init(.lineNotEndedByCRLF, at: end) }
        guard end - 1 - start == 8, isDigit(span[start + 7]) else {
            throw .init(.malformedRequestLine, at: start)
        }
        guard span.word(start..<start + 7) == Word.version else {
            let isOther =
                span.word(start..<start + 5) == Word.httpSlash && isDigit(span[start + 5])
                && span[start + 6] == UInt8(ascii: ".")
            throw .init(isOther ? .unsupportedVersion : .malformedRequestLine, at: start)
        }
        head.isHTTP10 = span[start + 7] == UInt8(ascii: "0")
        return end + 1
    }

    /// Tells the four forms of a request-target apart (§3.2).
    private static func decideForm(
        _ span: Span<UInt8>, into head: inout RequestHead
    ) throws(MessageError) {
        let target = head.target
        if span[target.lowerBound] == .slash {
            head.path = path(span, target)
        } else if target.count == 1, span[target.lowerBound] == UInt8(ascii: "*") {
            guard head.method == .options else {
                throw .init(.invalidTarget, at: target.lowerBound)
            }
            head.isAsteriskForm = true
        } else if let rest = afterScheme(span, target) {
            try readAbsoluteForm(span, rest, into: &head)
        } else if head.method == .known, Authority.read(span, target)?.port.isEmpty == false {
            // CONNECT's form; its method is not allowed whatever it names.
            head.isAsteriskForm = true
        } else {
            throw .init(.invalidTarget, at: target.lowerBound)
        }
    }

    private static func readAbsoluteForm(
        _ span: Span<UInt8>, _ rest: Range<Int>, into head: inout RequestHead
    ) throws(MessageError) {
        var index = rest.lowerBound
        while index < rest.upperBound, span[index] != .slash, span[index] != UInt8(ascii: "?") {
            index += 1
        }
        guard let authority = Authority.read(span, rest.lowerBound..<index), !authority.host.isEmpty
        else { throw .init(.invalidTarget, at: rest.lowerBound) }
        (head.host, head.port) = (authority.host, authority.port)
        head.path = path(span, index..<rest.upperBound)
        head.target = index..<rest.upperBound
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

    /// The target up to its query.
    private static func path(_ span: Span<UInt8>, _ target: Range<Int>) -> Range<Int> {
        var index = target.lowerBound
        while index < target.upperBound, span[index] != UInt8(ascii: "?") { index += 1 }
        return target.lowerBound..<index
    }
}

extension Method {
    init(_ span: Span<UInt8>, _ range: Range<Int>) {
        // Methods are case-sensitive (RFC 9110 §9.1).
        guard range.count <= 8 else {
            self = .other
            return
        }
        switch span.word(range) {
        case Word.get: self = .get
        case Word.head: self = .head
        case Word.options: self = .options
        case Word.put, Word.post, Word.patch, Word.trace, Word.delete, Word.connect: self = .known
        default: self = .other
        }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
