import ClientAddress
import Origin
import SiteConfiguration
import Testing

@Suite("Behind a proxy that names its clients in a field")
struct ForwardedFieldTests {
    static let rows:
        [(header: ProxySettings.Header?, trusted: String, fields: String, ip: String)] = [
            (.forwardedFor, "127.0.0.0/8", "X-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1"),
            (
                .forwardedFor, "private",
                "x-forwarded-for: 6.6.6.6, 192.0.2.1\r\nA: b\r\nX-Forwarded-For: 10.0.0.9\r\n",
                "192.0.2.1"
            ),
            (.forwardedFor, "10.0.0.0/8", "X-Forwarded-For: 192.0.2.1\r\n", "127.0.0.1"),
            (.forwardedFor, "private", "Forwarded: for=192.0.2.1\r\n", "127.0.0.1"),
            (.forwarded, "private", "Forwarded: for=\"[2001:db8::1]\"\r\n", "2001:db8::1"),
            (.forwarded, "private", "X-Forwarded-For: 192.0.2.1\r\n", "127.0.0.1"),
            (nil, "private", "X-Forwarded-For: 192.0.2.1\r\n", "127.0.0.1"),
            (.forwardedFor, "private", "X-Forwarded-For: nonsense\r\n", "127.0.0.1"),
        ]

    @Test(
        "the client is whom a trusted proxy names, in the one field that is believed",
        arguments: rows)
    func client(
        _ header: ProxySettings.Header?, _ trusted: String, _ fields: String, _ ip: String
    ) throws {
        let log = TestLog(.json)
        let origin = try TestOrigin({ $0.proxies = proxies(trusted, header) }, log: log)
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        _ = try client.readResponse()
        try log.finish(origin)
        let line = try #require(try log.objects(origin).first)
        #expect(line["client_ip"] as? String == ip)
        #expect(line["peer_ip"] as? String == "127.0.0.1")
    }

    @Test(
        "a request that came to a trusted proxy over https is not sent there",
        arguments: [
            (.forwardedFor, "private", "X-Forwarded-Proto: https\r\n", 200),
            (.forwardedFor, "private", "X-Forwarded-Proto: http\r\n", 308),
            (.forwardedFor, "10.0.0.0/8", "X-Forwarded-Proto: https\r\n", 308),
            (.forwarded, "private", "Forwarded: for=192.0.2.1;proto=https\r\n", 200),
            (.forwarded, "private", "X-Forwarded-Proto: https\r\n", 308),
            (nil, "private", "X-Forwarded-Proto: https\r\n", 308),
        ] as [(ProxySettings.Header?, String, String, Int)])
    func scheme(
        _ header: ProxySettings.Header?, _ trusted: String, _ fields: String, _ status: Int
    ) throws {
        let origin = try TestOrigin { $0.proxies = proxies(trusted, header) }
        let client = try TestClient(port: origin.httpPort)
        for _ in 0..<2 {
            client.send("GET /page.html HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
            #expect(try client.readResponse().status == status)
        }
        client.send("GET /page.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 308)
    }

    /// Without a log, metrics and proxies nobody asks who sends a request.
    @Test func `what a proxy said is forgotten when a reload trusts none`() throws {
        let origin = try TestOrigin(
            { site, _ in site.proxies = proxies("private", .forwardedFor) }, hasAdmin: false)
        let request =
            "GET /page.html HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n"
        let client = try TestClient(port: origin.httpPort)
        client.send(request)
        #expect(try client.readResponse().status == 200)
        origin.server.publish(try TestOrigin.snapshot(TestSite(), origin.directory))
        for _ in 1...2 {
            let other = try TestClient(port: origin.httpPort)
            other.send(request)
            _ = try other.readResponse()
        }
        client.send(request)
        #expect(try client.readResponse().status == 308)
    }
}

@Suite("What a request is called")
struct RequestNameTests {
    @Test func `the answer says what the log calls it; a trusted peer's name is kept`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin({ $0.proxies = proxies("private", nil) }, log: log)
        let client = try TestClient(port: origin.httpPort)
        let path = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var names = [String?]()
        for fields in [
            "", "X-Request-ID: a.B-1_\r\n", "X-Request-ID: a b\r\n",
            "X-Request-ID: a\r\nX-Request-ID: b\r\n", "traceparent: \(trace)\r\n",
            "X-Request-ID: later\r\nContent-Length: 1\r\n",
        ] {
            client.send("\(path)\(fields)\r\n")
            if fields.contains("Content-Length") { client.send("x") }
            names.append(try client.readResponse().fields["x-request-id"])
        }
        // What is no request has a name too.
        client.send("GET / HTTP/1.1\r\n\r\n")
        names.append(try client.readResponse().fields["x-request-id"])
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["request_id"] as? String } == names)
        #expect(names[1] == "a.B-1_" && names[5] == "later")
        for index in [0, 2, 3, 4, 6] { #expect(names[index]?.utf8.count == 32) }
        #expect(Set(names).count == 7)
        #expect(lines[4]["trace_id"] as? String == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(lines[4]["span_id"] as? String == "00f067aa0ba902b7")
        #expect(lines[0]["trace_id"] == nil)
    }

    @Test(
        "a traceparent that the standard does not allow is not logged",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-later", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-later", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-00", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-00", false),
        ])
    func traceParent(_ value: String, _ isLogged: Bool) throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        let client = try TestClient(port: origin.httpPort)
        let head = "GET / HTTP/1.1\r\nHost: localhost\r\n"
        client.send("\(head)traceparent: \(value)\r\n\r\n")
        _ = try client.readResponse()
        // Two of them are none.
        client.send("\(head)traceparent: \(value)\r\ntraceparent: \(value)\r\n\r\n")
        _ = try client.readResponse()
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["trace_id"] != nil } == [isLogged, false])
    }

    @Test func `a name that nobody could look up is not said, and a stranger's never`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: a\r\n\r\n")
        #expect(try client.readResponse().fields["x-request-id"] == nil)
    }
}

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
        var limits = OriginLimits()
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

private func proxies(_ trusted: String, _ header: ProxySettings.Header?) -> ProxySettings {
    var settings = ProxySettings()
    settings.trusted =
        trusted == "private"
        ? AddressBlock.privateBlocks : (try? AddressBlock(trusted)).map { [$0] } ?? []
    settings.header = header
    return settings
}
