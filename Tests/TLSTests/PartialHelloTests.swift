import TLS
import Testing

@Suite("A ClientHello that comes in parts")
struct PartialHelloTests {
    /// Whether the server waits for more of a ClientHello, behind each byte of one that is sent alone.
    private func waiting(_ hello: [UInt8]) throws -> [Bool] {
        let authority = try DevelopmentAuthority(now: 1_795_000_000)
        let leaf = try authority.issue(for: ["a.example"], now: 1_795_000_000)
        let certificate = try ServerCertificate(chain: leaf.certificate, key: leaf.key)
        let server = try TLSServerContext(hosts: [], standard: certificate, tickets: .off)
        var transport = try TLSTransport(outgoingCapacity: 65_536)
        var session = try TLSSession(server, over: transport)
        var target = [UInt8](repeating: 0, count: 16_384)
        return hello.indices.map { index in
            _ = session.read(
                hello, index..<index + 1, into: &target, 0..<target.count, over: &transport)
            return session.awaitsRestOfHello
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
}
