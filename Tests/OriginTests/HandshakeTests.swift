import Diagnostics
import Origin
import SiteConfiguration
import TLS
import Testing

@Suite("Handshakes, with openssl")
struct HandshakeTests {
    /// What openssl says of a connection.
    private func connect(_ origin: TestOrigin, _ arguments: String, name: String = "localhost")
        -> String
    {
        shell(
            "echo | openssl s_client -connect 127.0.0.1:\(origin.httpsPort) -servername \(name) "
                + "-CAfile \(origin.directory.path)/ca.pem \(arguments)"
        ).output
    }

    @Test func `TLS 1.3 and 1.2 are spoken, 1.1 is refused with an alert`() throws {
        let origin = try TestOrigin()
        let modern = connect(origin, "-tls1_3 -alpn h2,http/1.1")
        #expect(modern.contains("New, TLSv1.3") && modern.contains("Verify return code: 0 (ok)"))
        #expect(modern.contains("ALPN protocol: http/1.1"))
        #expect(connect(origin, "-tls1_2").contains("New, TLSv1.2"))
        let old = connect(origin, "-tls1_1 -cipher 'ALL:@SECLEVEL=0'")
        #expect(old.contains("alert protocol version"), "\(old)")
        #expect(connect(origin, "-alpn h2").contains("no application protocol"))
    }

    @Test(
        "of the ciphers of TLS 1.2 those of the profile are taken, in the client's order",
        arguments: [
            ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
            ("ECDHE-ECDSA-CHACHA20-POLY1305", true),
            ("ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256", true),
            ("ECDHE-ECDSA-AES128-SHA256", false), ("ECDHE-ECDSA-AES128-SHA", false),
            ("ECDHE-ECDSA-AES128-CCM", false), ("DHE-RSA-AES128-GCM-SHA256", false),
            ("AES128-GCM-SHA256", false),
        ])
    func ciphers(_ list: String, _ isTaken: Bool) throws {
        let origin = try TestOrigin()
        let answer = connect(origin, "-tls1_2 -cipher \(list)")
        let first = list.split(separator: ":")[0]
        #expect(answer.contains("Cipher is \(first)") == isTaken)
        #expect(answer.contains("alert handshake failure") != isTaken, "\(answer)")
    }

    @Test(
        "of the groups those of the profile are taken",
        arguments: [
            ("X25519", true), ("P-256", true), ("P-384", true), ("P-521", false), ("X448", false),
            ("ffdhe2048", false),
        ])
    func groups(_ group: String, _ isTaken: Bool) throws {
        let origin = try TestOrigin()
        let answer = connect(origin, "-tls1_3 -groups \(group)")
        #expect(answer.contains("New, TLSv1") == isTaken, "\(answer)")
    }

    @Test func `a client that would renegotiate is told that there is none`() throws {
        let origin = try TestOrigin()
        let answer = shell(
            "cd \(origin.directory.path) && : >said && "
                + "(echo R; for i in $(seq 600); do grep -q renegotiation said && break; sleep 0.1; "
                + "done) | openssl s_client -tls1_2 -connect 127.0.0.1:\(origin.httpsPort) "
                + "-servername localhost >said 2>&1; cat said"
        ).output
        #expect(answer.contains("no renegotiation"), "\(answer)")
    }

    // MARK: Names

    @Test func `another name gets the first certificate, or a refusal where that is wanted`() throws
    {
        let open = try TestOrigin()
        #expect(connect(open, "", name: "evil.example").contains("subject=CN = localhost"))
        let closed = try TestOrigin { $0.tls = { _ in TLSPolicy(refusesUnknownNames: true) } }
        for version in ["-tls1_3", "-tls1_2"] {
            let refused = connect(closed, version, name: "evil.example")
            #expect(refused.contains("unrecognized name"), "\(refused)")
            #expect(!refused.contains("BEGIN CERTIFICATE"))
            #expect(connect(closed, version, name: "LOCALHOST").contains("New, TLSv1"))
            let nameless = shell(
                "echo | openssl s_client \(version) -connect 127.0.0.1:\(closed.httpsPort) "
                    + "-noservername"
            ).output
            #expect(nameless.contains("New, TLSv1"), "\(nameless)")
        }
    }

    // MARK: Protocols

    @Test(
        "of the protocols that a client offers by ALPN, HTTP/1.1 is taken, or else 1.0",
        arguments: [
            ("http/1.1", "http/1.1"), ("http/1.0", "http/1.0"), ("h2,http/1.0", "http/1.0"),
            ("http/1.0,http/1.1", "http/1.1"), ("h2", nil), ("http/1", nil), ("http/0.9", nil),
        ])
    func protocols(_ offered: String, _ taken: String?) throws {
        let origin = try TestOrigin()
        let answer = connect(origin, "-alpn \(offered)")
        guard let taken else {
            return #expect(answer.contains("no application protocol"), "\(answer)")
        }
        #expect(answer.contains("ALPN protocol: \(taken)\n"), "\(answer)")
    }

    // MARK: Failures

    /// What a client does, `#` being the port, and what the handshake's failure is counted as.
    private static let failures = [
        ("curl -s --cacert CA https://localhost:#/", nil),
        ("curl -s http://localhost:#/", "not_tls"),
        ("bash -c 'exec 3<>/dev/tcp/127.0.0.1/#; echo HELO friend >&3; cat <&3'", "not_tls"),
        ("openssl s_client -tls1_1 -cipher ALL:@SECLEVEL=0 -connect 127.0.0.1:#", "version"),
        ("openssl s_client -servername evil.example -connect 127.0.0.1:#", "unknown_name"),
        ("curl -s --tlsv1.3 https://localhost:#/", "certificate"),
        ("curl -s --tls-max 1.2 https://localhost:#/", "certificate"),
        ("openssl s_client -servername localhost -alpn h2 -connect 127.0.0.1:#", "refused"),
        ("openssl s_client -tls1_2 -cipher AES128-SHA -connect 127.0.0.1:#", "refused"),
        ("bash -c ': </dev/tcp/127.0.0.1/#'", "closed"),
    ]

    @Test("a handshake that fails is counted by what an operator could do", arguments: failures)
    func failure(_ command: String, _ reason: String?) throws {
        let origin = try TestOrigin { $0.tls = { _ in TLSPolicy(refusesUnknownNames: true) } }
        let authority = "\(origin.directory.path)/ca.pem"
        _ = shell(
            "true | "
                + command.replacing("#", with: "\(origin.httpsPort)")
                .replacing("CA", with: authority))
        let name = "waymark_tls_handshake_errors_total"
        let samples = try Samples(origin) { reason == nil || $0.sum(of: name) == 1 }
        #expect(samples.sum(of: name) == (reason == nil ? 0 : 1))
        if let reason { #expect(samples["\(name){reason=\"\(reason)\"}"] == "1") }
    }

    // MARK: Tickets

    /// Behind its answer the connection is closed, by when tickets have come.
    private static let request =
        "printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' | "

    /// Whether a connection takes up the session that was kept in `file`; it keeps the next one.
    private func resumes(
        _ origin: TestOrigin, _ version: String, _ file: String, name: String = "localhost"
    ) -> Bool {
        let path = "\(origin.directory.path)/\(file)"
        let answer = shell(
            Self.request + "openssl s_client -ign_eof -connect 127.0.0.1:\(origin.httpsPort) "
                + "-servername \(name) \(version) -sess_out \(path) "
                + "$(test -f \(path) && echo -sess_in \(path))"
        ).output
        #expect(answer.contains("New, TLSv1") || answer.contains("Reused, TLSv1"), "\(answer)")
        return answer.contains("Reused, TLSv1")
    }

    static let versions = ["-tls1_3", "-tls1_2"]

    @Test("every repeat connection resumes, whichever loop it meets", arguments: versions)
    func resumption(_ version: String) throws {
        let origin = try TestOrigin(loops: 2)
        #expect(!resumes(origin, version, "session"))
        for _ in 1...8 { #expect(resumes(origin, version, "session")) }
    }

    /// OpenSSL would take the name of a ticket of TLS 1.2 for what is asked for (RFC 6066 §3).
    @Test("a ticket is good for the name that it was given for only", arguments: versions)
    func ticketsOfNames(_ version: String) throws {
        let open = try TestOrigin()
        #expect(!resumes(open, version, "session"))
        let closed = try TestOrigin { $0.tls = { _ in TLSPolicy(refusesUnknownNames: true) } }
        _ = shell("cp \(open.directory.path)/session \(closed.directory.path)")
        let refused = connect(
            closed, "\(version) -sess_in \(closed.directory.path)/session", name: "evil.example")
        #expect(refused.contains("unrecognized name"), "\(refused)")
        #expect(resumes(closed, version, "session"))
        for name in ["www.example.com", "evil.example"] {
            #expect(!resumes(open, version, "session", name: name))
            #expect(resumes(open, version, "session", name: name))
        }
    }

    @Test("a reload and two rotations keep tickets good, a third does not", arguments: versions)
    func rotation(_ version: String) throws {
        let keys = try TicketKeys()
        var site = TestSite()
        site.ticketKeys = keys
        let origin = try TestOrigin { $0 = site }
        for name in ["one", "two", "three"] { #expect(!resumes(origin, version, name)) }
        origin.server.publish(try TestOrigin.snapshot(site, origin.directory))
        #expect(resumes(origin, version, "one"))
        try keys.rotate()
        try keys.rotate()
        #expect(resumes(origin, version, "two"))
        try keys.rotate()
        #expect(!resumes(origin, version, "three"))
    }

    @Test("a ticket is replaced when its key is old, in TLS 1.3 always", arguments: versions)
    func renewal(_ version: String) throws {
        let keys = try TicketKeys()
        let origin = try TestOrigin { $0.ticketKeys = keys }
        #expect(!resumes(origin, version, "one") && !resumes(origin, version, "two"))
        func getsTicket(_ file: String) -> Bool {
            let answer = shell(
                Self.request
                    + "openssl s_client -ign_eof -msg -connect 127.0.0.1:\(origin.httpsPort) "
                    + "-servername localhost \(version) -sess_in \(origin.directory.path)/\(file)"
            ).output
            #expect(answer.contains("Reused, TLSv1"))
            return answer.contains("NewSessionTicket")
        }
        #expect(getsTicket("one") == (version == "-tls1_3"))
        try keys.rotate()
        #expect(getsTicket("two"))
    }

    @Test("origins with the same key files take each other's tickets", arguments: versions)
    func sharedKeys(_ version: String) throws {
        let current = try randomBytes(80)
        let (before, short) = (try randomBytes(80), try randomBytes(48))
        func origin(_ files: [[UInt8]]) throws -> TestOrigin {
            try TestOrigin { site, directory in
                for (index, file) in files.enumerated() {
                    try directory.write("ticket\(index).key", file)
                }
                site.tls = { path in
                    let position = SourcePosition(file: "test.yaml", line: 1, column: 1)
                    return TLSPolicy(
                        tickets: .files(
                            files.indices.map {
                                FileReference(path: "\(path)/ticket\($0).key", position: position)
                            }))
                }
            }
        }
        for files in [[current], [current, before], [before, short, current], [short]] {
            let (one, other) = (try origin(files), try origin([current, short]))
            #expect(!resumes(one, version, "session"))
            let session = "\(one.directory.path)/session"
            _ = shell("cp \(session) \(other.directory.path)")
            // The other opens what is sealed with one of its keys.
            #expect(resumes(other, version, "session") == (files[0] != before))
        }
    }

    @Test("without tickets no connection resumes", arguments: versions)
    func noTickets(_ version: String) throws {
        let origin = try TestOrigin { $0.tls = { _ in TLSPolicy(tickets: .off) } }
        #expect(!resumes(origin, version, "session"))
        #expect(!resumes(origin, version, "session"))
    }

    @Test("a ticket key file has 80 or 48 bytes", arguments: [0, 47, 49, 79, 81])
    func wrongLength(_ count: Int) throws {
        let keys = try randomBytes(80)
        let wrong = [UInt8](repeating: 1, count: count)
        let error = #expect(throws: TicketKeyError.self) {
            try TicketKeys(files: [keys, wrong])
        }
        #expect(error?.index == 1 && error?.bytes == count)
    }
}
