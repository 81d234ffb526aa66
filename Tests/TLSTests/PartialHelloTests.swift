import COpenSSL
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
        var transport = try TLSTransport(outgoingCapacity: 65_536)
        var session = try TLSSession(server(), over: transport)
        var target = [UInt8](repeating: 0, count: 16_384)
        return pieces.map { piece in
            let reading = session.read(
                piece, 0..<piece.count, into: &target, 0..<target.count, over: &transport)
            return (reading.state, session.awaitsRestOfHello)
        }
    }

    private func server() throws -> TLSServerContext {
        let authority = try DevelopmentAuthority(now: 1_795_000_000)
        let leaf = try authority.issue(for: ["a.example"], now: 1_795_000_000)
        let certificate = try ServerCertificate(chain: leaf.certificate, key: leaf.key)
        return try TLSServerContext(hosts: [], standard: certificate, tickets: .off)
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

    @Test func `the bytes that complete a handshake are among these, and a request is not`() throws
    {
        let short = try shakeHands(padding: 8_000)
        #expect(short.read == "GET")
        for (bytes, isTaken) in [(16_384, true), (16_385, false)] {
            let whole = try shakeHands(padding: 8_000 + bytes - short.bytes)
            #expect(whole.bytes == bytes)
            #expect(whole.state == (isTaken ? .needsInput : .failed(.other)))
            #expect(whole.read == (isTaken ? "GET" : ""))
        }
    }

    /// A handshake with a client whose list of protocols has so many bytes more, and which sends a request in one piece with the end
    /// of it.
    /// - Returns: the bytes that the client has sent in the handshake, and what the server makes of the last piece.
    private func shakeHands(
        padding: Int
    ) throws -> (bytes: Int, state: TLSReading.State, read: String) {
        let context = SSL_CTX_new(TLS_client_method())
        let (client, input, output) = (SSL_new(context), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
        defer {
            SSL_free(client)
            SSL_CTX_free(context)
        }
        SSL_set_bio(client, input, output)
        let name = [8] + Array("http/1.1".utf8)
        var protocols = name
        while protocols.count < padding {
            let count = min(200, padding - protocols.count - 1)
            protocols += [UInt8(count)] + [UInt8](repeating: 0x61, count: count)
        }
        #expect(SSL_set_alpn_protos(client, protocols, CUnsignedInt(protocols.count)) == 0)
        func takeOutput() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(output))
            BIO_read(output, &bytes, CInt(bytes.count))
            return bytes
        }
        var transport = try TLSTransport(outgoingCapacity: 65_536)
        var session = try TLSSession(server(), over: transport)
        var target = [UInt8](repeating: 0, count: 16_384)
        SSL_connect(client)
        let hello = takeOutput()
        _ = session.read(hello, 0..<hello.count, into: &target, 0..<target.count, over: &transport)
        BIO_write(input, transport.outgoing, CInt(transport.outgoingCount))
        #expect(SSL_connect(client) == 1)
        let end = takeOutput()
        SSL_write(client, "GET", 3)
        let last = end + takeOutput()
        let reading = session.read(
            last, 0..<last.count, into: &target, 0..<target.count, over: &transport)
        return (
            hello.count + end.count, reading.state,
            String(decoding: target.prefix(reading.filled), as: UTF8.self)
        )
    }
}
