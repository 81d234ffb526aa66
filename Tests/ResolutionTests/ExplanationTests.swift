import Associations
import Resolution
import SiteConfiguration
import Testing

/// An explanation is read off the decision, so it can say nothing that is not so; here is what it
/// says.
@Suite("Explanations")
struct ExplanationTests {
    private static let sha = Array(repeating: "A1", count: 32).joined(separator: ":")
    private static let text = """
        version: 1
        apps:
          shop: {ios: {id: ABCDE12345.com.example.shop, store: 412366298, scheme: shop}}
          reader: {ios: {id: ABCDE12345.com.example.reader}}
          robot: {android: {package: com.example.robot, sha256: "\(sha)"}}
        links:
          robot: {match: /robot, web: landing}
          dl:
            match: "/dl/*"
            exclude: "/dl/not/*"
            web: {ios: landing, desktop: "https://w.example/{1}"}
          sold: {match: /sold, web: store}
          unsold: {match: /unsold, web: store}
          step: {match: /step, web: "https://w.example/{query.to}"}
          told: {match: /told, page: {title: Told}}
          tap: {match: /tap, web: landing}
          part: {match: {"/": /part, "#": x}, web: "https://w.example/part"}
          parts:
            match: [{"/": "/parts/*", "#": y, exclude: true}, {"/": "/parts/*", "#": "s*"}]
            web: "https://w.example/parts"
        environments:
          e:
            hosts: e.example
            open-host: open.example
            tls: {certificate: a, key: b}
            publish: {shop: [dl, sold, step, told, tap], reader: unsold}
            unmatched: {page: /404.html, status: 404}
            scheme: true
          closed: {extends: e, hosts: f.example, open-host: open-f.example, unmatched: store}
          alone:
            hosts: g.example
            tls: {certificate: a, key: b}
            publish: {reader: [dl]}
            unmatched: landing
          both: {extends: alone, hosts: h.example, publish: {shop: dl, robot: robot}}
          robots: {extends: alone, hosts: i.example, publish: {robot: robot}}
          books: {extends: e, hosts: [xn--bcher-kva.example, e.example], open-host: o.example}
        """

    private func explanation(_ url: String, _ client: String, _ name: String) throws -> [String] {
        let site = Configuration.read(Array(Self.text.utf8), file: "f").configuration
        let environment = try #require(site?.environment(named: name)?.sites[0])
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let explanation = RequestExplanation(
            try LinkURL(url), Visitor(userAgent: agent), environment,
            Router(environment, files: ["a.html"]), LinkResolver(environment), at: nil)
        return explanation.steps.map { "\($0.isTaken ? "→" : " ") \($0.name): \($0.reason)" }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let client: String
        let url: String
        let steps: [String]
        var environment = "e"
        var testDescription: String { "\(client) \(url)" }
    }

    static let robot = [
        "→ link robot: the first link whose rules match: rule 1 of its 1 \"/robot\"",
        "→ action: its action for all other platforms: a generated page",
    ]
    static let claim = "→ link dl: the first link whose rules match: rule 2 of its 2 \"/dl/*\""

    static let rows = [
        Row(
            client: "desktop-chrome", url: "https://E.example:8443/dl/x",
            steps: [claim, "→ action: its action for desktop: a redirect to https://w.example/x"]),
        Row(
            client: "desktop-chrome", url: "https://e.example/dl/x?utm_id=1",
            steps: [
                claim,
                "→ action: its action for desktop: a redirect to https://w.example/x?utm_id=1",
                "→ campaign: utm_id of the link are passed on",
            ]),
        Row(
            client: "messages-preview", url: "https://e.example/dl/x",
            steps: [
                claim, "→ action: its action for desktop: a page about the link",
                "→ program: the preview of Messages gets a page with title and image instead of a "
                    + "redirect",
            ]),
        Row(
            client: "ipad-mobile", url: "https://e.example/dl/x",
            steps: [
                claim,
                "→ action: it has no action for ipad, so its action for ios: a generated page",
                "→ open in app: offered, on another host: https://open.example/dl/x",
                "→ own scheme: offered on a tap: shop://e.example/dl/x",
                "→ store: offered: https://apps.apple.com/app/id412366298",
                "→ web: offered: https://w.example/x",
            ]),
        Row(
            client: "iphone-safari", url: "https://g.example/dl/x",
            steps: [
                claim, "→ action: its action for ios: a generated page",
                "  open in app: the environment has no open-host, and a tap on a link to the "
                    + "page's own host does not open an app",
                "  store: no app that opens it has a page in the app store for ios",
                "→ web: offered: https://w.example/x",
            ], environment: "alone"),
        Row(
            client: "android-chrome", url: "https://e.example/dl/x",
            steps: [
                claim, "  action: it has no action for android; `unmatched` decides",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        Row(
            client: "iphone-safari", url: "https://e.example/unsold",
            steps: [
                "→ link unsold: the first link whose rules match: rule 1 of its 1 \"/unsold\"",
                "  action: no app that opens it has a page in the app store for ios; `unmatched` "
                    + "decides",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        Row(
            client: "iphone-safari", url: "https://f.example/nothing",
            steps: [
                "  links: no link with an action or a page matches",
                "→ unmatched: a redirect to https://apps.apple.com/app/id412366298",
            ], environment: "closed"),
        Row(
            client: "android-chrome", url: "https://f.example/nothing",
            steps: [
                "  links: no link with an action or a page matches",
                "→ unmatched: no app of the environment has a page in the app store",
            ], environment: "closed"),
        Row(
            client: "desktop-chrome", url: "https://g.example/nothing",
            steps: [
                "  links: no link with an action or a page matches",
                "→ unmatched: a generated page, with status 404",
            ], environment: "alone"),
        Row(
            client: "iphone-safari", url: "https://f.example/unsold",
            steps: [
                "→ link unsold: the first link whose rules match: rule 1 of its 1 \"/unsold\"",
                "  action: no app that opens it has a page in the app store for ios; `unmatched` "
                    + "decides",
                "→ unmatched: no app that opens the link has a page in the app store: a generated "
                    + "page",
                "→ open in app: offered, on another host: https://open-f.example/unsold",
                "  store: no app that opens it has a page in the app store for ios",
                "→ sentence: the page says that no such app is in this device's store",
            ], environment: "closed"),
        Row(
            client: "android-chrome", url: "https://h.example/robot",
            steps: robot + [
                "→ open in app: offered, by an intent for Chrome: https://h.example/robot",
                "→ store: offered: https://play.google.com/store/apps/details?id=com.example.robot",
            ], environment: "both"),
        Row(
            client: "android-firefox", url: "https://h.example/robot",
            steps: robot + [
                "→ open in app: offered: https://h.example/robot",
                "→ store: offered: https://play.google.com/store/apps/details?id=com.example.robot",
            ], environment: "both"),
        Row(
            client: "iphone-safari", url: "https://h.example/robot",
            steps: robot + [
                "  open in app: no app of the environment opens it on iPhones and iPads",
                "  store: no app that opens it has a page in the app store for ios",
                "→ sentence: the page says that no such app is in this device's store",
            ], environment: "both"),
        Row(
            client: "desktop-chrome", url: "https://h.example/robot",
            steps: robot + [
                "  open in app: a computer has no app; the page shows a QR code for phones",
                "→ store: offered: https://play.google.com/store/apps/details?id=com.example.robot",
            ], environment: "both"),
        Row(
            client: "desktop-safari", url: "https://e.example/tap",
            steps: [
                "→ link tap: the first link whose rules match: rule 1 of its 1 \"/tap\"",
                "→ action: its action for all other platforms: a generated page",
                "→ open in app: offered, if the device is an iPad: https://open.example/tap",
                "→ store: offered: https://apps.apple.com/app/id412366298",
            ]),
        Row(
            client: "desktop-chrome", url: "https://e.example/told",
            steps: [
                "→ link told: the first link whose rules match: rule 1 of its 1 \"/told\"",
                "  action: it has a page but no action; `unmatched` decides",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        Row(
            client: "desktop-chrome", url: "https://e.example/step?to=..",
            steps: [
                "→ link step: the first link whose rules match: rule 1 of its 1 \"/step\"",
                "→ action: refused: the link's text would change the directory in the URL's path: "
                    + "not found",
            ]),
        // What a client keeps to itself decides nothing.
        Row(
            client: "desktop-chrome", url: "https://me:word@e.example/part#x",
            steps: [
                "  links: no link with an action or a page matches",
                "  link part: rule 1 of its 1 asks for the fragment \"x\", which browsers do not "
                    + "send",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        // Of the rules that ask for a fragment the one that would let the request in is named.
        Row(
            client: "desktop-chrome", url: "https://e.example/parts/1",
            steps: [
                "  links: no link with an action or a page matches",
                "  link parts: rule 2 of its 2 asks for the fragment \"s*\", which browsers do not "
                    + "send",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        Row(
            client: "desktop-chrome", url: "https://e.example/parts#s",
            steps: [
                "  links: no link with an action or a page matches",
                "  link parts: rule 2 of its 2 asks for the fragment \"s*\", which browsers do not "
                    + "send",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        Row(
            client: "desktop-chrome", url: "https://e.example/par#x",
            steps: [
                "  links: no link with an action or a page matches",
                "→ unmatched: the page /404.html, with status 404",
            ]),
        Row(
            client: "applebot", url: "https://e.example/nothing",
            steps: [
                "  links: no link with an action or a page matches",
                "→ unmatched: the page /404.html, with status 404",
                "  program: the search engine Applebot gets the same as people",
            ]),
    ]

    @Test("each step is taken or passed over, and says why", arguments: rows)
    func steps(_ row: Row) throws {
        let steps = try explanation(row.url, row.client, row.environment)
        #expect(
            steps.prefix(3) == [
                "  host: \(row.environment) serves it",
                "  association file: it is not one of these paths",
                "  public file: no public file has this path",
            ])
        #expect(Array(steps.dropFirst(3)) == row.steps)
    }

    @Test(
        "what is known of a client is said of it",
        arguments: [
            ("instagram-ios", "e", "Instagram's own browser does not open apps"),
            ("facebook-android", "both", "browsers inside of apps ignore an intent's fallback"),
            ("android-chrome", "both", "Chrome opens an app from a page only on a tap"),
            ("android-chrome", "both", "if Android has verified the host"),
            ("android-firefox", "both", "Firefox follows an intent's fallback"),
            ("iphone-chrome", "e", "to the page's own host does not open an app"),
            ("iphone-safari", "e", "SFSafariViewController"),
            ("iphone-safari", "e", "\"address is invalid\""),
            ("ipad-safari", "e", "identifies itself as Safari on a Mac"),
            ("messages-preview", "e", "the sender's device fetches the preview"),
            ("slack-preview", "e", "previews are cached"),
            ("desktop-edge", "e", "a QR code for a phone"),
            ("applebot", "e", "gets the content that people get"),
            ("google-verifier", "e", "requests only association files"),
        ])
    func caveats(_ client: String, _ name: String, _ words: String) throws {
        // Computers are sent elsewhere by the link that phones get a page of.
        let path = client == "desktop-edge" ? "/tap" : "/dl/x"
        #expect(try caveats(of: client, name, path).contains { $0.contains(words) })
    }

    @Test(
        "what is nothing to a client is not said of it",
        arguments: [
            // The environment publishes no app for the client's system.
            ("android-chrome", "e", "/dl/x", "Android"),
            ("iphone-safari", "robots", "/robot", "opens no app"),
            // There is no page that could show a code.
            ("desktop-chrome", "e", "/sold", "QR code"), ("curl", "e", "/told", "QR code"),
            ("googlebot", "both", "/robot", "Android"),
        ])
    func leavesOut(_ client: String, _ name: String, _ path: String, _ words: String) throws {
        #expect(try !caveats(of: client, name, path).contains { $0.contains(words) })
    }

    private func caveats(of client: String, _ name: String, _ path: String) throws -> [String] {
        let text = Self.text.replacing("web: {ios: landing,", with: "web: {default: landing,")
        let site = Configuration.read(Array(text.utf8), file: "f").configuration
        let environment = try #require(site?.environment(named: name)?.sites[0])
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let visitor = Visitor(userAgent: agent)
        let explanation = RequestExplanation(
            try LinkURL("https://\(environment.answeredHosts[0])\(path)"), visitor, environment,
            Router(environment, files: []), LinkResolver(environment), at: nil)
        return visitor.caveats(explanation.decision, environment)
    }

    @Test(
        "Apple's rules are said to decide for people on its devices alone",
        arguments: VisitorProfile.all.map(\.name))
    func appleRules(_ client: String) throws {
        let visitor = Visitor(userAgent: try #require(VisitorProfile.userAgent(of: client)))
        let beginning = client.prefix { $0 != "-" }
        switch (visitor.appleRules, visitor.inAppBrowser) {
        case (.decide, nil): #expect(beginning == "iphone" || beginning == "ipad")
        case (.decideOnIPad, nil): #expect(["ipad-safari", "desktop-safari"].contains(client))
        case (.overruled(let name), let app?):
            #expect(name == app)
            #expect(client.hasSuffix("-ios") || client.hasSuffix("-ipad"))
        case (.irrelevant(let reason), _):
            #expect(!reason.isEmpty)
            #expect(!client.hasPrefix("ip") && !client.hasSuffix("ios"))
        default: Issue.record("\(client): \(visitor.appleRules)")
        }
    }

    @Test(
        "a host is named as requests name it",
        arguments: [
            ("https://E.example./dl/x", "the full stop after the host is ignored: e.example"),
            (
                "https://Bücher.example/dl/x",
                "browsers send the host as xn--bcher-kva.example, its name in punycode"
            ),
            (
                "https://bu\u{308}cher.example./dl/x",
                "browsers send the host as xn--bcher-kva.example, its name in punycode"
            ),
        ])
    func hosts(_ url: String, _ words: String) throws {
        let steps = try explanation(url, "desktop-chrome", "books")
        #expect(steps.first == "  address: \(words)")
        #expect(steps.dropFirst().first == "  host: books serves it")
        #expect(steps.contains(Self.claim))
    }

    @Test func `a host whose name in punycode is not known says so`() throws {
        let steps = try explanation("https://\u{FB01}.example/", "desktop-chrome", "books")
        #expect(steps.count == 2)
        #expect(steps[0].contains("waymark cannot convert this name"))
        #expect(steps[1] == "→ host: books does not serve \"\u{FB01}.example\"")
    }

    @Test func `what browsers escape is escaped before anything is decided`() throws {
        let steps = try explanation("https://e.example/dl/é b?q=ü#ß", "desktop-chrome", "e")
        #expect(steps.first == "  address: browsers request /dl/%C3%A9%20b?q=%C3%BC")
        #expect(steps.last?.hasSuffix("a redirect to https://w.example/%C3%A9%20b") == true)
        let asWritten = try explanation("https://e.example/dl/x", "desktop-chrome", "e")
        #expect(asWritten.first?.hasPrefix("  host:") == true)
    }

    @Test(
        "what is refused before anything is decided says why",
        arguments: [
            ("/dl/a%2fb", "→ path: refused: an escaped slash (%2F) can be understood in two ways"),
            ("/dl/a\\b", "→ path: refused: a backslash can be understood in two ways"),
            ("/dl/a%5Cb", "→ path: refused: a backslash can be understood in two ways"),
            (
                "/dl/%2E./b",
                "→ path: refused: browsers resolve the segments . and .. before they send a "
                    + "request"
            ),
            ("/dl/%FF", "→ path: refused: it has escapes of bytes that are not UTF-8"),
            ("/dl/%0A", "→ path: refused: it has an escape of a control character"),
            (
                "/dl/%4",
                "→ path: refused: a percent sign is not followed by two hexadecimal digits"
            ),
            (
                "/dl/%2561",
                "→ path: refused: an escape is left after decoding, and may be decoded again"
            ),
            (
                "/dl/\(String(repeating: "x", count: 8189))",
                "→ address: path and query have 8193 bytes, may have 8192"
            ),
        ])
    func refuses(_ path: String, _ step: String) throws {
        let steps = try explanation("https://e.example\(path)", "desktop-chrome", "e")
        #expect(steps == [step])
        let nearest = try explanation(
            "https://e.example/dl/\(String(repeating: "x", count: 8188))", "desktop-chrome", "e")
        #expect(nearest.contains(Self.claim))
    }

    @Test func `a challenge is not said to have a file, which nobody has looked for`() throws {
        let text = Self.text.replacing("  e:\n", with: "  e:\n    acme-webroot: acme\n")
        let site = Configuration.read(Array(text.utf8), file: "f").configuration
        let environment = try #require(site?.environment(named: "e")?.sites[0])
        let url = "https://e.example/.well-known/acme-challenge/token"
        let explanation = RequestExplanation(
            try LinkURL(url), Visitor(userAgent: ""), environment,
            Router(environment, files: []), LinkResolver(environment), at: nil)
        let step = try #require(explanation.steps.last)
        #expect(step.name == "certificate challenge")
        #expect(step.isTaken)
        #expect(step.reason == "the file of this name in the webroot, or 404 if it does not exist")
    }

    @Test func `a redirect into a universal link is warned of where it is one`() throws {
        let visitor = Visitor(
            userAgent: try #require(VisitorProfile.userAgent(of: "iphone-safari")))
        let words = "a redirect into a universal link usually opens no app"
        let site = Configuration.read(Array(Self.text.utf8), file: "f").configuration
        let environment = try #require(site?.environment(named: "e")?.sites[0])
        #expect(!visitor.caveats(nil, environment).contains(words))
        let decision = LinkResolver(environment).decide(
            try LinkURL("https://e.example/sold"), for: visitor, at: nil)
        #expect(visitor.caveats(decision, environment).contains(words))
    }
}
