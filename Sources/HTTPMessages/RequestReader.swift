/// Reads request heads from bytes, strictly: what RFC 9112 lets a server refuse, and what
/// recipients could disagree about, is refused.
///
/// Strategy: nothing is interpreted before the whole head has arrived, but for what is already
/// wrong: the request line once it ends, a bare line feed, and a limit that is passed. Then one
/// pass checks every octet, and framing is decided once, over the finished field section.
package struct RequestReader: ~Copyable {
    package let limits: RequestLimits
    package private(set) var fields = FieldSection()

    /// A reader that stands before the first byte of a request.
    package init(limits: RequestLimits = .init()) {
        limits.check()
        self.limits = limits
    }

    /// Reads the head that begins at the range's start, or returns nil when more must arrive.
    ///
    /// `scanned` says how many bytes of the range earlier calls have already looked at for the
    /// head's end; it must be 0 for a new head.
    /// - Throws: `MessageError`, its offset from the range's start.
    package mutating func read(
        _ bytes: [UInt8], _ range: Range<Int>, scanned: inout Int
    ) throws(MessageError) -> RequestHead? {
        let span = bytes.span.extracting(range)
        let start = emptyLine(span)
        guard start < span.count else { return nil }
        guard let end = headEnd(span, from: max(start, scanned - 3)) else {
            try checkUnfinished(span, from: start, scanned: scanned)
            scanned = span.count
            return nil
        }
        var head = RequestHead()
        let lineEnd = try RequestLine.read(span, from: start, limits, into: &head)
        guard end - start <= limits.headBytesMax else {
            throw .init(.fieldSectionTooLarge, at: start + limits.headBytesMax)
        }
        fields.reset()
        try readFields(span, from: lineEnd, to: end - 2)
        try decideHost(span, &head)
        try decideFraming(span, &head)
        try decideConnection(span, &head)
        head.length = end
        head.move(by: range.lowerBound)
        fields.move(by: range.lowerBound)
        return head
    }

    /// One empty line before a request is passed over (RFC 9112 §2.2): the end of it, or the
    /// range's end when it is not whole yet.
    private func emptyLine(_ span: Span<UInt8>) -> Int {
        guard span.count > 0, span[0] == .carriageReturn else { return 0 }
        guard span.count > 1 else { return 1 }
        return span[1] == .lineFeed ? 2 : 0
    }

    /// The index after the first empty line, found by looking at every fourth octet.
    private func headEnd(_ span: Span<UInt8>, from start: Int) -> Int? {
        var index = start + 3
        while index < span.count {
            switch span[index] {
            case .lineFeed:
                if span[index - 1] == .carriageReturn, span[index - 2] == .lineFeed,
                    span[index - 3] == .carriageReturn
                {
                    return index + 1
                }
                index += 2
            case .carriageReturn: index += 1
            default: index += 4
            }
        }
        return nil
    }

    /// Refuses an unfinished head that can only end in a refusal.
    private func checkUnfinished(
        _ span: Span<UInt8>, from start: Int, scanned: Int
    ) throws(MessageError) {
        guard span[start].isTchar else { throw .init(.invalidMethod, at: start) }
        var index = max(start, scanned)
        while index < span.count {
            if span[index] == .lineFeed, index == start || span[index - 1] != .carriageReturn {
                throw .init(.lineNotEndedByCRLF, at: index)
            }
            index += 1
        }
        var head = RequestHead()
        var line = start
        while line < span.count, span[line] != .lineFeed { line += 1 }
        if line < span.count {
            _ = try RequestLine.read(span, from: start, limits, into: &head)
        } else if span.count - start > limits.targetBytesMax + RequestLine.overheadBytesMax {
            throw .init(.targetTooLong, at: start + limits.targetBytesMax)
        }
        if span.count - start > limits.headBytesMax {
            throw .init(.fieldSectionTooLarge, at: start + limits.headBytesMax)
        }
    }

    /// Reads field lines up to `end`, where the empty line begins.
    private mutating func readFields(
        _ span: Span<UInt8>, from start: Int, to end: Int
    ) throws(MessageError) {
        var index = start
        while index < end {
            guard fields.count < limits.fieldLinesMax else {
                throw .init(.tooManyFieldLines, at: index)
            }
            index = try readField(span, from: index, to: end)
        }
    }

    /// Reads one field line and returns where the next begins (RFC 9112 §5). Whitespace before
    /// the colon and folded lines must be answered with 400, not guessed at.
    private mutating func readField(
        _ span: Span<UInt8>, from start: Int, to end: Int
    ) throws(MessageError) -> Int {
        var index = start
        var name = PackedName()
        while span[index] != .colon {
            let byte = span[index]
            guard byte.isTchar else { throw invalidName(span, at: index, lineStart: start) }
            name.append(byte)
            index += 1
        }
        guard index > start else { throw .init(.invalidFieldName, at: index) }
        index += 1
        while span[index].isOWS { index += 1 }
        let lower = index
        var upper = index
        while span[index].isFieldContent {
            index += 1
            if !span[index - 1].isOWS { upper = index }
        }
        guard span[index] == .carriageReturn, span[index + 1] == .lineFeed else {
            let bare = span[index] == .lineFeed || span[index] == .carriageReturn
            throw .init(bare ? .lineNotEndedByCRLF : .invalidFieldValue, at: index)
        }
        guard index - start <= limits.fieldLineBytesMax else {
            throw .init(.fieldLineTooLarge, at: start + limits.fieldLineBytesMax)
        }
        fields.append(name.field, valueFrom: lower, to: upper)
        return index + 2
    }

    private func invalidName(
        _ span: Span<UInt8>, at index: Int, lineStart: Int
    ) -> MessageError {
        switch span[index] {
        case .space where index == lineStart, .tab where index == lineStart:
            .init(.foldedFieldLine, at: index)
        case .carriageReturn, .lineFeed: .init(.fieldLineWithoutColon, at: index)
        default: .init(.invalidFieldName, at: index)
        }
    }
}

extension RequestHead {
    fileprivate mutating func move(by distance: Int) {
        methodName = methodName.moved(by: distance)
        line = line.moved(by: distance)
        target = target.moved(by: distance)
        path = path.moved(by: distance)
        host = host.moved(by: distance)
        port = port.moved(by: distance)
    }
}

extension Range<Int> {
    fileprivate func moved(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }
}
