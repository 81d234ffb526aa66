import TLS
import Testing

@Suite("A ClientHello that comes in parts")
struct PartialHelloTests {
    /// Whether the server waits for more of a ClientHello, behind each byte of one that is sent alone.
    private func waiting(_ hello: [UInt8]) throws -> [Bool] {
        try read(hello.map { [$0] }).map(\.awaitsRest)
    }

    /// What the server makes of each piece.
    private func read(
        _ pieces: [[UInt8]]
    ) throws -> [(state: TLSReading.State, awaitsRest: Bool)] {
        let authority = try DevelopmentAuthority(now: 1_795_000_000)
        let leaf = try authority.issue(for: ["a.example"], now: 1_795_000_000)
        let certificate = try ServerCertificate(chain: leaf.certificate, key: leaf.key)
        let server = try TLSServerContext(hosts: [], standard: certificate, tickets: .off)
        var transport = try TLSTransport(outgoingCapacity: 65_536)
        var session = try TLSSession(server, over: transport)
        var target = [UInt8](repeating: 0, count: 16_384)
        return pieces.map { piece in
            let reading = session.read(
                piece, 0..<piece.count, into: &target, 0..<target.count, over: &transport)
            return (reading.state, session.awaitsRestOfHello)
        }
    }

    @Test func `it is awaited from its header to its end`() throws {
        let client = try TLSClientContext(.pem(DevelopmentAuthority(now: 0).certificatePEM()))
        var session = try TLSClientSession(client, host: "a.example")
        _ = session.shakeHands()
        let hello = session.takeOutput()
        // The record is read whole first: behind its last byte the ClientHello is complete.
        #expect(try waiting(hello).allSatisfy { !$0 })
        // Divided, it is awaited from the end of the first record to that of the second.
        let content = Array(hello[5...])
        func record(_ part: ArraySlice<UInt8>) -> [UInt8] {
            let length = [UInt8(part.count >> 8), UInt8(part.count & 0xFF)]
            return [0x16, 3, 1] + length + Array(part)
        }
        let parts = [record(content.prefix(4)), record(content.dropFirst(4))]
        let last = parts[0].count + parts[1].count - 1
        let expected = (0...last).map { $0 >= parts[0].count - 1 && $0 < last }
        #expect(try waiting(parts[0] + parts[1]) == expected)
    }

    @Test func `one that says it has 131,000 bytes is awaited`() throws {
        #expect(try waiting([0x16, 3, 1, 0, 4, 1, 1, 0xFF, 0xB8]).last == true)
    }

    @Test func `a handshake may have 16,384 bytes of the client, and fails with more`() throws {
        let part: [UInt8] =
            [0x16, 3, 1, 0x3F, 0xFB, 1, 0, 0xEA, 0x60] + [UInt8](repeating: 0, count: 16_375)
        let states = try read([part, [0x16]]).map(\.state)
        #expect(states == [.needsInput, .failed(.other)])
        // The reason of another failure is told, whatever its length.
        let plain = Array("GET / HTTP/1.1\r\n".utf8) + [UInt8](repeating: 0x20, count: 20_000)
        #expect(try read([plain]).map(\.state) == [.failed(.notTLS)])
    }
}
