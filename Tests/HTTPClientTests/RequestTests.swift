import Glibc
import HTTPClient
import Sockets
import Synchronization
import TestSupport
import Testing

/// Counts up from 0, for scripts that run more than once.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

/// The texts that scripts have received.
final class Received: Sendable {
    private let texts = Mutex([String]())

    func note(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}

@Suite("Requests as they are sent")
struct RequestTests {
    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

    /// The text of one request that a server receives.
    private func sent(
        to end: String = "\r\n\r\n", _ ask: (HTTPClient, ScriptedServer) -> ClientExchange
    ) throws -> String {
        let received = Received()
        let server = try ScriptedServer { connection in
            received.note(readRequest(connection, to: end))
            sendAll(Self.answer, to: connection)
        }
        let exchange = ask(try HTTPClientTests.client(of: server), server)
        #expect(exchange.response?.bytes == Array("ok".utf8), "\(exchange.result)")
        return received.all.joined()
    }

    private func request(_ method: String = "GET", _ content: String = "") -> FetchRequest {
        var request = FetchRequest(
            isSecure: false, host: "a.example", target: "/p?q", fields: ["A: b"])
        (request.method, request.content) = (method, Array(content.utf8))
        return request
    }

    private static let lines = "/p?q HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nA: b\r\n"

    @Test(
        "a head has the fields of the request, and the size of the content",
        arguments: [
            ("GET", "", "GET \(lines)\r\n"),
            ("HEAD", "", "HEAD \(lines)\r\n"),
            ("POST", "", "POST \(lines)Content-Length: 0\r\n\r\n"),
            ("POST", "abc", "POST \(lines)Content-Length: 3\r\n\r\nabc"),
            ("DELETE", "", "DELETE \(lines)\r\n"),
            ("PATCH", "{}", "PATCH \(lines)Content-Length: 2\r\n\r\n{}"),
        ])
    func head(_ method: String, _ content: String, _ bytes: String) throws {
        let received = Received()
        let server = try ScriptedServer { connection in
            received.note(readRequest(connection, to: String(bytes.suffix(5))))
            sendAll(Self.answer, to: connection)
        }
        let exchange = try HTTPClientTests.client(of: server).fetch(request(method, content))
        #expect(exchange.response?.status == 200)
        #expect(received.all == [bytes])
    }

    @Test func `a port that is not the scheme's is named`() throws {
        let bytes = try sent { client, server in
            client.fetch(
                FetchRequest(isSecure: false, host: "a.example", port: 8_080, target: "/"),
                at: server.address)
        }
        #expect(bytes.hasPrefix("GET / HTTP/1.1\r\nHost: a.example:8080\r\n"))
    }

    @Test func `a head that is not the last does not ask for the end of the connection`() {
        let text = String(decoding: request().head(isLast: false), as: UTF8.self)
        #expect(text == "GET /p?q HTTP/1.1\r\nHost: a.example\r\nA: b\r\n\r\n")
    }

    @Test func `content in pieces is sent in chunks, and an empty piece is none`() throws {
        var pieces = ["abc", "", String(repeating: "x", count: 17)].map { Array($0.utf8) }[...]
        let bytes = try sent(to: "\r\n0\r\n\r\n") { client, _ in
            var content = [UInt8]()
            var exchange = client.transfer(request("POST")) { () throws(FetchFailure) in
                pieces.popFirst()
            } taking: {
                content += $1
                return true
            }
            exchange.result = exchange.result.map {
                FetchResponse(head: $0.head, received: content, bytesMax: 9)
            }
            return exchange
        }
        #expect(
            bytes == "POST \(Self.lines)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n11\r\n"
                + String(repeating: "x", count: 17) + "\r\n0\r\n\r\n")
    }

    @Test func `a server that refuses a request before its end is heard`() throws {
        let server = try ScriptedServer { connection in
            readRequest(connection, to: "\r\n")
            sendAll(
                Array("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n".utf8),
                to: connection)
            // It takes no more, and the client goes on until it has nothing to send.
            shutdown(connection, CInt(SHUT_WR))
            readRequest(connection, to: "never\n")
        }
        var count = 0
        let exchange = try HTTPClientTests.client(of: server).transfer(request("POST")) {
            () throws(FetchFailure) in
            count += 1
            return count < 64 ? [UInt8](repeating: 0x61, count: 1 << 16) : nil
        } taking: { _, _ in
            true
        }
        #expect(exchange.response?.status == 413, "\(exchange.result)")
    }

    @Test func `content that cannot be read ends the request`() throws {
        let server = try ScriptedServer { readRequest($0, to: "never\n") }
        let unreadable = FetchFailure(.send, .system, "the file cannot be read")
        let exchange = try HTTPClientTests.client(of: server).transfer(request("POST")) {
            () throws(FetchFailure) in
            throw unreadable
        } taking: { _, _ in
            true
        }
        #expect(exchange.failure == unreadable)
    }
}
