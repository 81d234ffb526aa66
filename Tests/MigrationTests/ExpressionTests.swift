import Associations
import Foundation
import Testing

@testable import Migration

@Suite("Regular expressions as patterns")
struct ExpressionTests {
    static let same = [
        "^/a$", "^/a/?$", "^/a/([^/]+)$", "^/a/([^/]+)/([^/]+)$", "^/a/([^/]+)/b$",
        "^/([^/]+)/([^/]+)/([^/]+)$", "^/a/([^/]+)/?$", "^/(a|b)/([^/]+)$", "^/a/(.*)$",
        "^/a/([^/]+)", "^/a", "^/(?:a/)?b$", "/a/(.*)", "(.*)", "^/a/([^/]+)/(.*)$",
        "^/(?<x>[^/]+)/a$", "/b$", "^/a.b$", "^/a/.*/b$",
        "^(.*)/b$", "^(.+)/b$", "(.*)b$", "^.*/a/.*$", "^/(.*)/([^/]+)$", "^/b/(.+?)/?$",
        "^/b/(.*?)/?$", "^.*/[^/]+/b$", "^/a/([^/]+)/([^/]+)/b$", "^/a/([^/]*)$", "^/a/([^/]*)/b$",
        "^/a([^/]*)$", "^/a([^/]*)b$", "^/a(.+)b$", "^/a([^/]+)b$", "^/a([^/]+)",
        "^/a(/.*)?$", "^/a(/[^/]*)?$", "^/([^/]*)$", "^/a([^/]+)/b([^/]+)$",
        "^.*/[^/]+b$", "^/a([^/]+)/(.*)$", "^/a/(.+)",
    ]

    /// Every path of up to four segments, some with a slash at the end.
    static let paths: [String] = {
        var all = [""]
        var last = [""]
        for _ in 1...4 {
            last = last.flatMap { path in ["a", "b", "ab"].map { path + "/" + $0 } }
            all += last
        }
        return all.map { $0.isEmpty ? "/" : $0 }
    }()

    @Test("match the same paths, but for a slash at the end", arguments: same)
    func matchesTheSame(_ expression: String) throws {
        let regex = try NSRegularExpression(pattern: expression)
        let pattern = try RegexPattern(expression)
        let rules = pattern.variants.map { variant in
            let (match, exclude) = variant.pattern.finished()
            return exclude.map { RuleText(path: $0, exclude: true) } + [RuleText(path: match)]
        }
        let apps = rules.map { AppRules(appID: "x", rules: $0) }
        let matcher = LinkMatcher(apps, variables: [])
        var scratch = MatchScratch()
        for path in Self.paths {
            func matches(_ path: String) -> Bool {
                regex.firstMatch(in: path, range: NSRange(path.startIndex..., in: path)) != nil
            }
            matcher.decide(try LinkURL("https://a.example" + path), &scratch)
            let isOpen = apps.indices.contains {
                matcher.decision(forApp: $0, scratch).verdict == .open
            }
            let expected = matches(path) || matches(path + "/")
            #expect(isOpen == expected, "\(path) with \(rules)")
        }
    }

    static let refused = [
        ("^/(?!a)", "patterns look neither ahead nor back"),
        ("^/a+", "patterns cannot repeat a character"),
        ("^/(a)+", "patterns cannot repeat a group"),
        ("^/([a-z]+)([0-9]+)$", "patterns cannot tell apart two texts side by side"),
        ("^/a|/b", "alternatives need a group"),
        ("^/(a", "the expression has a ( without a )"),
        ("^/a)", "the expression has a stray )"),
        ("^/[a", "the expression has a [ without a ]"),
        ("^/a\\", "the expression ends with a backslash"),
        ("^/\\bx", "patterns have no \\b"),
        ("^a$", "the expression does not begin with a slash"),
        ("^(/a)?$", "the expression does not begin with a slash"),
        ("^/a/(.+?)", "the last group takes nothing without a $ behind it"),
        (
            "^/(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$",
            "the expression has too many alternatives"
        ),
        (
            "^/" + String(repeating: "(", count: 20),
            "the expression has too many groups within groups"
        ),
    ]

    @Test("without an equal are refused with the reason", arguments: refused)
    func refuses(_ expression: String, _ reason: String) {
        let error = #expect(throws: RegexPattern.Refusal.self) { try RegexPattern(expression) }
        #expect(error?.reason == reason)
    }

    @Test(
        "with two slashes side by side never match",
        arguments: [("^/a//(.*)$", nil), ("^/lead$", "/"), ("//x", nil)] as [(String, String?)])
    func neverMatches(_ expression: String, _ base: String?) {
        let error = #expect(throws: RegexPattern.Refusal.self) {
            try RegexPattern(expression, below: base)
        }
        #expect(error?.isNever == true)
    }

    @Test(
        "have the text of a group that begins with the path behind the host",
        arguments: [
            ("^(.*)\\.gif$", "/{1}"), ("^(.*)$", "{path}"), ("(.*)", "{path}"),
            ("(?<x>.+)/b$", "/{1}"), ("^((.*)/b)$", "/{1}/b"),
        ])
    func groups(_ expression: String, _ value: String) throws {
        #expect(try RegexPattern(expression).variants.first?.groups["1"] == value)
    }

    @Test(
        "a part that can be missing, behind one that can take its text, is said",
        arguments: [
            ("^/b/(.*)(\\.html)?$", true), ("^/b/([^/]+)(\\.html)?$", true),
            ("^/b(?:/(.+))?(?:/(en|es))?$", true), ("^/b(?:/([^/]+))?(?:/z)?$", false),
            ("^/b/(.*?)(\\.html)?$", false), ("^/b/([^/]+)(/z)?$", false),
            ("^/b/([^/]+)(/.*)?$", false), ("^/(en)?(/shop)?$", false), ("^/b(/.*)?$", false),
            ("^/b/(a|c)?(/z)?$", false), ("^/a/(.+)b?a$", true), ("^/b/(.+)(s|)$", true),
            ("^/c/(.*)(ba|a)$", true), ("^/d/([^/]+)s?$", true), ("^/e/([^/]+)s?/x$", true),
            ("^/f/(.*)-?old$", true), ("^/a/([^/]+)/?b$", false), ("^/c/(.*)(a|b)$", false),
            ("^/c/([^/]+)(/a|/b/a)$", false),
        ])
    func sharing(_ expression: String, _ isSaid: Bool) throws {
        #expect(try RegexPattern(expression).sharesOut == isSaid)
    }

    @Test func `of more than 4096 bytes are refused`() {
        let long = "^/" + String(repeating: "(", count: 200_000)
        let error = #expect(throws: RegexPattern.Refusal.self) { try RegexPattern(long) }
        #expect(error?.reason == "the expression has more than 4096 bytes")
    }

    static let written = [
        ("^/a/([^/]+)/([^/]+)$", "/a/*/*/", ["/a/*/*/?*"]), ("^/a/(.*)$", "/a/*", []),
        ("^/a/(.+)$", "/a/*", ["/a/"]),
        ("^/u/([^/]+)\\.html$", "/u/*.html", ["/u/*/?*", "/u/.html"]),
        ("^/s/([^/]+)", "/s/*/*", []), ("/old/(.*)", "*/old/*", []), ("(.*)", "*", []),
        ("^/x(.+)y$", "/x*y", ["/xy"]),
        ("^/a([^/]+)/b([^/]+)$", "/a*/b*/", ["/a*/*/?*", "/a/b*", "/a*/b"]),
        ("^/x(.+)", "/x*", ["/x"]), ("^/ä$", "/%C3%A4", []), ("^/a%20b$", "/a%2520b", []),
        ("^/a\\?$", "/a%3F", []), ("^(.+)\\.htm$", "/*.htm", []),
        ("^/b/(.+?)/?$", "/b/*/", []), ("^/(.*)/([^/]+)/c$", "/*/*/c", []),
    ]

    @Test("become one pattern, and exclusions of longer paths", arguments: written)
    func writes(_ expression: String, _ match: String, _ exclude: [String]) throws {
        let variants = try RegexPattern(expression).variants
        #expect(variants.map { $0.pattern.finished().match } == [match])
        #expect(variants[0].pattern.finished().exclude == exclude)
    }

    @Test(
        "name the star that takes nothing of paths that cannot be left out",
        arguments: [
            ("^/([^/]+)/(.+)$", 1), ("^/(.*)/x(.+)y$", 1), ("^/x(.+)y", 0),
            ("^/([^/]+)/(.*)$", nil),
            ("^/a([^/]+).b/(.*)$", 0), ("^/a([^/]+)b/(.*)$", nil), ("^/([^/]+)-([^/]+)$", 0),
            ("^/(.*)/x([^/]+)y$", nil),
        ])
    func emptyStars(_ expression: String, _ star: Int?) throws {
        #expect(try RegexPattern(expression).variants.first?.pattern.emptyStar == star)
    }

    @Test(
        "name the star whose longer paths cannot be told from those in which a text is there twice",
        arguments: [
            ("^/a([^/]+)/b(.*)$", 0), ("^.*/a[^/]+$", 1), ("^/([^/]+)/(.*)$", nil),
            ("^/([^/]+)/b/(.*)$", 0), ("^/a([^/]+)/b([^/]+)$", nil), ("^/a(.*)/b(.*)$", nil),
        ])
    func repeatedStars(_ expression: String, _ star: Int?) throws {
        #expect(try RegexPattern(expression).variants.first?.pattern.repeatedStar == star)
    }

    @Test(
        "have links for all that a part can be, the first without it",
        arguments: [
            ("^/g/([^/]*)$", ["/g/*/", "/g/"]), ("^/g/([a-z]*)/b$", ["/g/*/b"]),
            ("^/n(/.*)?$", ["/n", "/n/*"]), ("^/n(?:/([^/]*))?$", ["/n", "/n/*/", "/n/"]),
            ("^/n(/.*)?/b$", ["/n/*/b", "/n/b"]), ("^/n(a)?$", ["/na", "/n"]),
            ("^/g/([^/]*)b$", ["/g/*b"]),
            // In the order in which an expression tries them.
            (
                "^(?:/(en|es))?(?:/([^/]+))?/y$",
                ["/en/*/y", "/en/y", "/es/*/y", "/es/y", "/*/y", "/y"]
            ),
            ("^/ab?(c)?d$", ["/abcd", "/abd", "/acd", "/ad"]),
        ])
    func variants(_ expression: String, _ patterns: [String]) throws {
        #expect(
            try RegexPattern(expression).variants.map { $0.pattern.finished().match } == patterns)
    }

    static let services = [
        (netlifyExpression("/blog/:year/*"), "^/blog/(?<year>[^/]+)/(?<splat>.*)$"),
        (firebaseExpression("/a/**/b") ?? "", "^/a(?:/.*)?/b$"),
        (firebaseExpression("/foo{,/**}") ?? "", "^/foo(?:|/.*)$"),
        (firebaseExpression("/@(a|b)/*") ?? "", "^/(?:a|b)/[^/]+$"),
        (firebaseExpression("/a*.b") ?? "", "^/a[^/]*\\.b$"),
        (firebaseExpression("/!(a)") ?? "none", "none"),
        (firebaseExpression("/{a") ?? "none", "none"),
        (firebaseExpression("/{a,b}") ?? "none", "^/(?:a|b)$"),
        (firebaseExpression("/{a}") ?? "none", "none"),
        (firebaseExpression("/{1..3}") ?? "none", "none"),
        (firebaseExpression("/a)") ?? "none", "none"),
        (firebaseExpression("/@(a.b|{c,d})") ?? "none", "^/(?:a\\.b|(?:c|d))$"),
        (firebaseExpression("/a\\*b") ?? "none", "^/a\\*b$"),
        (firebaseExpression("/a/:b(\\d+)") ?? "none", "^/a/(?<b>\\d+)$"),
        (firebaseExpression("/a/:b(\\d+)?") ?? "none", "none"),
        (firebaseExpression("/a/:b?") ?? "none", "^/a(?:/(?<b>[^/]+))?$"),
        (firebaseExpression("/a-:b?") ?? "none", "none"),
        (firebaseExpression("/a/:b*") ?? "none", "^/a/(?<b>.*)$"),
        (firebaseExpression("/a-:b*") ?? "none", "none"),
    ]

    @Test("of services' own paths have the same names", arguments: services)
    func names(_ expression: String, _ expected: String) { #expect(expression == expected) }
}
