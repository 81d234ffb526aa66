import Foundation
import Testing

/// Configurations do not have the links of a store, so both versions are asked about an imagined one.
@Suite("waymark diff, links of collections")
struct DiffCollectionTests {
    private static let site = """
        version: 1
        site: {name: Shop, languages: [en]}
        apps:
          shop:
            name: Shop
            ios: {id: W4X7K2M9QH.com.example.shop, store: 1234567890, scheme: shop}
            android: {package: com.example.shop, sha256: KEY}
        links:
          short:
            match: /s/*
            stored: {destinations: [www.example.com, "*.example.org"]}
            web: {ios: landing, android: landing}
          news:
            match: /n/*
            stored: {destinations: [news.example.com/all/], case: exact}
          fdl:
            match: /links/*
            stored: {destinations: [www.example.com], case: exact, firebase: [long-links, debug]}
        environments:
          prod:
            hosts: [links.example.com]
            tls: {certificate: a.pem, key: a.key}
            publish: {shop: [short, news, fdl]}
            store: links.db

        """.replacing(
            "KEY", with: "\"" + Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2\"")

    private static let link = "https://links.example.com"

    /// A text of the site, what replaces it, and the lines of a change.
    static let changes: [(String, String, [String])] = [
        (
            "short", "brief",
            [
                "! links of the collection short are answered no more",
                "for example \(link)/s/example",
                "now: not answered: their collection's name is their key in the store, and it is "
                    + "brief now; give it its name back",
                "\(link)/s/example, on iPhones", "before: 200, a landing page", "now: 404",
                "a link of the collection brief", "on computers",
                "before: 302 https://www.example.com/destination",
            ]
        ),
        (
            "match: /s/*", "match: /t/*",
            ["\(link)/s/example, on computers", "\(link)/t/example, on computers", "now: 404"]
        ),
        (
            "[www.example.com, \"*.example.org\"]", "[www.example.com]",
            [
                "\(link)/s/example\n      destinations of the collection short\n",
                "before: *.example.org, www.example.com", "now: www.example.com",
            ]
        ),
        (
            "\"*.example.org\"", "\"*.example.org\", evil.example",
            [
                "! links of the collection short may lead to new destinations: evil.example",
                "now: *.example.org, evil.example, www.example.com",
            ]
        ),
        (
            "news.example.com/all/", "news.example.com",
            ["may lead to new destinations: news.example.com"]
        ),
        (
            "all/], case: exact", "all/]",
            [
                "\(link)/n/example\n      case of the collection news\n", "before: exact",
                "now: fold",
            ]
        ),
        (
            "firebase: [long-links, debug]", "firebase: [debug]",
            [
                "firebase of the collection fdl", "before: long-links, debug", "now: debug",
                "\(link)/links/?link=https://www.example.com/destination, for people", "now: 404",
            ]
        ),
        (
            "firebase: [long-links, debug]", "firebase: [long-links]",
            [
                "\(link)/links/example?d=1, for people on every system",
                "before: 200, the debug page", "now: 302 https://www.example.com/destination",
            ]
        ),
        (
            "all/], case: exact}", "all/], case: exact}\n    web: landing",
            [
                "\(link)/n/example, for people on every system",
                "before: 302 https://news.example.com/all/destination",
                "now: 200, a landing page", "a link of the collection news",
            ]
        ),
        (
            "{ios: landing, android: landing}", "{ios: landing, android: store}",
            [
                "\(link)/s/example, on Android", "before: 200, a landing page",
                "now: 302 https://play.google.com/store/apps/details?id=com.example.shop",
            ]
        ),
        (
            "all/], case: exact}", "all/], case: exact}\n    page: {title: News}",
            ["\(link)/n/example, for link previews", "page title", "now: News"]
        ),
        (
            "all/], case: exact}", "all/], case: exact}\n    after: \"https://old.example/\"",
            [
                "! links lead to a new host: old.example", "response after its end",
                "before: 410", "now: 302 https://old.example/",
            ]
        ),
        (
            "all/], case: exact}", "all/], case: exact}\n    campaign: {utm: false}",
            [
                "\(link)/n/example?utm_source=newsletter&utm_campaign=spring, for people",
                "now: 302 https://news.example.com/all/destination\n",
            ]
        ),
        (
            "case: exact, firebase", "case: exact, length: 12, firebase",
            ["length of the collection fdl", "before: 10", "now: 12"]
        ),
        (
            "store: 1234567890", "store: 1234567891",
            [
                "\(link)/s/example, on iPhones", "landing page: App Store",
                "now: https://apps.apple.com/app/id1234567891",
            ]
        ),
        (
            "name: Shop\n    ios", "name: Store\n    ios",
            ["landing page: name of the app", "before: Shop", "now: Store"]
        ),
    ]

    @Test("a change is told in every format, with exit status 1", arguments: changes)
    func tells(_ old: String, _ new: String, _ lines: [String]) throws {
        #expect(Self.site.contains(old))
        let changed = Self.site.replacing(old, with: new)
        let (outcome, back) = try compare(Self.site, changed)
        #expect(outcome.status == 1 && back.status == 1)
        for line in lines {
            #expect(outcome.output.contains(line), "\(line) is not in \(outcome.output)")
        }
        for format in ["json", "github", "markdown"] {
            let outcome = try diff(Self.site, changed, "--format", format)
            #expect(outcome.status == 1, "\(format)")
            #expect(!outcome.output.contains("Nothing changes"))
            #expect(!outcome.output.contains("\"changed\": false"))
            #expect(outcome.output.contains("\(Self.link)/"), "\(outcome.output)")
        }
    }

    /// An App Store id or a name shows on the landing pages that stored links have of their own.
    @Test(
        "what only landing pages of stored links show is told",
        arguments: [
            ("store: 1234567890", "store: 1234567891", "landing page: App Store"),
            ("name: Shop\n    ios", "name: Store\n    ios", "landing page: name of the app"),
            ("scheme: shop", "scheme: store", "landing page: own scheme"),
        ])
    func onLandingPages(_ old: String, _ new: String, _ subject: String) throws {
        let site = Self.site.replacing("    web: {ios: landing, android: landing}\n", with: "")
            .replacing("    store: links.db", with: "    scheme: true\n    store: links.db")
        let (outcome, back) = try compare(site, site.replacing(old, with: new))
        #expect(outcome.status == 1 && back.status == 1)
        #expect(outcome.output.contains(subject), "\(outcome.output)")
        #expect(outcome.output.contains("of the collection short that has a landing page"))
    }

    /// Two texts that mean the same.
    static let equals: [(String, String)] = [
        ("  news:\n", "  # The editors' links.\n  news:\n"),
        ("[www.example.com, \"*.example.org\"]", "[\"*.example.org\", www.example.com]"),
        ("[long-links, debug]", "[debug, long-links]"),
        ("    match: /s/*\n    stored:", "    match: [/s/*]\n    stored:"),
        ("[short, news, fdl]", "[fdl, news, short]"),
        ("[www.example.com], case: exact,", "www.example.com, case: exact, length: 10,"),
        ("web: {ios: landing, android: landing}", "web: {android: landing, ios: landing}"),
    ]

    @Test("what means the same is no change", arguments: equals)
    func equal(_ old: String, _ new: String) throws {
        #expect(Self.site.contains(old))
        let (outcome, back) = try compare(Self.site, Self.site.replacing(old, with: new))
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome)")
        #expect(back.status == 0 && back.output == "", "\(back)")
    }

    @Test func `the order of collections whose paths are apart is no change`() throws {
        let news = """
              news:
                match: /n/*
                stored: {destinations: [news.example.com/all/], case: exact}

            """
        #expect(Self.site.contains(news))
        let moved = Self.site.replacing(news, with: "").replacing(
            "links:\n", with: "links:\n" + news)
        let (outcome, back) = try compare(Self.site, moved)
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome)")
        #expect(back.status == 0 && back.output == "", "\(back)")
    }

    @Test func `a removed collection is a warning that comes first`() throws {
        let removed = Self.site.replacing("[short, news, fdl]", with: "[short, fdl]")
            .replacing(
                "  news:\n    match: /n/*\n"
                    + "    stored: {destinations: [news.example.com/all/], case: exact}\n", with: ""
            )
        #expect(!removed.contains("news"))
        let (text, back) = try compare(Self.site, removed)
        #expect(
            text.output.hasPrefix(
                """
                environment prod
                  ! links of the collection news are answered no more
                      for example \(Self.link)/n/example
                      before: answered
                      now: not answered: their collection's name is their key in the store, and no \
                collection has it

                """), "\(text.output)")
        #expect(back.output.contains("links of the collection news may lead to new destinations: "))
        let github = try diff(Self.site, removed, "--format", "github").output
        #expect(github.hasPrefix("::warning file="), "\(github)")
        #expect(
            github.contains("title=links lost::environment prod: links of the collection news "))
        let markdown = try diff(Self.site, removed, "--format", "markdown").output
        #expect(markdown.contains("> [!WARNING]"), "\(markdown)")
        let json = try diff(Self.site, removed, "--format", "json").output
        #expect(json.contains("\"alarm\":"), "\(json)")
    }

    @Test func `a site with another name loses the links of its collections`() throws {
        let house = """
            version: 1
            sites:
              shop:
                apps: {shop: {ios: {id: W4X7K2M9QH.com.example.shop}}}
                links: {short: {match: /s/*, stored: {destinations: www.example.com}}}
                publish: {shop: [short]}
                hosts: [shop.example]
            environments:
              prod:
                tls: {certificate: a.pem, key: a.key}
                store: links.db

            """
        let (outcome, _) = try compare(
            house, house.replacing("  shop:\n    apps", with: "  store:\n    apps"))
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("links of the collection shop.short are answered no more"),
            "\(outcome)")
        #expect(outcome.output.contains("it is store.short now"), "\(outcome)")
    }

    private func diff(
        _ old: String, _ new: String, _ options: String...
    ) throws -> Program.Outcome {
        try withConfiguration(old) { before in
            try withConfiguration(new) { after in
                try Program.run(["diff", before, after] + options)
            }
        }
    }

    /// Both directions.
    private func compare(
        _ old: String, _ new: String
    ) throws -> (Program.Outcome, Program.Outcome) {
        try withConfiguration(old) { before in
            try withConfiguration(new) { after in
                (
                    try Program.run(["diff", before, after]),
                    try Program.run(["diff", after, before])
                )
            }
        }
    }
}
