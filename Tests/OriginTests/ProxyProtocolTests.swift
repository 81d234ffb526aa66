import Snapshots
import TestSupport
import Origin
import SiteConfiguration
import Testing

@Suite("Behind a proxy that speaks the PROXY protocol")
struct ProxyProtocolTests {
    static let header = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n"
    static let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func makeOrigin(_ trusted: String = "private", _ log: TestLog? = nil) throws
        -> TestOrigin
    {
        try TestOrigin(
            {
                $0.proxies = proxies(trusted, nil)
                $0.proxies.expectsProxyHeader = true
            }, log: log)
    }

    @Test func `a header and a request, cut at every byte, get one answer`() throws {
        let log = TestLog(.combined)
        let origin = try makeOrigin("private", log)
        let bytes = Array((Self.header + Self.request).utf8)
        for cut in 0..<bytes.count {
            let client = try TestClient(port: origin.httpPort)
            if cut > 0 { client.send(Array(bytes[..<cut])) }
            client.send(Array(bytes[cut...]))
            #expect(try client.readResponse().status == 200)
            client.send(Self.request)
            #expect(try client.readResponse().status == 200)
        }
        try log.finish(origin)
        let lines = try log.lines(origin)
        #expect(lines.count == 2 * bytes.count)
        #expect(lines.allSatisfy { $0.hasPrefix("192.0.2.1 - - [") })
    }

    @Test func `the header stands before the handshake`() throws {
        let log = TestLog(.json)
        let origin = try makeOrigin("private", log)
        let answer = shell(
            "curl -sk --haproxy-protocol https://localhost:\(origin.httpsPort)/page.html "
                + "-o /dev/null -w '%{http_code}'")
        #expect(answer.output.hasSuffix("200"))
        let without = shell("curl -sk https://localhost:\(origin.httpsPort)/page.html")
        #expect(without.status != 0)
        try log.finish(origin)
        #expect(try log.objects(origin).map { $0["client_ip"] as? String } == ["127.0.0.1"])
    }

    @Test(
        "what begins otherwise is closed without a word",
        arguments: [
            request, "PROXY TCP4 1.2.3.4\r\n\(request)", "PROXY UNKNOWN\n\(request)",
            "\r\n\r\n\0\r\nQUIT\n1", String(repeating: "x", count: 50),
        ])
    func closes(_ bytes: String) throws {
        let origin = try makeOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send(bytes)
        #expect(withExtendedLifetime(origin) { client.isClosed() })
    }

    @Test func `a peer that is not trusted is closed, whatever it says`() throws {
        let origin = try makeOrigin("10.0.0.0/8")
        let client = try TestClient(port: origin.httpPort)
        client.send(Self.header + Self.request)
        #expect(withExtendedLifetime(origin) { client.isClosed() })
    }

    @Test func `a header that does not come in time ends the connection`() throws {
        var limits = OriginLimits.patient
        limits.handshakeSeconds = 1
        let origin = try TestOrigin(
            {
                $0.proxies = proxies("private", nil)
                $0.proxies.expectsProxyHeader = true
            }, limits: limits)
        for port in [origin.httpPort, origin.httpsPort] {
            let client = try TestClient(port: port)
            client.send("PROXY TCP4 192.0.2.1")
            #expect(withExtendedLifetime(origin) { client.isClosed() })
        }
    }

    @Test func `where no header came, no handshake has failed; behind one it may`() throws {
        let origin = try makeOrigin("private", TestLog(.json))
        let failures = "waymark_tls_handshake_errors_total"
        for beginning in ["GET / HTTP/1.1\r\n\r\n", "PROXY TCP4 no\r\n", ""] {
            let client = try TestClient(port: origin.httpsPort)
            client.send(beginning)
            client.finishSending()
            _ = client.readAll()
        }
        let rejected = "waymark_connections_rejected_total{reason=\"proxy_header\"}"
        #expect(try Samples(origin) { $0[rejected] == "2" }.sum(of: failures) == 0)
        let client = try TestClient(port: origin.httpsPort)
        client.send("PROXY UNKNOWN\r\nGET / HTTP/1.1\r\n\r\n")
        #expect(try Samples(origin) { $0.sum(of: failures) == 1 }.sum(of: failures) == 1)
    }

    @Test func `a stranger's late answer says no name, whoever was answered meanwhile`() throws {
        let origin = try makeOrigin("private", TestLog(.json))
        let stranger = try TestClient(port: origin.httpPort)
        stranger.send(
            "\(Self.header)GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n")
        _ = try Samples(origin) { $0["waymark_connections{state=\"content\"}"] == "1" }
        let proxy = try TestClient(port: origin.httpPort)
        proxy.send(
            "PROXY UNKNOWN\r\nGET / HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: a\r\n\r\n")
        #expect(try proxy.readResponse().fields["x-request-id"] == "a")
        stranger.send("x")
        #expect(try stranger.readResponse().fields["x-request-id"] == nil)
    }

    @Test func `the admin listener expects none`() throws {
        let origin = try makeOrigin()
        let client = try TestClient(port: origin.adminPort)
        #expect(try client.get("/livez").status == 200)
    }

    @Test func `whom the header names may be a trusted proxy itself`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(
            {
                $0.proxies = proxies("private", .forwardedFor)
                $0.proxies.expectsProxyHeader = true
            }, log: log)
        for source in ["10.0.0.1", "203.0.113.9"] {
            let client = try TestClient(port: origin.httpPort)
            client.send(
                "PROXY TCP4 \(source) 198.51.100.1 1 2\r\nGET / HTTP/1.1\r\nHost: localhost\r\n"
                    + "X-Forwarded-For: 192.0.2.1\r\n\r\n")
            _ = try client.readResponse()
        }
        try log.finish(origin)
        #expect(
            try log.objects(origin).map { $0["client_ip"] as? String } == [
                "192.0.2.1", "203.0.113.9",
            ])
    }
}
