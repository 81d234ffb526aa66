import Answering
import ClientAddress
import Foundation
import Glibc
import HTTPMessages
import Origin
import SiteConfiguration
import Snapshots
import Synchronization
import TestSupport
import Testing

@Suite("Requests that a handler answers on another thread")
struct HandledRequestTests {
    private static let association =
        "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"

    /// A head for a path of the handler.
    private static func head(
        _ method: String, _ fields: String = "", host: String = "localhost"
    ) -> String {
        "\(method) /_/links?a=1 HTTP/1.1\r\nHost: \(host)\r\n"
            + "X-Forwarded-Proto: https\r\n\(fields)\r\n"
    }

    @Test(
        "get the head and the content, wherever they come",
        arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"])
    func scopes(_ method: String) throws {
        let origin = try TestOrigin(handler: TestHandler())
        for (port, host, scope) in [
            (origin.httpPort, "api.example.com", "otherHost"),
            (origin.adminPort, "localhost", "admin"),
        ] {
            let client = try TestClient(port: port)
            client.send(Self.head(method, "Content-Length: 4\r\n", host: host) + "{\"\"}")
            let answer = try client.readResponse()
            #expect(answer.status == 201)
            #expect(
                answer.body
                    == "\(scope) \(method.lowercased()) \(host) /_/links a=1 127.0.0.1 {\"\"}")
            client.send(Self.head(method, host: host))
            #expect(try client.readResponse().status == 200)
        }
        let client = try TestClient(port: origin.httpPort)
        client.send(Self.head(method, "Content-Length: 4\r\n") + "{\"\"}")
        // Of a site's paths GET over plain HTTP leads to https.
        #expect(try client.readResponse().status == (method == "GET" ? 308 : 201))
    }

    @Test(
        "leave what is no handler's as it is, byte for byte",
        arguments: [
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
            "DELETE /x HTTP/1.1\r\nHost: nobody.example\r\n\r\n",
            "PUT /_x HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "BREW /_/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /_/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: nobody.example\r\n\r\n",
        ])
    func others(_ request: String) throws {
        func answer(_ handler: TestHandler?, isAdmin: Bool) throws -> String? {
            let origin = try TestOrigin(handler: handler)
            let client = try TestClient(port: isAdmin ? origin.adminPort : origin.httpPort)
            client.send(request)
            client.finishSending()
            return client.readAll()?.split(separator: "\r\n").filter { !$0.hasPrefix("Date:") }
                .joined(separator: "\r\n")
        }
        let isHandlers = request.contains("/_/")
        for isAdmin in [false, true] where !(isAdmin && isHandlers) {
            let usual = try answer(nil, isAdmin: isAdmin)
            #expect(usual?.isEmpty == false)
            #expect(try answer(TestHandler(), isAdmin: isAdmin) == usual)
        }
    }

    @Test(
        "have the same content however it is framed and split",
        arguments: [
            "Content-Length: 11\r\n\r\nhello world",
            "Transfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5;a=b\r\nworld\r\n0\r\nT: x\r\n\r\n",
        ], [false, true])
    func splits(_ rest: String, isStreamed: Bool) throws {
        let handler =
            isStreamed
            ? TestHandler(.streamed(bytesMax: nil), Collecting().act) : TestHandler()
        let origin = try TestOrigin(handler: handler)
        let request = Array(
            ("POST /_/ HTTP/1.1\r\nHost: localhost\r\n" + rest
                + "\(Self.association)\r\n").utf8)
        let client = try TestClient(port: origin.httpPort)
        for split in 1..<request.count {
            client.send(Array(request[..<split]))
            // Another connection's turn lets the loop see the first part by itself.
            let other = try TestClient(port: origin.httpPort)
            #expect(try other.get("/apple-app-site-association").status == 200)
            client.send(Array(request[split...]))
            let answer = try client.readResponse()
            #expect(answer.status == 201 && answer.body.hasSuffix("hello world"))
            #expect(try client.readResponse().body.contains("applinks"))
        }
    }

    @Test func `keep their order when they are pipelined`() throws {
        let release = Milestone()
        let origin = try TestOrigin(
            handler: TestHandler { request in
                if request.head.query == "slow" { _ = release.wait() }
                TestHandler.echo(request)
            })
        let client = try TestClient(port: origin.httpPort)
        let post = { (query: String) in
            "POST /_/?\(query) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1"
        }
        client.send(
            "\(Self.association)\r\n" + post("slow") + post("fast") + "\(Self.association)\r\n")
        #expect(try client.readResponse().body.contains("applinks"))
        // The loop answers others meanwhile.
        let other = try TestClient(port: origin.httpPort)
        #expect(try other.get("/apple-app-site-association").status == 200)
        release.reach()
        #expect(try client.readResponse().body.contains("slow"))
        #expect(try client.readResponse().body.contains("fast"))
        #expect(try client.readResponse().body.contains("applinks"))
    }

    @Test func `a client that has sent everything and says so gets its answer`() throws {
        let release = Milestone()
        let origin = try TestOrigin(
            handler: TestHandler { request in
                _ = release.wait()
                TestHandler.echo(request)
            })
        let client = try TestClient(port: origin.httpPort)
        client.send(Self.head("POST", "Content-Length: 2\r\n") + "ab")
        client.finishSending()
        let other = try TestClient(port: origin.httpPort)
        #expect(try other.get("/apple-app-site-association").status == 200)
        release.reach()
        #expect(try client.readResponse().status == 201)
        #expect(client.isClosed())
    }

    @Test(
        "get 413 with the limit beyond it, and no 100 where no content is taken",
        arguments: [
            ("Content-Length: 11\r\n\r\n", 10),
            ("Transfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n5\r\n", 10),
            ("Content-Length: 1\r\nExpect: 100-continue\r\n\r\n", 0),
            ("Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n", 0),
        ], [false, true])
    func limits(_ request: (rest: String, bytes: Int), isStreamed: Bool) throws {
        let origin = try TestOrigin(
            handler: TestHandler(
                isStreamed
                    ? .streamed(bytesMax: request.bytes) : .whole(bytesMax: request.bytes)
            ) { if $0.isCancelled { TestHandler.echo($0) } })
        let client = try TestClient(port: origin.httpPort)
        client.send("POST /_/ HTTP/1.1\r\nHost: localhost\r\n" + request.rest)
        let answer = try client.readResponse()
        #expect(answer.status == 413 && answer.fields["connection"] == "close")
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(answer.body.contains("at most \(request.bytes) bytes"))
    }

    @Test func `get 100 where their content is taken`() throws {
        let origin = try TestOrigin(handler: TestHandler())
        let client = try TestClient(port: origin.httpPort)
        client.send(Self.head("POST", "Content-Length: 2\r\nExpect: 100-continue\r\n"))
        #expect(try client.readResponse().status == 100)
        client.send("ab")
        #expect(try client.readResponse().status == 201)
    }

    @Test(
        "are cancelled once when the client goes",
        arguments: ["content", "answer", "streaming"])
    func cancel(_ phase: String) throws {
        let (begun, told) = (Milestone(), Milestone())
        let handler = TestHandler(.streamed(bytesMax: nil)) { request in
            if request.isCancelled {
                #expect(request.takeContent() == .cancelled)
                request.answer(.ok)
                return told.reach()
            }
            while case .piece = request.takeContent() {}
            if phase == "streaming" {
                request.begin(.ok)
                while request.write([UInt8](repeating: 65, count: 10_000)) {}
            }
            begun.reach()
        }
        let origin = try TestOrigin(handler: handler)
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        let isWhole = phase != "content"
        client.send(Self.head("POST", "Content-Length: 3\r\n") + (isWhole ? "abc" : "ab"))
        #expect(begun.wait())
        if phase == "content" { client.finishSending() } else { client.reset() }
        #expect(told.wait())
        // The origin goes on, and nothing of it reaches anybody else.
        let other = try TestClient(port: origin.httpPort)
        #expect(try other.get("/apple-app-site-association").status == 200)
        other.finishSending()
        origin.server.stop()
        #expect(handler.cancellations == 1)
    }

    @Test(
        "end when time is over: 503 for the handler's, 408 for the client's",
        arguments: [
            ("Content-Length: 1\r\n\r\na", 503, true), ("Content-Length: 2\r\n\r\na", 408, false),
        ])
    func times(_ rest: String, status: Int, stays: Bool) throws {
        var limits = OriginLimits.patient
        (limits.handlerSeconds, limits.contentSeconds) = (1, 1)
        let handler = TestHandler(.streamed(bytesMax: nil)) { request in
            while case .piece = request.takeContent() {}
        }
        limits.contentRateSeconds = 1
        let origin = try TestOrigin(limits: limits, handler: handler)
        let client = try TestClient(port: origin.httpPort)
        client.send("POST /_/ HTTP/1.1\r\nHost: localhost\r\n" + rest)
        let answer = try client.readResponse()
        #expect(answer.status == status && answer.body.contains("\"status\": \(status)"))
        #expect(answer.fields["connection"] == (stays ? nil : "close"))
        if stays { #expect(try client.get("/apple-app-site-association").status == 200) }
        client.finishSending()
        origin.server.stop()
        #expect(handler.cancellations == 1)
    }

    @Test("a handler that says that it goes on has more time", arguments: [true, false])
    func goesOn(isSaid: Bool) throws {
        var limits = OriginLimits.patient
        limits.handlerSeconds = 10
        let (clock, kept) = (LoopClock.stopped(), Kept())
        let origin = try TestOrigin(
            limits: limits, loops: 1, handler: TestHandler { kept.request = $0 }, clock: clock)
        let (client, other) = try (
            TestClient(port: origin.httpPort), TestClient(port: origin.httpPort)
        )
        client.send("POST /_/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try #require(waits { kept.request != nil })
        let request = try #require(kept.request)
        for _ in 0..<3 {
            clock.advance(milliseconds: 9_000)
            if isSaid { request.goOn() }
            // The loop has seen it when it has answered what was asked later.
            for _ in 0..<2 {
                #expect(try other.get("/apple-app-site-association").status == 200)
            }
        }
        request.answer(.ok)
        #expect(try client.readResponse().status == (isSaid ? 200 : 503))
    }

    @Test func `a handler that gives up leads to 500, or to a reset in the middle`() throws {
        let release = Milestone()
        let origin = try TestOrigin(
            handler: TestHandler { request in
                if request.head.query == "late" {
                    request.begin(.ok)
                    _ = request.write([65])
                    _ = release.wait()
                }
                if request.head.query == "field" {
                    return request.answer(.ok, ["A: b\r\nSet-Cookie: c"])
                }
                request.abort()
            })
        for query in ["early", "field"] {
            let client = try TestClient(port: origin.httpPort)
            client.send("POST /_/?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status == 500)
            #expect(try client.get("/apple-app-site-association").status == 200)
        }
        let late = try TestClient(port: origin.httpPort)
        late.send("POST /_/?late HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try late.readResponse().fields["transfer-encoding"] == "chunked")
        release.reach()
        #expect(late.readAll()?.hasSuffix("0\r\n\r\n") == false)
    }

    @Test("are waited for while the origin stops", arguments: [false, true])
    func drain(isAdmin: Bool) throws {
        let (begun, release) = (Milestone(), Milestone())
        let origin = try TestOrigin(
            handler: TestHandler { request in
                begun.reach()
                _ = release.wait()
                TestHandler.echo(request)
            })
        let client = try TestClient(port: isAdmin ? origin.adminPort : origin.httpPort)
        client.send(Self.head("POST", "Content-Length: 2\r\n") + "ab")
        #expect(begun.wait())
        origin.server.beginStop()
        #expect(waits { TestClient.isRefused(port: origin.httpPort) })
        release.reach()
        let answer = try client.readResponse()
        #expect(answer.status == 201 && answer.fields["connection"] == "close")
        origin.server.stop()
        #expect(origin.server.requestsCutOff == 0)
    }

    @Test func `a long import makes the client wait while the handler takes nothing`() throws {
        let release = Milestone()
        let collecting = Collecting { _ = release.wait() }
        let origin = try TestOrigin(handler: TestHandler(.streamed(bytesMax: nil), collecting.act))
        let client = try TestClient(port: origin.httpPort)
        let content = [UInt8](repeating: 66, count: 32 << 20)
        client.send(
            "POST /_/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(content.count)\r\n\r\n")
        var sent = client.send(content, from: 0, waits: false)
        // What the kernel holds, and two windows.
        #expect(sent < content.count)
        let other = try TestClient(port: origin.httpPort)
        #expect(try other.get("/apple-app-site-association").status == 200)
        release.reach()
        sent = client.send(content, from: sent, waits: true)
        #expect(sent == content.count)
        #expect(try client.readResponse().status == 201)
        #expect(collecting.total == content.count)
        // One window, and what a turn reads on top of it.
        #expect(collecting.longest <= 65_536 + 4 * 65_536 + 65_536)
    }

    @Test("a long export waits for its client", arguments: ["1.1", "1.0"])
    func export(_ version: String) throws {
        let lines = 200_000
        let exporting = Exporting(lines: lines)
        let origin = try TestOrigin(handler: TestHandler(.none, exporting.act))
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        client.send(
            "POST /_/ HTTP/\(version)\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        // It reads when the handler has had to wait.
        #expect(waits { exporting.pauses > 0 })
        let text = try #require(client.readAll())
        let all = Array(text.utf8)
        let start = try #require(text.range(of: "\r\n\r\n")?.upperBound)
        var content = [UInt8]()
        let offset = text.utf8.distance(from: text.startIndex, to: start)
        if version == "1.1" {
            #expect(text.contains("Transfer-Encoding: chunked\r\n"))
            var limits = RequestLimits()
            limits.contentBytesMax = .max >> 8
            var reader = try ContentReader(.chunked, limits: limits)
            let taken = try reader.take(all, offset..<all.count) { content += all[$0] }
            #expect(reader.isFinished && offset + taken == all.count)
        } else {
            #expect(!text.contains("Transfer-Encoding"))
            content = Array(all[offset...])
        }
        // Not compared in `#expect`, which would search for the differences for hours.
        let isWhole = content == Array((0..<lines).map { "line \($0)\n" }.joined().utf8)
        #expect(isWhole)
        #expect(exporting.pauses > 0)
    }

    @Test func `an answer without content is followed by the next`() throws {
        let origin = try TestOrigin(handler: TestHandler { $0.answer(.noContent, [], [65]) })
        let client = try TestClient(port: origin.httpPort)
        for _ in 1...2 {
            client.send("DELETE /_/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try client.readResponse()
            #expect(answer.status == 204 && answer.fields["content-length"] == nil)
        }
    }

    @Test func `are in the access log, with the client that a proxy names`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(
            { site, _ in
                site.proxies.trusted = AddressBlock.privateBlocks
                site.proxies.header = .forwardedFor
            }, log: log, hasAdmin: false, handler: TestHandler(.whole(bytesMax: 2)))
        let client = try TestClient(port: origin.httpPort)
        for (content, status) in [("ab", 201), ("abc", 413)] {
            client.send(
                "POST /_/x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\n"
                    + "Content-Length: \(content.count)\r\n\r\n\(content)")
            let answer = try client.readResponse()
            #expect(answer.status == status)
            #expect(answer.body.contains("192.0.2.7 ab") == (status == 201))
        }
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["status"] as? Int } == [201, 413])
        #expect(lines.map { $0["route"] as? String } == ["handler", "handler"])
        #expect(lines.map { $0["outcome"] as? String } == ["handled", "too_large"])
        #expect(lines.map { $0["method"] as? String } == ["POST", "POST"])
    }

    @Test func `HEAD has the fields of an answer and no content`() throws {
        let origin = try TestOrigin(handler: TestHandler())
        let client = try TestClient(port: origin.adminPort)
        client.send(Self.head("HEAD"))
        #expect(try client.readResponse(isHead: true).fields["content-length"] != "0")
        client.send(Self.head("GET"))
        #expect(try client.readResponse().status == 200)
    }

    @Test func `a thousand wait at once, and each is answered`() throws {
        let waiting = Mutex([HandledRequest]())
        let all = Milestone()
        let origin = try TestOrigin(
            handler: TestHandler { request in
                let count = waiting.withLock { requests in
                    requests.append(request)
                    return requests.count
                }
                if count == 1000 { all.reach() }
            })
        let clients = try (0..<1000).map { number in
            let client = try TestClient(port: origin.httpPort)
            client.send(
                "POST /_/?\(number) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1")
            return client
        }
        #expect(all.wait())
        for request in waiting.withLock({ $0 }).reversed() { TestHandler.echo(request) }
        for (number, client) in clients.enumerated() {
            #expect(try client.readResponse().body.contains(" \(number) "))
        }
    }

    @Test("work over TLS, with curl", arguments: ["", "-H 'Transfer-Encoding: chunked'"])
    func overTLS(_ option: String) throws {
        let collecting = Collecting()
        let origin = try TestOrigin(handler: TestHandler(.streamed(bytesMax: nil), collecting.act))
        try origin.directory.write("content", [UInt8](repeating: 67, count: 3_000_001))
        let url = "https://localhost:\(origin.httpsPort)/_/import"
        let answer = shell(
            "curl -sS --max-time \(safetyNetSeconds) --cacert \(origin.directory.path)/ca.pem \(option) "
                + "-w ' %{http_code}' --data-binary @\(origin.directory.path)/content \(url)")
        #expect(answer.output == "3000001 201")
        #expect(collecting.total == 3_000_001)
    }
}

/// Takes streamed content, and answers with it when it has ended, or with its length if it is long.
private final class Collecting: Sendable {
    private let state = Mutex((bytes: [UInt8](), total: 0, longest: 0))
    private let before: @Sendable () -> Void

    init(_ before: @escaping @Sendable () -> Void = {}) { self.before = before }

    /// Bytes of the last content, and of its longest piece.
    var total: Int { state.withLock { $0.total } }
    var longest: Int { state.withLock { $0.longest } }

    @Sendable func act(_ request: HandledRequest) {
        if total == 0 { before() }
        while true {
            switch request.takeContent() {
            case .piece(let bytes):
                state.withLock { state in
                    state.bytes += bytes
                    state.total = state.bytes.count
                    state.longest = max(state.longest, bytes.count)
                }
            case .later, .stalled, .cancelled: return
            case .end:
                let all = state.withLock { state in
                    defer { state.bytes = [] }
                    return state.bytes
                }
                return request.answer(
                    .created, [], all.count < 100 ? all : Array("\(all.count)".utf8))
            }
        }
    }
}

/// Gives lines as fast as they are taken.
private final class Exporting: Sendable {
    private let state = Mutex((next: 0, pauses: 0))
    private let lines: Int

    init(lines: Int) { self.lines = lines }

    var pauses: Int { state.withLock { $0.pauses } }

    @Sendable func act(_ request: HandledRequest) {
        state.withLock { state in
            if state.next == 0 { request.begin(.ok, ["Content-Type: text/plain"]) }
            while state.next < lines {
                let text = (state.next..<min(lines, state.next + 100))
                    .map { "line \($0)\n" }.joined()
                state.next += 100
                guard request.write(Array(text.utf8)) else {
                    state.pauses += 1
                    return
                }
            }
            request.finish()
        }
    }
}

/// The request that a handler was given last.
private final class Kept: Sendable {
    private let held = Mutex<HandledRequest?>(nil)

    var request: HandledRequest? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
