import ClientAddress
import Foundation
import Glibc
import HTTPMessages
import Origin
import SiteConfiguration
import Snapshots
import TestSupport
import Testing

@Suite("The access log")
struct AccessLogTests {
    @Test func `every answer has a line, whatever became of it`() throws {
        let log = TestLog(.combined)
        let origin = try TestOrigin(log: log)
        let client = try TestClient(port: origin.httpPort)
        client.send(
            "GET /apple-app-site-association?x=y HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
                + "User-Agent: \"x\"\r\n\r\nabc"
                + "GET /b HTTP/1.0\r\nHost: other.example\r\nConnection: keep-alive\r\n\r\n"
                + "HEAD /c HTTP/1.1\r\nHost: localhost\r\n\r\nGET\tx\r\n\r\n")
        _ = client.readAll()
        try log.finish(origin)
        #expect(
            try log.lines(origin).map { $0.drop { $0 != "\"" } } == [
                #""GET /apple-app-site-association?x=y HTTP/1.1" 200 27 "-" "-""#,
                #""POST /a HTTP/1.1" 405 23 "-" "\x22x\x22""#,
                #""GET /b HTTP/1.0" 404 14 "-" "-""#, #""HEAD /c HTTP/1.1" 308 0 "-" "-""#,
                #""GET\x09x" 400 16 "-" "-""#,
            ])
    }

    @Test func `each member, and each value of few, stands in the documentation`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        _ = shell(
            "curl -sk https://localhost:\(origin.httpsPort)/apple-app-site-association "
                + "-H 'traceparent: \(trace)' -H 'Referer: https://a.example/' -o /dev/null")
        try log.finish(origin)
        let line = try #require(try log.objects(origin).first)
        let tls = try #require(line["tls"] as? [String: Any])
        #expect(line.count >= 21 && tls.count == 5)
        let documentation = try Self.documentation()
        for name in Array(line.keys) + tls.keys + ["link"] {
            #expect(documentation.contains("`\(name)`"), "\(name)")
        }
        for key in ["route", "outcome", "platform", "ua_class"] {
            let value = try #require(line[key] as? String)
            #expect(documentation.contains("`\(value)`"), "\(value)")
        }
    }

    private static func documentation() throws -> String {
        try String(contentsOfFile: repository("docs/operations.md"), encoding: .utf8)
    }

    @Test func `content that comes later, or never, leaves its request's line`() throws {
        let log = TestLog(.json)
        var limits = OriginLimits.patient
        limits.contentSeconds = 1
        let origin = try TestOrigin(limits: limits, log: log)
        let client = try TestClient(port: origin.httpPort)
        let head = "Host: localhost\r\nContent-Length: 3\r\n\r\n"
        client.send("GET /apple-app-site-association HTTP/1.1\r\n\(head)")
        client.send("abc")
        #expect(try client.readResponse().status == 200)
        client.send("GET /late HTTP/1.1\r\n\(head)a")
        #expect(try client.readResponse().status == 408)
        try log.finish(origin)
        let objects = try log.objects(origin)
        #expect(objects.map { $0["path"] as? String } == ["/apple-app-site-association", "/late"])
        #expect(objects.map { $0["status"] as? Int } == [200, 408])
        #expect(objects.map { $0["bytes"] as? Int } == [27, 20])
    }

    @Test(
        "a request behind one that came slowly is no slower for it",
        arguments: [
            ("POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na", "bc"),
            ("POST /slow HTTP/1.1\r\nHost: local", "host\r\n\r\n"),
            ("GET /long.bin HTTP/1.1\r\nHost: local", "host\r\n\(overHTTPS)\r\n"),
        ])
    func pause(_ beginning: String, _ end: String) throws {
        let log = TestLog(.json)
        let origin = try Self.originWithLongFile(log)
        let client = try TestClient(port: origin.httpPort)
        client.send(beginning)
        usleep(300_000)
        client.send("\(end)GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(client.readAll() != nil)
        client.finishSending()
        try log.finish(origin)
        let times = try log.objects(origin).map { $0["duration_ms"] as? Double ?? .nan }
        // The second was told with the first or soon after, which had begun before the pause.
        #expect(times.count == 2 && times[1] < times[0])
    }

    /// Its content comes after a reload without the link of the request that came between.
    @Test func `a request that waited for its content names no link of another one`() throws {
        let log = TestLog(.json)
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {a: {match: /a, web: "https://a.example/"}, b: {match: /b, web: "302 https://other.example/"}}
            environments: {e: {hosts: localhost, tls: {certificate: c, key: k}, publish: {a: [a, b]}}}
            """
        let links = try #require(Configuration.read(Array(text.utf8), file: "w").configuration)
        let origin = try Self.originWithLongFile(log, links: links.links)
        let slow = try TestClient(port: origin.httpPort)
        slow.send(
            "GET /long.bin HTTP/1.1\r\nHost: localhost\r\n\(Self.overHTTPS)Content-Length: 1\r\n\r\n"
        )
        _ = try Samples(origin) { $0["waymark_connections{state=\"content\"}"] == "1" }
        let other = try TestClient(port: origin.httpPort)
        other.send("GET /b HTTP/1.1\r\nHost: localhost\r\n\(Self.overHTTPS)\r\n")
        #expect(try other.readResponse().status == 302)
        origin.server.publish(try TestOrigin.snapshot(Self.siteBehindProxy, origin.directory))
        slow.send("a")
        #expect(try slow.readResponse().status == 200)
        slow.finishSending()
        other.finishSending()
        try log.finish(origin)
        #expect(try log.objects(origin).map { $0["link"] as? String } == ["b", nil])
    }

    @Test func `requests behind a long answer have waited since they came`() throws {
        let log = TestLog(.json)
        let origin = try Self.originWithLongFile(log)
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        let next = "GET /next HTTP/1.1\r\nHost: localhost\r\n"
        client.send(
            "GET /long.bin HTTP/1.1\r\nHost: localhost\r\n\(Self.overHTTPS)\r\n"
                + "\(next)\r\n\(next)Connection: close\r\n\r\n")
        usleep(300_000)
        #expect(client.readAll() != nil)
        client.finishSending()
        try log.finish(origin)
        let times = try log.objects(origin).map { $0["duration_ms"] as? Double ?? .nan }
        // They came together, and were answered one after the other.
        #expect(times.count == 3 && times[1] <= times[2])
    }

    private static func originWithLongFile(
        _ log: TestLog, links: [Link] = []
    ) throws -> TestOrigin {
        try TestOrigin(
            { site, directory in
                site = siteBehindProxy
                site.webLinks = links
                try directory.makeDirectory("Public")
                try directory.write("Public/long.bin", [UInt8](repeating: 7, count: 16 << 20))
            }, log: log)
    }

    private static var siteBehindProxy: TestSite {
        var site = TestSite()
        site.proxies.trusted = AddressBlock.privateBlocks
        site.proxies.header = .forwardedFor
        return site
    }

    private static let overHTTPS = "X-Forwarded-Proto: https\r\n"

    static let refusals = [
        ("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", 405, "method"),
        ("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc", 408, "timeout"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc", 408, "timeout"),
        ("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Le", 408, "timeout"),
        (
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n", 413,
            "too_large"
        ),
        ("POST /a HTTP/1.1\r\nHost: localhost\r\n\(chunked)b\r\nabc", 413, "too_large"),
        ("POST /a HTTP/1.1\r\nHost: localhost\r\n\(chunked)x\r\nabc", 400, "refused"),
        ("POST /a HTTP/1.1\r\nHost: localhost\r\n\(chunked)0\r\n\r\n", 405, "method"),
        ("POST /\(String(repeating: "a", count: 300)) HTTP/1.1\r\n\r\n", 414, "too_large"),
        ("GET / HTTP/1.1\r\n\r\n", 400, "refused"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n", 417, "refused"),
    ]
    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"

    @Test("what became of a request is told, whatever it asked for", arguments: refusals)
    func outcome(_ request: String, _ status: Int, _ outcome: String) throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(
            {
                $0.limits[.bodyBytes] = 10
                $0.limits[.bodySeconds] = 1
                $0.limits[.headerSeconds] = 1
                $0.limits[.targetBytes] = 256
            }, log: log)
        let client = try TestClient(port: origin.httpPort)
        client.send(request)
        #expect(try client.readResponse().status == status)
        client.finishSending()
        try log.finish(origin)
        let line = try #require(try log.objects(origin).first)
        #expect(line["status"] as? Int == status)
        #expect(line["outcome"] as? String == outcome)
        let isRead = request.contains("localhost\r\n") && !request.hasSuffix("Content-Le")
        #expect((line["path"] != nil) == isRead)
        #expect(try Self.documentation().contains("`\(outcome)`"))
    }

    @Test(
        "what is wrong with a request is told by a name",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", "missing_host"), ("\u{16}\u{3}\r\n\r\n", "invalid_method"),
            ("GET /%FF HTTP/1.1\r\nHost: localhost\r\n\r\n", "invalid_path"),
            (
                "GET /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n",
                "content_too_large"
            ),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\n\(chunked)x\r\n", "invalid_chunk"),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\n\(chunked)10001\r\n", "content_too_large"),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\n\(chunked)0\r\n\r\n", nil),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n", nil),
        ])
    func fault(_ request: String, _ name: String?) throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        let client = try TestClient(port: origin.httpPort)
        client.send(request)
        _ = try client.readResponse()
        client.finishSending()
        try log.finish(origin)
        #expect(try log.objects(origin).map { $0["fault"] as? String } == [name])
    }

    @Test func `each fault that a request can have stands in the documentation`() throws {
        let documentation = try Self.documentation()
        for kind in MessageError.Kind.allCases {
            #expect(documentation.contains("`\(kind.name)`"), "\(kind)")
        }
    }

    @Test func `an answer that takes many turns is told when it is over`() throws {
        let log = TestLog(.json)
        let count = 8 << 20
        let origin = try TestOrigin(
            { $0.files["large.bin"] = String(repeating: "a", count: count) }, log: log)
        let taken = shell(
            "curl -sk --limit-rate 20M https://localhost:\(origin.httpsPort)/large.bin | wc -c")
        #expect(taken.output.contains("\(count)"))
        let client = try TestClient(port: origin.httpPort)
        client.send("GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.readResponse()
        // One that goes away in the middle of it.
        _ = shell("curl -sk https://localhost:\(origin.httpsPort)/large.bin | head -c 1000")
        try log.finish(origin)
        let objects = try log.objects(origin)
        #expect(
            objects.map { $0["path"] as? String } == [
                "/large.bin", "/apple-app-site-association", "/large.bin",
            ])
        #expect(objects[0]["bytes"] as? Int == count)
        #expect(try #require(objects[2]["bytes"] as? Int) < count)
        #expect(objects.map { $0["aborted"] as? String } == [nil, nil, "reset"])
        let facts = try #require(objects[0]["tls"] as? [String: Any])
        #expect(facts["sni"] as? String == "localhost")
        #expect(facts["version"] as? String == "TLSv1.3")
        #expect(objects[1]["tls"] == nil)
        let identifiers = Set(objects.compactMap { $0["request_id"] as? String })
        #expect(identifiers.count == 3)
    }

    @Test func `the admin listener's requests are nobody's`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin(log: log)
        let client = try TestClient(port: origin.adminPort)
        client.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try client.readResponse()
        try log.finish(origin)
        #expect(try log.lines(origin).isEmpty)
    }
}
