import Testing

@testable import SiteConfiguration

/// What one format says of one text.
struct FormatSample: Sendable, CustomTestStringConvertible {
    let name: String
    let format: Format
    let text: String
    let isAccepted: Bool

    init(_ name: String, _ format: Format, _ text: String, _ isAccepted: Bool) {
        (self.name, self.format, self.text, self.isAccepted) = (name, format, text, isAccepted)
    }

    var testDescription: String { "\(name): \(text)" }
}

@Suite("Forms of texts: the schema's pattern and the reader")
struct FormatTests {
    static let long = String(repeating: "x", count: 64)

    /// Texts of which pattern and reader must say the same.
    static let samples: [FormatSample] = [
        .init("name", .name, "prod", true), .init("name", .name, "0.a_b-c", true),
        .init("name", .name, long, true), .init("name", .name, long + "x", false),
        .init("name", .name, "_a", false), .init("name", .name, "a b", false),
        .init("name", .name, "\u{E9}", false),
        .init("app", .appIdentifier, "ABCDE12345.a", true),
        .init("app", .appIdentifier, "0123456789.A-b.c", true),
        .init("app", .appIdentifier, "ABCDE1234.a", false),
        .init("app", .appIdentifier, "ABCDE12345.", false),
        .init("app", .appIdentifier, "ABCDE12345.a..b", false),
        .init("app", .appIdentifier, "ABCDE12345.a_b", false),
        .init("package", .androidPackage, "a.b", true),
        .init("package", .androidPackage, "com.example_1.A", true),
        .init("package", .androidPackage, "a", false),
        .init("package", .androidPackage, "a.1", false),
        .init("package", .androidPackage, "a.b-c", false),
        .init("fingerprint", .fingerprint, fingerprint(32), true),
        .init("fingerprint", .fingerprint, fingerprint(31), false),
        .init("fingerprint", .fingerprint, fingerprint(33), false),
        .init("fingerprint", .fingerprint, fingerprint(32).lowercased(), false),
        .init("store", .storeIdentifier, "1", true),
        .init("store", .storeIdentifier, "999999999999999999", true),
        .init("store", .storeIdentifier, "1000000000000000000", false),
        .init("store", .storeIdentifier, "012", false),
        .init("store", .storeIdentifier, "id1", false),
        .init("scheme", .scheme, "a+b.c-1", true), .init("scheme", .scheme, "1a", false),
        .init("scheme", .scheme, "a:", false),
        .init("host", .host, "localhost", true), .init("host", .host, "A.b-c.1", true),
        .init("host", .host, "a..b", false), .init("host", .host, "a-.b", false),
        .init("host", .host, "a_b", false), .init("host", .host, "a.", false),
        .init("host", .host, String(long.dropLast()), true), .init("host", .host, long, false),
        .init("port", .port, "1", true), .init("port", .port, "65535", true),
        .init("port", .port, "0", false), .init("port", .port, "080", false),
        .init("port", .port, "+80", false),
        .init("pattern", .pathPattern, "/", true), .init("pattern", .pathPattern, "*", true),
        .init("pattern", .pathPattern, "/a/*/??", true),
        .init("pattern", .pathPattern, "a", false), .init("pattern", .pathPattern, "?", false),
        .init("pattern", .pathPattern, "/a b", false),
        .init("pattern", .pathPattern, "/#", false),
        .init("pattern", .pathPattern, #"/\a"#, false),
        .init("page", .page, "page", true), .init("page", .page, "/a/b.html", true),
        .init("page", .page, "pages", false), .init("page", .page, "/a?b", false),
        .init("unmatched", .unmatched, "not-found", true),
        .init("unmatched", .unmatched, "/404.html", true),
        .init("unmatched", .unmatched, "Https://example.com", true),
        .init("unmatched", .unmatched, "example.com", false),
        .init("unmatched", .unmatched, "javascript:alert(1)", false),
        .init("unmatched", .unmatched, "/a#b", false),
        .init("action", .webAction, "store", true),
        .init("action", .webAction, "https://example.com/{1}", true),
        .init("action", .webAction, "{1}", false),
        .init("image", .image, "/a.jpg", true),
        .init("image", .image, "https://example.com/a.jpg", true),
        .init("image", .image, "a.jpg", false),
        .init("schema type", .schemaType, "Product", true),
        .init("schema type", .schemaType, "product", false),
        .init("profile", .profile, "desktop-chrome", true),
        .init("profile", .profile, "desktop--chrome", false),
        .init("profile", .profile, "Chrome", false),
        .init("outcome", .outcome, "200", true),
        .init("outcome", .outcome, "302 https://example.com/", true),
        .init("outcome", .outcome, "600", false), .init("outcome", .outcome, "20", false),
        .init("outcome", .outcome, "302 /", false),
        .init("url", .url, "http://a", true), .init("url", .url, "ftp://a", false),
    ]

    @Test("both say the same", arguments: samples)
    func agree(_ sample: FormatSample) throws {
        #expect((sample.format.fault(sample.text) == nil) == sample.isAccepted)
        let pattern = try Regex(try #require(sample.format.pattern))
        #expect((try pattern.firstMatch(in: sample.text) != nil) == sample.isAccepted)
    }

    @Test(
        "a host of 253 bytes is the longest",
        arguments: [(253, true), (254, false)])
    func hostLength(_ length: Int, _ isAccepted: Bool) {
        let label = String(repeating: "x", count: 61) + "."
        let host = String(repeating: label, count: 4) + String(repeating: "y", count: length - 248)
        #expect((Format.host.fault(host) == nil) == isAccepted)
    }

    private static func fingerprint(_ octets: Int) -> String {
        Array(repeating: "A0", count: octets).joined(separator: ":")
    }
}
