import Snapshots
import TestSupport
import ClientAddress
import Glibc
import SiteConfiguration
import Testing

@testable import Origin

/// Each with a time of one second, where others have many: the client hears of it only when it is
/// the right time that has run out. The clock is the test's, so no machine is too slow for it.
@Suite("Limits of time")
struct TimeLimitTests {
    @Test func `a handshake that does not come is closed`() throws {
        let origin = try TestOrigin({ $0.limits[.handshakeSeconds] = 1 }, clock: .stopped())
        let client = try TestClient(port: origin.httpsPort)
        client.send([0x16, 3, 1])
        try origin.advance(milliseconds: 500)
        #expect(!client.isReset(waits: false))
        try origin.advance(milliseconds: 2_000)
        #expect(client.isClosed())
    }

    @Test func `a head in small pieces gets 408 when its time is over, however it comes`() throws {
        let origin = try TestOrigin({ $0.limits[.headerSeconds] = 1 }, clock: .stopped())
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\n")
        let response = try client.drip("X: y\r\n", to: origin)
        #expect(response.status == 408)
        #expect(response.fields["connection"] == "close")
    }

    @Test func `a turn is long from its hundredth millisecond on`() {
        let clock = LoopClock.stopped()
        var turn = Turn(OriginLimits(), clock)
        var isLong = [turn.isLong()]
        for milliseconds in [99, 1] {
            clock.advance(milliseconds: milliseconds)
            isLong.append(turn.isLong())
        }
        _ = turn.begin()
        #expect(isLong + [turn.isLong()] == [false, false, true, false])
    }

    @Test func `turns that handle few of many events answer them all, the probes first`() throws {
        var limits = OriginLimits.patient
        limits.turnMilliseconds = 0
        let origin = try TestOrigin({ $0.limits[.connectionsPerAddress] = 100 }, limits: limits)
        let clients = try (0..<60).map { _ in try TestClient(port: origin.httpPort) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        let probe = try TestClient(port: origin.adminPort)
        probe.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try probe.readResponse().status == 200)
        for client in clients { #expect(try client.readResponse().status == 308) }
    }

    /// One event a turn: others are due before the loop has come to theirs. In turns without time one of these is looked at in each.
    @Test("what has come in time is answered, however late the loop reads it", arguments: [100, 0])
    func lateReading(_ turnMilliseconds: Int) throws {
        var limits = OriginLimits.patient
        limits.eventsPerTurnMax = 1
        limits.turnMilliseconds = turnMilliseconds
        let origin = try TestOrigin(
            {
                for limit in [Limit.idleSeconds, .headerSeconds, .bodySeconds] {
                    $0.limits[limit] = 1
                }
                $0.limits[.connectionsPerAddress] = 3
            }, limits: limits, clock: .stopped())
        let head = "GET / HTTP/1.1\r\nHost: localhost\r\n"
        let parts = [
            ("", "\(head)\r\n"), (head, "\r\n"), ("\(head)Content-Length: 1\r\n\r\n", "a"),
        ]
        let clients = try parts.map { _ in try TestClient(port: origin.httpPort) }
        for (client, part) in zip(clients, parts) {
            client.send("\(head)\r\n")
            #expect(try client.readResponse().status == 308)
            client.send(part.0)
        }
        try origin.withoutReports {
            // It is one too many, which the loop reports.
            let overLimit = try TestClient(port: origin.httpPort)
            usleep(200_000)
            for (client, part) in zip(clients, parts) { client.send(part.1) }
            origin.advanceAtOnce(milliseconds: 2_200)
            withExtendedLifetime(overLimit) {}
        }
        for client in clients { #expect(try client.readResponse().status == 308) }
    }

    @Test func `content gets 408 when all its time is over, however fast it comes`() throws {
        let origin = try TestOrigin(
            {
                $0.limits[.bodySeconds] = 1
                $0.limits[.bodyRate] = 0
            }, clock: .stopped())
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
        #expect(try client.drip("a", to: origin).status == 408)
    }

    /// About sixteen bytes come in these four seconds.
    @Test("content gets 408 when too little of it comes", arguments: [(10, 60, 408), (1, 24, 308)])
    func contentRate(_ rate: Int, _ count: Int, _ status: Int) throws {
        var limits = OriginLimits.patient
        limits.contentRateSeconds = 4
        let origin = try TestOrigin(
            { $0.limits[.bodyRate] = rate }, limits: limits, clock: .stopped())
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\r\n")
        #expect(try client.drip("a", to: origin).status == status)
    }

    @Test("an answer is given up when too little of it is taken", arguments: [0, 1 << 20])
    func writeRate(_ rate: Int) throws {
        let origin = try largeFileOrigin(writeRate: rate)
        let client = try askForLargeFile(origin)
        // 800,000 bytes a second, and more than the kernel holds.
        #expect(try client.sip(atLeast: 8 << 20, from: origin) == (rate == 0))
    }

    @Test func `an answer of which nothing is taken is given up`() throws {
        let origin = try largeFileOrigin(writeRate: 0)
        let client = try askForLargeFile(origin)
        try origin.advance(milliseconds: 500)
        #expect(!client.isReset(waits: false))
        #expect(try client.isReset(by: origin, within: 3))
    }

    /// Looked at once in each six seconds it would have twice as long.
    @Test func `who takes a part and then nothing has no more time than others`() throws {
        let origin = try largeFileOrigin(writeRate: 512, seconds: 6)
        let client = try askForLargeFile(origin)
        #expect(try client.sip(atLeast: 100_000))
        #expect(try client.isReset(by: origin, within: 11))
    }

    @Test func `who takes enough in time goes on`() throws {
        let origin = try largeFileOrigin(writeRate: 512, seconds: 2)
        let client = try askForLargeFile(origin)
        for _ in 0..<5 {
            #expect(try client.sip(atLeast: 100_000))
            try origin.advance(milliseconds: 1_000)
            #expect(!client.isReset(waits: false))
        }
        #expect(try client.sip(atLeast: 100_000))
    }

    @Test func `an idle connection is closed, also one that sends a record byte by byte`() throws {
        let origin = try TestOrigin { $0.limits[.idleSeconds] = 1 }
        let plain = try TestClient(port: origin.httpPort)
        plain.send("GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try plain.readResponse().status == 200)
        #expect(plain.isClosed())
        #expect(shell("python3 -c '\(sendsRecordSlowly)' \(origin.httpsPort)").output == "closed\n")
    }

    /// Some clients send one behind a content, and nothing more.
    @Test func `an empty line begins no request, and is passed over before the next`() throws {
        let origin = try TestOrigin(
            {
                $0.limits[.headerSeconds] = 1
                $0.limits[.idleSeconds] = 3
            }, clock: .stopped())
        let clients = try (0..<2).map { _ in
            let client = try TestClient(port: origin.httpPort)
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc\r\n")
            return client
        }
        for client in clients { #expect(try client.readResponse().status == 405) }
        try origin.advance(milliseconds: 2_000)
        clients[0].send("\r\nGET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try clients[0].readResponse().status == 200)
        try origin.advance(milliseconds: 2_000)
        #expect(clients[1].isClosed())
    }

    /// Each time that runs out is counted by what it was for; one that did not is not.
    @Test func `a connection that is given up for its time is counted`() throws {
        let origin = try TestOrigin {
            $0.limits[.handshakeSeconds] = 1
            $0.limits[.headerSeconds] = 1
            $0.limits[.idleSeconds] = 2
        }
        let clients = try ["", "GET", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"].map { text in
            let client = try TestClient(port: origin.httpPort)
            if !text.isEmpty { client.send(text) }
            return client
        }
        let silent = try TestClient(port: origin.httpsPort)
        for client in clients { #expect(client.readAll() != nil) }
        #expect(silent.isClosed())
        let samples = try Samples(origin)
        let name = "waymark_connection_timeouts_total"
        for (state, count) in [
            ("opening", "2"), ("head", "1"), ("idle", "1"), ("content", "0"), ("writing", "0"),
        ] {
            #expect(samples["\(name){state=\"\(state)\"}"] == count, "\(state)")
        }
        #expect(samples["waymark_tls_handshake_errors_total{reason=\"timeout\"}"] == "1")
    }

    /// More than the kernel takes from an origin for a client that reads nothing.
    private func largeFileOrigin(writeRate: Int, seconds: Int = 1) throws -> TestOrigin {
        try TestOrigin(
            { site, directory in
                site.limits[.writeSeconds] = seconds
                site.limits[.writeRate] = writeRate
                site.proxies.trusted = AddressBlock.privateBlocks
                site.proxies.header = .forwardedFor
                try directory.makeDirectory("Public")
                try directory.write("Public/large.bin", [UInt8](repeating: 7, count: 16 << 20))
            }, clock: .stopped())
    }

    private func askForLargeFile(_ origin: TestOrigin) throws -> TestClient {
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        client.send(
            "GET /large.bin HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n")
        return client
    }
}

/// A client whose record has 16,640 bytes, of which it sends four each second.
private let sendsRecordSlowly = """
    import socket, ssl, sys
    raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    done = False
    while not done:
        try:
            session.do_handshake()
            done = True
        except ssl.SSLWantReadError:
            pass
        raw.sendall(outgoing.read())
        if not done:
            incoming.write(raw.recv(65536))
    raw.settimeout(0.25)
    for byte in b"\\x17\\x03\\x03\\x41\\x00" + bytes(20):
        try:
            raw.send(bytes([byte]))
            while data := raw.recv(65536):
                pass
            print("closed")
            break
        except TimeoutError:
            pass
        except OSError:
            print("closed")
            break
    """
