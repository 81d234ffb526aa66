import Testing
import URISyntax

@Suite("Origins of websites (RFC 6454 §4)")
struct WebOriginTests {
    @Test(
        "each origin has one spelling",
        arguments: [
            ("https://example.com", "https://example.com"),
            ("HtTpS://Example.COM.", "https://example.com"),
            ("https://example.com:443", "https://example.com"),
            ("http://example.com:80", "http://example.com"),
            ("http://example.com:443", "http://example.com:443"),
            ("https://example.com.:8443", "https://example.com:8443"),
            ("https://localhost", "https://localhost"), ("https://e.com:", "https://e.com"),
        ])
    func spelling(_ text: String, _ expected: String) throws {
        #expect(try WebOrigin(text).description == expected)
        #expect(try WebOrigin(text) == WebOrigin(expected))
    }

    @Test(
        "what is no origin says why",
        arguments: [
            ("example.com", .noScheme), ("", .noScheme), ("https:example.com", .noScheme),
            ("mailto://user@example.com", .otherScheme), ("https://a:b@e.com", .credentials),
            ("https://", .host), ("https://.", .host), ("https://*.e.com", .host),
            ("https://e..com", .host), ("https://bücher.example", .host),
            ("https://e.com:0", .port), ("https://e.com:65536", .port),
            ("https://e.com:1a", .port), ("https://e.com/", .more), ("https://e.com/a", .more),
            ("https://e.com?a", .more), ("https://e.com#a", .more),
        ] as [(String, WebOriginError)])
    func refuses(_ text: String, _ error: WebOriginError) {
        #expect(throws: error) { try WebOrigin(text) }
    }
}
