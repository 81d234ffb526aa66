import Foundation
import Testing

@Suite("waymark diff, what browsers get")
struct DiffWebTests {
    /// A site with everything that can change.
    private static let site = """
        version: 1
        site: {name: Shop, languages: [en]}
        apps:
          shop:
            name: Shop
            ios: {id: W4X7K2M9QH.com.example.shop, store: 1234567890, scheme: shop}
            android: {package: com.example.shop, sha256: KEY}
        links:
          product:
            match: /product/*
            exclude: /product/internal/*
            page: {title: A product, description: Buy it., image: /a.png}
            web: {desktop: "https://www.example.com/p/{1}", default: landing}
          help: {match: [/help, /hilfe], web: "https://help.example.com/"}
          get: {match: /get, web: store}
          all: {match: /all/*, web: /all.html}
        environments:
          prod:
            hosts: [links.example.com, l.example.com]
            open-host: open.example.com
            tls: {certificate: a.pem, key: a.key}
            publish: {shop: [product, help, get]}
            unmatched: {page: /404.html, status: 404}

        """.replacing(
            "KEY", with: "\"" + Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2\"")

    private static let link = "https://links.example.com"

    /// A text of the site, what replaces it, and the lines of a change.
    static let changes: [(String, String, [String])] = [
        (
            "https://help.example.com/", "https://help.example.org/",
            [
                "! links lead to a new host: help.example.org", "for example \(link)/help, ",
                "no link leads to help.example.com any more",
                "\(link)/help, for people on every system",
                "before: 302 https://help.example.com/", "now: 302 https://help.example.org/",
                "link help, and the same for 1 other rule",
            ]
        ),
        (
            "https://help.example.com/", "308 https://help.example.com/",
            [
                "\(link)/help, for people on every system",
                "before: 302 https://help.example.com/", "now: 308 https://help.example.com/",
            ]
        ),
        (
            "desktop: \"https://www.example.com/p/{1}\"",
            "desktop: \"https://www.example.com/q/{1}\"",
            [
                "\(link)/product/example, on computers",
                "before: 302 https://www.example.com/p/example",
                "now: 302 https://www.example.com/q/example", "link product",
            ]
        ),
        (
            "web: store", "web: {ios: store, android: landing}",
            [
                "\(link)/get, on Android",
                "before: 302 https://play.google.com/store/apps/details?id=com.example.shop",
                "now: 200, a landing page", "\(link)/get, on computers",
                "now: 404, the page /404.html",
            ]
        ),
        (
            "web: \"https://help.example.com/\"",
            "web: \"https://help.example.com/\", until: 2026-10-01T00:00:00Z, "
                + "after: \"https://ended.example/\"",
            [
                "! links lead to a new host: ended.example", "for example \(link)/help, ",
                "\(link)/help, for people on every system",
                "response from 2026-10-01T00:00:00Z on",
                "before: 302 https://help.example.com/", "now: 302 https://ended.example/",
                "link help, and the same for 1 other rule",
            ]
        ),
        (
            "web: \"https://help.example.com/\"",
            "web: \"https://help.example.com/\", from: 2026-10-01T02:00:00+02:00",
            [
                "\(link)/help, for people on every system",
                "response before 2026-10-01T00:00:00Z",
                "before: 302 https://help.example.com/", "now: 404, the page /404.html",
            ]
        ),
        (
            "/all.html", "/every.html",
            ["\(link)/all/example, for everyone", "before: 200, the page /all.html"]
        ),
        (
            "web: /all.html", "web: not-found",
            ["\(link)/all/example, for everyone", "now: 404"]
        ),
        (
            "all: {match: /all/*", "all: {match: /all/*, exclude: /all/x/*",
            [
                "\(link)/all/x/example, for everyone", "before: 200, the page /all.html",
                "now: 404, the page /404.html",
            ]
        ),
        (
            "exclude: /product/internal/*", "exclude: /product/intern/*",
            ["\(link)/product/internal/example, on iPhones", "before: 404, the page /404.html"]
        ),
        (
            "/product/internal/*\n", "/product/internal/*\n    campaign: {utm: false}\n",
            [
                "\(link)/product/example?utm_source=newsletter&utm_campaign=spring, on computers",
                "now: 302 https://www.example.com/p/example",
            ]
        ),
        (
            "title: A product", "title: The product",
            ["\(link)/product/example, ", "page title", "before: A product", "now: The product"]
        ),
        (", image: /a.png", "", ["page image", "before: /a.png", "now: not set"]),
        (
            "description: Buy it.", "description: Buy it., index: false",
            ["page index", "now: false: search engines may not list it"]
        ),
        (
            "store: 1234567890", "store: 1234567891",
            [
                "before: 302 https://apps.apple.com/app/id1234567890",
                "landing page: App Store", "before: https://apps.apple.com/app/id1234567890",
                "now: https://apps.apple.com/app/id1234567891",
            ]
        ),
        (
            "name: Shop\n    ios", "name: Store\n    ios",
            ["landing page: name of the app", "before: Shop", "now: Store"]
        ),
        (
            "    unmatched: {page", "    scheme: true\n    unmatched: {page",
            ["\(link)/product/example, on iPhones and iPads", "own scheme", "now: shop://"]
        ),
        (
            "status: 404", "status: 410",
            ["\(link)/, for everyone", "now: 410, the page /404.html"]
        ),
        (
            "unmatched: {page: /404.html, status: 404}", "unmatched: \"https://old.example{path}\"",
            [
                "! links lead to a new host: old.example",
                "\(link)/, for people on every system", "now: 302 https://old.example/",
            ]
        ),
        (
            "    unmatched: {page", "    robots: closed\n    unmatched: {page",
            ["\(link)/robots.txt", "robots", "now: closed: search engines may not list pages"]
        ),
        (
            "    unmatched: {page", "    hsts: 300\n    unmatched: {page",
            ["\(link)/", "Strict-Transport-Security", "before: not sent", "now: max-age=300"]
        ),
        (
            "    unmatched: {page", "    headers: [{set: {X-Kind: a}}]\n    unmatched: {page",
            ["\(link)/", "X-Kind of *", "before: not set", "now: a"]
        ),
        (
            "certificate: a.pem, key: a.key", "certificate: b.pem, key: b.key",
            ["certificate", "before: a.pem with a.key", "now: b.pem with b.key"]
        ),
        (
            "[links.example.com, l.example.com]", "[l.example.com, links.example.com]",
            ["https://l.example.com/", "canonical host", "now: l.example.com"]
        ),
        (
            "[links.example.com, l.example.com]",
            "[n.example.com, links.example.com, l.example.com]",
            ["host n.example.com is new", "canonical host", "now: n.example.com"]
        ),
        (
            "open-host: open.example.com", "open-host: open2.example.com",
            ["host open2.example.com is new", "open-host", "now: open2.example.com"]
        ),
        (
            "    open-host: open.example.com\n", "",
            ["landing page: open in the app", "now: not offered"]
        ),
        ("name: Shop, languages", "name: Store, languages", ["site name", "now: Store"]),
        ("languages: [en]", "languages: [de, en]", ["site languages", "now: de, en"]),
        (
            "    unmatched: {page", "    public: web\n    unmatched: {page",
            ["public files", "before: Public", "now: web"]
        ),
        (
            "    unmatched: {page", "    https-port: 8443\n    unmatched: {page",
            ["http://links.example.com/", "https-port in redirects", "now: 8443"]
        ),
        (
            "    unmatched: {page", "    association-form: compatible\n    unmatched: {page",
            ["\(link)/.well-known/apple-app-site-association", "now: compatible"]
        ),
        (
            "    unmatched: {page", "    log: {anonymize: true}\n    unmatched: {page",
            ["setting log.anonymize", "before: false", "now: true"]
        ),
        (
            "    unmatched: {page",
            "    proxies: {trusted: [10.0.0.0/8], header: forwarded}\n    unmatched: {page",
            ["setting proxies.trusted", "now: 10.0.0.0/8", "setting proxies.header"]
        ),
        (
            "    unmatched: {page", "    limits: {idle-seconds: 33}\n    unmatched: {page",
            ["setting limits.idle-seconds", "now: 33"]
        ),
    ]

    @Test("a change is worded with a URL, for whom, before and now", arguments: changes)
    func words(_ old: String, _ new: String, _ lines: [String]) throws {
        #expect(Self.site.contains(old))
        let (outcome, back) = try compare(Self.site, Self.site.replacing(old, with: new))
        #expect(outcome.status == 1 && back.status == 1)
        for line in lines {
            #expect(outcome.output.contains(line), "\(line) is not in \(outcome.output)")
        }
    }

    @Test func `a later end changes the time between, and an action only its own time`() throws {
        let site = Self.site.replacing(
            "web: /all.html", with: "until: 2026-10-01T00:00:00Z, web: /all.html")
        let (later, _) = try compare(site, site.replacing("2026-10-01", with: "2026-11-01"))
        #expect(
            later.output == """
                environment prod
                  \(Self.link)/all/example, for everyone
                      response from 2026-10-01T00:00:00Z on
                      before: 410
                      now: 200, the page /all.html
                      link all

                """)
        let (after, _) = try compare(
            site, site.replacing("web: /all.html", with: "web: /all.html, after: /ended.html"))
        #expect(after.output.contains("response from 2026-10-01T00:00:00Z on\n      before: 410"))
        let (page, _) = try compare(site, site.replacing("/all.html", with: "/every.html"))
        #expect(page.output.contains("response before 2026-10-01T00:00:00Z\n"))
        // What changes at every time is one change.
        let (always, _) = try compare(
            site.replacing("match: /all/*", with: "match: /all/*, exclude: /all/x"),
            site.replacing("match: /all/*", with: "match: /all/*, exclude: /all/y"))
        #expect(always.output.contains("response from 2026-10-01T00:00:00Z on"))
        #expect(always.output.contains("response before 2026-10-01T00:00:00Z"))
    }

    /// Both directions.
    private func compare(
        _ old: String, _ new: String, _ options: String...
    ) throws -> (Program.Outcome, Program.Outcome) {
        try withConfiguration(old) { before in
            try withConfiguration(new) { after in
                (
                    try Program.run(["diff", before, after] + options),
                    try Program.run(["diff", after, before] + options)
                )
            }
        }
    }

    /// Two texts that mean the same.
    static let equals: [(String, String)] = [
        ("help: {match: [/help, /hilfe]", "hilfe: {match: [/hilfe, /help]"),
        ("match: /get,", "match: /get/,"),
        ("  get: {match: /get, web: store}\n", "  get:\n    match: /get\n    web: store\n"),
        ("web: {desktop: ", "web: {ios: landing, android: landing, desktop: "),
        ("    unmatched: {page", "    robots: open\n    unmatched: {page"),
    ]

    @Test("what means the same is no change", arguments: equals)
    func equal(_ old: String, _ new: String) throws {
        #expect(Self.site.contains(old))
        let renamed = new.contains("hilfe: {")
        let changed = Self.site.replacing(old, with: new)
            .replacing(
                "product, help, get", with: renamed ? "product, hilfe, get" : "product, help, get")
        let (outcome, back) = try compare(Self.site, changed)
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome)")
        #expect(back.status == 0 && back.output == "", "\(back)")
    }

    @Test func `a link that takes a part of another one's paths is found where both overlap`()
        throws
    {
        let old = Self.site.replacing(
            "  get:", with: "  mid: {match: /*/x/*, web: not-found}\n  get:")
        let before = old.replacing("  mid:", with: "  a: {match: /q/*/y, web: landing}\n  mid:")
        let after = old.replacing("  get:", with: "  a: {match: /q/*/y, web: landing}\n  get:")
        let (outcome, _) = try compare(before, after)
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("before: 200, a landing page\n      now: 404"), "\(outcome)")
        #expect(outcome.output.contains("/x/"), "\(outcome)")
    }

    /// Two sites of one environment.
    private static let house = """
        version: 1
        sites:
          shop:
            apps: {shop: {ios: {id: W4X7K2M9QH.com.example.shop}}}
            links: {product: {match: /product/*, web: "https://www.shop.example/{1}"}}
            publish: {shop: [product]}
          news:
            apps: {news: {ios: {id: W4X7K2M9QH.com.example.news}}}
            links: {story: {match: /story/*, web: "https://www.news.example/{1}"}}
            publish: {news: [story]}
        environments:
          prod:
            hosts: "{site}.links.example"
            tls: {certificate: a.pem, key: a.key}

        """

    @Test func `sites are compared by their names, and each change names its site`() throws {
        let new = Self.house.replacing("www.news.example", with: "www.press.example")
        let (outcome, _) = try compare(Self.house, new)
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                environment prod, site news
                  ! links lead to a new host: www.press.example
                      for example https://news.links.example/story/example, for people on every \
                system
                  no link leads to www.news.example any more
                      for example https://news.links.example/story/example, for people on every \
                system
                  https://news.links.example/story/example, for people on every system
                      before: 302 https://www.news.example/example
                      now: 302 https://www.press.example/example
                      link story

                """)
        let extra = """
              extra:
                apps: {e: {ios: {id: W4X7K2M9QH.com.example.e}}}
                links: {e: {match: /e}}
                publish: {e: [e]}

            """
        let three = Self.house.replacing("environments:", with: extra + "environments:")
        let (added, removed) = try compare(Self.house, three)
        #expect(
            added.output.hasPrefix("environment prod, site extra\n  the site is new\n"), "\(added)")
        #expect(removed.output.hasPrefix("environment prod, site extra\n  the site is gone\n"))
        #expect(added.output.contains("host extra.links.example is new"), "\(added)")
        let evil = three.replacing(
            "links: {e: {match: /e}}",
            with: "links: {e: {match: /e, web: \"https://evil.example/\"}}")
        let stranger = try compare(Self.house, evil).0.output
        #expect(stranger.contains("! links lead to a new host: evil.example"), "\(stranger)")
        #expect(stranger.contains("now: 302 https://evil.example/"), "\(stranger)")
        // A site with another name and the same host is the same site.
        let renamed = evil.replacing(
            "  extra:\n", with: "  other:\n    hosts: [extra.links.example]\n")
        #expect(renamed != evil)
        let moved = try compare(three, renamed).0.output
        #expect(moved.hasPrefix("environment prod, site other\n"), "\(moved)")
        #expect(moved.contains("the site was named extra"), "\(moved)")
        #expect(moved.contains("! links lead to a new host: evil.example"), "\(moved)")
    }

    // MARK: Formats

    private static let moved = site.replacing(
        "https://help.example.com/", with: "https://evil.example/@x"
    )
    .replacing("title: A product", with: "title: \"<b>@all | `x` ##[error] www.x.example\"")

    @Test func `Markdown warns of a new host first, and texts in it are no markup`() throws {
        let (outcome, _) = try compare(Self.site, Self.moved, "--format", "markdown")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasPrefix(
                """
                ### What changes for links

                > [!WARNING]
                > environment prod: links lead to a new host&#58; evil.example, for example \
                `https://links.example.com/help`, for people on every system
                >

                #### environment prod

                | what | URL | for whom | before | now |
                |---|---|---|---|---|

                """), "\(outcome.output)")
        #expect(outcome.output.contains("| `` <b>@all \\| `x` #\\u{23}[error] www.x.example `` |"))
        for row in outcome.output.split(separator: "\n") where row.hasPrefix("| ") {
            #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 6, "\(row)")
        }
    }

    @Test func `Markdown without changes says so, and as much as a comment holds else`() throws {
        let (same, _) = try compare(Self.site, Self.site, "--format", "markdown")
        #expect(same.status == 0)
        #expect(
            same.output == "### What changes for links\n\nNothing changes for visitors.\n")
        let many = (1...900).map {
            "  n\($0): {match: /n/\($0), web: \"https://a.example/\($0)\"}\n"
        }
        let (outcome, _) = try compare(
            Self.site, Self.site.replacing("  get:", with: many.joined() + "  get:"),
            "--format", "markdown")
        #expect(outcome.status == 1 && outcome.output.utf8.count <= 65_536)
        #expect(outcome.output.contains(" more are left out, because a comment has a limited size"))
    }

    @Test func `GitHub gets a warning for a new host, a notice for the rest, at the link's line`()
        throws
    {
        let (outcome, _) = try compare(Self.site, Self.moved, "--format", "github")
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count > 1)
        #expect(lines[0].hasPrefix("::warning file="))
        #expect(
            lines[0].hasSuffix(
                ",line=14,title=new destination::environment prod: links lead to a new host: "
                    + "evil.example%0Ahttps://links.example.com/help, for people on every system"))
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("::notice file=") })
        #expect(lines.contains { $0.contains("line=11,") && $0.contains("page title%0A") })
    }

    @Test func `JSON has every change with its URL, audience, before and after`() throws {
        let (outcome, _) = try compare(Self.site, Self.moved, "--format", "json")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary)
        let environment = try #require((report["environments"] as? [NSDictionary])?.first)
        let web = try #require(environment["web"] as? NSDictionary)
        let added = try #require(
            (web["destinations"] as? NSDictionary)?["added"] as? [NSDictionary])
        #expect(added.map { $0["host"] as? String } == ["evil.example"])
        #expect(added[0]["url"] as? String == "https://links.example.com/help")
        let changes = try #require(web["changes"] as? [NSDictionary])
        let help = try #require(changes.first { $0["link"] as? String == "help" })
        #expect(help["subject"] as? String == "response")
        #expect(help["audience"] as? [String] == ["iphone", "ipad", "android", "desktop"])
        #expect(help["before"] as? String == "302 https://help.example.com/")
        #expect(help["others"] as? Int == 1 && help["line"] as? Int == 14)
        #expect(web["complete"] as? Bool == true)
    }
}
