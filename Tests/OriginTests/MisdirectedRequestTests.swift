import TestSupport
import Glibc
import Origin
import Testing

/// A client that believes a host to be at this connection has seen no certificate that says so.
@Suite("A host that the connection's certificate is not for (RFC 9110 §7.4)")
struct MisdirectedRequestTests {
    /// Two hosts with a certificate each; the first is `localhost`'s.
    private static func twoCertificates() throws -> TestOrigin {
        try TestOrigin { site in
            site.certificateNames = ["localhost"]
            site.olderNames = ["www.example.com"]
        }
    }

    /// The status lines that the requests get, one after the other, over one connection.
    private func statuses(
        _ origin: TestOrigin, name: String?, _ requests: [String], _ options: String = ""
    ) -> [String] {
        let all = requests.joined()
        let server = name.map { "-servername \($0)" } ?? "-noservername"
        let answer = shell(
            "printf '\(all.replacing("\r\n", with: "\\r\\n"))' | openssl s_client -quiet "
                + "-connect 127.0.0.1:\(origin.httpsPort) \(server) \(options) 2>/dev/null"
        ).output
        return answer.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
            .map { String($0.dropFirst(9).prefix(3)) }
    }

    private static let aasa = "/.well-known/apple-app-site-association"

    private func get(_ host: String, _ path: String = aasa, method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    }

    /// The server name that a client asks TLS for, the host of its request, and the status.
    static let rows: [(String?, String, String)] = [
        ("localhost", "localhost", "200"), ("localhost", "LOCALHOST.:1234", "200"),
        ("localhost", "www.example.com", "421"), ("www.example.com", "www.example.com", "200"),
        ("www.example.com", "localhost", "421"), ("evil.example", "localhost", "200"),
        ("evil.example", "www.example.com", "421"), (nil, "localhost", "200"),
        (nil, "www.example.com", "421"), (nil, "evil.example", "404"),
        ("localhost", "evil.example", "421"),
    ]

    @Test("it is answered 421, and one that it is for as before", arguments: rows)
    func matrix(_ name: String?, _ host: String, _ status: String) throws {
        let origin = try Self.twoCertificates()
        for path in [Self.aasa, "/apple-app-site-association", "/page.html"] {
            #expect(statuses(origin, name: name, [get(host, path)]) == [status], "\(path)")
        }
        let other = status == "200" ? "405" : status
        #expect(statuses(origin, name: name, [get(host, method: "POST")]) == [other])
    }

    @Test("one certificate for all hosts answers each of them", arguments: ["localhost", nil])
    func oneCertificate(_ name: String?) throws {
        let origin = try TestOrigin()
        for host in ["localhost", "www.example.com"] {
            #expect(statuses(origin, name: name, [get(host)]) == ["200"])
        }
    }

    @Test func `each request of a connection is looked at, and each connection of a loop`() throws {
        let origin = try Self.twoCertificates()
        func ask(_ host: String) -> String {
            "HEAD \(Self.aasa) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        }
        for _ in 1...2 {
            #expect(
                statuses(
                    origin, name: "localhost",
                    [
                        ask("localhost"), ask("www.example.com"), ask("localhost"),
                        get("www.example.com"),
                    ]) == ["200", "421", "200", "421"])
            // The host of the last request before, over the other certificate.
            #expect(statuses(origin, name: "www.example.com", [get("www.example.com")]) == ["200"])
            #expect(statuses(origin, name: "www.example.com", [get("localhost")]) == ["421"])
        }
    }

    @Test(
        "a resumed session is held to the name that it asks for", arguments: ["tls1_3", "tls1_2"])
    func resumption(_ version: String) throws {
        let origin = try Self.twoCertificates()
        let session = "\(origin.directory.path)/session"
        let began = statuses(
            origin, name: "www.example.com", [get("www.example.com")],
            "-\(version) -sess_out \(session)")
        #expect(began == ["200"])
        for (host, status) in [("www.example.com", "200"), ("localhost", "421")] {
            let copy = "\(session)-\(host)"
            _ = shell("cp \(session) \(copy)")
            let resumed = statuses(
                origin, name: "www.example.com", [get(host)], "-\(version) -sess_in \(copy)")
            #expect(resumed == [status])
        }
        let handshakes = try Samples(origin) {
            $0.sum(of: "waymark_tls_handshakes_total") == 3
        }
        let name = version == "tls1_3" ? "TLSv1.3" : "TLSv1.2"
        let sample = "waymark_tls_handshakes_total{version=\"\(name)\",resumed=\"true\"}"
        #expect(handshakes[sample] == "2")
    }

    @Test func `a connection keeps its certificate over a reload`() throws {
        let origin = try Self.twoCertificates()
        let answers = "\(origin.directory.path)/answers"
        let client = try #require(
            popen(
                "openssl s_client -quiet -no_ign_eof -connect 127.0.0.1:\(origin.httpsPort) "
                    + "-servername localhost > \(answers) 2>/dev/null", "w"))
        defer { pclose(client) }
        func ask(_ host: String) {
            fputs("HEAD \(Self.aasa) HTTP/1.1\r\nHost: \(host)\r\n\r\n", client)
            fflush(client)
        }
        func answered() -> [String] {
            shell("grep -ao '^HTTP/1.1 ...' \(answers)").output.split(separator: "\n")
                .map { String($0.suffix(3)) }
        }
        func waits(for count: Int) -> [String] {
            _ = TestSupport.waits { answered().count >= count }
            return answered()
        }
        ask("localhost")
        ask("www.example.com")
        #expect(waits(for: 2) == ["200", "421"])
        // Now one certificate is for both; this connection was begun under the other.
        origin.server.publish(try TestOrigin.snapshot(TestSite(), origin.directory))
        ask("localhost")
        ask("www.example.com")
        #expect(waits(for: 4) == ["200", "421", "200", "421"])
        #expect(statuses(origin, name: "localhost", [get("www.example.com")]) == ["200"])
    }

    @Test func `plain HTTP has no certificate to be held to`() throws {
        let origin = try Self.twoCertificates()
        for host in ["localhost", "www.example.com"] {
            let client = try TestClient(port: origin.httpPort)
            client.send(get(host))
            #expect(try client.readResponse().status == 200)
        }
    }
}
