import HTTPMessages
import Testing

@Suite("Responses (RFC 9112 §4 to §7)")
struct ResponseReaderTests {
    private static let whole =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type:  a/b \r\n"
        + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: u\r\n\r\n"

    private func read(_ pieces: [[UInt8]], bytesMax: Int = 100) throws -> ResponseReader {
        var reader = ResponseReader(contentBytesMax: bytesMax)
        for piece in pieces { try reader.take(piece) }
        return reader
    }

    @Test func `a response is the same however it is split`() throws {
        let bytes = Array(Self.whole.utf8)
        for split in 0...bytes.count {
            let reader = try read([Array(bytes[..<split]), Array(bytes[split...])])
            #expect(reader.isComplete)
            #expect(reader.head?.status == 200 && reader.content == Array("abcde".utf8))
            #expect(reader.head?.value("content-type") == "a/b")
        }
    }

    @Test func `every beginning of a response is incomplete`() throws {
        let bytes = Array(Self.whole.utf8)
        for count in 0..<bytes.count {
            let reader = try read([Array(bytes[..<count])])
            #expect(!reader.isComplete)
            #expect(throws: ResponseError.self) { try reader.finish() }
        }
    }

    @Test func `a line that begins with a blank continues the one before`() throws {
        let reader = try read([Array("HTTP/1.1 200 OK\r\nA: b\r\n \t c\r\nB: d\r\n\r\n".utf8)])
        #expect(reader.head?.values("a") == ["b c"] && reader.head?.value("b") == "d")
        #expect(throws: ResponseError.invalidField(" A: b")) {
            _ = try read([Array("HTTP/1.1 200 OK\r\n A: b\r\n\r\n".utf8)])
        }
    }

    @Test func `interim responses are skipped, up to a number`() throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        let end = "HTTP/1.1 204 No Content\r\n\r\n"
        let most = Array((String(repeating: interim, count: 8) + end).utf8)
        #expect(try read([most]).head?.status == 204)
        #expect(throws: ResponseError.tooManyInterimResponses(8)) {
            _ = try read([Array(interim.utf8) + most])
        }
    }

    @Test(
        "where the content ends",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc", "ab", true),
            ("HTTP/1.1 200 OK\nContent-Length: 2\nContent-Length: 2\n\nab", "ab", true),
            ("HTTP/1.0 200\r\n\r\nabc", "abc", false),
            ("HTTP/1.1 204 No Content\r\n\r\nabc", "", true),
        ])
    func framing(_ text: String, _ content: String, _ isComplete: Bool) throws {
        let reader = try read([Array(text.utf8)])
        #expect(reader.content == Array(content.utf8) && reader.isComplete == isComplete)
        try reader.finish()
    }

    @Test(
        "what is no response",
        arguments: [
            ("<html>", ResponseError.notHTTP), ("HTTP/2 200\r\n\r\n", .notHTTP),
            ("HTTP/1.1 20 OK\r\n\r\n", .notHTTP),
            ("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", .invalidField("A b: c")),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                .invalidContentLength("1, 2")
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                .unknownTransferCoding("gzip, chunked")
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .invalidChunk),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc",
                .invalidChunk
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\nabc",
                .invalidChunk
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0FFFFFFFFFFFFFFF\r\nabc",
                .invalidChunk
            ),
        ])
    func refusals(_ text: String, _ error: ResponseError) {
        #expect(throws: error) { try read([Array(text.utf8)]) }
    }

    @Test func `a chunk of a size that no memory has is read as far as it comes`() throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n07FFFFFFFFFFFFFF\r\nabc"
        let reader = try read([Array(text.utf8)], bytesMax: 2)
        #expect(reader.isContentTooLarge && reader.content == Array("ab".utf8))
    }

    /// A head that comes byte by byte costs as much as one that comes whole.
    @Test func `the end of a head is found wherever it is divided`() throws {
        for end in ["\r\n\r\n", "\n\n", "\n\r\n", "\r\n\n"] {
            let text = "HTTP/1.1 200 OK\r\nContent-Length: 1" + end + "x"
            let reader = try read(text.utf8.map { [$0] })
            #expect(
                reader.isComplete && reader.content == Array("x".utf8), "\(end.debugDescription)")
        }
    }

    @Test func `content beyond the limit is discarded, and said`() throws {
        let text = "HTTP/1.1 200 OK\r\n\r\n"
        let exact = try read([Array((text + "abc").utf8)], bytesMax: 3)
        let more = try read([Array((text + "abcd").utf8)], bytesMax: 3)
        #expect(!exact.isContentTooLarge && more.isContentTooLarge)
        #expect(more.content == Array("abc".utf8))
    }

    @Test func `a head without end is refused at the limit`() throws {
        let line = Array("HTTP/1.1 200 OK\r\nA: ".utf8)
        _ = try read([line + [UInt8](repeating: 0x61, count: 60_000)])
        #expect(throws: ResponseError.headTooLarge(65_536)) {
            try read([line, [UInt8](repeating: 0x61, count: 70_000)])
        }
    }
}
