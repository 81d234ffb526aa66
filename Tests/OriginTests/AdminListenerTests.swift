import Snapshots
import TestSupport
import Glibc
import SiteConfiguration
import Testing
import URISyntax

@testable import Origin

@Suite("Who the admin listener answers")
struct AdminListenerTests {
    static let hosts: [(host: String, isAnswered: Bool)] = [
        ("127.0.0.1", true), ("127.0.0.1:9090", true), ("127.8.9.10", true), ("10.1.2.3:80", true),
        ("[::1]", true), ("[::1]:9090", true), ("[2001:db8::7]", true), ("localhost", true),
        ("LOCALHOST:9090", true), ("localhost.", true), ("waymark", true), ("Waymark:9090", true),
        ("metrics.internal.example", true), ("metrics.internal.example.", true),
        ("evil.example", false), ("localhost.evil.example", false),
        ("127.0.0.1.evil.example", false),
        ("localhost..", false), ("sub.localhost", false), ("waymark.evil.example", false),
        ("other", false), ("127.1", false), ("2130706433", false), ("0x7f.0.0.1", false),
    ]

    @Test("names that are resolved somewhere are refused unless they are given", arguments: hosts)
    func host(_ host: String, _ isAnswered: Bool) throws {
        let names = try ["waymark", "metrics.internal.example"].map(HostName.init(_:))
        let origin = try TestOrigin(adminHosts: names)
        let client = try TestClient(port: origin.adminPort)
        for path in ["/livez", "/readyz", "/metrics", "/healthz?verbose"] {
            client.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try client.readResponse().status == (isAnswered ? 200 : 421))
        }
        for (method, status) in [("OPTIONS", 204), ("POST", 405)] {
            client.send("\(method) /metrics HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try client.readResponse().status == (isAnswered ? status : 421))
        }
        client.send("GET http://\(host)/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().status == (isAnswered ? 200 : 421))
    }

    @Test func `a request of HTTP/1.0 names no host, and no browser sends it`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.adminPort)
        client.send("GET /readyz HTTP/1.0\r\n\r\n")
        #expect(try client.readResponse().status == 200)
    }

    @Test func `a store that a reload has added says that it waits for the next start`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.adminPort)
        func answer(_ request: String) throws -> TestResponse {
            client.send("\(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            return try client.readResponse()
        }
        #expect(try answer("POST /v1/people").status == 405)
        #expect(try answer("GET /console/").status == 404)
        var site = TestSite()
        site.hasStore = true
        origin.server.publish(try TestOrigin.snapshot(site, origin.directory))
        for request in [
            "POST /v1/people", "GET /v1/links", "GET /console", "GET /console/",
            "POST /console/new",
        ] {
            let refused = try answer(request)
            #expect(refused.status == 503 && refused.body.contains("restart `waymark serve`"))
        }
        #expect(try answer("POST /metrics").status == 405)
        #expect(try answer("GET /v2/links").status == 404)
        #expect(try answer("GET /consoles").status == 404)
        #expect(try answer("POST /consoles").status == 405)
    }

    @Test func `what is refused says why`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.adminPort)
        client.send("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        let answer = try client.readResponse()
        #expect(answer.status == 421 && answer.body.contains("--admin-host"))
    }

    /// What a connection does that holds a place: nothing, half a request, or wait for its next.
    static let holders = [
        "", "GET /livez HTTP/1.1\r\nHo", "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]

    @Test("whoever holds every place makes room for the next", arguments: holders)
    func room(_ sent: String) throws {
        // No other limit ends them before, however slow the machine is.
        let origin = try TestOrigin({ site in
            for limit in [Limit.headerSeconds, .handshakeSeconds, .idleSeconds] {
                site.limits[limit] = 300
            }
        })
        let held = try (0..<origin.server.startLimits.adminConnectionsMax).map { _ in
            let client = try TestClient(port: origin.adminPort)
            client.send(sent)
            if sent.hasSuffix("\r\n\r\n") { _ = try client.readResponse() }
            return client
        }
        for _ in 0..<100 {
            let client = try TestClient(port: origin.adminPort)
            #expect(try client.get("/readyz").status == 200)
        }
        // Which of them it was depends on what of them had been read.
        #expect(held.count == 64)
        let samples = try Samples(origin)
        #expect(samples.sum(of: "waymark_admin_connections_closed_total") > 0)
        for reason in ["connections", "address"] {
            let rejected = "waymark_connections_rejected_total{reason=\"\(reason)\"}"
            #expect(samples[rejected] == "0")
        }
    }
}
