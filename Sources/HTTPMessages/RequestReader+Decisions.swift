// What the complete field section decides about a request: its host, its framing, and whether the
// connection persists.

extension RequestReader {
    /// A request for HTTP/1.1 has exactly one host (RFC 9112 §3.2). An authority in the target
    /// overrides it (§3.2.2), but does not replace a missing or malformed field.
    @inline(__always)
    mutating func decideHost(_ span: Span<UInt8>, _ head: inout RequestHead) throws(MessageError) {
        guard let index = fields.next(.host, from: 0) else {
            guard head.isHTTP10 else { throw .init(.missingHost, at: 0) }
            return
        }
        let value = fields.value(at: index)
        guard !fields.repeats(.host) else { throw .init(.repeatedHost, at: value.lowerBound) }
        if head.host.isEmpty, host.equals(span, value) {
            (head.hostPosition, head.hostNumber) = (.init(value), host.number)
            return
        }
        guard let authority = Authority.read(span, value) else {
            throw .init(.invalidHost, at: value.lowerBound)
        }
        guard head.host.isEmpty else { return }
        // An http URI without a host is invalid (RFC 9110 §4.2.1). `*` needs no host.
        guard !authority.host.isEmpty || head.isAsteriskForm else {
            throw .init(.invalidHost, at: value.lowerBound)
        }
        (head.hostPosition, head.portPosition) = (.init(authority.host), .init(authority.port))
        if authority.port.isEmpty { head.hostNumber = host.set(span, value) }
    }

    /// Decides where the content ends (RFC 9112 §6.3), and refuses every form that another
    /// recipient could interpret differently.
    @inline(__always)
    mutating func decideFraming(_ span: Span<UInt8>, _ head: inout RequestHead) throws(MessageError)
    {
        if fields.contains(anyOf: .framing) { try readFraming(span, &head) }
    }

    private mutating func readFraming(
        _ span: Span<UInt8>, _ head: inout RequestHead
    ) throws(MessageError) {
        if let index = fields.next(.transferEncoding, from: 0) {
            let start = fields.value(at: index).lowerBound
            if fields.contains(.contentLength) {
                throw .init(.contentLengthWithTransferEncoding, at: start)
            }
            if head.isHTTP10 { throw .init(.transferEncodingBeforeHTTP11, at: start) }
            if let fault = codingFault(span) { throw .init(fault, at: start) }
            head.framing = .chunked
        } else if let index = fields.next(.contentLength, from: 0) {
            let value = fields.value(at: index)
            guard !fields.repeats(.contentLength) else {
                throw .init(.repeatedContentLength, at: value.lowerBound)
            }
            guard let length = span.decimal(value) else {
                throw .init(.invalidContentLength, at: value.lowerBound)
            }
            head.framing = length == 0 ? .none : .length(length)
        }
    }

    /// The fault of the transfer codings of all lines together, or nil. Only `chunked` is
    /// supported. If it is not the last coding, the end of the content is not known; if it is
    /// repeated, it is forbidden (400, RFC 9112 §6.1, §6.3). Other codings before it are not
    /// implemented (501).
    private mutating func codingFault(_ span: Span<UInt8>) -> MessageError.Kind? {
        var (others, chunked, isLast) = (0, 0, false)
        var line = fields.next(.transferEncoding, from: 0)
        while let index = line {
            let value = fields.value(at: index)
            // An empty field line is legal and has no meaning, but here it may hide a coding.
            if value.isEmpty { return .chunkedNotFinal }
            var list = FieldList(value)
            while let item = list.next(span) {
                isLast = span.equals(item, lowercased: Word.chunked)
                if isLast { chunked += 1 } else { others += 1 }
            }
            line = fields.next(.transferEncoding, from: index + 1)
        }
        guard isLast else { return .chunkedNotFinal }
        guard chunked == 1 else { return .repeatedChunked }
        if others > 0 { return .unknownTransferCoding }
        // The same applies to empty list members, which many recipients read as another coding.
        let isAlone = fields.only(.transferEncoding).map { $0.count == 7 }
        return isAlone == true ? nil : .chunkedNotFinal
    }

    /// Decides whether the connection persists (RFC 9112 §9.3), and whether the client waits before
    /// it sends its content (RFC 9110 §10.1.1).
    @inline(__always)
    mutating func decideConnection(_ span: Span<UInt8>, _ head: inout RequestHead) {
        head.isPersistent = !head.isHTTP10
        if fields.contains(.connection) { readConnection(span, &head) }
        if fields.contains(.expect) { readExpectations(span, &head) }
    }

    @inline(never)
    private func readExpectations(_ span: Span<UInt8>, _ head: inout RequestHead) {
        var index = fields.next(.expect, from: 0)
        while let line = index {
            var list = FieldList(fields.value(at: line))
            while let item = list.next(span) {
                guard span.equals(item, lowercased: Word.continuing) else {
                    // It is not known whether content follows.
                    (head.expectation, head.isPersistent) = (.other, false)
                    return
                }
                // A client of HTTP/1.0 does not know 100 and cannot wait for it.
                if !head.isHTTP10, head.hasContent { head.expectation = .continuing }
            }
            index = fields.next(.expect, from: line + 1)
        }
    }

    private mutating func readConnection(_ span: Span<UInt8>, _ head: inout RequestHead) {
        var index = fields.next(.connection, from: 0)
        var closes = false
        while let line = index {
            var list = FieldList(fields.value(at: line))
            while let item = list.next(span) {
                if span.equals(item, lowercased: Word.close) { closes = true }
                if span.equals(item, lowercased: Word.keepAlive) { head.isPersistent = true }
            }
            index = fields.next(.connection, from: line + 1)
        }
        if closes { head.isPersistent = false }
    }
}
