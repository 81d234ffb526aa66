import Associations
import Diagnostics
import Resolution
import SiteConfiguration
import Testing

@Suite("Where a template leads")
struct DestinationTests {
    /// The `Location` of a request for a link with this pattern and template; nil for none.
    static func location(
        _ template: String, _ target: String, match: String = "/a/*",
        campaign: String = "{utm: true}", client: String = "desktop-chrome"
    ) throws -> String? {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.a}}}
            links:
              l:
                match: \(match)
                web: "\(template)"
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish: {a: l}
                campaign: \(campaign)
            """
        let (site, diagnostics) = Configuration.read(Array(text.utf8), file: "f")
        let environment = try #require(site?.environments.first?.sites[0], "\(diagnostics)")
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let decision = LinkResolver(environment).decide(
            try LinkURL("https://e.example\(target)"), for: Visitor(userAgent: agent), at: nil)
        guard case .redirect(let url, _) = decision.answer else { return nil }
        return String(decoding: url, as: UTF8.self)
    }

    @Test(
        "without placeholders, a URL is the same with and without a query of the request",
        arguments: [
            "https://w.example", "https://w.example/", "https://w.example?", "https://w.example/?",
            "https://w.example/a//b/", "https://w.example/a?b", "https://w.example/a?b=1&c=2",
            "https://w.example/a?&b", "https://w.example/a?&&b", "https://w.example/a?b&",
            "https://w.example/a?b&&", "https://w.example/a?b&&c", "https://w.example/a??&b",
            "https://w.example/a?#b", "https://w.example/a?b#&c", "https://w.example/a#",
            "https://w.example/a#b?c", "https://w.example/a?b[1]=2", "https://w.example/%7Ba%7D",
            "https://w.example:8443/a?utm_source=x",
        ])
    func constantsAreWrittenAsOthers(_ template: String) throws {
        let expected = try #require(try Self.location(template, "/a/x?other=1"))
        #expect(try Self.location(template, "/a/x") == expected)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let template: String
        let target: String
        let location: String?

        init(_ template: String, _ target: String, _ location: String?) {
            (self.template, self.target, self.location) = (template, target, location)
        }

        var testDescription: String { "\(template) of \(target)" }
    }

    static let rows = [
        Row("https://w.example/{1}", "/a/x", "https://w.example/x"),
        Row("https://w.example/{1}", "/a/x/y/", "https://w.example/x/y/"),
        Row("https://w.example/{1}/z", "/a/", "https://w.example/z"),
        Row("https://w.example/{1}", "/a/x%2Cy%20z", "https://w.example/x%2Cy%20z"),
        Row("https://w.example/{1}", "/a/100%", "https://w.example/100%25"),
        Row("https://w.example/{1}", "/a/%zz%4", "https://w.example/%25zz%254"),
        Row(
            "https://w.example/?q={1}", "/a/x&y=1;z+ü",
            "https://w.example/?q=x%26y%3D1%3Bz%2B%C3%BC"),
        Row("https://w.example/#{1}", "/a/x", "https://w.example/#x"),
        Row("https://w.example{path}", "/a/x", "https://w.example/a/x"),
        Row("https://w.example/{path}", "/a/x", "https://w.example/a/x"),
        Row("https://w.example/b/{path}", "/a/x", "https://w.example/b/a/x"),
        Row("https://w.example{path}", "/a//x", "https://w.example/a//x"),
        Row("https://w.example{path}?{query}", "/a/x?b=c&d", "https://w.example/a/x?b=c&d"),
        Row("https://w.example{path}?{query}", "/a/x", "https://w.example/a/x"),
        Row("https://w.example{path}?{query}", "/a/x?", "https://w.example/a/x"),
        Row("https://w.example/?a=1&{query}", "/a/x", "https://w.example/?a=1"),
        Row("https://w.example/?{query}&a=1", "/a/x", "https://w.example/?a=1"),
        Row("https://w.example/?{query}&a=1#t", "/a/x?b", "https://w.example/?b&a=1#t"),
        Row("https://w.example/?a={query}", "/a/x?b=c&d", "https://w.example/?a=b%3Dc%26d"),
        Row("https://w.example/{query}", "/a/x?b=c/d", "https://w.example/b=c%2Fd"),
        Row("https://w.example/{query.id}", "/a/x?id=7", "https://w.example/7"),
        Row("https://w.example/{query.id}", "/a/x?idd=7&id=8&id=9", "https://w.example/8"),
        Row("https://w.example/i/{query.id}/j", "/a/x", "https://w.example/i/j"),
        Row("https://w.example/{query.id}", "/a/x?id=a+b", "https://w.example/a%20b"),
        Row("https://w.example/?x={query.id}", "/a/x?id=a+b%2B", "https://w.example/?x=a+b%2B"),
        Row("https://w.example/?x={query.id}", "/a/x", "https://w.example/?x="),
        Row("https://w.example/#{query.id}", "/a/x?id=a%23b", "https://w.example/#a%23b"),
        Row("https://w.example/#{query.id}", "/a/x", "https://w.example/"),
        Row("https://w.example/?#{1}", "/a/x", "https://w.example/#x"),
        // Brackets are for addresses (RFC 3986 §3.2.2).
        Row(
            "https://w.example/[a]/{1}?b[]=[c]", "/a/[x]",
            "https://w.example/%5Ba%5D/%5Bx%5D?b%5B%5D=%5Bc%5D"),
        Row("https://w.example/?{query}", "/a/x?a[]=1", "https://w.example/?a%5B%5D=1"),
        // What has no path has none.
        Row("https://w.example?x={1}", "/a/y", "https://w.example?x=y"),
        // A value that ends in a question mark does not take the next item.
        Row("https://w.example/?q={query.q}&b=1", "/a/x?q=y?", "https://w.example/?q=y?&b=1"),
        Row("https://w.example/?q={query.q}&b=1", "/a/x?q=?", "https://w.example/?q=?&b=1"),
        Row("https://w.example/?{query.q}&b=1", "/a/x?q=?", "https://w.example/??&b=1"),
        Row("https://w.example/?{query.q}&b=1", "/a/x?q=", "https://w.example/?b=1"),
        Row(
            "https://w.example/?q=y?", "/a/x?utm_source=n", "https://w.example/?q=y?&utm_source=n"),
        Row(
            "https://w.example/?q={query.q}", "/a/x?q=y?&utm_source=n?&utm_term=t",
            "https://w.example/?q=y?&utm_source=n?&utm_term=t"),
        Row("https://w.example/?", "/a/x?utm_source=n", "https://w.example/?utm_source=n"),
        Row("https://w.example/#/?{query.q}&b=1", "/a/x?q=", "https://w.example/#/?b=1"),
        // Nothing leads out of the path, and nothing to another host.
        Row("https://w.example/{query.to}", "/a/x?to=..", nil),
        Row("https://w.example/b/.{query.to}/c", "/a/x?to=.", nil),
        Row("https://w.example/b/{query.to}/c", "/a/x?to=%2E%2e", nil),
        Row("https://w.example/b/{query.to}", "/a/x?to=...", "https://w.example/b/..."),
        Row("https://w.example/{query.to}", "/a/x?to=//evil", "https://w.example/%2F%2Fevil"),
        Row("https://w.example{path}", "//evil.example/a/x", nil),
        Row("https://w.example/{query.to}", "/a/x?to=a%0D%0AB:c%00", "https://w.example/aB:c"),
        Row("https://w.example/?{query}", "/a/x?to=%0d%0ax", "https://w.example/?to=x"),
        Row(
            "https://w.example/{1}", "/a/x\\y<>\"^`{|}",
            "https://w.example/x%5Cy%3C%3E%22%5E%60%7B%7C%7D"),
    ]

    @Test("each value is escaped for its place, and once", arguments: rows)
    func leads(_ row: Row) throws {
        #expect(try Self.location(row.template, row.target) == row.location)
    }

    @Test func `a rule that compares decoded gives what it compared`() throws {
        let rule = "{\"/\": /a/*, percentEncoded: false}"
        #expect(
            try Self.location("https://w.example/{1}", "/a/c%20d%25e", match: rule)
                == "https://w.example/c%20d%25e")
    }

    @Test func `the host of the pattern has no say`() throws {
        #expect(
            try Self.location("https://w.example{path}", "//evil.example/x", match: "'*'")
                == "https://w.example/evil.example/x")
    }

    @Test(
        "campaign parameters go on, unless the template has its own",
        arguments: [
            (
                "https://w.example/", "/a/x?utm_source=n&b=1&utm_campaign=a%20b",
                "https://w.example/?utm_source=n&utm_campaign=a%20b"
            ),
            ("https://w.example/?c=1", "/a/x?utm_id=7", "https://w.example/?c=1&utm_id=7"),
            ("https://w.example/#t", "/a/x?utm_id=7", "https://w.example/?utm_id=7#t"),
            (
                "https://w.example/?utm_source=app", "/a/x?utm_source=n&utm_term=t",
                "https://w.example/?utm_source=app&utm_term=t"
            ),
            (
                "https://w.example/?{query}", "/a/x?utm_source=n&b=1",
                "https://w.example/?utm_source=n&b=1"
            ),
            (
                "https://w.example/?q={query.q}", "/a/x?utm_medium=m&q=1",
                "https://w.example/?q=1&utm_medium=m"
            ),
            // The first counts, empty ones do not, nor do other spellings.
            (
                "https://w.example/", "/a/x?utm_term=&utm_id=1&utm_id=2",
                "https://w.example/?utm_id=1"
            ),
            ("https://w.example/", "/a/x?UTM_source=n&utm_sourc=x", "https://w.example/"),
            (
                "https://w.example/", "/a/x?utm_source=a+b%26c%0D%0Ad",
                "https://w.example/?utm_source=a+b%26cd"
            ),
        ])
    func campaign(_ template: String, _ target: String, _ expected: String) throws {
        #expect(try Self.location(template, target) == expected)
    }

    @Test func `parameters of 256 bytes are the longest`() throws {
        let value = String(repeating: "x", count: 256)
        let root = "https://w.example/"
        #expect(
            try Self.location(root, "/a/x?utm_id=\(value)") == "https://w.example/?utm_id=\(value)")
        #expect(try Self.location(root, "/a/x?utm_id=\(value)x") == root)
    }

    @Test func `parameters stay where the configuration says so`() throws {
        let target = "/a/x?utm_source=n"
        #expect(
            try Self.location("https://w.example/", target, campaign: "{utm: false}")
                == "https://w.example/")
    }

    @Test func `programs are sent nowhere`() throws {
        #expect(try Self.location("https://w.example/", "/a/x", client: "messages-preview") == nil)
    }
}
