import ClientAddress
import Origin
import SiteConfiguration
import Snapshots
import Testing

/// What the operator hears of peers that are sent away, and of proxies that tell no client.
@Suite("Peers with which something is wrong are named")
struct PeerReportTests {
    static let association = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func makeOrigin(
        _ trusted: String, _ header: ProxySettings.Header? = nil, limits: OriginLimits = .patient,
        isAnonymized: Bool = false
    ) throws -> TestOrigin {
        try TestOrigin(
            {
                $0.proxies.trusted = try [AddressBlock(trusted)]
                $0.proxies.header = header
                $0.proxies.expectsProxyHeader = header == nil
                $0.accessLog.isAnonymized = isAnonymized
            }, limits: limits)
    }

    private func ask(_ origin: TestOrigin, _ bytes: String) throws {
        let client = try TestClient(port: origin.httpPort)
        client.send(bytes)
        _ = client.isClosed()
    }

    @Test("a stranger where the PROXY protocol is spoken", arguments: [false, true])
    func stranger(_ isAnonymized: Bool) throws {
        let origin = try makeOrigin("10.0.0.0/8", isAnonymized: isAnonymized)
        for _ in 0..<3 { try ask(origin, Self.association) }
        // The first at once, the others when a minute has passed, or at the end.
        let first = try #require(origin.reported.first)
        #expect(origin.reported.count == 1 && first.peers?.count == 1)
        origin.server.stop()
        #expect(origin.reported.compactMap(\.peers).map(\.count) == [1, 2])
        for event in origin.reported.compactMap(\.peers) {
            #expect(event.fault == .untrusted)
            #expect(event.peer == (isAnonymized ? "127.0.0.0/24" : "127.0.0.1"))
        }
    }

    @Test(
        "what comes in place of a header is told",
        arguments: [
            (association, "neither version begins like this", "GET /apple-app-s"),
            ("PROXY TCP4 1.2.3.4\r\n", "its line is not one of version 1", "PROXY TCP4 1.2.3"),
            ("\r\n\r\n\0\r\nQUIT\n1", "its version is neither 1 nor 2", "\r\n\r\n\0\r\nQUIT\n1"),
        ])
    func header(_ bytes: String, _ reason: String, _ beginning: String) throws {
        let origin = try makeOrigin("127.0.0.0/8", isAnonymized: true)
        try ask(origin, bytes)
        let event = try #require(origin.reported.first?.peers)
        #expect(event.fault == .header(reason, begins: Array(beginning.utf8)))
        // A proxy is nobody's home.
        #expect(event.peer == "127.0.0.1" && event.count == 1)
    }

    @Test func `a header that does not come is told`() throws {
        var limits = OriginLimits.patient
        limits.handshakeSeconds = 1
        let origin = try makeOrigin("127.0.0.0/8", limits: limits)
        try ask(origin, "PROXY")
        #expect(origin.reported.first?.peers?.fault == .noHeader(seconds: 1))
    }

    @Test func `a header that cannot come any more, as the origin stops, is not missed`() throws {
        let origin = try makeOrigin("127.0.0.0/8")
        let client = try TestClient(port: origin.httpPort)
        client.send("PROXY")
        _ = try Samples(origin) { $0["waymark_connections{state=\"opening\"}"] == "1" }
        origin.server.beginStop()
        #expect(client.isClosed())
        origin.server.stop()
        #expect(origin.reported.isEmpty)
    }

    @Test(
        "a proxy that names no address is told, and one that hides it or names one is not",
        arguments: [
            (.forwardedFor, "X-Forwarded-For: nonsense, 10.0.0.1", nil),
            (.forwardedFor, "X-Forwarded-For: 192.0.2.1, nonsense", " nonsense"),
            (.forwardedFor, "X-Forwarded-For: unknown", nil),
            (.forwardedFor, "X-Forwarded-For: 192.0.2.1", nil), (.forwardedFor, "A: b", nil),
            (.forwarded, "Forwarded: for=nonsense", "for=nonsense"),
            (.forwarded, "Forwarded: proto=https", "proto=https"),
            (.forwarded, "Forwarded: for=_hidden", nil),
            (.forwarded, "Forwarded: for=\"unknown:80\"", nil),
            (.forwarded, "Forwarded: for=192.0.2.1", nil),
        ] as [(ProxySettings.Header, String, String?)])
    func field(_ header: ProxySettings.Header, _ line: String, _ held: String?) throws {
        let origin = try makeOrigin("127.0.0.0/8", header)
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n\r\n")
        _ = try client.readResponse()
        client.finishSending()
        origin.server.stop()
        let name = header == .forwarded ? "Forwarded" : "X-Forwarded-For"
        let fault = held.map { PeerFault.field(name, holds: Array($0.utf8)) }
        let found = origin.reported.compactMap(\.peers).map(\.fault)
        // The scheme is another matter.
        #expect(
            found.filter { $0 != .noScheme("X-Forwarded-Proto") && $0 != .noScheme(name) }
                == (fault.map { [$0] } ?? []))
    }
}

extension OriginEvent {
    fileprivate var peers: (fault: PeerFault, peer: String, count: Int)? {
        if case .peers(let fault, let peer, let count) = self {
            return (fault, peer.description, count)
        }
        return nil
    }
}
