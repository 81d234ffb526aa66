package import HTTPMessages

/// What a connection's bytes are read as: its requests in order, and how that ended.
package struct RequestStream: Equatable, Encodable {
    package private(set) var requests: [Request] = []
    package private(set) var outcome = Outcome.incomplete

    package struct Request: Equatable, Encodable {
        package var method: [UInt8] = []
        package var target: [UInt8] = []
        package var host: [UInt8] = []
        package var isHTTP10 = false
        package var isPersistent = false
        package var expectsContinue = false
        package var framing = ""
        /// Of the fields that this origin acts on, each value in order.
        package var fields: [String: [[UInt8]]] = [:]
        /// Where the head and the content end in the stream.
        package var headEnd = 0
        package var contentEnd: Int?
        /// The content without its framing.
        package var content: [UInt8] = []
    }

    package enum Outcome: Equatable, Encodable {
        /// More could follow.
        case incomplete
        /// The last request ends the connection.
        case closed
        case refused(String, status: Int, at: Int)
    }

    /// Reads as a connection does whose bytes come in pieces of this size.
    package init(_ bytes: [UInt8], pieceBytes: Int, limits: RequestLimits = .init()) {
        var reader = RequestReader(limits: limits)
        var (start, end) = (0, 0)
        var content: ContentReader?
        while true {
            do {
                while try step(
                    bytes, &start, end, &reader, &content, limits: limits)
                {}
            } catch {
                outcome = .refused(
                    "\(error.kind)", status: error.status.rawValue, at: start + error.offset)
            }
            guard outcome == .incomplete, end < bytes.count else { return }
            end = min(bytes.count, end + pieceBytes)
        }
    }

    /// Takes a head or a piece of content. False when more must come, or nothing will.
    private mutating func step(
        _ bytes: [UInt8], _ start: inout Int, _ end: Int, _ reader: inout RequestReader,
        _ content: inout ContentReader?, limits: RequestLimits
    ) throws(MessageError) -> Bool {
        if content != nil {
            start +=
                try content?.take(bytes, start..<end) { range in
                    requests[requests.count - 1].content += bytes[range]
                } ?? 0
            guard content?.isFinished == true else { return false }
            content = nil
            requests[requests.count - 1].contentEnd = start
            guard requests[requests.count - 1].isPersistent else {
                outcome = .closed
                return false
            }
        }
        guard start < end, let head = try reader.read(bytes, start..<end) else {
            return false
        }
        start += head.length
        requests.append(Request(bytes, head, reader, headEnd: start))
        content = try ContentReader(head.framing, limits: limits)
        return true
    }
}

extension RequestStream.Request {
    init(_ bytes: [UInt8], _ head: RequestHead, _ reader: borrowing RequestReader, headEnd: Int) {
        method = Array(bytes[head.methodName])
        target = Array(bytes[head.target])
        host = Array(bytes[head.host])
        isHTTP10 = head.isHTTP10
        isPersistent = head.isPersistent
        expectsContinue = head.expectation == .continuing
        framing = "\(head.framing)"
        self.headEnd = headEnd
        for name in FieldName.allCases where name != .other {
            var index = reader.fields.next(name, from: 0)
            while let line = index {
                fields[name.text, default: []].append(Array(bytes[reader.fields.value(at: line)]))
                index = reader.fields.next(name, from: line + 1)
            }
        }
    }
}
