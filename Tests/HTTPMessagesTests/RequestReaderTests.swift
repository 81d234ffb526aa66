import HTTPMessages
import Testing

@Suite("Request heads (RFC 9112 §2 to §6)")
struct RequestReaderTests {
    struct Refusal: CustomTestStringConvertible, Sendable {
        let text: String
        let kind: MessageError.Kind
        let offset: Int
        /// The nearest request that is accepted.
        let accepted: String

        init(_ text: String, _ kind: MessageError.Kind, _ offset: Int, beside accepted: String) {
            (self.text, self.kind, self.offset) = (text, kind, offset)
            self.accepted = accepted
        }

        var testDescription: String { "\(kind): \(text.debugDescription)" }
    }

    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    static func get(_ field: String) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"
    }

    static let refusals: [Refusal] = [
        // The request line (§3).
        .init("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 4, beside: get),
        .init("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .malformedRequestLine, 6, beside: get),
        .init(" GET / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidMethod, 0, beside: get),
        .init("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", .invalidMethod, 3, beside: get),
        .init("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidMethod, 1, beside: get),
        .init("GET /\r\nHost: a\r\n\r\n", .malformedRequestLine, 5, beside: get),
        .init("GET / http/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine, 6, beside: get),
        .init("GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformedRequestLine, 6, beside: get),
        .init("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .unsupportedVersion, 6, beside: get),
        .init("GET / HTTP/0.9\r\nHost: a\r\n\r\n", .unsupportedVersion, 6, beside: get),
        .init("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 6, beside: get),
        .init("GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 5, beside: get),
        .init("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 5, beside: get),
        .init(
            "GET a HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 4,
            beside: "GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(
            "GET * HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 4,
            beside: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(
            "GET a:443 HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 4,
            beside: "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(
            "GET http:///b HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 11,
            beside: "GET https://a HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init(
            "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget, 11,
            beside: "GET HTTP://A:80/?q HTTP/1.1\r\nHost: a\r\n\r\n"),
        // Lines (§2.2).
        .init("GET / HTTP/1.1\nHost: a\r\n\r\n", .lineNotEndedByCRLF, 14, beside: get),
        .init("GET / HTTP/1.1\r\nHost: a\n\r\n\r\n", .lineNotEndedByCRLF, 23, beside: get),
        .init("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", .lineNotEndedByCRLF, 23, beside: get),
        // Field lines (§5).
        .init(get("X : y"), .invalidFieldName, 26, beside: get("X: y")),
        .init(get("X"), .fieldLineWithoutColon, 26, beside: get("X:")),
        .init(get(": y"), .invalidFieldName, 25, beside: get("x: y")),
        .init(get("X: a\r\n b"), .foldedFieldLine, 31, beside: get("X: a  b")),
        .init(get("X\u{E9}: y"), .invalidFieldName, 26, beside: get("X: \u{E9}")),
        .init(get("X: a\0b"), .invalidFieldValue, 29, beside: get("X: a\tb")),
        .init(get("X: a\u{7F}b"), .invalidFieldValue, 29, beside: get("X: a~b")),
        // Host (§3.2).
        .init("GET / HTTP/1.1\r\nX: a\r\n\r\n", .missingHost, 0, beside: "GET / HTTP/1.0\r\n\r\n"),
        .init(get("Host: a"), .repeatedHost, 22, beside: get),
        .init("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .invalidHost, 22, beside: get),
        .init(
            "GET / HTTP/1.1\r\nHost: a:x\r\n\r\n", .invalidHost, 22,
            beside: "GET / HTTP/1.1\r\nHost: a:1\r\n\r\n"),
        .init(
            "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .invalidHost, 22,
            beside: "GET / HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n"),
        .init(
            "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", .invalidHost, 22,
            beside: "OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n"),
        // Framing (§6).
        .init(
            get("Content-Length: +1"), .invalidContentLength, 41, beside: get("Content-Length: 1")),
        .init(
            get("Content-Length: 1, 1"), .invalidContentLength, 41,
            beside: get("Content-Length:  1")),
        .init(get("Content-Length:"), .invalidContentLength, 40, beside: get("Content-Length: 0")),
        .init(
            get("Content-Length: 1111111111111111111"), .invalidContentLength, 41,
            beside: get("Content-Length: 111111111111111111")),
        .init(
            get("Content-Length: 1\r\nContent-Length: 1"), .repeatedContentLength, 41,
            beside: get("Content-Length: 1")),
        .init(
            get("Content-Length: 1\r\nTransfer-Encoding: chunked"),
            .contentLengthWithTransferEncoding, 63, beside: get("Transfer-Encoding: chunked")),
        .init(
            get("Transfer-Encoding: chunked\r\nContent-Length: 1"),
            .contentLengthWithTransferEncoding, 44, beside: get("Transfer-Encoding: Chunked")),
        .init(
            get("Transfer-Encoding: chunked, chunked"), .repeatedChunked, 44,
            beside: get("Transfer-Encoding: chunked\t")),
        .init(
            get("Transfer-Encoding: ,chunked"), .chunkedNotFinal, 44,
            beside: get("Transfer-Encoding: chunked")),
        .init(
            get("Transfer-Encoding: chunked,"), .chunkedNotFinal, 44,
            beside: get("Transfer-Encoding: chunked")),
        .init(
            get("Transfer-Encoding: gzip, chunked"), .unknownTransferCoding, 44,
            beside: get("Transfer-Encoding: chunked")),
        .init(
            get("Transfer-Encoding: chunked, gzip"), .chunkedNotFinal, 44,
            beside: get("Transfer-Encoding: chunked")),
        .init(
            get("Transfer-Encoding: \u{B}chunked"), .invalidFieldValue, 44,
            beside: get("Transfer-Encoding: chunked")),
        .init(
            get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            .repeatedChunked, 44, beside: get("Transfer-Encoding: chunked")),
        .init(
            "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingBeforeHTTP11,
            35, beside: "GET / HTTP/1.0\r\nContent-Length: 1\r\n\r\n"),
    ]

    @Test("what could be read differently is refused, at its byte", arguments: refusals)
    func refuses(_ refusal: Refusal) {
        #expect(Reading(refusal.text) == .refused(refusal.kind, at: refusal.offset))
    }

    @Test("its nearest neighbour is accepted", arguments: refusals)
    func accepts(_ refusal: Refusal) {
        #expect(Reading(refusal.accepted).status == nil, "\(Reading(refusal.accepted))")
    }

    /// So a message that comes in pieces, however cut, is read as if it had come at once.
    @Test("a beginning is incomplete or says what the whole says", arguments: refusals)
    func beginnings(_ refusal: Refusal) {
        for text in [refusal.text, refusal.accepted] {
            let bytes = Array(text.utf8)
            let whole = Reading(bytes)
            for count in 0..<bytes.count {
                let beginning = Reading(Array(bytes[..<count]))
                #expect(beginning == whole || beginning == .incomplete, "\(count) bytes")
            }
            #expect(Reading(bytes + Self.get.utf8) == whole, "with a successor")
        }
    }

    @Test func `a head's parts are found where they stand`() throws {
        let text = "\r\nGET /a/b?c=d HTTP/1.1\r\nhOsT:  Example.com:8443 \r\nX: y\r\n\r\nrest"
        guard case .head(let head) = Reading(text) else {
            Issue.record("\(Reading(text))")
            return
        }
        let bytes = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(part(head.target) == "/a/b?c=d")
        #expect(part(head.path) == "/a/b")
        #expect(part(head.host) == "Example.com")
        #expect(part(head.port) == "8443")
        #expect(part(head.length..<bytes.count) == "rest")
        #expect(head.method == .get && head.isPersistent && head.framing == .none)
    }

    @Test func `a head that begins later in the buffer is read the same`() throws {
        let bytes = Array(("junk" + Self.get("If-None-Match: \"x\"")).utf8)
        var reader = RequestReader()
        let read = try reader.read(bytes, 4..<bytes.count)
        let head = try #require(read)
        #expect(String(decoding: bytes[head.host], as: UTF8.self) == "a")
        let line = reader.fields.only(.ifNoneMatch)
        let value = try #require(line)
        #expect(String(decoding: bytes[value], as: UTF8.self) == "\"x\"")
        #expect(head.length == bytes.count - 4)
    }

    @Test(
        arguments: [
            ("CF-IPCountry: AT\r\n", "AT"), ("cf-ipcountry:at\r\n", "at"),
            ("X: 1\r\nCf-IPCountry: \t DE \r\nY: ab\r\n", "DE"), ("", nil),
            ("CF-IPCountry: A\r\n", nil), ("CF-IPCountry: AUT\r\n", nil),
            ("CF-IPCountry:\r\n", nil),
            ("XCF-IPCountry: AT\r\n", nil), ("F-IPCountry: AT\r\n", nil),
            ("CF-IPCountry: AT\r\nCF-IPCountry: DE\r\n", nil),
            ("X: CF-IPCountry: AT\r\n", nil), ("CF-IPCountrz: AT\r\n", nil),
        ] as [(String, String?)])
    func `a pair of letters is found by any name`(lines: String, expected: String?) throws {
        for before in ["", "junk"] {
            let bytes = Array((before + Self.get(lines)).utf8)
            var reader = RequestReader()
            _ = try reader.read(bytes, before.utf8.count..<bytes.count)
            let name = Array("cf-ipcountry".utf8)
            let place = reader.fields.onlyPair(named: name.span, in: bytes.span)
            let found = place.map { String(decoding: bytes[$0..<$0 + 2], as: UTF8.self) }
            #expect(found == expected)
        }
    }

    @Test func `an authority in the target takes the position of Host`() throws {
        let text = "GET http://b:81/c?d HTTP/1.1\r\nHost: a\r\n\r\n"
        guard case .head(let head) = Reading(text) else { throw Unexpected() }
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes[head.host], as: UTF8.self) == "b")
        #expect(String(decoding: bytes[head.target], as: UTF8.self) == "/c?d")
    }

    @Test(
        "the connection goes on as §9.3 says",
        arguments: [
            ("1.1", "X: y", true), ("1.1", "Connection: close", false),
            ("1.1", "Connection: x, Close", false), ("1.0", "X: y", false),
            ("1.0", "Connection: Keep-Alive", true),
            ("1.0", "Connection: keep-alive, close", false), ("1.2", "X: y", true),
            ("1.1", "Expect: a", false), ("1.1", "Expect: 100-Continue", true),
        ])
    func persists(_ version: String, _ field: String, _ expected: Bool) throws {
        guard
            case .head(let head) = Reading(
                "GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n\r\n")
        else { throw Unexpected() }
        #expect(head.isPersistent == expected)
    }

    @Test func `every limit holds at n and not at n plus 1`() {
        var limits = RequestLimits()
        limits.targetBytesMax = 20
        limits.fieldLineBytesMax = 30
        limits.headBytesMax = 100
        limits.fieldLinesMax = 3
        func request(target: Int = 1, line: Int = 7, lines: Int = 1, head: Int? = nil) -> Reading {
            var text = "GET /\(String(repeating: "a", count: target - 1)) HTTP/1.1\r\nHost: a\r\n"
            for _ in 1..<max(1, lines) { text += "X: y\r\n" }
            if line > 7 { text += "X: \(String(repeating: "y", count: line - 3))\r\n" }
            if let head {
                let left = head - text.utf8.count - 2
                // Two lines, so that neither is too long itself.
                let half = left / 2
                text += "X: \(String(repeating: "y", count: half - 5))\r\n"
                text += "X: \(String(repeating: "y", count: left - half - 5))\r\n"
            }
            return Reading(text + "\r\n", limits: limits)
        }
        #expect(request(target: 20).status == nil)
        #expect(request(target: 21).status == 414)
        #expect(request(line: 30).status == nil)
        #expect(request(line: 31).status == 431)
        #expect(request(lines: 3).status == nil)
        #expect(request(lines: 4).status == 431)
        #expect(request(head: 79).status == nil)
        limits.headBytesMax = 78
        #expect(request(head: 78).status == nil)
        #expect(request(head: 79).status == 431)
        // The head's own limit may end a target, too.
        limits.targetBytesMax = 78
        #expect(request(target: 52).status == nil)
        #expect(request(target: 53).status == 431)
        #expect(request(target: 100).status == 414)
        #expect(
            Reading("\r\nGET /\(String(repeating: "a", count: 80))", limits: limits).status == 414)
        #expect(Reading(String(repeating: "\r\n", count: 40), limits: limits).status == 431)
    }

    @Test func `an unfinished head that is already too long is refused before it ends`() {
        let long = String(repeating: "a", count: 8192 + 100)
        #expect(Reading("GET /\(long)").status == 414)
        let fields = String(repeating: "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n", count: 500)
        #expect(Reading("GET / HTTP/1.1\r\n\(fields)").status == 431)
        #expect(Reading("GET / HTTP/1.1\r\nHost: a\r\n").status == 0)
    }

    @Test func `every known field is recognised in any case, and nothing near it is`() throws {
        for name in FieldName.allCases where name != .other && name != .host {
            for (spelling, isKnown) in [
                (name.text, true), (name.text.uppercased(), true), (name.text + "x", false),
                (String(name.text.dropLast()), false),
                (name.text.replacing("-", with: "_"), !name.text.contains("-")),
            ] {
                var reader = RequestReader()
                // A value that none of the fields refuses.
                let value =
                    name == .expect ? "100-continue" : name == .transferEncoding ? "chunked" : "1"
                let bytes = Array(Self.get("\(spelling): \(value)").utf8)
                _ = try reader.read(bytes, 0..<bytes.count)
                let found = reader.fields.contains(name)
                #expect(found == isKnown, "\(spelling)")
            }
        }
    }
}

struct Unexpected: Error {}
