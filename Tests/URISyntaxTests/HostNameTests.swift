import Testing
import URISyntax

@Suite("Host names (RFC 1123 §2.1, RFC 5890 §2.3.1)")
struct HostNameTests {
    @Test(
        "a host name is folded and checked",
        arguments: [
            ("Example.COM", "example.com"), ("localhost", "localhost"),
            ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"), ("a-b.1.c", "a-b.1.c"),
            // Labels of 63 bytes, and names of 253, are the longest.
            (String(repeating: "A", count: 63), String(repeating: "a", count: 63)),
            (String(repeating: "a.", count: 126) + "a", String(repeating: "a.", count: 126) + "a"),
        ])
    func hosts(_ text: String, _ expected: String) throws {
        #expect(try HostName(text).description == expected)
    }

    @Test(
        "what is no host name is refused",
        arguments: [
            "", ".", "a.", ".a", "a..b", "-a", "a-.b", "a_b", "münchen.de", "a b", "a:1", "*.a",
            String(repeating: "a", count: 64), String(repeating: "a.", count: 126) + "aa",
        ])
    func refusesHosts(_ text: String) {
        #expect(throws: HostNameError.self) { try HostName(text) }
    }
}
