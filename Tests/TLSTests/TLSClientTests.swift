import Foundation
import TLS
import Testing

@Suite("A client's handshakes")
struct TLSClientTests {
    /// The peer as a client sees it that trusts `trusted`, after a handshake in memory.
    private func peer(
        host: String, names: [String], now time: Int, sendsAuthority: Bool = false,
        trusts: Bool = true
    ) throws -> TLSPeer {
        let authority = try DevelopmentAuthority(now: time)
        let leaf = try authority.issue(for: names, now: time)
        let root = try authority.certificatePEM()
        let certificate = try ServerCertificate(
            chain: leaf.certificate + (sendsAuthority ? root : []), key: leaf.key)
        let server = try TLSServerContext(hosts: [], standard: certificate, tickets: .off)
        let stranger = try DevelopmentAuthority(now: time).certificatePEM()
        let client = try TLSClientContext(.pem(trusts ? root : stranger))
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

    private let currentTime = Int(Date().timeIntervalSince1970)
}
