import Associations
import Testing

@Suite("URLs of links (RFC 3986 §3)")
struct LinkURLTests {
    @Test(
        "parts are kept as written",
        arguments: [
            ("https://example.com", "example.com", "", nil, nil),
            ("https://Example.COM/a//b/", "example.com", "/a//b/", nil, nil),
            ("http://h?", "h", "", "", nil), ("http://h#", "h", "", nil, ""),
            ("HTTPS://h/a?b?c#d?e#f", "h", "/a", "b?c", "d?e#f"),
            ("https://h/a#b?c", "h", "/a", nil, "b?c"),
            ("https://me:secret@h/a@b", "h", "/a@b", nil, nil),
            ("https://[::1]/%C3%A9 é%", "[::1]", "/%C3%A9 é%", nil, nil),
            ("https://a b@bücher.example/a b", "bücher.example", "/a b", nil, nil),
        ] as [(String, String, String, String?, String?)])
    func parts(
        _ text: String, _ host: String, _ path: String, _ query: String?, _ fragment: String?
    ) throws {
        let url = try LinkURL(text)
        #expect(url.host == host)
        #expect(url.path == path)
        #expect(url.query == query)
        #expect(url.fragment == fragment)
        #expect(url.description == text)
    }

    @Test(
        "a server hears of neither credentials nor fragment",
        arguments: [
            ("https://me:secret@H.example.:8443/a@b?c=D#e", "https://h.example:8443/a@b?c=D"),
            ("HTTP://h#", "http://h"), ("https://h?#a?b", "https://h?"),
            ("https://[::A]:/%", "https://[::a]/%"),
            ("https://h/é b?c=ü d#ß", "https://h/%C3%A9%20b?c=%C3%BC%20d"),
            // As browsers escape: an apostrophe in a query alone, a bar nowhere.
            (
                "https://h/%c3%a9<>\"`{}^'|?'|`{}^<>\"",
                """
                https://h/%c3%a9%3C%3E%22%60%7B%7D%5E'|?%27|`{}^%3C%3E%22
                """
            ),
            ("https://Bücher.example.:8443/", "https://xn--bcher-kva.example:8443/"),
            ("https://\u{FB01}.example/", "https://\u{FB01}.example/"),
        ])
    func requested(_ text: String, _ requested: String) throws {
        #expect(try LinkURL(text).requested == LinkURL(requested))
    }

    @Test(
        "a port is a number",
        arguments: [
            ("https://h:8443/", 8443), ("https://h/", nil), ("https://h:/", nil),
            ("https://[::1]:80", 80),
        ] as [(String, UInt16?)])
    func port(_ text: String, _ port: UInt16?) throws {
        #expect(try LinkURL(text).port == port)
    }

    @Test(
        "what is no http or https URL says why",
        arguments: [
            ("", LinkURLError.scheme), ("example.com/a", .scheme), ("ftp://h/", .scheme),
            ("mailto:a@b", .scheme), ("https:/h", .scheme), ("https://", .host),
            ("https:///a", .host), ("https://:80/", .host), ("https://me@/a", .host),
            ("https://a b/", .hostCharacter(0x20)), ("https://a /", .hostCharacter(0x20)),
            ("https://a<b/", .hostCharacter(0x3C)), ("https://a]/", .hostCharacter(0x5D)),
            ("https://a{b}:80/", .hostCharacter(0x7B)), ("https://a\\b/", .hostCharacter(0x5C)),
            ("https://h:x/", .port), ("https://h:65536/", .port), ("https://h:-1/", .port),
            ("https://h/a\nb", .control(offset: 11)), ("https://h/\0", .control(offset: 10)),
        ])
    func refuses(_ text: String, _ error: LinkURLError) {
        #expect(throws: error) { try LinkURL(text) }
    }

    @Test func `bytes must be UTF-8`() throws {
        #expect(throws: LinkURLError.notUTF8) {
            try LinkURL(utf8: Array("https://h/".utf8) + [0xFF])
        }
        #expect(try LinkURL(utf8: Array("https://h/é".utf8)).path == "/é")
    }
}
