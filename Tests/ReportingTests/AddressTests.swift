import Associations
import Testing

@testable import Reporting

@Suite("Addresses on pages (RFC 3986 §5)")
struct AddressTests {
    static let base = "https://a.example:8443/b/c/d?q#f"

    @Test(
        "a reference is resolved against the page",
        arguments: [
            ("https://x.example/y", "https://x.example/y"),
            ("//x.example/y", "https://x.example/y"),
            ("/y", "https://a.example:8443/y"), ("y", "https://a.example:8443/b/c/y"),
            ("./y", "https://a.example:8443/b/c/y"), ("../y?z", "https://a.example:8443/b/y?z"),
            ("../../../y", "https://a.example:8443/y"), (".", "https://a.example:8443/b/c/"),
            ("/./y/../z/", "https://a.example:8443/z/"), ("?y", "https://a.example:8443/b/c/d?y"),
            ("#y", "https://a.example:8443/b/c/d?q#y"), ("", "https://a.example:8443/b/c/d?q"),
            (" /y\n ", "https://a.example:8443/y"), ("ht\ntps://x.example", "https://x.example"),
            ("javascript:x", nil), ("mailto:a@b", nil), ("https://", nil),
        ] as [(String, String?)])
    func resolves(_ reference: String, _ expected: String?) throws {
        #expect(resolve(reference, against: try LinkURL(Self.base))?.description == expected)
    }

    @Test func `without a base only absolute addresses are anything`() {
        #expect(resolve("/y", against: nil) == nil)
        #expect(resolve("https://x.example/y", against: nil) != nil)
    }

    @Test(
        "addresses of one page are equal",
        arguments: [
            ("HTTPS://A.example:443", "https://a.example/", true),
            ("https://a.example/x#y", "https://a.example/x", true),
            ("http://a.example/", "https://a.example/", false),
            ("https://a.example/x/", "https://a.example/x", false),
            ("https://a.example:8443/", "https://a.example/", false),
            ("https://a.example/?a", "https://a.example/", false),
        ])
    func equality(_ left: String, _ right: String, _ isEqual: Bool) throws {
        #expect((try LinkURL(left).pageAddress == LinkURL(right).pageAddress) == isEqual)
    }

    @Test(
        "what only tracks is no part of a page's address",
        arguments: [
            ("?utm_source=a&b=1&FBCLID=2", "?b=1"), ("?utm_medium=a", ""), ("?refer=1", "?refer=1"),
            ("?a=1&&b", "?a=1&b"),
        ])
    func tracking(_ query: String, _ left: String) throws {
        #expect(
            try LinkURL("https://a.example/x\(query)").withoutTracking
                == "https://a.example/x\(left)")
    }
}
