import Services
import TestSupport
import Metrics
import Origin
import Testing

@Suite("What the admin listener tells")
struct AdminTests {
    @Test func `health is told by the status, and by checks to whoever asks`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.adminPort)
        #expect(try client.get("/livez").body == "ok\n")
        let ready = try client.get("/readyz?verbose")
        #expect(ready.status == 200)
        #expect(ready.fields["cache-control"] == "no-store")
        #expect(
            ready.body == "[+]listening ok\n[+]configuration ok\n[+]certificates ok\n"
                + "[+]not-stopping ok\nreadyz check passed\n")
        let some = try client.get("/healthz?verbose&exclude=certificates&exclude=listening")
        #expect(some.body == "[+]configuration ok\n[+]not-stopping ok\nhealthz check passed\n")
        #expect(try client.get("/apple-app-site-association").status == 404)
    }

    @Test func `a reload that was refused is named, and the origin is ready`() throws {
        let origin = try TestOrigin()
        origin.server.reloads.fail()
        let client = try TestClient(port: origin.adminPort)
        #expect(try client.get("/readyz").body == "ok\n")
        let verbose = try client.get("/readyz?verbose")
        #expect(verbose.status == 200)
        #expect(
            verbose.body.contains(
                "[+]configuration ok\n    the last reload was refused, and the log says why; served "
                    + "since "), "\(verbose.body)")
        origin.server.reloads.succeed(hash: "", now: 0)
        #expect(try !client.get("/readyz?verbose").body.contains("refused"))
    }

    @Test func `events that find no room are lost, and counted`() throws {
        let origin = try TestOrigin()
        func lost() throws -> Int {
            let page = try TestClient(port: origin.adminPort).get("/metrics").body
            let sample = try #require(page.firstMatch(of: /\nwaymark_events_dropped_total (\d+)\n/))
            return try #require(Int(sample.output.1))
        }
        let (events, before) = (try LoopEvents(), try lost())
        for _ in 0..<256 { events.add(.ended(.connections, turnedAway: 1, nil)) }
        #expect(events.take().count == 256)
        for _ in 0..<258 { events.add(.ended(.connections, turnedAway: 1, nil)) }
        #expect(try lost() >= before + 2)
        #expect(events.take().count == 256)
    }

    @Test(
        "a check that is none cannot be left out",
        arguments: [
            ("/readyz?exclude=certificate", "readyz has no check \"certificate\" to exclude; "),
            ("/readyz?exclude=certificates&exclude=ping", "readyz has no check \"ping\""),
            ("/healthz?exclude=", "healthz has no check \"\" to exclude; its checks are listening"),
            ("/livez?exclude=listening", "to exclude; its checks are ping\n"),
            ("/readyz?exclude=%0A", "readyz has no check \"%0A\""),
        ])
    func excludesNothing(_ path: String, _ words: String) throws {
        let origin = try TestOrigin()
        let answer = try TestClient(port: origin.adminPort).get(path)
        #expect(answer.status == 400)
        #expect(answer.body.contains(words), "\(answer.body)")
        #expect(answer.body.utf8.count(where: { $0 < 0x20 }) == 1)
        for near in ["/readyz?exclude=certificates", "/livez?exclude=ping", "/readyz?other=1"] {
            #expect(try TestClient(port: origin.adminPort).get(near).status == 200)
        }
    }

    @Test func `an origin whose certificates have all ended is not ready, and lives`() throws {
        for (daysAgo, status) in [(0, 200), (800, 503)] {
            let origin = try TestOrigin { $0.daysAgo = daysAgo }
            let client = try TestClient(port: origin.adminPort)
            #expect(try client.get("/readyz").status == status)
            #expect(try client.get("/livez").status == 200)
            #expect(try Samples(origin)["waymark_ready"] == (status == 200 ? "1" : "0"))
        }
    }

    @Test func `an origin that leaves is not ready, and lives`() throws {
        let origin = try TestOrigin()
        origin.server.beginLeave()
        func get(_ path: String) throws -> TestResponse {
            try TestClient(port: origin.adminPort).get(path)
        }
        #expect(try Samples(origin)["waymark_ready"] == "0")
        let ready = try get("/readyz")
        #expect(ready.status == 503)
        #expect(ready.body.contains("[-]not-stopping failed\nreadyz check failed\n"))
        #expect(try get("/readyz?exclude=not-stopping").status == 200)
        #expect(try get("/livez").status == 200)
    }

    @Test func `metrics have the exact type that Prometheus asks for`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.adminPort)
        let plain = try client.get("/metrics")
        #expect(plain.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let open = try client.get("/metrics", "Accept: application/openmetrics-text\r\n")
        #expect(
            open.fields["content-type"]
                == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(open.body.hasSuffix("# EOF\n"))
        // No two families have one name, although counters lose their suffix there.
        let families = open.body.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .map { $0.split(separator: " ")[2] }
        #expect(families.count == Set(families).count)
        for family in MetricCatalogue.all {
            #expect(plain.body.contains("# TYPE \(family.name) \(family.kind.rawValue)\n"))
        }
    }
}

@Suite("What is counted")
struct CounterTests {
    @Test func `answers, by route, method and status`() throws {
        let origin = try TestOrigin(loops: 2)
        for _ in 0..<3 {
            let client = try TestClient(port: origin.httpPort)
            client.send(
                "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
                    + "User-Agent: AASA-Bot/1.0.0\r\n\r\n"
                    + "HEAD /.well-known/assetlinks.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    + "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\nno request\r\n\r\n")
            _ = client.readAll()
        }
        let samples = try Samples(origin)
        let requests = "waymark_http_requests_total"
        #expect(samples["\(requests){route=\"aasa\",method=\"GET\",code=\"200\"}"] == "3")
        #expect(samples["\(requests){route=\"assetlinks\",method=\"HEAD\",code=\"200\"}"] == "3")
        #expect(samples["\(requests){route=\"https\",method=\"GET\",code=\"308\"}"] == "3")
        #expect(samples["\(requests){route=\"none\",method=\"_OTHER\",code=\"501\"}"] == "3")
        #expect(samples["\(requests){route=\"none\",method=\"_OTHER\",code=\"400\"}"] == "3")
        #expect(samples.sum(of: requests) == 15)
        let association = "waymark_association_requests_total"
        #expect(
            samples["\(association){file=\"aasa\",fetcher=\"apple-cdn\",code=\"200\"}"] == "3")
        #expect(
            samples["\(association){file=\"assetlinks\",fetcher=\"program\",code=\"200\"}"] == "3")
        let seconds = "waymark_http_request_duration_seconds"
        #expect(samples["\(seconds)_count{route=\"aasa\"}"] == "3")
        #expect(samples["\(seconds)_bucket{route=\"aasa\",le=\"+Inf\"}"] == "3")
        let bytes = "waymark_http_response_size_bytes"
        #expect(samples["\(bytes)_sum{route=\"aasa\"}"] == "81")
        #expect(samples["\(bytes)_bucket{route=\"aasa\",le=\"256.0\"}"] == "3")
        #expect(samples["waymark_connections_total{listener=\"http\"}"] == "3")
        #expect(samples["waymark_connections_total{listener=\"admin\"}"] == "1")
        #expect(samples["waymark_log_dropped_total"] == "0")
    }

    /// Whoever reads them for devices must not fail unseen, also where there is none.
    @Test func `association files that are not here`() throws {
        let origin = try TestOrigin { $0.assetlinks = nil }
        let client = try TestClient(port: origin.httpPort)
        let asked = [
            ("/.well-known/apple-app-site-association", "localhost"),
            ("/.well-known/apple-app-site-association", "other.example"),
            ("/.well-known/assetlinks.json", "localhost"), ("/.well-known/other", "localhost"),
        ]
        for (path, host) in asked {
            client.send(
                "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: AASA-Bot/1.0.0\r\n\r\n")
            _ = try client.readResponse()
        }
        let samples = try Samples(origin)
        let failures = "waymark_association_failures_total"
        #expect(samples["\(failures){file=\"aasa\",fetcher=\"apple-cdn\"}"] == "1")
        #expect(samples["\(failures){file=\"assetlinks\",fetcher=\"apple-cdn\"}"] == "1")
        #expect(samples["\(failures){file=\"aasa\",fetcher=\"browser\"}"] == "0")
        let requests = "waymark_association_requests_total"
        for (file, code, count) in [
            ("aasa", "200", "1"), ("aasa", "404", "1"), ("assetlinks", "404", "1"),
        ] {
            let labels = "{file=\"\(file)\",fetcher=\"apple-cdn\",code=\"\(code)\"}"
            #expect(samples[requests + labels] == count)
        }
    }

    /// Nobody asks for them so, and whoever does gets nothing: that is told by file and status too.
    @Test("association files with a method that they do not have", arguments: ["POST", "BREW"])
    func associationMethods(_ method: String) throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        for path in ["/.well-known/assetlinks.json", "/other"] {
            client.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status >= 405)
        }
        let samples = try Samples(origin)
        #expect(samples.sum(of: "waymark_association_requests_total") == 1)
        #expect(samples.sum(of: "waymark_association_failures_total") == 1)
        #expect(samples.sum(of: "waymark_http_requests_total{route=\"assetlinks\"") == 1)
        #expect(samples.sum(of: "waymark_http_requests_total{route=\"none\"") == 1)
    }

    @Test func `connections, handshakes and what is under way`() throws {
        let origin = try TestOrigin()
        _ = shell(
            "curl -sk --tlsv1.2 --tls-max 1.2 https://localhost:\(origin.httpsPort)/page.html "
                + "-o /dev/null")
        _ = shell("curl -sk https://localhost:\(origin.httpsPort)/page.html -o /dev/null")
        do {
            // It goes: until then its connection would be waited for, and counted.
            let broken = try TestClient(port: origin.httpsPort)
            broken.send("GET / HTTP/1.1\r\n\r\n")
            _ = broken.readAll()
        }
        let slow = try TestClient(port: origin.httpPort)
        slow.send("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na")
        let half = try TestClient(port: origin.httpPort)
        half.send("GET / HT")
        // Whoever asks for these numbers is not among them.
        let samples = try Samples(origin) {
            $0["waymark_connections{state=\"head\"}"] == "1"
                && $0.sum(of: "waymark_connections{") == 2
        }
        #expect(samples.sum(of: "waymark_connections{") == 2)
        #expect(samples["waymark_connections{state=\"content\"}"] == "1")
        #expect(samples["waymark_http_requests_in_flight"] == "1")
        let handshakes = "waymark_tls_handshakes_total"
        #expect(samples["\(handshakes){version=\"TLSv1.2\",resumed=\"false\"}"] == "1")
        #expect(samples["\(handshakes){version=\"TLSv1.3\",resumed=\"false\"}"] == "1")
        #expect(samples["waymark_tls_handshake_errors_total{reason=\"not_tls\"}"] == "1")
        slow.send("bc")
        #expect(try slow.readResponse().status == 308)
        let after = try Samples(origin)
        #expect(after["waymark_http_requests_in_flight"] == "0")
        let expiry = "waymark_tls_certificate_not_after_timestamp_seconds{host=\"localhost\"}"
        #expect(Int(after[expiry] ?? "") ?? 0 > 1_795_000_000)
        #expect(Int(after["process_open_fds"] ?? "") ?? 0 > 5)
        #expect(Double(after["process_resident_memory_bytes"] ?? "") ?? 0 > 1_000_000)
    }
}

/// The metrics of an origin, taken apart.
struct Samples {
    private let values: [String: String]

    /// Asks again, for a while, until they are as they should be.
    init(_ origin: TestOrigin, until isGood: (Samples) -> Bool = { _ in true }) throws {
        var samples = try Samples(origin.metrics())
        _ = try waits {
            if isGood(samples) { return true }
            samples = try Samples(origin.metrics())
            return isGood(samples)
        }
        self = samples
    }

    private init(_ text: String) throws {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        values = try Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let space = try #require(line.lastIndex(of: " "))
                return (String(line[..<space]), String(line[line.index(after: space)...]))
            })
    }

    subscript(name: String) -> String? { values[name] }

    func sum(of name: String) -> Int {
        values.filter { $0.key.hasPrefix(name) }.values.reduce(0) { $0 + (Int($1) ?? 0) }
    }
}

extension TestOrigin {
    fileprivate func metrics() throws -> String {
        try TestClient(port: adminPort).get("/metrics").body
    }
}

extension TestClient {
    func get(_ path: String, _ fields: String = "") throws -> TestResponse {
        send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        return try readResponse()
    }
}
