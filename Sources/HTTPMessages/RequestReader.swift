/// Reads request heads from bytes. It refuses everything that RFC 9112 allows a server to refuse,
/// and everything that recipients could interpret differently.
///
/// Each time that more bytes have arrived, it reads the head again from the first octet, in one
/// pass. The result depends only on the bytes, so a head can arrive in any pieces: a beginning is
/// either incomplete, or refused with the same error as every continuation of it. Framing is
/// decided once, from the complete field section. `headBytesMax` limits how much is read again.
package struct RequestReader: ~Copyable {
    package private(set) var limits: RequestLimits
    package private(set) var fields = FieldSection()
    /// The method of the last request, also if the rest of the request was refused, because a
    /// response to HEAD has no content (RFC 9110 §9.3.2).
    package private(set) var method = Method.other

    /// The host of the last request whose host had no port.
    var host = RepeatedText()

    /// A reader before the first byte of a request.
    package init(limits: RequestLimits = .init()) {
        limits.check()
        self.limits = limits
    }

    /// Sets the limits for the following requests.
    package mutating func adopt(_ limits: RequestLimits) {
        limits.check()
        self.limits = limits
    }

    /// Reads the head that begins at the range's start, or returns nil if more must arrive.
    /// - Throws: `MessageError`, its offset from the range's start.
    package mutating func read(
        _ bytes: [UInt8], _ range: Range<Int>
    ) throws(MessageError) -> RequestHead? {
        guard range.count <= limits.headBytesMax else { return try readBeginning(bytes, range) }
        return try readHead(bytes.span.extracting(range), range.lowerBound)
    }

    /// Reads a head from more bytes than a head can have.
    @inline(never)
    private mutating func readBeginning(
        _ bytes: [UInt8], _ range: Range<Int>
    ) throws(MessageError) -> RequestHead? {
        let most = range.prefix(limits.headBytesMax)
        if let head = try read(bytes, most) { return head }
        // If the line does not end within the limit, its target is too long (RFC 9112 §3).
        let rest = bytes[most].dropFirst(Self.emptyLineBytes(bytes, most))
        let isTarget = !rest.isEmpty && !rest.contains(.lineFeed)
        throw .init(isTarget ? .targetTooLong : .fieldSectionTooLarge, at: most.count)
    }

    /// Reads a head that must end within `span`, whose first octet is at `distance` in the buffer.
    @inline(__always)
    private mutating func readHead(
        _ span: Span<UInt8>, _ distance: Int
    ) throws(MessageError) -> RequestHead? {
        var head = RequestHead()
        method = .other
        guard let start = try emptyLines(span),
            let target = try RequestLine.readMethod(span, from: start, into: &method)
        else { return nil }
        (head.method, head.methodPosition) = (method, .init(start..<target - 1))
        guard let line = try RequestLine.read(span, from: target, limits, into: &head) else {
            return nil
        }
        fields.reset()
        guard let end = try readFields(span, from: line) else { return nil }
        try decideHost(span, &head)
        try decideFraming(span, &head)
        decideConnection(span, &head)
        head.length = end
        head.start = distance
        fields.move(to: distance)
        return head
    }

    /// The number of bytes of empty lines at the start of a range. Empty lines can come before a
    /// request, and are not part of it (RFC 9112 §2.2).
    @inline(never)
    package static func emptyLineBytes(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let span = bytes.span.extracting(range)
        var index = 0
        while index + 1 < span.count, span[index] == .carriageReturn, span[index + 1] == .lineFeed {
            index += 2
        }
        return index
    }

    /// Skips empty lines before a request (RFC 9112 §2.2).
    @inline(__always)
    private func emptyLines(_ span: Span<UInt8>) throws(MessageError) -> Int? {
        var index = 0
        while index < span.count, span[index] == .carriageReturn {
            guard index + 1 < span.count else { return nil }
            guard span[index + 1] == .lineFeed else { throw .init(.lineNotEndedByCRLF, at: index) }
            index += 2
        }
        return index < span.count ? index : nil
    }

    /// Reads the field section, and returns the offset after its empty line.
    @inline(__always)
    private mutating func readFields(
        _ span: Span<UInt8>, from start: Int
    ) throws(MessageError) -> Int? {
        var index = start
        while index < span.count {
            if span[index] == .carriageReturn { return try endOfLine(span, at: index) }
            guard fields.count < limits.fieldLinesMax else {
                throw .init(.tooManyFieldLines, at: index)
            }
            guard let next = try readField(span, from: index) else { return nil }
            index = next
        }
        return nil
    }

    /// Reads one field line, and returns the offset at which the next one begins (RFC 9112 §5).
    /// Whitespace before the colon and folded lines must be answered with 400.
    @inline(__always)
    private mutating func readField(
        _ span: Span<UInt8>, from start: Int
    ) throws(MessageError) -> Int? {
        var found = FieldName.frequent(span, at: start)
        if found == nil { found = try readName(span, from: start) }
        guard let (name, colon) = found else { return nil }
        var lower = colon + 1
        while lower < span.count, span[lower].isOWS { lower += 1 }
        let end = span.endOfFieldContent(from: lower)
        try checkLine(from: start, to: end)
        guard end < span.count else { return nil }
        guard let next = try endOfLine(span, at: end) else { return nil }
        var upper = end
        while upper > lower, span[upper - 1].isOWS { upper -= 1 }
        fields.append(name, valueFrom: lower, to: upper)
        return next
    }

    /// Reads a name up to its colon, and returns the colon's offset.
    private func readName(
        _ span: Span<UInt8>, from start: Int
    ) throws(MessageError) -> (name: FieldName, colon: Int)? {
        let end = span.endOfToken(from: start)
        try checkLine(from: start, to: end)
        guard end < span.count else { return nil }
        guard span[end] == .colon, end > start else {
            throw invalidName(span, at: end, lineStart: start)
        }
        return (FieldName(span, start..<end), end)
    }

    @inline(__always)
    private func checkLine(from start: Int, to end: Int) throws(MessageError) {
        guard end - start <= limits.fieldLineBytesMax else {
            throw .init(.fieldLineTooLarge, at: start + limits.fieldLineBytesMax)
        }
    }

    /// The index after the CRLF at `index`.
    @inline(__always)
    private func endOfLine(_ span: Span<UInt8>, at index: Int) throws(MessageError) -> Int? {
        guard span[index] == .carriageReturn else {
            throw .init(
                span[index] == .lineFeed ? .lineNotEndedByCRLF : .invalidFieldValue, at: index)
        }
        guard index + 1 < span.count else { return nil }
        guard span[index + 1] == .lineFeed else { throw .init(.lineNotEndedByCRLF, at: index) }
        return index + 2
    }

    private func invalidName(_ span: Span<UInt8>, at index: Int, lineStart: Int) -> MessageError {
        switch span[index] {
        case .space where index == lineStart, .tab where index == lineStart:
            .init(.foldedFieldLine, at: index)
        case .carriageReturn, .lineFeed: .init(.fieldLineWithoutColon, at: index)
        default: .init(.invalidFieldName, at: index)
        }
    }
}
