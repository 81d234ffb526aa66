/// Reads one response from pieces of any size, for clients (RFC 9112). It accepts what the clients
/// of a site accept: lines that end with LF alone, lines that continue the one before, and a
/// Content-Length that is repeated with the same value. It skips interim responses (RFC 9110 §15.2).
package struct ResponseReader: Sendable {
    /// Nil until all of the head has come.
    package private(set) var head: ResponseHead?
    /// The content, without its transfer coding.
    package private(set) var content = [UInt8]()

    private let isToHead: Bool
    private let contentBytesMax: Int
    /// The bytes of the head that have come, or those of the content that were not read.
    private var pending = [UInt8]()
    /// The bytes of `pending` that have been searched for the end of the head.
    private var searched = 0
    /// Nil if the content ends with the connection.
    private var reader: ContentReader?
    private var interimResponses = 0
    /// The bytes of content that have come, also those that were taken away.
    private var contentBytes = 0

    /// - Parameters:
    ///   - isToHead: whether the request was HEAD, whose response has no content.
    ///   - contentBytesMax: content beyond it is discarded, and `isContentTooLarge` says so.
    package init(isToHead: Bool = false, contentBytesMax: Int) {
        self.isToHead = isToHead
        self.contentBytesMax = contentBytesMax
    }

    /// Whether the end of the response has come, as far as its framing says where it ends.
    package var isComplete: Bool { head != nil && reader?.isFinished == true }

    /// Whether the content has more bytes than the limit.
    package private(set) var isContentTooLarge = false

    /// Takes the bytes that have come next.
    /// - Throws: why this is no response.
    package mutating func take(_ bytes: [UInt8]) throws(ResponseError) {
        var bytes = bytes
        while head == nil {
            pending += bytes
            guard let end = Self.endOfHead(pending, from: searched) else {
                guard Self.mayBeResponse(pending) else { throw .notHTTP }
                guard pending.count <= Self.headBytesMax else {
                    throw .headTooLarge(Self.headBytesMax)
                }
                // The end may begin with the last line feed, which has two bytes after it at most.
                searched = max(0, pending.count - 2)
                return
            }
            guard end <= Self.headBytesMax else { throw .headTooLarge(Self.headBytesMax) }
            bytes = Array(pending[end...])
            let found = try ResponseHead(Array(pending[..<end]))
            (pending, searched) = ([], 0)
            if found.status < 200, found.status != 101 {
                interimResponses += 1
                guard interimResponses <= Self.interimResponsesMax else {
                    throw .tooManyInterimResponses(Self.interimResponsesMax)
                }
            } else {
                head = found
                reader = try framing(of: found)
            }
        }
        try takeContent(bytes)
    }

    /// Takes away the content that has come so far, for a reader that does not keep it.
    package mutating func takeContent() -> [UInt8] {
        defer { content = [] }
        return content
    }

    /// Notes that the connection has ended.
    /// - Throws: if the response is incomplete.
    package func finish() throws(ResponseError) {
        guard head != nil else { throw pending.isEmpty ? .empty : .endsInHead }
        guard reader?.isFinished != false else { throw .endsInContent(contentBytes) }
    }

    private mutating func takeContent(_ bytes: [UInt8]) throws(ResponseError) {
        guard var reader else { return append(bytes[...]) }
        guard !reader.isFinished else { return }
        var found = [Range<Int>]()
        do throws(MessageError) {
            _ = try reader.take(bytes, bytes.indices) { found.append($0) }
        } catch {
            throw .invalidChunk
        }
        self.reader = reader
        for range in found { append(bytes[range]) }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        contentBytes += bytes.count
        let room = contentBytesMax - content.count
        content += bytes.prefix(room)
        if bytes.count > room { isContentTooLarge = true }
    }

    /// Decides where the content ends (RFC 9112 §6.3); nil for the end of the connection.
    private func framing(of head: ResponseHead) throws(ResponseError) -> ContentReader? {
        var limits = RequestLimits()
        limits.contentBytesMax = .max
        let framing: RequestHead.Framing
        let codings = head.values("transfer-encoding")
        let lengths = head.values("content-length")
        if isToHead || head.status == 204 || head.status == 304 {
            framing = .none
        } else if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw .unknownTransferCoding(codings.joined(separator: ", "))
            }
            framing = .chunked
        } else if let first = lengths.first {
            guard lengths.allSatisfy({ $0 == first }), first.utf8.count <= 15,
                first.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let length = Int(first)
            else { throw .invalidContentLength(lengths.joined(separator: ", ")) }
            framing = length == 0 ? .none : .length(length)
        } else {
            return nil
        }
        return try? ContentReader(framing, limits: limits)
    }

    /// The offset after the empty line that ends a head; nil if it has not come.
    private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while let feed = bytes[index...].firstIndex(of: .lineFeed) {
            let next = bytes[(feed + 1)...].prefix(2)
            if next.first == .lineFeed { return feed + 2 }
            if next.elementsEqual([.carriageReturn, .lineFeed]) { return feed + 3 }
            index = feed + 1
        }
        return nil
    }

    private static func mayBeResponse(_ bytes: [UInt8]) -> Bool {
        zip(bytes, "HTTP/1.".utf8).allSatisfy { $0 == $1 }
    }

    private static let interimResponsesMax = 8
    /// The most bytes of a head with its status line.
    private static let headBytesMax = 65_536
}

/// The reason why bytes are not a response.
package enum ResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    case notHTTP
    /// The connection ended before the first byte.
    case empty
    case endsInHead
    /// The connection ended after so many bytes of content, before the announced end.
    case endsInContent(Int)
    case headTooLarge(Int)
    case invalidField(String)
    case unknownTransferCoding(String)
    case invalidContentLength(String)
    case invalidChunk
    case tooManyInterimResponses(Int)

    package var description: String {
        switch self {
        case .notHTTP: "the answer is not HTTP/1.1"
        case .empty: "the connection was closed without an answer"
        case .endsInHead: "the connection was closed within the head of the answer"
        case .endsInContent(let count):
            "the connection was closed after \(count) bytes of content, before its announced end"
        case .headTooLarge(let limit): "the head of the answer has more than \(limit) bytes"
        case .invalidField(let line): "the answer has an invalid field line: \(line)"
        case .unknownTransferCoding(let text): "the answer has the transfer coding \(text)"
        case .invalidContentLength(let text): "the answer has the Content-Length \(text)"
        case .invalidChunk: "a chunk of the answer is malformed"
        case .tooManyInterimResponses(let limit):
            "more than \(limit) interim responses come before the answer"
        }
    }
}
