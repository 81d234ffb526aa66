import Snapshots
import TestSupport
import ClientAddress
import Foundation
import Origin
import SiteConfiguration
import Testing

@Suite("Limits of connections, at each and one beyond")
struct ConnectionLimitTests {
    static let association = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
    static let other = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test func `beyond all, an association file is answered, and anything else with 503`() throws {
        let log = TestLog(.json)
        let origin = try TestOrigin({ $0.limits[.connections] = 2 }, log: log)
        let held = try [TestClient(port: origin.httpPort), TestClient(port: origin.httpPort)]
        for client in held { #expect(try client.ask(Self.association).status == 200) }
        let overLimit = try TestClient(port: origin.httpPort)
        let refusal = try overLimit.ask(Self.other)
        #expect(refusal.status == 503)
        #expect(refusal.fields["retry-after"] == "5")
        #expect(refusal.fields["connection"] == "close")
        #expect(overLimit.isClosed())
        let fetcher = try TestClient(port: origin.httpPort)
        let file = try fetcher.ask(Self.association)
        #expect(file.status == 200)
        #expect(file.fields["connection"] == "close")
        #expect(fetcher.isClosed())
        let curl = "curl -sk -w ' %{http_code}' https://localhost:\(origin.httpsPort)"
        #expect(shell("\(curl)/page.html").output.hasSuffix(" 503"))
        #expect(
            shell("\(curl)/.well-known/apple-app-site-association").output.hasSuffix(" 200"))
        #expect(try held[0].ask(Self.other).status == 308)
        let samples = try Samples(origin)
        #expect(samples["waymark_ratelimited_total{limit=\"connections\"}"] == "2")
        guard case .began(.connections, let facts) = origin.reported.first else {
            throw NothingSaid()
        }
        #expect(origin.reported.count == 1)
        #expect(facts.count == 3 && facts.limit == 2 && facts.network == nil)
        try log.finish(origin)
        let outcomes = try log.objects(origin).map { $0["outcome"] as? String }
        #expect(outcomes == ["aasa", "aasa", "limited", "aasa", "limited", "aasa", "https"])
    }

    @Test func `a position that was given back is given to the next`() throws {
        let origin = try TestOrigin { $0.limits[.connections] = 1 }
        for _ in 0..<5 {
            let client = try TestClient(port: origin.httpPort)
            client.send(Self.other.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
            #expect(try client.readResponse().status == 308)
            #expect(client.isClosed())
        }
        // The server closes when it has seen the client do so.
        let samples = try Samples(origin) { $0["waymark_connections{state=\"lingering\"}"] == "0" }
        #expect(samples["waymark_ratelimited_total{limit=\"connections\"}"] == "0")
    }

    @Test
    func
        `beyond the connections over a limit too, others wait a moment and are refused; health is told`()
        throws
    {
        var limits = OriginLimits.patient
        limits.overLimitMax = 1
        let origin = try TestOrigin({ $0.limits[.connections] = 1 }, limits: limits)
        let held = try TestClient(port: origin.httpPort)
        #expect(try held.ask(Self.association).status == 200)
        let overLimit = try TestClient(port: origin.httpPort)
        overLimit.send("GET")
        let waiting = try TestClient(port: origin.httpPort)
        waiting.send(Self.association)
        #expect(waiting.isClosed())
        #expect(try TestClient(port: origin.adminPort).get("/readyz").status == 200)
        let samples = try Samples(origin)
        #expect(samples["waymark_connections_rejected_total{reason=\"connections\"}"] == "1")
        overLimit.send(" / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try overLimit.readResponse().status == 503)
    }

    @Test func `one that waited is answered when a position is free in time`() throws {
        var limits = OriginLimits.patient
        limits.overLimitMax = 1
        let origin = try TestOrigin({ $0.limits[.connections] = 1 }, limits: limits)
        let held = try TestClient(port: origin.httpPort)
        #expect(try held.ask(Self.association).status == 200)
        var overLimit: TestClient? = try TestClient(port: origin.httpPort)
        overLimit?.send("GET")
        let waiting = try TestClient(port: origin.httpPort)
        waiting.send(Self.association)
        overLimit?.send(" / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try overLimit?.readResponse().status == 503)
        overLimit = nil
        #expect(try waiting.readResponse().status == 200)
    }

    @Test func `connections are counted over all loops`() throws {
        let origin = try TestOrigin({ $0.limits[.connections] = 5 }, loops: 3)
        let held = try (0..<5).map { _ in try TestClient(port: origin.httpPort) }
        for client in held { #expect(try client.ask(Self.other).status == 308) }
        for _ in 0..<5 {
            #expect(try TestClient(port: origin.httpPort).ask(Self.other).status == 503)
        }
    }

    @Test func `a connection over a limit has little time, for a handshake and for a request`()
        throws
    {
        var limits = OriginLimits.patient
        limits.overLimitSeconds = 1
        limits.handshakeSeconds = 100
        limits.headSeconds = 100
        let origin = try TestOrigin({ $0.limits[.connections] = 1 }, limits: limits)
        let held = try TestClient(port: origin.httpPort)
        #expect(try held.ask(Self.association).status == 200)
        let silent = try TestClient(port: origin.httpsPort)
        silent.send([0x16, 3, 1])
        let slow = try TestClient(port: origin.httpPort)
        slow.send("GET")
        #expect(try slow.readResponse().status == 408)
        #expect(silent.isClosed())
        #expect(try held.ask(Self.other).status == 308)
    }

    @Test func `when there are too many, one that is idle makes room`() throws {
        let origin = try TestOrigin { $0.limits[.connections] = 2 }
        let idle = try TestClient(port: origin.httpPort)
        #expect(try idle.ask(Self.association).status == 200)
        usleep(1_100_000)
        let busy = try TestClient(port: origin.httpPort)
        #expect(try busy.ask(Self.association).status == 200)
        let overLimit = try TestClient(port: origin.httpPort)
        #expect(try overLimit.ask(Self.other).status == 503)
        #expect(idle.isClosed())
        #expect(try busy.ask(Self.other).status == 308)
    }
}

@Suite("Limits of one address's connections")
struct AddressLimitTests {
    static let association = ConnectionLimitTests.association
    static let other = ConnectionLimitTests.other

    private func makeOrigin(
        _ limits: OriginLimits = .patient, prefixBits: Int = 64,
        header: ProxySettings.Header? = nil
    ) throws -> TestOrigin {
        try TestOrigin(
            {
                $0.limits[.connectionsPerAddress] = 2
                $0.limits[.prefixBits] = prefixBits
                $0.proxies.trusted = AddressBlock.privateBlocks
                $0.proxies.header = header
                $0.proxies.expectsProxyHeader = true
            }, limits: limits)
    }

    /// A client that a proxy connects, and the answer to its first request.
    private func ask(
        _ origin: TestOrigin, from address: String?, _ request: String = other
    ) throws -> (client: TestClient, status: Int) {
        let client = try TestClient(port: origin.httpPort)
        let family = address?.contains(":") == true ? "TCP6" : "TCP4"
        let to = address?.contains(":") == true ? "2001:db8::1" : "198.51.100.1"
        client.send(address.map { "PROXY \(family) \($0) \(to) 1 2\r\n" } ?? "PROXY UNKNOWN\r\n")
        return (client, try client.ask(request).status)
    }

    @Test func `its third is told 429 and closed, others are not concerned`() throws {
        let origin = try makeOrigin()
        let held = try (0..<2).map { _ in try ask(origin, from: "192.0.2.1") }
        #expect(held.map(\.status) == [308, 308])
        let third = try ask(origin, from: "192.0.2.1")
        #expect(third.status == 429)
        #expect(third.client.isClosed())
        #expect(try ask(origin, from: "192.0.2.1", Self.association).status == 200)
        #expect(try ask(origin, from: "192.0.2.2").status == 308)
        let samples = try Samples(origin)
        #expect(samples["waymark_ratelimited_total{limit=\"address\"}"] == "1")
        guard case .began(.address, let facts) = origin.reported.first else {
            throw NothingSaid()
        }
        #expect(origin.reported.count == 1)
        #expect(facts.count == 3 && facts.limit == 2)
        #expect(facts.network?.description == "192.0.2.1")
        #expect(try held[1].client.ask(Self.other).status == 308)
    }

    @Test func `an address that has gone may come again`() throws {
        let origin = try makeOrigin()
        for _ in 0..<4 {
            let pair = try (0..<2).map { _ in try ask(origin, from: "192.0.2.1") }
            #expect(pair.map(\.status) == [308, 308])
            for (client, _) in pair {
                client.send(Self.other.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
                _ = client.readAll()
                client.finishSending()
            }
            _ = try Samples(origin) {
                $0["waymark_connections{state=\"lingering\"}"] == "0"
                    && $0["waymark_connections{state=\"idle\"}"] != "2"
            }
        }
    }

    @Test("addresses of IPv6 are told apart by their network", arguments: [(64, 429), (80, 308)])
    func network(_ bits: Int, _ status: Int) throws {
        let origin = try makeOrigin(prefixBits: bits)
        let held = try ["2001:db8:0:1::1", "2001:db8:0:1:1::2"].map { try ask(origin, from: $0) }
        #expect(held.map(\.status) == [308, 308])
        #expect(try ask(origin, from: "2001:db8:0:1:2::3").status == status)
        #expect(try ask(origin, from: "2001:db8:0:2::1").status == 308)
    }

    @Test func `a trusted proxy has no limit of its own`() throws {
        let origin = try makeOrigin()
        let clients = try (0..<5).map { _ in try ask(origin, from: nil) }
        #expect(clients.allSatisfy { $0.status == 308 })
        let plain = try TestOrigin {
            $0.limits[.connectionsPerAddress] = 2
            $0.proxies.trusted = AddressBlock.privateBlocks
        }
        let held = try (0..<5).map { _ in try TestClient(port: plain.httpPort) }
        for client in held { #expect(try client.ask(Self.other).status == 308) }
    }

    /// Where one proxy names another, which tells its clients by request only.
    @Test func `nor has one that a proxy names, if it tells whom it asks for`() throws {
        let origin = try makeOrigin(header: .forwardedFor)
        let proxied = try (0..<5).map { _ in try ask(origin, from: "10.0.0.9") }
        #expect(proxied.allSatisfy { $0.status == 308 })
        let own = try (0..<3).map { _ in try ask(origin, from: "192.0.2.1") }
        #expect(own.map(\.status) == [308, 308, 429])
        // Without such a field it is a client as others are.
        let silent = try makeOrigin()
        let clients = try (0..<3).map { _ in try ask(silent, from: "10.0.0.9") }
        #expect(clients.map(\.status) == [308, 308, 429])
    }

    @Test func `beyond those over its limit its connections are reset at once`() throws {
        var limits = OriginLimits.patient
        limits.overLimitPerAddressMax = 1
        let origin = try TestOrigin(
            { $0.limits[.connectionsPerAddress] = 1 }, limits: limits)
        let held = try TestClient(port: origin.httpPort)
        #expect(try held.ask(Self.association).status == 200)
        let overLimit = try TestClient(port: origin.httpPort)
        overLimit.send("GET")
        let third = try TestClient(port: origin.httpPort)
        #expect(third.isClosed())
        let samples = try Samples(origin)
        #expect(samples["waymark_connections_rejected_total{reason=\"address\"}"] == "1")
        overLimit.send(" / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try overLimit.readResponse().status == 429)
    }
}

extension TestClient {
    fileprivate func ask(_ request: String) throws -> TestResponse {
        send(request)
        return try readResponse()
    }
}

private struct NothingSaid: Error {}
