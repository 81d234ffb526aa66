import COpenSSL
import Compression
import Glibc
import HTTPClient
import HTTPMessages
import TestSupport
import Testing

/// A response, as a server sends it before it closes the connection.
struct ScriptedResponse: CustomTestStringConvertible, Sendable {
    var method = "GET"
    let bytes: [UInt8]
    /// The result that a client has of it: its status and content, or the failure.
    let outcome: Outcome

    var testDescription: String { "\(method) \(String(decoding: bytes.prefix(90), as: UTF8.self))" }

    enum Outcome: Hashable, Sendable {
        case response(Int, FetchResponse.Content)
        case failure(FetchFailure.Phase, FetchFailure.Kind, String)
    }

    init(_ text: String, _ content: String, status: Int = 200, method: String = "GET") {
        self.init(
            Array(text.utf8), .response(status, .whole(Array(content.utf8))), method: method)
    }

    init(_ text: String, fails words: String) {
        self.init(Array(text.utf8), .failure(.receive, .malformed, words))
    }

    init(_ bytes: [UInt8], _ outcome: Outcome, method: String = "GET") {
        (self.bytes, self.outcome, self.method) = (bytes, outcome, method)
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    static let whole: [ScriptedResponse] = [
        ScriptedResponse(ok + "Content-Length: 3\r\n\r\nabc", "abc"),
        ScriptedResponse(ok + "Content-Length: 3\r\n\r\nabcdef", "abc"),
        ScriptedResponse(ok + "Content-Length: 0\r\n\r\n", ""),
        ScriptedResponse(ok + "\r\nabc", "abc"),
        ScriptedResponse("HTTP/1.0 404 Not Found\r\n\r\n", "", status: 404),
        ScriptedResponse(chunked + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n", "abcde"),
        ScriptedResponse(chunked + "0\r\n\r\n", ""),
        ScriptedResponse("HTTP/1.1 103 E\r\nA: b\r\n\r\n" + ok + "\r\nabc", "abc"),
        ScriptedResponse("HTTP/1.1 204 N\r\n\r\n", "", status: 204),
        ScriptedResponse("HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\n", "", status: 304),
        ScriptedResponse(ok + "Content-Length: 9\r\n\r\n", "", method: "HEAD"),
    ]

    /// One for each way in which content ends, and one after an interim response.
    static let framed = [whole[0], whole[3], whole[5], whole[7]]

    static let cut: [ScriptedResponse] = [
        ScriptedResponse(
            "HTTP/1.1 200 OK\r\nA: b\r\n",
            fails: "the connection was closed within the head of the answer"),
        ScriptedResponse(
            ok + "Content-Length: 4\r\n\r\nabc",
            fails: "the connection was closed after 3 bytes of content, before its announced end"),
        ScriptedResponse(
            chunked + "3\r\nabc\r\n",
            fails: "the connection was closed after 3 bytes of content, before its announced end"),
        ScriptedResponse(chunked + "x\r\n", fails: "a chunk of the answer is malformed"),
        ScriptedResponse("SSH-2.0-x\r\n", fails: "the answer is not HTTP/1.1"),
        ScriptedResponse(
            ok + "A b: c\r\n\r\n", fails: "the answer has an invalid field line: A b: c"),
        ScriptedResponse(
            [], .failure(.wait, .reset, "the connection was closed without an answer")),
    ]

    /// Content at the limit of ten bytes and one above it, and content in a coding.
    static let coded: [ScriptedResponse] = {
        let ten = Array("0123456789".utf8)
        let head = Array((ok + "\r\n").utf8)
        let gzipped = Array((ok + "Content-Encoding: gzip\r\n\r\n").utf8)
        let brotli = Array((ok + "Content-Encoding: br\r\n\r\n").utf8)
        let many = gzip([UInt8](repeating: 0x61, count: 64)) ?? []
        return [
            ScriptedResponse(head + ten, .response(200, .whole(ten))),
            ScriptedResponse(head + ten + ten, .response(200, .tooLarge(ten))),
            ScriptedResponse(gzipped + ten, .response(200, .undecodable(coding: "gzip"))),
            ScriptedResponse(brotli + ten, .response(200, .undecodable(coding: "br"))),
            ScriptedResponse(gzipped + many, .response(200, .tooLarge([]))),
        ]
    }()
}

@Suite("Responses as they come over a connection")
struct ResponseTests {
    private func outcome(_ exchange: ClientExchange) -> ScriptedResponse.Outcome {
        switch exchange.result {
        case .success(let response): .response(response.status, response.content)
        case .failure(let failure): .failure(failure.phase, failure.kind, failure.text)
        }
    }

    private func request(_ response: ScriptedResponse, isSecure: Bool = false) -> FetchRequest {
        var request = FetchRequest(isSecure: isSecure, host: "a.example", target: "/")
        request.method = response.method
        return request
    }

    @Test(
        "what a response means, from its first byte to the end of the connection",
        arguments: ScriptedResponse.whole + ScriptedResponse.cut)
    func means(_ response: ScriptedResponse) throws {
        let server = try ScriptedServer { connection in
            readRequest(connection)
            sendAll(response.bytes, to: connection)
        }
        let client = try HTTPClientTests.client(of: server)
        #expect(outcome(client.fetch(request(response))) == response.outcome)
    }

    @Test("content has a limit, before and after decoding", arguments: ScriptedResponse.coded)
    func limit(_ response: ScriptedResponse) throws {
        let server = try ScriptedServer { connection in
            readRequest(connection)
            sendAll(response.bytes, to: connection)
        }
        var client = try HTTPClientTests.client(of: server)
        client.limits.contentBytesMax = 10
        #expect(outcome(client.fetch(request(response))) == response.outcome)
    }

    /// Over TLS the parts are records, which no network joins.
    @Test("a response is the same wherever it is divided", arguments: ScriptedResponse.framed)
    func divided(_ response: ScriptedResponse) throws {
        let tls = try TLSScript(host: "a.example")
        let bytes = response.bytes
        let position = Counter()
        let server = try ScriptedServer { connection in
            let count = position.next()
            tls.serve(connection) { session in
                for part in [bytes[..<count], bytes[count...]] where !part.isEmpty {
                    _ = SSL_write(session, Array(part), CInt(part.count))
                }
                SSL_shutdown(session)
            }
        }
        let client = try HTTPClientTests.client(of: server, trusting: tls.authority)
        let request = request(response, isSecure: true)
        let address = server.address
        for count in 0...bytes.count {
            #expect(outcome(client.fetch(request, at: address)) == response.outcome, "\(count)")
        }
    }

    @Test(
        "content that is handed over comes whole, and only once", arguments: ScriptedResponse.whole)
    func handedOver(_ response: ScriptedResponse) throws {
        let server = try ScriptedServer { connection in
            readRequest(connection)
            for byte in response.bytes { sendAll([byte], to: connection) }
        }
        var content = [UInt8]()
        let exchange = try HTTPClientTests.client(of: server).transfer(request(response)) {
            content += $1
            return $0.status == 200
        }
        let status = try #require(exchange.response?.status)
        #expect(.response(status, .whole(content)) == response.outcome)
    }

    @Test func `content that is handed over has no limit but the caller's`() throws {
        let server = try ScriptedServer { connection in
            readRequest(connection)
            sendAll(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), to: connection)
            sendForever([UInt8](repeating: 0x61, count: 1 << 16), to: connection)
        }
        var client = try HTTPClientTests.client(of: server)
        (client.limits.contentBytesMax, client.limits.overheadBytesMax) = (1, 1 << 17)
        var count = 0
        let exchange = client.transfer(request(ScriptedResponse.whole[0])) { _, piece in
            count += piece.count
            return count < 1 << 24
        }
        #expect(exchange.response?.status == 200 && count >= 1 << 24)
    }

    @Test func `bytes that no connection has carried are read the same`() {
        for response in ScriptedResponse.whole where response.method == "GET" {
            let read = FetchResponse(response.bytes)
            #expect(.response(read.status, read.content) == response.outcome)
        }
        #expect(FetchResponse([]).status == 0)
        let fields = FetchResponse(
            Array("HTTP/1.1 200 OK\r\nVary: a\r\nA: b\r\nvary: c\r\n\r\n".utf8)
        ).head.combinedFields
        #expect(fields.map(\.name) == ["Vary", "A"] && fields.map(\.value) == ["a, c", "b"])
    }
}
