private import URISyntax

// What the finished field section decides about a request: its host, its framing, and what
// becomes of the connection.

extension RequestReader {
    /// A request for HTTP/1.1 names exactly one host (RFC 9112 §3.2); an authority in the target
    /// takes its place (§3.2.2).
    func decideHost(_ span: Span<UInt8>, _ head: inout RequestHead) throws(MessageError) {
        guard let index = fields.next(.host, from: 0) else {
            guard head.isHTTP10 || !head.host.isEmpty else { throw .init(.missingHost, at: 0) }
            return
        }
        let value = fields.value(at: index)
        guard fields.next(.host, from: index + 1) == nil else {
            throw .init(.repeatedHost, at: value.lowerBound)
        }
        guard let authority = Authority.read(span, value) else {
            throw .init(.invalidHost, at: value.lowerBound)
        }
        guard head.host.isEmpty else { return }
        (head.host, head.port) = (authority.host, authority.port)
    }

    /// Decides how the content ends (RFC 9112 §6.3), and refuses every form that another
    /// recipient could read differently.
    func decideFraming(_ span: Span<UInt8>, _ head: inout RequestHead) throws(MessageError) {
        let lengths = fields.contains(.contentLength)
        if let index = fields.next(.transferEncoding, from: 0) {
            let value = fields.value(at: index)
            if lengths { throw .init(.contentLengthWithTransferEncoding, at: value.lowerBound) }
            if head.isHTTP10 { throw .init(.transferEncodingBeforeHTTP11, at: value.lowerBound) }
            guard fields.next(.transferEncoding, from: index + 1) == nil else {
                throw .init(.unknownTransferCoding, at: value.lowerBound)
            }
            guard span.equals(value, lowercased: Word.chunked) else {
                throw .init(codingFault(span, value), at: value.lowerBound)
            }
            head.framing = .chunked
        } else if let index = fields.next(.contentLength, from: 0) {
            let value = fields.value(at: index)
            guard fields.next(.contentLength, from: index + 1) == nil else {
                throw .init(.repeatedContentLength, at: value.lowerBound)
            }
            guard let length = span.decimal(value) else {
                throw .init(.invalidContentLength, at: value.lowerBound)
            }
            head.framing = length == 0 ? .none : .length(length)
        }
    }

    /// Codings before a final `chunked` could be implemented (501); without it the content's end
    /// is unknown (400, RFC 9112 §6.3).
    private func codingFault(_ span: Span<UInt8>, _ value: Range<Int>) -> MessageError.Kind {
        var list = FieldList(value)
        var last = value.upperBound..<value.upperBound
        while let item = list.next(span) { last = item }
        return span.equals(last, lowercased: Word.chunked)
            ? .unknownTransferCoding : .chunkedNotFinal
    }

    /// Whether the connection goes on (RFC 9112 §9.3), and whether the client waits before it
    /// sends its content (RFC 9110 §10.1.1).
    func decideConnection(_ span: Span<UInt8>, _ head: inout RequestHead) throws(MessageError) {
        head.isPersistent = !head.isHTTP10
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
        guard let line = fields.next(.expect, from: 0) else { return }
        let value = fields.value(at: line)
        guard span.equals(value, lowercased: Word.continuing) else {
            throw .init(.unknownExpectation, at: value.lowerBound)
        }
        // A client of HTTP/1.0 cannot wait for what it does not know (RFC 9110 §10.1.1).
        head.expectsContinue = !head.isHTTP10 && head.framing != .none
    }
}

/// The host and port of a Host field or of a target in absolute form (RFC 3986 §3.2).
struct Authority {
    var host: Range<Int>
    var port: Range<Int>

    /// Nil unless the range is a name or an address, with a port or without; user information
    /// has no place here (RFC 9110 §4.2.4). An empty Host is a valid one that names nobody.
    static func read(_ span: Span<UInt8>, _ range: Range<Int>) -> Authority? {
        var index = range.lowerBound
        if index < range.upperBound, span[index] == UInt8(ascii: "[") {
            repeat {
                index += 1
                guard index < range.upperBound else { return nil }
            } while span[index].isIPv6Character
            guard span[index] == UInt8(ascii: "]") else { return nil }
            index += 1
        } else {
            while index < range.upperBound, span[index].isHostCharacter { index += 1 }
        }
        let host = range.lowerBound..<index
        guard index < range.upperBound else { return .init(host: host, port: index..<index) }
        guard span[index] == .colon, !host.isEmpty else { return nil }
        let port = index + 1..<range.upperBound
        guard port.count <= 5 else { return nil }
        for index in port where !span[index].isDigit { return nil }
        return .init(host: host, port: port)
    }
}

extension UInt8 {
    /// Letters, digits, hyphen, full stop and underscore: every host that DNS can name.
    fileprivate var isHostCharacter: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_")
    }

    fileprivate var isIPv6Character: Bool {
        hexDigitValue != nil || self == .colon || self == UInt8(ascii: ".")
    }
}
