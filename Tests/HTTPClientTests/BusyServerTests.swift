import COpenSSL
import Glibc
import HTTPClient
import Sockets
import TLS
import TestSupport
import Testing

/// A server that goes on and on in one phase, and the phase in which it is given up.
struct BusyServer: CustomTestStringConvertible, Sendable {
    enum Kind: Sendable {
        /// The script has the bare connection, to which a client for https or http has connected.
        case bare(isSecure: Bool, @Sendable (CInt) -> Void)
        /// The script has the session, after the handshake and the request.
        case tls(isTLS12: Bool, TLSScript.Script)
    }

    let testDescription: String
    let phase: FetchFailure.Phase
    let kind: Kind

    init(
        _ name: String, in phase: FetchFailure.Phase, isSecure: Bool = false,
        _ script: @escaping @Sendable (CInt) -> Void
    ) {
        (testDescription, self.phase) = (name, phase)
        kind = .bare(isSecure: isSecure, script)
    }

    init(
        over name: String, in phase: FetchFailure.Phase, isTLS12: Bool = false,
        _ script: @escaping TLSScript.Script
    ) {
        (testDescription, self.phase) = (name, phase)
        kind = .tls(isTLS12: isTLS12, script)
    }

    /// Answers a request with this beginning, and then goes on.
    init(
        _ name: String, after beginning: String, with piece: String,
        in phase: FetchFailure.Phase = .receive
    ) {
        self.init(name, in: phase) { connection in
            readRequest(connection)
            sendAll(Array(beginning.utf8), to: connection)
            sendForever(Array(piece.utf8), to: connection)
        }
    }

    /// Servers whose bytes have no end.
    static let all: [BusyServer] = [
        BusyServer("HelloRequest in the handshake", in: .handshake, isSecure: true) { connection in
            // Clients ignore it in a handshake (RFC 5246 §7.4.1.1).
            sendForever([22, 3, 3, 0, 4, 0, 0, 0, 0], to: connection)
        },
        BusyServer(over: "NewSessionTicket", in: .wait) { session in
            TLSScript.repeatForever(session) {
                SSL_new_session_ticket(session) == 1 && SSL_do_handshake(session) == 1
            }
        },
        BusyServer(over: "KeyUpdate", in: .wait) { session in
            TLSScript.repeatForever(session) {
                SSL_key_update(session, SSL_KEY_UPDATE_NOT_REQUESTED) == 1
                    && SSL_do_handshake(session) == 1
            }
        },
        BusyServer(over: "KeyUpdate that wants an answer", in: .wait) { session in
            TLSScript.repeatForever(session) {
                SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) == 1
                    && SSL_do_handshake(session) == 1
            }
        },
        BusyServer(over: "records of one byte of a head", in: .receive) { session in
            guard TLSScript.send("HTTP/1.1 200 OK\r\nA: ", over: session) else { return }
            TLSScript.repeatForever(session) { TLSScript.send("a", over: session) }
        },
        BusyServer(over: "tickets within a head", in: .receive) { session in
            guard TLSScript.send("HTTP/1.1 200 OK\r\nA: ", over: session) else { return }
            TLSScript.repeatForever(session) {
                SSL_new_session_ticket(session) == 1 && SSL_do_handshake(session) == 1
            }
        },
        BusyServer("a head", after: "HTTP/1.1 200 OK\r\n", with: "A: bbbbbbbbbbbbbbbb\r\n"),
        BusyServer("a status line", after: "HTTP/1.1 200 ", with: "O"),
        BusyServer("a continued line", after: "HTTP/1.1 200 OK\r\nA: b\r\n", with: " c\r\n"),
        BusyServer("interim responses", after: "", with: "HTTP/1.1 103 Early Hints\r\n\r\n"),
        BusyServer(
            "a chunk's extensions", after: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            with: "1;a=bbbbbbbbbbbbbbbb\r\nx\r\n"),
        BusyServer(
            "one chunk's extensions",
            after: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1", with: ";a=b"),
        BusyServer(
            "chunks of one byte", after: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            with: "1\r\nx\r\n"),
        BusyServer(
            "trailers", after: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            with: "A: b\r\n"),
        BusyServer("content", after: "HTTP/1.1 200 OK\r\n\r\n", with: "xxxxxxxxxxxxxxxx"),
    ]

    /// Makes a request of it.
    func fetch(_ limits: FetchLimits) throws -> ClientExchange {
        let server: ScriptedServer
        var client: HTTPClient
        let isSecure: Bool
        switch kind {
        case .bare(let secure, let script):
            server = try ScriptedServer(script)
            let authority = try DevelopmentAuthority(now: Clock.unixSeconds).certificatePEM()
            client = try HTTPClientTests.client(of: server, trusting: secure ? authority : nil)
            isSecure = secure
        case .tls(let isTLS12, let script):
            let tls = try TLSScript(host: "a.example", isTLS12: isTLS12)
            server = try ScriptedServer { tls.serve($0, script) }
            client = try HTTPClientTests.client(of: server, trusting: tls.authority)
            isSecure = true
        }
        client.limits = limits
        return client.fetch(FetchRequest(isSecure: isSecure, host: "a.example", target: "/"))
    }
}

@Suite("Servers that are endlessly busy")
struct BusyServerTests {
    /// Times of minutes, so that only the number of bytes can end a request.
    private static var patient: FetchLimits {
        var limits = FetchLimits()
        let net = safetyNetSeconds * 1_000
        (limits.connectMilliseconds, limits.handshakeMilliseconds) = (net, net)
        (limits.firstByteMilliseconds, limits.totalMilliseconds) = (net, net)
        return limits
    }

    @Test("bytes without end are given up, whatever they are", arguments: BusyServer.all)
    func bytes(_ server: BusyServer) throws {
        let exchange = try server.fetch(Self.patient)
        if case .tooLarge? = exchange.response?.content { return }
        let failure = try #require(exchange.failure, "\(server.testDescription)")
        #expect(failure.kind == .malformed, "\(failure)")
        #expect(failure.phase == server.phase, "\(failure)")
    }

    @Test("the time is over, however busy a server is", arguments: BusyServer.all)
    func time(_ server: BusyServer) throws {
        var limits = FetchLimits()
        limits.overheadBytesMax = .max / 2
        limits.contentBytesMax = .max / 2
        limits.totalMilliseconds = 300
        let exchange = try server.fetch(limits)
        let failure = try #require(exchange.failure, "\(server.testDescription)")
        // What has a limit of its own is refused before.
        if failure.kind == .malformed { return }
        #expect(failure.kind == .timeout, "\(failure)")
        #expect(failure.text.contains("300 ms"), "\(failure)")
    }
}
