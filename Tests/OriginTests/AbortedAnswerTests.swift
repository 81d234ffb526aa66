import Snapshots
import TestSupport
import ClientAddress
import Origin
import SiteConfiguration
import Testing

/// What the log and the metrics say of an answer that the client did not get whole, each beside one
/// that it did.
@Suite("Answers that are cut off")
struct AbortedAnswerTests {
    /// More than the kernel takes from an origin for a client that reads nothing.
    static let largeBytes = 16 << 20
    /// As large as an answer can be that is sent together with others.
    static let smallBytes = 16_000

    private func makeOrigin(_ log: TestLog, _ limits: OriginLimits = .patient) throws -> TestOrigin
    {
        try TestOrigin(
            { site, directory in
                site.proxies.trusted = AddressBlock.privateBlocks
                site.proxies.header = .forwardedFor
                try directory.makeDirectory("Public")
                try directory.write(
                    "Public/large.bin", [UInt8](repeating: 7, count: Self.largeBytes))
                try directory.write(
                    "Public/small.bin", [UInt8](repeating: 7, count: Self.smallBytes))
            }, limits: limits, log: log)
    }

    /// A client that reads nothing, whose answers the socket does not take whole.
    private func ask(
        _ origin: TestOrigin, _ name: String, times count: Int = 1
    ) throws -> TestClient {
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        let request = "GET /\(name) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n"
        client.send(String(repeating: request, count: count))
        _ = try Samples(origin) { $0["waymark_connections{state=\"writing\"}"] == "1" }
        return client
    }

    private func aborted(_ origin: TestOrigin, _ reason: String) throws -> String? {
        let name = "waymark_http_responses_aborted_total{reason=\"\(reason)\"}"
        return try Samples(origin) { $0[name] != "0" }[name]
    }

    @Test func `by a client that goes away`() throws {
        let log = TestLog(.json)
        let origin = try makeOrigin(log)
        let whole = try ask(origin, "large.bin")
        #expect(try whole.sip(atLeast: Self.largeBytes))
        try ask(origin, "large.bin").reset()
        #expect(try aborted(origin, "reset") == "1")
        try log.finish(origin)
        let lines = try log.objects(origin)
        #expect(lines.map { $0["status"] as? Int } == [200, 200])
        #expect(lines.map { $0["aborted"] as? String } == [nil, "reset"])
        #expect(lines[0]["bytes"] as? Int == Self.largeBytes)
        let bytes = try #require(lines[1]["bytes"] as? Int)
        #expect(bytes > 0 && bytes < Self.largeBytes / 2)
    }

    @Test func `because nothing of it is taken`() throws {
        let log = TestLog(.combined)
        var limits = OriginLimits.patient
        limits.writeSeconds = 1
        let origin = try makeOrigin(log, limits)
        let client = try ask(origin, "large.bin")
        #expect(client.isReset())
        #expect(try aborted(origin, "timeout") == "1")
        try log.finish(origin)
        let line = try #require(try log.lines(origin).first)
        let match = try #require(line.firstMatch(of: /" 200 (\d+) "/))
        let bytes = try #require(Int(match.output.1))
        #expect(bytes > 0 && bytes < Self.largeBytes / 2)
    }

    @Test("because the origin stops, with time for it or without", arguments: [true, false])
    func stop(_ hasTime: Bool) throws {
        let log = TestLog(.json)
        var limits = OriginLimits.patient
        limits.drainSeconds = 1
        let origin = try makeOrigin(log, limits)
        let idle = try TestClient(port: origin.httpPort)
        let client = try ask(origin, "large.bin")
        if !hasTime { origin.server.beginEnd() }
        try log.finish(origin)
        #expect(origin.server.requestsCutOff == 1)
        // Who has asked nothing is closed, and no request of theirs is cut off.
        #expect(origin.server.connectionsClosed == 2)
        #expect(withExtendedLifetime(idle) { client.isReset() })
        #expect(try log.objects(origin).map { $0["aborted"] as? String } == ["stop"])
    }

    /// Their lines were written when they were; they are told when the socket has taken them.
    @Test("among many that were sent together", arguments: [true, false])
    func together(_ areTaken: Bool) throws {
        let log = TestLog(.json)
        let origin = try makeOrigin(log)
        let count = 200
        let client = try ask(origin, "small.bin", times: count)
        if areTaken {
            for _ in 0..<count { #expect(try client.readResponse().status == 200) }
        } else {
            client.reset()
            _ = try aborted(origin, "reset")
        }
        let samples = try Samples(origin)
        try log.finish(origin)
        let lines = try log.objects(origin)
        let cut = lines.filter { $0["aborted"] as? String == "reset" }
        let name = "waymark_http_responses_aborted_total{reason=\"reset\"}"
        #expect(samples[name] == "\(cut.count)")
        let bytes = lines.map { $0["bytes"] as? Int ?? -1 }
        let whole = bytes.prefix { $0 == Self.smallBytes }
        #expect(whole.count == lines.count - cut.count)
        if areTaken {
            #expect(lines.count == count && cut.isEmpty)
        } else {
            // One may have gone in part; of those behind it nothing has.
            #expect(lines.count < count && !cut.isEmpty && !whole.isEmpty)
            #expect(bytes.dropFirst(whole.count + 1).allSatisfy { $0 == 0 })
        }
    }

    /// The lines of requests whose content comes late are begun before a reload, and ended after,
    /// together with others: one after the other, until the kernel takes no answer whole.
    @Test(
        "in the form that its line was begun in, whatever a reload says",
        arguments: [AccessLogSettings.Form.combined, .off])
    func form(_ next: AccessLogSettings.Form) throws {
        let log = TestLog(.json)
        let origin = try makeOrigin(log)
        var site = TestSite()
        site.proxies.trusted = AddressBlock.privateBlocks
        site.proxies.header = .forwardedFor
        let json = try TestOrigin.snapshot(site, origin.directory)
        site.accessLog.form = next
        let other = try TestOrigin.snapshot(site, origin.directory)
        let requests = "waymark_http_requests_total"
        let writing = "waymark_connections{state=\"writing\"}"
        let request =
            "GET /small.bin HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
        let first = try TestClient(port: origin.httpPort)
        first.send(String(repeating: "\(request)\r\n", count: 3))
        for _ in 1...3 { #expect(try first.readResponse().status == 200) }
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        var (asked, late, samples) = (3, 0, try Samples(origin))
        while samples[writing] == "0" {
            (asked, late) = (asked + 3, late + 1)
            origin.server.publish(json)
            _ = try Samples(origin)
            client.send("\(request)Content-Length: 2\r\n\r\na")
            _ = try Samples(origin) { $0["waymark_connections{state=\"content\"}"] == "1" }
            origin.server.publish(other)
            _ = try Samples(origin)
            client.send("b\(request)\r\n\(request)\r\n")
            samples = try Samples(origin) {
                $0[writing] != "0" || $0.sum(of: requests) == asked
            }
        }
        client.reset()
        _ = try Samples(origin) { $0[writing] == "0" }
        try log.finish(origin)
        let lines = try log.lines(origin)
        #expect(lines.count { $0.hasPrefix("{\"ts\":") && $0.hasSuffix("}") } == 3 + late)
        #expect(lines.count == (next == .off ? 3 + late : asked))
    }
}
