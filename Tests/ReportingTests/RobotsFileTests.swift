import Testing

@testable import Reporting

/// A robots.txt, a path, and who may fetch it.
struct RobotsRow: CustomTestStringConvertible {
    let rules: String
    let target: String
    let isAllowed: Bool
    let crawler: Crawler

    init(_ rules: String, _ target: String, _ isAllowed: Bool, _ crawler: Crawler = .other) {
        self.rules = rules
        self.target = target
        self.isAllowed = isAllowed
        self.crawler = crawler
    }

    var testDescription: String { "\(rules.split(separator: "\n")) \(target)" }
}

@Suite("robots.txt (RFC 9309)")
struct RobotsFileTests {
    private static let all = "User-agent: *\n"
    private static let two = "User-agent: Googlebot\nDisallow: /g\n\n\(all)Disallow: /s"

    static let rows: [RobotsRow] = [
        // Without a rule everything is allowed.
        .init("", "/", true), .init("Disallow: /", "/", true), .init("\(all)Disallow:", "/a", true),
        .init("\(all)Disallow: /", "/a", false), .init("\(all)Disallow: /", "/robots.txt", true),

        // The longest rule decides, of two as long the one that allows (§2.2.2).
        .init("\(all)Disallow: /a\nAllow: /a/b", "/a/b", true),
        .init("\(all)Allow: /a/b\nDisallow: /a", "/a/c", false),
        .init("\(all)Disallow: /a\nAllow: /a", "/a", true),
        .init("\(all)Allow: /*\nDisallow: /*.gif", "/x.gif", false),
        .init("\(all)Allow: /p\nDisallow: /", "/page", true),

        // Special characters (§2.2.3).
        .init("\(all)Disallow: *.gif$", "/x/y.gif", false),
        .init("\(all)Disallow: *.gif$", "/x/y.gif?1", true),
        .init("\(all)Disallow: /this/*/exactly", "/this/is/exactly", false),
        .init("\(all)Disallow: /this/*/exactly", "/this/exactly", true),
        .init("\(all)Disallow: /a$", "/a", false), .init("\(all)Disallow: /a$", "/ab", true),
        .init("\(all)Disallow: /a*b*c$", "/a-b-c-b-c", false),
        .init("\(all)Disallow: /ab*ba$", "/aba", true),
        .init("\(all)Disallow: /x%2A", "/x*", false), .init("\(all)Disallow: /x%24", "/x$", false),
        .init("\(all)Disallow: /a # all of it", "/ab", false),

        // Encodings (§2.2.2).
        .init("\(all)Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz&x", false),
        .init("\(all)Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", false),
        .init("\(all)Disallow: /foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", false),
        .init("\(all)Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false),
        .init("\(all)Disallow: /a%2Fb", "/a/b", true),

        // Groups (§2.2.1).
        .init(two, "/g", false, .googlebot), .init(two, "/s", true, .googlebot),
        .init(two, "/s", false), .init(two, "/g", true),
        .init("user-AGENT: gooGLEbot/2.1 (x)\ndisALLOW : /a", "/a", false, .googlebot),
        .init("User-agent: a\nUser-agent: *\nDisallow: /a", "/a", false),
        .init("User-agent: *\nSitemap: /s\nUser-agent: a\nDisallow: /a", "/a", false),
        .init("\(all)Disallow: /a\n\(all)Disallow: /b", "/b", false),
        .init("User-agent: Googlebot-Image\nDisallow: /", "/", true, .googlebot),

        // Applebot obeys Googlebot's group where it has none (Apple, "About Applebot").
        .init(two, "/g", false, .applebot), .init(two, "/s", true, .applebot),
        .init("\(two)\nUser-agent: Applebot\nDisallow:", "/g", true, .applebot),
        .init("User-agent: Applebot-Extended\nDisallow: /", "/", true, .applebot),
        .init("\(all)Disallow: /", "/", false, .applebot),
    ]

    @Test("a crawler may fetch, or may not", arguments: rows)
    func verdict(_ row: RobotsRow) {
        let file = RobotsFile(Array(row.rules.utf8))
        #expect(file.verdict(row.crawler, row.target).isAllowed == row.isAllowed)
    }

    @Test("lines end with LF, CRLF or CR", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(_ end: String) {
        let text = ["\u{FEFF}User-agent: *", "Disallow: /a"].joined(separator: end)
        let verdict = RobotsFile(Array(text.utf8)).verdict(.other, "/a")
        #expect(verdict == RobotsVerdict(isAllowed: false, agent: "*", line: 2))
    }

    @Test func `bytes behind the 500th kibibyte are not read`() {
        let filler = String(repeating: "#", count: RobotsFile.bytesMax - 14 - 13 - 1)
        let text = "User-agent: *\n\(filler)\nDisallow: /ab"
        #expect(text.utf8.count == RobotsFile.bytesMax)
        for (text, isAllowed) in [(text, true), (" \(text)", false)] {
            let verdict = RobotsFile(Array(text.utf8)).verdict(.other, "/a")
            #expect(verdict.isAllowed == isAllowed)
        }
    }

    @Test func `a file of stars is answered`() {
        let rule = "Disallow: /" + String(repeating: "*a", count: 50) + "b\n"
        let file = RobotsFile(
            Array(("User-agent: *\n" + String(repeating: rule, count: 400)).utf8))
        #expect(file.verdict(.other, "/" + String(repeating: "a", count: 1_000)).isAllowed)
    }
}
