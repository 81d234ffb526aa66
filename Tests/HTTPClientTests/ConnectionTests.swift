import COpenSSL
import Glibc
import HTTPClient
import Sockets
import TLS
import TestSupport
import Testing

@Suite("Connections, and why there is none")
struct ConnectionTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    private static let request = FetchRequest(isSecure: false, host: "a.example", target: "/")
    private static let secureRequest = FetchRequest(host: "a.example", target: "/")

    private func answering() throws -> ScriptedServer {
        try ScriptedServer { connection in
            readRequest(connection)
            sendAll(Array(Self.answer.utf8), to: connection)
        }
    }

    /// An address of this machine at which nothing listens.
    private func closed() throws -> SocketAddress {
        SocketAddress(host: .v4([127, 0, 0, 1]), port: UInt16(try freePort()))
    }

    // MARK: Addresses

    @Test func `an address at which nothing listens is left for the next one`() throws {
        let server = try answering()
        let nowhere = try closed()
        let places = [nowhere, server.address]
        let client = HTTPClient(
            plainTo: places.map { AddressOverride(host: "a.example", port: 80, address: $0) })
        #expect(client.fetch(Self.request).response?.status == 200)
        #expect(client.fetch(Self.request).address == server.address)
        let failure = client.fetch(Self.request, at: nowhere).failure
        #expect(failure?.kind == .refused && failure?.phase == .connect)
        #expect(failure?.words == "connect: Connection refused (error 111)")
    }

    @Test func `an address that is not public is connected to if it was set`() throws {
        let server = try answering()
        let authority = try DevelopmentAuthority(now: Clock.unixSeconds).certificatePEM()
        var client = try HTTPClient(authorities: .pem(authority))
        #expect(client.fetch(Self.request, at: server.address).failure?.kind == .privateAddress)
        client.overrides = [AddressOverride(host: "a.example", port: 80, address: server.address)]
        #expect(client.fetch(Self.request, at: server.address).response?.status == 200)
        client.overrides = []
        client.allowsPrivateAddresses = true
        #expect(client.fetch(Self.request, at: server.address).response?.status == 200)
    }

    @Test func `a client that has ended connects to nothing`() throws {
        var client = HTTPClient(plainTo: [])
        client.isEnded = { true }
        #expect(client.fetch(Self.request, at: try closed()).failure?.text == "given up")
        #expect(client.fetch(Self.request).failure?.text == "the host has no address")
    }

    @Test func `an address in place of a name is its own address`() throws {
        let client = HTTPClient(plainTo: [])
        let literal = try #require(SocketAddress("127.0.0.1:80"))
        #expect(client.resolve("127.0.0.1", port: 80) == .set([literal]))
    }

    // MARK: Proxies

    @Test(
        "a proxy that does not connect is to blame, and not the host",
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", "it answers CONNECT with 403"),
            ("", "it closes the connection"), ("SSH-2.0-x\r\n", "the answer is not HTTP/1.1"),
        ])
    func proxyRefuses(_ text: String, _ words: String) throws {
        let server = try ScriptedServer { connection in
            readRequest(connection)
            sendAll(Array(text.utf8), to: connection)
        }
        var client = HTTPClient(plainTo: [])
        client.proxy = HTTPProxy(host: "127.0.0.1", port: server.address.port)
        let failure = client.fetch(Self.request).failure
        #expect(failure?.kind == .unreachable && failure?.phase == .connect)
        #expect(failure?.text == "proxy \(server.address): \(words)")
    }

    @Test func `a proxy that connects carries the request`() throws {
        let received = Received()
        let server = try ScriptedServer { connection in
            received.note(readRequest(connection))
            sendAll(Array("HTTP/1.1 200 Connected\r\nA: b\r\n\r\n".utf8), to: connection)
            received.note(readRequest(connection))
            sendAll(Array(Self.answer.utf8), to: connection)
        }
        var client = HTTPClient(plainTo: [])
        client.proxy = HTTPProxy(host: "127.0.0.1", port: server.address.port)
        #expect(client.fetch(Self.request).response?.status == 200)
        #expect(received.all[0] == "CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\n\r\n")
        #expect(received.all[1].hasPrefix("GET / HTTP/1.1\r\nHost: a.example\r\n"))
    }

    // MARK: TLS

    /// The exchange of a client that trusts the server's authority, or another one.
    private func peer(host: String, isTrusted: Bool = true) throws -> ClientExchange {
        let tls = try TLSScript(host: host)
        let server = try ScriptedServer { connection in
            tls.serve(connection) { _ = TLSScript.send(Self.answer, over: $0) }
        }
        let stranger = try DevelopmentAuthority(now: Clock.unixSeconds).certificatePEM()
        return try HTTPClientTests.client(
            of: server, trusting: isTrusted ? tls.authority : stranger
        )
        .fetch(Self.secureRequest)
    }

    @Test func `a certificate of another name is not trusted, and its faults are kept`() throws {
        #expect(try peer(host: "a.example").response?.status == 200)
        let other = try peer(host: "b.example")
        #expect(other.failure?.kind == .untrusted && other.failure?.phase == .handshake)
        #expect(other.peer?.faults.map(\.kind) == [.wrongName])
        #expect(other.peer?.chain.first?.names == ["b.example"])
        let stranger = try peer(host: "a.example", isTrusted: false)
        #expect(stranger.failure?.kind == .untrusted)
        #expect(stranger.peer?.faults.contains { $0.kind == .wrongName } == false)
    }

    @Test(
        "a server that does not speak TLS fails in the handshake",
        arguments: ["", "HTTP/1.1 400 Bad Request\r\n\r\n"])
    func plain(_ text: String) throws {
        let authority = try DevelopmentAuthority(now: Clock.unixSeconds).certificatePEM()
        let server = try ScriptedServer { connection in
            var hello = [UInt8](repeating: 0, count: 4_096)
            _ = recv(connection, &hello, hello.count, 0)
            sendAll(Array(text.utf8), to: connection)
        }
        let client = try HTTPClientTests.client(of: server, trusting: authority)
        let failure = client.fetch(Self.secureRequest).failure
        #expect(failure?.phase == .handshake)
        if text.isEmpty { return #expect(failure?.kind == .reset) }
        guard case .tls? = failure?.kind else { return #expect(Bool(false), "\(failure as Any)") }
    }

    // MARK: Times

    /// A server that is silent in one phase.
    static let silences: [(FetchFailure.Phase, isSecure: Bool, after: String, words: String)] = [
        (.handshake, true, "", "the handshake is not complete after LIMIT ms: nothing has come"),
        (.wait, false, "", "no answer within LIMIT ms: nothing has come"),
        (
            .receive, false, "HTTP/1.1 200 OK\r\n",
            "the answer is not whole after LIMIT ms: 17 bytes have come"
        ),
    ]

    /// On a busy machine the time may be over before the phase begins: then it gets more.
    @Test("each phase has its limit, and says it", arguments: silences.indices)
    func late(_ index: Int) throws {
        var limit = 60
        while try !isLate(index, after: limit) {
            try #require(limit < 60_000)
            limit *= 10
        }
    }

    /// - Returns: false if the time was over in an earlier phase.
    private func isLate(_ index: Int, after limit: Int) throws -> Bool {
        let silence = Self.silences[index]
        let server = try ScriptedServer { connection in
            if !silence.isSecure { readRequest(connection) }
            sendAll(Array(silence.after.utf8), to: connection)
            readRequest(connection, to: "never\n")
        }
        let authority = try DevelopmentAuthority(now: Clock.unixSeconds).certificatePEM()
        var client = try HTTPClientTests.client(
            of: server, trusting: silence.isSecure ? authority : nil)
        let net = safetyNetSeconds * 1_000
        client.limits.connectMilliseconds = net
        client.limits.totalMilliseconds = silence.0 == .receive ? limit : net
        client.limits.handshakeMilliseconds = silence.0 == .handshake ? limit : net
        client.limits.firstByteMilliseconds = silence.0 == .wait ? limit : net
        let exchange = client.fetch(silence.isSecure ? Self.secureRequest : Self.request)
        #expect(exchange.failure?.kind == .timeout)
        guard silence.0 == .receive, exchange.failure?.phase != .receive else {
            #expect(exchange.failure?.phase == silence.0)
            let words = silence.words.replacing("LIMIT", with: "\(limit)")
            #expect(exchange.failure?.text == words)
            return true
        }
        return false
    }

    @Test func `frames without content are no progress of a transfer`() throws {
        let server = try ScriptedServer { connection in
            readRequest(connection)
            sendAll(
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1".utf8),
                to: connection)
            sendForever(Array(";a=b".utf8), to: connection)
        }
        var client = try HTTPClientTests.client(of: server)
        client.limits.totalMilliseconds = safetyNetSeconds * 1_000
        let exchange = client.transfer(Self.request) { _, _ in true }
        #expect(exchange.failure?.kind == .malformed && exchange.failure?.phase == .receive)
    }
}
