import Testing
import URISyntax

@Suite("URLs that visitors are sent to (RFC 3986)")
struct WebURLTests {
    @Test(
        "an absolute http or https URL is accepted, and its parts known",
        arguments: [
            ("https://example.com", true, "example.com", nil, 19, ""),
            ("http://example.com/", false, "example.com", nil, 18, "/"),
            ("HTTPS://Example.COM:8443/a%20b?c=d&e=[1]#f", true, "example.com", 8443, 24, "/a%20b"),
            ("https://a?b", true, "a", nil, 9, ""),
            ("https://a#b@c", true, "a", nil, 9, ""),
            ("https://192.0.2.1:1/", true, "192.0.2.1", 1, 19, "/"),
            ("https://a/@b:c", true, "a", nil, 9, "/@b:c"),
            ("https://a/b/#c?d", true, "a", nil, 9, "/b/"),
        ] as [(String, Bool, String, UInt16?, Int, String)])
    func accepts(
        _ text: String, _ isSecure: Bool, _ host: String, _ port: UInt16?, _ originBytes: Int,
        _ path: String
    ) throws {
        let url = try WebURL(text)
        #expect(url.description == text)
        #expect(url.isSecure == isSecure)
        #expect(url.host.description == host)
        #expect(url.port == port)
        #expect(url.originBytes == originBytes)
        #expect(url.path == path)
    }

    /// RFC 9110 §4.2.
    @Test(arguments: [
        ("https://a", true), ("https://a:443/", true), ("http://a:80", true),
        ("HTTPS://a:0443?b", true),
        ("https://a:80/", false), ("http://a:443/", false), ("https://a:8443/", false),
    ])
    func `the port of the scheme is the one that is not written`(_ text: String, _ isDefault: Bool)
        throws
    {
        #expect(try WebURL(text).hasDefaultPort == isDefault)
    }

    @Test(
        "a URL without the port of its scheme",
        arguments: [
            ("https://a:443/b:443/?c:443", "https://a/b:443/?c:443"), ("http://a:80", "http://a"),
            ("HTTPS://A:0443?b", "HTTPS://A?b"), ("https://a:443#:443", "https://a#:443"),
            ("https://a/b:443/", "https://a/b:443/"), ("https://a:80/", "https://a:80/"),
            ("http://a:443/", "http://a:443/"), ("https://a:8443/", "https://a:8443/"),
        ])
    func withoutPort(_ text: String, _ short: String) throws {
        let url = try WebURL(text).withoutDefaultPort
        #expect(url.description == short)
        #expect(try url == WebURL(short))
    }

    @Test(
        "what is sent in a request begins with a slash, and has no fragment",
        arguments: [
            ("https://a", "/"), ("https://a/", "/"), ("https://a?x=1", "/?x=1"),
            ("https://a/?x=1", "/?x=1"), ("https://a#b?c", "/"), ("https://a/b#c?d", "/b"),
            ("https://a?b#c", "/?b"), ("https://a/b?c#d#e", "/b?c"),
            ("https://a/%23?%23", "/%23?%23"),
            ("HTTPS://A:1/B?", "/B?"), ("http://a//b/../c", "//b/../c"),
        ])
    func requestTargets(_ text: String, _ target: String) throws {
        #expect(try WebURL(text).requestTarget == target)
    }

    @Test(
        "anything else names its fault",
        arguments: [
            ("", WebURLError.scheme("")),
            ("/path", .scheme("/path")),
            ("//example.com/", .scheme("//example.com/")),
            ("https:/example.com", .scheme("https:/example.com")),
            ("javascript:alert(1)", .scheme("javascript:alert(1)")),
            ("https://", .host("")),
            ("https:///a", .host("")),
            ("https://a..b/", .host("a..b")),
            ("https://[::1]/", .host("[")),
            ("https://a:/", .port("")),
            ("https://a:0/", .port("0")),
            ("https://a:65536/", .port("65536")),
            ("https://a:+1/", .port("+1")),
            ("https://user@a/", .credentials),
            ("https://user:password@a/", .credentials),
            ("https://a/b c", .character("https://a/b c", offset: 11)),
            ("https://a/\r\nb", .character("https://a/\r\nb", offset: 10)),
            ("https://a/\"", .character("https://a/\"", offset: 10)),
            ("https://a\\@b/", .character("https://a\\@b/", offset: 9)),
            ("https://a/\u{E9}", .character("https://a/\u{E9}", offset: 10)),
            ("https://\u{E9}.example:1/a b", .host("\u{E9}.example:1")),
            ("https://a.example/\u{E9}", .character("https://a.example/\u{E9}", offset: 18)),
            ("https://a/\u{7F}", .character("https://a/\u{7F}", offset: 10)),
        ])
    func refuses(_ text: String, _ expected: WebURLError) {
        #expect(throws: expected) { try WebURL(text) }
    }
}
