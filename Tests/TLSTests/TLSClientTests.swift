import Foundation
import TLS
import Testing

@Suite("A client's handshakes")
struct TLSClientTests {
    /// The peer as a client sees it that trusts `trusted`, after a handshake in memory.
    private func peer(
        host: String, names: [String], as subject: String? = nil, now time: Int,
        sendsAuthority: Bool = false,
        trusts: Bool = true
    ) throws -> TLSPeer {
        let authority = try DevelopmentAuthority(now: time)
        let leaf = try authority.issue(for: names, as: subject, now: time)
        let root = try authority.certificatePEM()
        let certificate = try ServerCertificate(
            chain: leaf.certificate + (sendsAuthority ? root : []), key: leaf.key)
        let server = try TLSServerContext(hosts: [], standard: certificate, tickets: .off)
        let stranger = try DevelopmentAuthority(now: time).certificatePEM()
        return try shakeHands(server, host: host, trusting: trusts ? root : stranger)
    }

    private func shakeHands(
        _ server: TLSServerContext, host: String, trusting root: [UInt8]
    ) throws -> TLSPeer {
        let client = try TLSClientContext(.pem(root))
        var session = try TLSClientSession(client, host: host)
        var transport = try TLSTransport(outgoingCapacity: 65_536)
        var other = try TLSSession(server, over: transport)
        var target = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<10 {
            let step = session.shakeHands()
            let sent = session.takeOutput()
            let reading = other.read(
                sent, 0..<sent.count, into: &target, 0..<target.count, over: &transport)
            if case .done = step { break }
            #expect(step == .needsInput)
            if case .failed = reading.state { break }
            session.receive(Array(transport.outgoing[..<transport.outgoingCount]))
            transport.removeOutgoing()
        }
        return session.peer
    }

    @Test func `a host below a wildcard gets the certificate of the wildcard`() throws {
        let authority = try DevelopmentAuthority(now: currentTime)
        func certificate(_ name: String) throws -> ServerCertificate {
            let leaf = try authority.issue(for: [name], now: currentTime)
            return try ServerCertificate(chain: leaf.certificate, key: leaf.key)
        }
        let root = try authority.certificatePEM()
        for refuses in [false, true] {
            let server = try TLSServerContext(
                hosts: [
                    ("a.example", try certificate("a.example")),
                    ("*.b.example", try certificate("*.b.example")),
                    ("own.b.example", try certificate("own.b.example")), ("*.c.example", nil),
                ], standard: try certificate("a.example"), tickets: .off,
                refusesUnknownNames: refuses)
            func presented(_ host: String) throws -> String? {
                try shakeHands(server, host: host, trusting: root).chain.first?.names.first
            }
            #expect(try presented("a.example") == "a.example")
            #expect(try presented("x.b.example") == "*.b.example")
            #expect(try presented("own.b.example") == "own.b.example")
            #expect(try presented("x.c.example") == nil)
            // A wildcard stands for one label.
            let unknown = refuses ? nil : "a.example"
            for host in ["x.y.b.example", "b.example", "d.example"] {
                #expect(try presented(host) == unknown, "\(host)")
            }
        }
    }

    @Test func `a certificate of a trusted authority has no fault`() throws {
        let peer = try peer(host: "a.example", names: ["a.example"], now: currentTime)
        #expect(peer.faults == [] && peer.parameters?.isTLS13 == true)
        #expect(peer.chain.map(\.names) == [["a.example"]])
        #expect(peer.chain.first?.notAfter == currentTime - 3600 + 365 * 86_400)
    }

    @Test func `each fault is told apart, by kind and depth`() throws {
        func first(_ peer: TLSPeer) -> (CertificateFault.Kind, Int)? {
            peer.faults.first.map { ($0.kind, $0.depth) }
        }
        let name = try peer(host: "b.example", names: ["a.example"], now: currentTime)
        #expect(name.faults.map(\.kind) == [.wrongName])
        let alone = try peer(
            host: "a.example", names: ["a.example"], now: currentTime, trusts: false)
        #expect(first(alone).map { $0 == (.issuerNotFound, 0) } == true)
        let sent = try peer(
            host: "a.example", names: ["a.example"], now: currentTime, sendsAuthority: true,
            trusts: false)
        #expect(first(sent).map { $0 == (.unknownRoot, 1) } == true)
        let old = try peer(host: "a.example", names: ["a.example"], now: 1_500_000_000)
        #expect(old.faults.contains { $0.kind == .expired })
    }

    @Test func `a common name alone is no name of a host`() throws {
        let alone = try peer(host: "a.example", names: [], as: "a.example", now: currentTime)
        #expect(alone.faults.map(\.kind) == [.wrongName])
        #expect(alone.chain.first?.subject == "CN = a.example" && alone.chain[0].names == [])
        let both = try peer(
            host: "a.example", names: ["a.example"], as: "b.example", now: currentTime)
        #expect(both.faults == [])
    }

    private let currentTime = Int(Date().timeIntervalSince1970)
}
