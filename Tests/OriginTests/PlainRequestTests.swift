import TestSupport
import ClientAddress
import Glibc
import Origin
import SiteConfiguration
import Testing

@Suite("Plain HTTP where TLS should begin")
struct PlainRequestTests {
    static let request = "GET /page.html HTTP/1.1\r\nHost: localhost\r\n\r\n"
    static let body =
        "400 Bad Request\nThis port speaks HTTPS: the URL must begin with https://\n"
    private static let failures = "waymark_tls_handshake_errors_total"

    /// Whether the bytes are the answer, whole, and nothing else.
    private func isAnswer(_ text: String?, isHead: Bool = false) -> Bool {
        guard let text, let answer = TestResponse(Array(text.utf8), isHead: isHead) else {
            return false
        }
        return answer.status == 400 && answer.fields["connection"] == "close"
            && answer.fields["content-length"] == "\(Self.body.utf8.count)"
            && answer.fields["content-type"] == "text/plain; charset=utf-8"
            && answer.fields["strict-transport-security"] == nil
            && answer.body == (isHead ? "" : Self.body) && answer.length == text.utf8.count
    }

    @Test func `it is told so, wherever it stops behind its method, and closed`() throws {
        let origin = try TestOrigin { $0.transportSecurity = .init(maxAgeSeconds: 60) }
        let bytes = Array(Self.request.utf8)
        for end in 4...bytes.count {
            let client = try TestClient(port: origin.httpsPort)
            client.send(Array(bytes[..<end]))
            #expect(isAnswer(client.readAll()), "\(end)")
        }
        let secure = shell("curl -sk -D - https://localhost:\(origin.httpsPort)/page.html")
        #expect(secure.output.contains("Strict-Transport-Security: max-age=60\r\n"))
    }

    @Test func `it may come octet by octet, or in two pieces`() throws {
        let origin = try TestOrigin()
        let bytes = Array("OPTIONS * HTTP/1.1\r\n".utf8)
        for cut in 0..<bytes.count {
            let client = try TestClient(port: origin.httpsPort)
            if cut == 0 {
                for byte in bytes { client.send([byte]) }
            } else {
                client.send(Array(bytes[..<cut]))
                client.send(Array(bytes[cut...]))
            }
            #expect(isAnswer(client.readAll()), "\(cut)")
        }
    }

    @Test("a method counts that the origin knows", arguments: RequestMethods.names)
    func methods(_ name: String) throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpsPort)
        client.send("\(name) ")
        #expect(isAnswer(client.readAll(), isHead: name == "HEAD"))
    }

    @Test(
        "anything else is closed without a word",
        arguments: [
            "HELO friend\r\n", "SSH-2.0-OpenSSH_9.2 Debian\r\n", "get / HTTP/1.1\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\n\r\n", " GET / HTTP/1.1\r\n", "GETX / HTTP/1.1\r\n",
            "GET\t/ HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PROXY UNKNOWN\r\nGET / ",
        ])
    func others(_ text: String) throws {
        let origin = try TestOrigin()
        let bytes = Array(text.utf8)
        for cut in [0, 2] {
            let client = try TestClient(port: origin.httpsPort)
            if cut > 0 { client.send(Array(bytes[..<cut])) }
            client.send(Array(bytes[cut...]))
            #expect(client.isClosed(), "\(cut)")
        }
        let samples = try Samples(origin) { $0.sum(of: Self.failures) == 2 }
        #expect(samples["\(Self.failures){reason=\"not_tls\"}"] == "2")
    }

    @Test func `half a method is closed when the client ends, or its time is over`() throws {
        let origin = try TestOrigin { $0.limits[.handshakeSeconds] = 1 }
        for isEnded in [true, false] {
            let client = try TestClient(port: origin.httpsPort)
            client.send("GET")
            if isEnded { client.finishSending() }
            #expect(client.isClosed())
        }
        let samples = try Samples(origin) { $0.sum(of: Self.failures) == 2 }
        #expect(samples["\(Self.failures){reason=\"closed\"}"] == "1")
        #expect(samples["\(Self.failures){reason=\"timeout\"}"] == "1")
        #expect(samples["waymark_connection_timeouts_total{state=\"opening\"}"] == "1")
    }

    @Test func `a handshake that has begun is no position for it`() throws {
        let origin = try TestOrigin()
        for beginning: [UInt8] in [[0x16], [0x16, 3, 1], [0x16, 3, 1, 0, 5, 1]] {
            let client = try TestClient(port: origin.httpsPort)
            client.send(beginning)
            usleep(50_000)
            client.send(Self.request)
            client.finishSending()
            #expect(client.readAll()?.contains("HTTP") == false)
        }
    }

    @Test func `it is a line of the log, an answer, and a handshake that was none`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        let client = try TestClient(port: origin.httpsPort)
        client.send(Self.request)
        _ = client.readAll()
        // It lingers; its handshake is counted all the same.
        let samples = try Samples(origin)
        #expect(samples["\(Self.failures){reason=\"not_tls\"}"] == "1")
        #expect(samples.sum(of: Self.failures) == 1)
        let answers = "waymark_http_requests_total{route=\"none\",method=\"_OTHER\",code=\"400\"}"
        #expect(samples[answers] == "1")
        try log.finish(origin)
        let line = try #require(try log.objects(origin).first)
        #expect(line["fault"] as? String == "not_tls" && line["outcome"] as? String == "refused")
        #expect(line["status"] as? Int == 400 && line["bytes"] as? Int == Self.body.utf8.count)
        #expect(line["tls"] == nil && line["path"] == nil && line["client_ip"] != nil)
    }

    @Test func `behind a header of the PROXY protocol it is the same, and names who asks`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(
            {
                $0.proxies.trusted = AddressBlock.privateBlocks
                $0.proxies.expectsProxyHeader = true
            }, log: log)
        let header = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n"
        for pieces in [[header + Self.request], [header, Self.request], ["\(header)GE", "T "]] {
            let client = try TestClient(port: origin.httpsPort)
            for piece in pieces {
                client.send(piece)
                usleep(20_000)
            }
            #expect(isAnswer(client.readAll()))
        }
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["client_ip"] as? String } == Array(repeating: "192.0.2.1", count: 3))
    }
}

private enum RequestMethods {
    static let names = [
        "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT",
    ]
}
