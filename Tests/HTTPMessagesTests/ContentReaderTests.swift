import HTTPMessages
import Testing

@Suite("Request content (RFC 9112 §6 and §7.1)")
struct ContentReaderTests {
    /// How many of the bytes belong to the content, or nil when more must come; taken in one
    /// piece, then in pieces of one.
    private func take(
        _ text: String, _ framing: RequestHead.Framing = .chunked, limits: RequestLimits = .init()
    ) throws(MessageError) -> Int? {
        let bytes = Array(text.utf8)
        var whole = try ContentReader(framing, limits: limits)
        let count = try whole.take(bytes, 0..<bytes.count)
        var pieces = try ContentReader(framing, limits: limits)
        var taken = 0
        for index in bytes.indices { taken += try pieces.take(bytes, index..<index + 1) }
        #expect(whole.isFinished == pieces.isFinished && count == taken)
        return whole.isFinished ? count : nil
    }

    @Test(
        "content ends where its framing says",
        arguments: [
            ("0\r\n\r\nnext", 5), ("3\r\nabc\r\n0\r\n\r\n", 13),
            ("A;x=\"y\"\r\n0123456789\r\n0\r\n\r\n", 26),
            ("0\r\nT: v\r\nU:\r\n\r\nnext", 15), ("00\r\n\r\n", 6), ("3\r\nabc\r\n", nil),
            ("", nil),
            ("0\r\n", nil), ("0;a;b=c\r\n\r\n", 11),
            ("0;a = \"b;\\\"c\" ;d\r\n\r\n", 20), ("0; a\r\n\r\n", 8),
        ] as [(String, Int?)])
    func chunked(_ text: String, _ expected: Int?) throws {
        #expect(try take(text) == expected)
    }

    @Test func `content of a known length is counted`() throws {
        #expect(try take("abcdef", .length(3)) == 3)
        #expect(try take("ab", .length(3)) == nil)
        #expect(try take("", .none) == 0)
    }

    @Test(
        "a malformed frame is refused",
        arguments: [
            "x\r\n", "\r\n", "3\nabc\r\n", "3\r\nabcd\r\n", "3\r\nabc\n0\r\n\r\n", "-1\r\n",
            "0x3\r\n",
            " 3\r\n", "3 \r\nabc", "00000000000000000\r\n", "3;\u{0}\r\n", "3 ;x\r\n", "3\t;x\r\n",
            "3;\r\n", "3;a=\r\n",
            "3;a b\r\n",
            "3;=a\r\n", "3;a=\"b\r\n", "3;a=\"b\"c\r\n", "3;a;\r\n", "3 a\r\n", "3;a=\"\\\r\n",
            "3;a\nabc", "3;a\rabc", "3;a=\u{E9}\r\n", "0\r\nT v\r\n\r\n", "0\r\nT : v\r\n\r\n",
            "0\r\n T: v\r\n\r\n",
            "0\r\nT\0\r\n\r\n", "0\r\n\n", "0\r\nT\r\n\r\n", "0\r\nT : v\r\n\r\n",
        ])
    func refuses(_ text: String) {
        #expect(throws: MessageError.self) { try take(text) }
    }

    @Test func `every limit holds at n and not at n plus 1`() throws {
        var limits = RequestLimits()
        limits.contentBytesMax = 10
        limits.chunkLineBytesMax = 8
        limits.trailerBytesMax = 8
        #expect(try take("", .length(10), limits: limits) == nil)
        #expect(throws: MessageError(.contentTooLarge, at: 0)) {
            try take("", .length(11), limits: limits)
        }
        #expect(try take("5\r\nabcde\r\n5\r\nabcde\r\n0\r\n\r\n", limits: limits) == 25)
        #expect(throws: MessageError.self) { try take("5\r\nabcde\r\n6\r\n", limits: limits) }
        #expect(throws: MessageError.self) { try take("FFFFFFFFFFFFFFFF\r\n", limits: limits) }
        #expect(try take("1;234567\r\na\r\n0\r\n\r\n", limits: limits) == 18)
        #expect(throws: MessageError.self) { try take("1;2345678\r\n", limits: limits) }
        #expect(try take("0\r\nT: v\r\n\r\n", limits: limits) == 11)
        #expect(throws: MessageError.self) { try take("0\r\nT: vw\r\n\r\n", limits: limits) }
    }
}
