import TestSupport
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
        client.finishSending()
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

    @Test(
        "a proxy that does not say how the client came, or is not believed, is reported and counted",
        arguments: [
            (
                .forwardedFor, "private", "X-Forwarded-For: 192.0.2.1\r\n",
                .noScheme("X-Forwarded-Proto")
            ),
            (.forwarded, "private", "Forwarded: for=192.0.2.1\r\n", .noScheme("Forwarded")),
            (.forwardedFor, "10.0.0.0/8", "X-Forwarded-Proto: https\r\n", .untrustedScheme),
            (nil, "private", "X-Forwarded-Proto: https\r\n", .untrustedScheme),
            (.forwardedFor, "private", "X-Forwarded-Proto: https\r\n", nil),
            (.forwardedFor, "private", "X-Forwarded-Proto: http\r\n", nil),
            (.forwardedFor, "10.0.0.0/8", "X-Forwarded-For: 192.0.2.1\r\n", nil),
            (nil, "10.0.0.0/8", "X-Forwarded-Proto: http\r\n", nil),
        ] as [(ProxySettings.Header?, String, String, PeerFault?)])
    func circle(
        _ header: ProxySettings.Header?, _ trusted: String, _ fields: String, _ fault: PeerFault?
    ) throws {
        let origin = try TestOrigin { $0.proxies = proxies(trusted, header) }
        let client = try TestClient(port: origin.httpPort)
        client.send("GET /page.html HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        #expect(
            try client.readResponse().status
                == (fields.contains("https") && fault == nil ? 200 : 308))
        let metrics = try TestClient(port: origin.adminPort).get("/metrics").body
        let count = fault == nil ? 0 : 1
        #expect(metrics.contains("\nwaymark_proxy_without_scheme_total \(count)\n"))
        client.finishSending()
        origin.server.stop()
        #expect(
            origin.reported.compactMap {
                if case .peers(let fault, _, _) = $0 { fault } else { nil }
            } == (fault.map { [$0] } ?? []))
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

/// Settings that trust a block, or all private ones, and believe a field.
func proxies(_ trusted: String, _ header: ProxySettings.Header?) -> ProxySettings {
    var settings = ProxySettings()
    settings.trusted =
        trusted == "private"
        ? AddressBlock.privateBlocks : (try? AddressBlock(trusted)).map { [$0] } ?? []
    settings.header = header
    return settings
}
