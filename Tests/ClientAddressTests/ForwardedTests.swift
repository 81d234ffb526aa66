import ClientAddress
import Testing

@Suite("Clients behind trusted proxies")
struct ForwardedTests {
    private static let trusted = ["10.0.0.0/8", "2001:db8:a::/48"].compactMap {
        try? AddressBlock($0)
    }

    /// The client that lines of a field tell, asked by 10.0.0.1.
    private func client(_ lines: [String], _ field: ForwardingField) throws -> String {
        let peer = try #require(IPAddress("10.0.0.1"))
        var walk = ForwardedWalk(from: peer)
        for line in lines.reversed() where !walk.isOver {
            let bytes = Array("before, 6.6.6.6\(line)6.6.6.6, after".utf8)
            let range = 15..<bytes.count - 14
            walk.walk(bytes.span, range, of: field, trusted: Self.trusted)
        }
        return walk.client.description
    }

    static let lists: [(lines: [String], client: String)] = [
        ([], "10.0.0.1"), ([""], "10.0.0.1"), (["192.0.2.1"], "192.0.2.1"),
        (["192.0.2.1, 10.0.0.2"], "192.0.2.1"), (["6.6.6.6, 192.0.2.1,10.0.0.2 "], "192.0.2.1"),
        (["6.6.6.6", "192.0.2.1", "10.0.0.2"], "192.0.2.1"),
        (["10.0.0.3, 10.0.0.2"], "10.0.0.3"), ([" \t192.0.2.1\t "], "192.0.2.1"),
        (["192.0.2.1,, ,"], "192.0.2.1"), ([",,,"], "10.0.0.1"),
        (["192.0.2.1:443"], "192.0.2.1"), (["[2001:db8::1]:443"], "2001:db8::1"),
        (["[2001:db8::1]"], "2001:db8::1"), (["2001:db8::1, 2001:db8:a::9"], "2001:db8::1"),
        (["192.0.2.1, unknown"], "10.0.0.1"), (["192.0.2.1, 10.0.0.2, bad, 10.0.0.3"], "10.0.0.3"),
        (["192.0.2.1, 10.0.0.2:"], "10.0.0.1"), (["192.0.2.1, 10.0.0.2:123456"], "10.0.0.1"),
        (["192.0.2.1, [10.0.0.2]"], "10.0.0.1"), (["192.0.2.1, [::1"], "10.0.0.1"),
        (["192.0.2.1, \"10.0.0.2\""], "10.0.0.1"), (["192.0.2.1, 10.0.0.2 10.0.0.3"], "10.0.0.1"),
        (["::ffff:192.0.2.1"], "192.0.2.1"), (["192.0.2.1;10.0.0.2"], "10.0.0.1"),
    ]

    @Test("X-Forwarded-For is walked from the right", arguments: lists)
    func list(_ lines: [String], _ expected: String) throws {
        #expect(try client(lines, .forwardedFor) == expected)
    }

    static let elements: [(lines: [String], client: String)] = [
        ([], "10.0.0.1"), ([""], "10.0.0.1"), (["for=192.0.2.1"], "192.0.2.1"),
        (["For=\"192.0.2.1:4711\";proto=http;by=10.0.0.1"], "192.0.2.1"),
        (["for=6.6.6.6, for=192.0.2.1;by=x, for=10.0.0.2"], "192.0.2.1"),
        (["for=6.6.6.6", "for=192.0.2.1", "FOR=\"10.0.0.2\""], "192.0.2.1"),
        (["for=\"[2001:db8::1]:4711\""], "2001:db8::1"), (["for=\"[2001:db8::1]\""], "2001:db8::1"),
        (["for=\"[2001:db8::1]:_x.Y-z\""], "2001:db8::1"),
        (["by=10.0.0.1;for=192.0.2.1"], "192.0.2.1"),
        (["for=192.0.2.1 ; proto=https ,"], "192.0.2.1"), (["for=192.0.2.1;;"], "192.0.2.1"),
        (["for=192.0.2.1, for=unknown"], "10.0.0.1"), (["for=192.0.2.1, for=_hidden"], "10.0.0.1"),
        (["for=192.0.2.1, for=\"_gazonk\""], "10.0.0.1"),
        (["for=192.0.2.1, proto=https"], "10.0.0.1"),
        // What a client has written, and its proxy's own element behind it.
        (["for=\"6.6.6.6, for=192.0.2.1"], "192.0.2.1"),
        (["for=\"\\\", for=192.0.2.1"], "192.0.2.1"),
        (["\", for=192.0.2.1"], "192.0.2.1"), (["x y z, for=192.0.2.1"], "192.0.2.1"),
        (["for=\"a, for=6.6.6.6\", for=192.0.2.1"], "192.0.2.1"),
        // A quoted string ends in its line: cut, it is as malformed as any other.
        (["for=192.0.2.1;x=\"a, b\", for=10.0.0.2"], "192.0.2.1"),
        (["for=192.0.2.1;x=\"a", "b\", for=10.0.0.2"], "10.0.0.2"),
        // Malformed at the right end: the proxy itself is all that is known.
        (["for=2001:db8::1"], "10.0.0.1"), (["for=192.0.2.1:80"], "10.0.0.1"),
        (["for=\"2001:db8::1\""], "10.0.0.1"), (["for=192.0.2.1;for=192.0.2.2"], "10.0.0.1"),
        (["for = 192.0.2.1"], "10.0.0.1"), (["for="], "10.0.0.1"), (["=192.0.2.1"], "10.0.0.1"),
        (["192.0.2.1"], "10.0.0.1"), (["for=\"192.0.2.1"], "10.0.0.1"),
        (["for=192.0.2.1\""], "10.0.0.1"), (["for=\"192.0.2.1\\\""], "10.0.0.1"),
        (["for=\"\""], "10.0.0.1"), (["for=\"[2001:db8::1\""], "10.0.0.1"),
        (["for=\"[192.0.2.1]\""], "10.0.0.1"), (["for=\"[2001:db8::1]x\""], "10.0.0.1"),
        (["for=\"[2001:db8::1]:\""], "10.0.0.1"), (["for=\"[2001:db8::1]:_\""], "10.0.0.1"),
        (["for=\"192.0.2.1\"x"], "10.0.0.1"), (["for=192.0.2.1 for=192.0.2.2"], "10.0.0.1"),
    ]

    @Test("Forwarded is walked from the right (RFC 7239)", arguments: elements)
    func forwarded(_ lines: [String], _ expected: String) throws {
        #expect(try client(lines, .forwarded) == expected)
    }

    @Test func `of a list of proxies fifty are looked at`() throws {
        let proxies = { [String](repeating: "10.0.0.2", count: $0).joined(separator: ", ") }
        #expect(try client(["192.0.2.1, " + proxies(49)], .forwardedFor) == "192.0.2.1")
        #expect(try client(["192.0.2.1, " + proxies(50)], .forwardedFor) == "10.0.0.2")
        #expect(
            try client(["192.0.2.1"] + Array(repeating: "10.0.0.3", count: 50), .forwardedFor)
                == "10.0.0.3")
    }

    @Test(
        "the scheme is what the nearest proxy says",
        arguments: [
            ("https", .forwardedFor, true), ("HTTPS", .forwardedFor, true),
            ("http", .forwardedFor, false), ("http, https", .forwardedFor, true),
            ("https, http", .forwardedFor, false), ("wss", .forwardedFor, nil),
            ("", .forwardedFor, nil), ("for=1.1.1.1;proto=https", .forwarded, true),
            ("proto=http", .forwarded, false), ("proto=\"https\"", .forwarded, true),
            ("proto=https, for=1.1.1.1", .forwarded, nil), ("https", .forwarded, nil),
            ("proto=https;proto=http", .forwarded, nil), ("proto=httpsx", .forwarded, nil),
        ] as [(String, ForwardingField, Bool?)])
    func scheme(_ line: String, _ field: ForwardingField, _ isSecure: Bool?) {
        let bytes = Array(line.utf8)
        #expect(field.isSecure(bytes.span, 0..<bytes.count) == isSecure)
    }
}
