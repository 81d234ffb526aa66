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

    /// What JSON and YAML make a number of is a text only where the schema says so.
    @Test func `no form takes a number that the schema refuses`() {
        var (shapes, formats) = (Set<String>(), [Format]())
        func collect(_ kind: Kind) {
            switch kind {
            case .text(let format): formats.append(format)
            case .list(let kind, _): collect(kind)
            case .names(_, let kind): collect(kind)
            case .object(let shape):
                guard shapes.insert(shape.name).inserted else { return }
                shape.keys.forEach { collect($0.kind) }
            case .json: break
            case .either(let kinds): kinds.forEach(collect)
            }
        }
        collect(.object(.configuration))
        #expect(formats.contains { $0.name == Format.destination.name } && formats.count > 100)
        // The name of a client is compared with those of all clients later.
        for format in formats where format.choices.isEmpty && format.name != Format.profile.name {
            for (number, types) in [
                ("200", ["number", "integer"]), ("7", ["number", "integer"]), ("1.5", ["number"]),
            ]
            where (try? format.read(number)) != nil {
                #expect(
                    types.contains(where: format.alsoKnownAs.contains), "\(format.name): \(number)")
            }
        }
    }

    /// Texts of which pattern and reader must say the same.
    static let samples: [FormatSample] = [
        .init("name", .name, "prod", true), .init("name", .name, "0.a_b-c", true),
        .init("name", .name, long, true), .init("name", .name, long + "x", false),
        .init("name", .name, "_a", false), .init("name", .name, "a b", false),
        .init("name", .name, "\u{E9}", false),
        .init("zone", .timeZone, "Europe/Berlin", true),
        .init("zone", .timeZone, "Etc/GMT+3", true), .init("zone", .timeZone, "../x", false),
        .init("zone", .timeZone, "/UTC", false), .init("zone", .timeZone, "UTC/", false),
        .init("zone", .timeZone, "3", false),
        .init("identity", .identityField, "X-Forwarded-User", true),
        .init("identity", .identityField, "remote-user", true),
        .init("identity", .identityField, "secret", true),
        .init("identity", .identityField, "Sec-User", false),
        .init("identity", .identityField, "COOKIE", false),
        .init("identity", .identityField, "cookies", true),
        .init("identity", .identityField, "7", false), .init("identity", .identityField, "", false),
        .init("identity", .identityField, "X_User", false),
        .init("identity", .identityField, long, true),
        .init("identity", .identityField, long + "x", false),
        .init("issuer", .issuer, "https://id.example.com", true),
        .init("issuer", .issuer, "https://id.example.com:8443/realms/a", true),
        .init("issuer", .issuer, "https://login.example.com/a1-b2/v2.0", true),
        .init("issuer", .issuer, "https://id.example.com/", true),
        .init("issuer", .issuer, "HTTPS://id.example.com", false),
        .init("issuer", .issuer, "http://id.example.com", false),
        .init("issuer", .issuer, "http://localhost", true),
        .init("issuer", .issuer, "http://localhost:9000/a", true),
        .init("issuer", .issuer, "http://127.0.0.1:9000", true),
        .init("issuer", .issuer, "http://localhost.example.com", false),
        .init("issuer", .issuer, "http://127.0.0.12", false),
        .init("issuer", .issuer, "https://id.example.com/?a", false),
        .init("issuer", .issuer, "https://id.example.com/#a", false),
        .init("issuer", .issuer, "https://a:b@id.example.com", false),
        .init("issuer", .issuer, "id.example.com", false), .init("issuer", .issuer, "", false),
        .init("scope", .scope, "groups", true),
        .init("scope", .scope, "https://a.example/b", true),
        .init("scope", .scope, "a b", false), .init("scope", .scope, "a\"", false),
        .init("scope", .scope, "a\\", false), .init("scope", .scope, "ü", false),
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
        .init("host", .host, "localhost", true), .init("host", .host, "A.b-c.d1", true),
        .init("host", .host, "A.b-c.1", false), .init("host", .host, "1.5", false),
        .init("host", .host, "127.0.0.1", true), .init("host", .host, "127.0.0.256", false),
        .init("host", .host, "a..b", false), .init("host", .host, "a-.b", false),
        .init("host", .host, "a_b", false), .init("host", .host, "a.", false),
        .init("host", .host, String(long.dropLast()), true), .init("host", .host, long, false),
        .init("destination", .destination, "store", true),
        .init("destination", .destination, "*.a.b/x", true),
        .init("destination", .destination, "127.0.0.1/x", true),
        .init("destination", .destination, "a.1b/x", true),
        .init("destination", .destination, "200", false),
        .init("destination", .destination, "a.200/x", false),
        .init("destination", .destination, "0x1F", false),
        .init("destination", .destination, "*.127.0.0.1", false),
        .init("destination", .destination, "a:8443", false),
        .init("port", .port, "1", true), .init("port", .port, "65535", true),
        .init("port", .port, "0", false), .init("port", .port, "080", false),
        .init("port", .port, "+80", false),
        .init("pattern", .pathPattern, "/", true), .init("pattern", .pathPattern, "*", true),
        .init("pattern", .pathPattern, "/a/*/??", true),
        .init("pattern", .pathPattern, "a", false), .init("pattern", .pathPattern, "?", false),
        .init("pattern", .pathPattern, "/a b", false),
        .init("pattern", .pathPattern, "/#", false),
        .init("pattern", .pathPattern, #"/\a"#, false),
        .init("page", .unmatchedPage, "page", true),
        .init("page", .unmatchedPage, "/a/b.html", true),
        .init("page", .unmatchedPage, "pages", false), .init("page", .unmatchedPage, "/a?b", false),
        .init("unmatched", .unmatched, "not-found", true),
        .init("unmatched", .unmatched, "/404.html", true),
        .init("unmatched", .unmatched, "Https://example.com", true),
        .init("unmatched", .unmatched, "example.com", false),
        .init("unmatched", .unmatched, "javascript:alert(1)", false),
        .init("unmatched", .unmatched, "/a#b", false),
        .init("action", .webAction, "store", true),
        .init("action", .webAction, "https://example.com/{1}", true),
        .init("action", .webAction, "{1}", false),
        .init("action", .webAction, "301 https://example.com/{1}", true),
        .init("action", .webAction, "307 https://example.com/", true),
        .init("action", .webAction, "308 HTTP://example.com/", true),
        .init("action", .webAction, "303 https://example.com/", false),
        .init("action", .webAction, "300 https://example.com/", false),
        .init("action", .webAction, "0308 https://example.com/", false),
        .init("action", .webAction, "308  https://example.com/", false),
        .init("action", .webAction, "308 /a", false),
        .init("action", .webAction, "308", false),
        .init("unmatched", .unmatched, "302 https://example.com{path}", true),
        .init("unmatched", .unmatched, "410 https://example.com/", false),
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
        .init("public file", .publicFile, "/a.png", true),
        .init("public file", .publicFile, "a.png", false),
        .init("public file", .publicFile, "/a?b", false),
        .init("public file", .publicFile, "https://a/", false),
        .init("language", .language, "de", true),
        .init("language", .language, "gsw", true),
        .init("language", .language, "zh-Hant-TW", true),
        .init("language", .language, "es-419", true),
        .init("language", .language, "DE-at", true),
        .init("language", .language, "d", false),
        .init("language", .language, "de_AT", false),
        .init("language", .language, "de-", false),
        .init("language", .language, "de-AT-x", false),
        .init("language", .language, "german", false),
        .init("language", .language, "de-Latn-AT-1996", false),
        .init("handle", .handle, "@a_1", true),
        .init("handle", .handle, "@0123456789abcde", true),
        .init("handle", .handle, "a", false),
        .init("handle", .handle, "@", false),
        .init("handle", .handle, "@0123456789abcdef", false),
        .init("handle", .handle, "@a-b", false),
        .init("word", .word, "a", true),
        .init("word", .word, "open-app2", true),
        .init("word", .word, "A", false),
        .init("word", .word, "2a", false),
        .init("word", .word, "-a", false),
        .init("word", .word, "a_b", false),
        .init("og type", .openGraphType, "website", true),
        .init("og type", .openGraphType, "video.tv_show", true),
        .init("og type", .openGraphType, "Video", false),
        .init("og type", .openGraphType, "video.", false),
        .init("og type", .openGraphType, "video.tv.show", false),
        .init("og type", .openGraphType, ".a", false),
        .init("og type", .openGraphType, "_a", false),
        .init("image type", .imageType, "image/svg+xml", true),
        .init("image type", .imageType, "image/", false),
        .init("image type", .imageType, "video/mp4", false),
        .init("image type", .imageType, "image/a b", false),
        .init("image type", .imageType, "image/-a", false),
        .init("video type", .videoType, "video/mp4", true),
        .init("video type", .videoType, "image/png", false),
        .init("video type", .videoType, "video", false),
        .init("pixels", .pixels, "1", true),
        .init("pixels", .pixels, "100000", true),
        .init("pixels", .pixels, "01", false),
        .init("pixels", .pixels, "1px", false),
        .init("pixels", .pixels, "-1", false),
        .init("pixels", .pixels, "1000000000", false),
        .init("seconds", .hstsSeconds, "0", true),
        .init("seconds", .hstsSeconds, "315360000", true),
        .init("seconds", .hstsSeconds, "00", false),
        .init("seconds", .hstsSeconds, "1.5", false),
        .init("seconds", .hstsSeconds, "3153600000", false),
        .init("style", .styleValue, "#fff", true),
        .init("style", .styleValue, "#0A7cff80", true),
        .init("style", .styleValue, "0", true),
        .init("style", .styleValue, "-1.5rem", true),
        .init("style", .styleValue, "100%", true),
        .init("style", .styleValue, "serif", true),
        .init("style", .styleValue, "-apple-system, Segoe UI,a", true),
        .init("style", .styleValue, "#fg", false),
        .init("style", .styleValue, "1e3", false),
        .init("style", .styleValue, "1.px", false),
        .init("style", .styleValue, "1 px", false),
        .init("style", .styleValue, "url(a)", false),
        .init("style", .styleValue, "a;b", false),
        .init("style", .styleValue, "a,", false),
        .init("style", .styleValue, "'a'", false),
        .init("style", .styleValue, "a}", false),
        .init("style", .styleValue, " a", false),
        .init("style", .styleValue, "\\61", false),
        .init("duration", .duration, "PT1S", true),
        .init("duration", .duration, "P1D", true),
        .init("duration", .duration, "P1DT1H2M3S", true),
        .init("duration", .duration, "PT90M", true),
        .init("duration", .duration, "P", false),
        .init("duration", .duration, "PT", false),
        .init("duration", .duration, "1M", false),
        .init("duration", .duration, "PT1", false),
        .init("duration", .duration, "P1M", false),
        .init("duration", .duration, "PT1S1M", false),
        .init("duration", .duration, "PT1.5S", false),
        .init("date", .date, "2026-11-21", true),
        .init("date", .date, "2026-11-21T08:30Z", true),
        .init("date", .date, "2026-11-21T08:30:00+01:00", true),
        .init("date", .date, "2026-11", false),
        .init("date", .date, "2026-11-21T08", false),
        .init("date", .date, "21.11.2026", false),
        .init("date", .date, "2026-11-21T08:30", false),
        .init("date", .date, "2026-11-21 08:30Z", false),
        .init("date", .date, "2026-11-21T08:30:00+0100", false),
        .init("uuid", .uuid, "45812c9b-c296-43d3-a6a0-c5a02f74bf6e", true),
        .init("uuid", .uuid, "45812c9b-c296-43d3-a6a0-c5a02f74bf6", false),
        .init("uuid", .uuid, "45812c9bc29643d3a6a0c5a02f74bf6e", false),
        .init("uuid", .uuid, "45812c9b-c296-43d3-a6a0-c5a02f74bf6g", false),
        .init("provider", .providerToken, "0", true),
        .init("provider", .providerToken, "123456789012345678", true),
        .init("provider", .providerToken, "a", false),
        .init("provider", .providerToken, "1 2", false),
        .init("provider", .providerToken, "1234567890123456789", false),
        .init("template", .template, "https://a.example/{path}", true),
        .init("template", .template, "/a", false),
        .init("template", .template, "app://a", false),
        .init("url", .url, "http://a", true), .init("url", .url, "ftp://a", false),
    ]

    @Test("both say the same", arguments: samples)
    func agree(_ sample: FormatSample) throws {
        #expect(((try? sample.format.parse(sample.text)) != nil) == sample.isAccepted)
        let pattern = try Regex(try #require(sample.format.pattern))
        #expect((try pattern.firstMatch(in: sample.text) != nil) == sample.isAccepted)
    }

    @Test(
        "what a pattern cannot say",
        arguments: [
            .init("scheme", .scheme, "JavaScript", false), .init("scheme", .scheme, "https", false),
            .init("scheme", .scheme, "javascript2", true),
            .init("pixels", .pixels, "100001", false), .init("pixels", .pixels, "0", false),
            .init("seconds", .hstsSeconds, "315360001", false),
            .init("style", .styleValue, "#12345", false),
            .init("date", .date, "2026-13-01", false), .init("date", .date, "2026-12-32", false),
            .init("date", .date, "2026-12-31T24:00Z", false),
            .init("date", .date, "2026-12-31T23:60Z", false),
            .init("campaign", .campaignToken, String(repeating: "x", count: 40), true),
            .init("campaign", .campaignToken, String(repeating: "x", count: 41), false),
            .init("campaign", .campaignToken, String(repeating: "\u{E9}", count: 21), false),
        ] as [FormatSample])
    func beyondPattern(_ sample: FormatSample) {
        #expect(((try? sample.format.parse(sample.text)) != nil) == sample.isAccepted)
    }

    @Test(
        "a host of 253 bytes is the longest",
        arguments: [(253, true), (254, false)])
    func hostLength(_ length: Int, _ isAccepted: Bool) {
        let label = String(repeating: "x", count: 61) + "."
        let host = String(repeating: label, count: 4) + String(repeating: "y", count: length - 248)
        #expect(((try? Format.host.parse(host)) != nil) == isAccepted)
    }

    private static func fingerprint(_ octets: Int) -> String {
        Array(repeating: "A0", count: octets).joined(separator: ":")
    }
}
