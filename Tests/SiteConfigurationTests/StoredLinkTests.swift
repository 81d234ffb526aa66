import Associations
import Diagnostics
import JSONSyntax
import SiteConfiguration
import Testing
import URISyntax

@Suite struct StoredLinkTests {
    private func findings(_ link: String, store: Bool = true) -> [String] {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {s: \(link)}
            environments:
              e:
                hosts: [a.example]
                tls: {certificate: c, key: k}
                publish: {a: [s]}
                \(store ? "store: links.db" : "")
            """
        return Configuration.read(Array(text.utf8), file: "w").diagnostics.map {
            "\($0.severity) \($0.rule)"
        }
    }

    @Test(
        arguments: [
            ("{match: /s/*, stored: {destinations: a.example}}", []),
            ("{match: /*, stored: {destinations: \"*\"}}", []),
            ("{match: [/s/*, /t/*], exclude: /s/_/*, stored: {destinations: [store]}}", []),
            ("{match: /s/, stored: {destinations: a.example}}", ["error pattern"]),
            ("{match: /s/*/x, stored: {destinations: a.example}}", ["error pattern"]),
            ("{match: /*/*, stored: {destinations: a.example}}", ["error pattern"]),
            ("{match: /s?/*, stored: {destinations: a.example}}", ["error pattern"]),
            (
                "{match: {\"/\": /s/*, \"?\": {a: b}}, stored: {destinations: a.example}}",
                ["error pattern"]
            ),
            ("{match: /s/*, stored: {}}", ["error missing-key"]),
            ("{match: /s/*, stored: {destinations: []}}", ["error unset-value"]),
            ("{match: /s/*, stored: {destinations: \"https://a.example\"}}", ["error host-name"]),
            ("{match: /s/*, stored: {destinations: a_b.example}}", ["error host-name"]),
            // What a path begins with is compared as it is written.
            ("{match: /s/*, stored: {destinations: a.example/shop/}}", []),
            ("{match: /s/*, stored: {destinations: a.example/caf%C3%A9}}", []),
            ("{match: /s/*, stored: {destinations: a.example/*}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: [\"*.a.example/x*\"]}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: a.example/a/../b}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: a.example/%2E/b}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: a.example/café}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: a.example/a b}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: a.example/a?b=c}}", ["error wrong-value"]),
            (
                "{match: /s/*, stored: {destinations: a.example, case: lower}}",
                ["error wrong-value"]
            ),
            (
                "{match: /s/*, stored: {destinations: a.example, alphabet: abc}}",
                ["error wrong-value"]
            ),
            (
                "{match: /s/*, stored: {destinations: a.example, alphabet: aabcdefghijk}}",
                ["error wrong-value"]
            ),
            ("{match: /s/*, stored: {destinations: a.example, length: 3}}", ["error wrong-value"]),
            ("{match: /s/*, stored: {destinations: a.example, length: 4}}", []),
            ("{match: /s/*, stored: {destinations: a.b, case: exact, firebase: long-links}}", []),
            (
                "{match: /s/*, stored: {destinations: a.b, case: exact, firebase: [api, debug]}}",
                []
            ),
            ("{match: /s/*, stored: {destinations: \"*\", case: exact, firebase: api}}", []),
            (
                "{match: /s/*, stored: {destinations: [a.b, \"*\"], case: exact, "
                    + "firebase: [api, long-links]}}", ["error wrong-value"]
            ),
            (
                "{match: /s/*, stored: {destinations: a.b, case: exact, firebase: links}}",
                ["error wrong-value"]
            ),
            ("{match: /s/*, stored: {destinations: a.b, firebase: api}}", ["error wrong-value"]),
        ] as [(String, [String])])
    func aCollectionSaysWhereItsLinksMayLead(_ link: String, _ expected: [String]) {
        #expect(findings(link) == expected)
    }

    @Test(
        arguments: [
            ("/*", nil, ["-/_/*", "-/.well-known/*", "/*"]),
            ("/_*", nil, ["-/_/*", "/_*"]),
            ("/.w*", nil, ["-/.well-known/*", "/.w*"]),
            ("/s/*", nil, ["/s/*"]), ("/_/s/*", nil, ["/_/s/*"]),
            ("/*", "[/_/*, /admin]", ["-/_/*", "-/admin", "-/.well-known/*", "/*"]),
        ] as [(String, String?, [String])])
    func reservedPathsOpenNoApp(_ match: String, _ exclude: String?, _ expected: [String]) throws {
        let text = """
            version: 1
            apps:
              a:
                ios: {id: ABCDE12345.com.example.a}
                android:
                  package: com.example.a
                  dynamic: true
                  sha256: "B7:2C:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
            links:
              s: {match: "\(match)", exclude: \(exclude ?? "[]"), stored: {destinations: a.example}}
            environments:
              e:
                hosts: [a.example]
                tls: {certificate: c, key: k}
                publish: {a: [s]}
                store: links.db
            """
            .replacing("exclude: [], ", with: "")
        let read = Configuration.read(Array(text.utf8), file: "w")
        let site = try #require(read.configuration?.environments[0].sites[0], "\(read.diagnostics)")
        let link = try #require(site.collections.first)
        func words(_ component: Component) -> String {
            (component.exclude ? "-" : "") + (component.path ?? "")
        }
        #expect(link.components.map(words) == expected)
        #expect(link.positions.count == expected.count)
        // Both files say the same; Android's manifests cannot exclude, its dynamic rules can.
        for file in [site.associations.aasa, site.associations.assetlinks] {
            let written = String(decoding: file ?? [], as: UTF8.self)
            for component in link.components {
                #expect(written.contains("\"/\": \"\(component.path ?? "")\""), "\(written)")
            }
            #expect(
                written.components(exclude: true)
                    >= link.components.count(where: \.exclude), "\(written)")
        }
    }

    private static let provider =
        "{issuer: \"https://id.b.example\", client-id: a, client-secret: b, "

    @Test(arguments: [
        ("api-hosts: api.b.example", true, []),
        ("api-hosts: [api.b.example, api2.b.example]", true, []),
        ("api-hosts: api.b.example", false, ["error missing-key"]),
        ("api-hosts: a.example", true, ["error duplicate-host"]),
        ("api-hosts: x.w.example", true, ["error duplicate-host"]),
        ("api-hosts: [api.b.example, API.b.example]", true, ["error duplicate-host"]),
        ("api-hosts: \"*.b.example\"", true, ["error host-name"]),
        ("console: {host: links.b.example}", true, []),
        ("console: {host: links.b.example}", false, ["error missing-key"]),
        ("console: {host: a.example}", true, ["error duplicate-host"]),
        ("console: {host: x.w.example}", true, ["error duplicate-host"]),
        ("console: {host: \"*.b.example\"}", true, ["error host-name"]),
        ("console: links.b.example", true, ["error wrong-kind"]),
        ("console: {}", true, ["error missing-key"]),
        (
            "proxies: {trusted: 10.1.2.3}\n    console: {host: links.b.example, "
                + "identity-header: X-Forwarded-User}", true, []
        ),
        (
            "console: {host: links.b.example, identity-header: X-Forwarded-User}", true,
            ["error missing-key"]
        ),
        (
            "proxies: {trusted: 10.1.2.3}\n    console: {identity-header: Remote-User}", true,
            ["error missing-key"]
        ),
        (
            "proxies: {trusted: 10.1.2.3}\n    console: {host: links.b.example, "
                + "identity-header: Cookie}", true, ["error header-field"]
        ),
        (
            "proxies: {trusted: 10.1.2.3}\n    console: {host: links.b.example, "
                + "identity-header: sec-user}", true, ["error header-field"]
        ),
        (
            "proxies: {trusted: 10.1.2.3}\n    console: {host: links.b.example, "
                + "identity-header: \"X Y\"}", true, ["error header-field"]
        ),
        ("console: {host: links.b.example, openid: \(provider)roles: {a: editor}}}", true, []),
        (
            "console: {host: links.b.example, openid: \(provider)name: B, scopes: [groups], groups-claim: roles, "
                + "authorities: ca.pem, roles: {\"/a b\": {role: viewer, collections: short}, 7: admin}}}",
            true, []
        ),
        (
            "console: {host: links.b.example, openid: \(provider)roles: {a: owner}}}", true,
            ["error wrong-value"]
        ),
        (
            "console: {host: links.b.example, openid: \(provider)roles: {a: {collections: short}}}}",
            true, ["error missing-key"]
        ),
        (
            "console: {host: links.b.example, openid: \(provider)roles: {a: {role: viewer, collections: shirt}}}}",
            true, ["error unknown-name"]
        ),
        (
            "console: {host: links.b.example, openid: \(provider)roles: {}}}", true,
            ["error unset-value"]
        ),
        ("console: {host: links.b.example, openid: \(provider)}}", true, ["error missing-key"]),
        ("console: {openid: \(provider)roles: {a: editor}}}", true, ["error missing-key"]),
        (
            "console: {host: links.b.example, openid: {issuer: \"http://id.b.example\", client-id: a, "
                + "client-secret: b, roles: {a: editor}}}", true, ["error url"]
        ),
        (
            "console: {host: api.b.example}\n    api-hosts: API.b.example", true,
            ["error duplicate-host"]
        ),
        ("countries: {file: GeoLite2-Country.mmdb}", true, []),
        ("countries: {file: GeoLite2-Country.mmdb}", false, ["error missing-key"]),
        ("proxies: {trusted: 10.1.2.3}\n    countries: {header: CF-IPCountry}", true, []),
        ("countries: {header: CF-IPCountry}", true, ["error missing-key"]),
        ("countries: {}", true, ["error missing-key"]),
        ("countries: {file: a.mmdb, attribution: by Example}", true, []),
        (
            "countries: {file: a.mmdb, attribution: \(String(repeating: "ö", count: 200))}", true,
            []
        ),
        (
            "countries: {file: a.mmdb, attribution: \(String(repeating: "ö", count: 201))}", true,
            ["error wrong-value"]
        ),
        ("countries: {file: a.mmdb, attribution: \"a\\nb\"}", true, ["error control-character"]),
        ("countries: {attribution: by Example}", true, ["error missing-key"]),
        ("countries: CF-IPCountry", true, ["error wrong-kind"]),
        (
            "proxies: {trusted: 10.1.2.3}\n    countries: {header: Cookie}", true,
            ["error header-field"]
        ),
        (
            "proxies: {trusted: 10.1.2.3}\n    countries: {header: CF-IPCountry, file: a.mmdb}",
            true,
            ["error wrong-value"]
        ),
    ])
    func hostsOfTheAPIAreNoHostsOfLinks(line: String, store: Bool, expected: [String]) {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {s: {match: /s}\(store ? ", short: {match: /t/*, stored: {destinations: www.example.com}}" : "")}
            environments:
              e:
                hosts: [a.example, "*.w.example"]
                tls: {certificate: c, key: k}
                publish: {a: \(store ? "[s, short]" : "[s]")}
                \(line)
                \(store ? "store: links.db" : "")
            """
        let found = Configuration.read(Array(text.utf8), file: "w").diagnostics
        #expect(found.map { "\($0.severity) \($0.rule)" } == expected, "\(found)")
    }

    @Test(arguments: [
        ("", ["warning shared-store"]), ("store: links.db", []), ("store: dev.db", []),
        ("store: dev.db, store-essential: false", []),
    ])
    func anInheritedStoreIsWarnedOf(own: String, expected: [String]) {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {s: {match: /s/*, stored: {destinations: a.example}}}
            environments:
              prod:
                hosts: a.example
                tls: {certificate: c, key: k}
                publish: {a: [s]}
                store: links.db
              dev: {extends: prod, hosts: b.example\(own.isEmpty ? "" : ", " + own)}
            """
        let found = Configuration.read(Array(text.utf8), file: "w").diagnostics
        #expect(found.map { "\($0.severity) \($0.rule)" } == expected, "\(found)")
        #expect(found.allSatisfy { $0.position?.line == 10 })
    }

    @Test(arguments: [
        ("store: links.db", true), ("store: links.db\n    store-essential: true", true),
        ("store: links.db\n    store-essential: false", false),
    ])
    func aStoreIsEssentialUnlessItIsSaidNotToBe(lines: String, isEssential: Bool) throws {
        func read(_ lines: String) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
            let text = """
                version: 1
                apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
                links: {s: {match: /s}}
                environments:
                  e:
                    hosts: a.example
                    tls: {certificate: c, key: k}
                    publish: {a: [s]}
                    \(lines)
                """
            let read = Configuration.read(Array(text.utf8), file: "w")
            return (read.configuration, read.diagnostics)
        }
        let environment = try #require(read(lines).configuration?.environments.first)
        #expect(environment.isStoreEssential == isEssential)
        let alone = read("store-essential: false").diagnostics
        #expect(alone.map(\.rule) == [.missingKey])
    }

    @Test func aCollectionWithoutAStoreIsWarnedOf() {
        let link = "{match: /s/*, stored: {destinations: a.example}}"
        #expect(findings(link, store: false) == ["warning no-store"])
    }

    @Test(
        arguments: [
            ("a.example", "https://a.example/x", true), ("a.example", "http://a.example", true),
            ("a.example", "https://A.Example/x", true),
            ("a.example", "https://b.a.example/x", false),
            ("a.example", "https://a.example.evil/", false),
            ("a.example", "https://a.example:444/", false),
            ("*.a.example", "https://b.a.example/x", true),
            ("*.a.example", "https://c.b.a.example/x", true),
            ("*.a.example", "https://a.example/x", false),
            ("*.a.example", "https://xa.example/x", false),
            ("a.example/shop/", "https://a.example/shop/1", true),
            ("a.example/shop/", "https://a.example/shop", false),
            ("a.example/shop/", "https://a.example/shopping", false),
            ("a.example/shop/", "https://a.example/shop/../x", false),
            ("a.example/shop/", "https://a.example/shop/%2e%2E/x", false),
            ("a.example/shop/", "https://a.example/shop/.%2e", false),
            ("a.example/shop/", "https://a.example/shop/..x", true),
            ("*", "https://any.example:99/", true), ("store", "https://apps.apple.com/", false),
        ])
    func aDestinationIsAllowedOrNot(_ rule: String, _ url: String, _ isAllowed: Bool) throws {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {s: {match: /s/*, stored: {destinations: "\(rule)"}}}
            environments: {e: {hosts: a.b, tls: {certificate: c, key: k}, publish: {a: s}, store: l}}
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        let collection = try #require(read.configuration?.links[0].collection)
        #expect(collection.allows(try WebURL(url)) == isAllowed)
    }

    @Test func faultsOfADescribedLinkHaveJSONPointers() throws {
        let json = """
            {"slug": "a/b", "page": {"title": 1, "image": {"url": "x", "widht": 2}},
             "web": {"ios": "store", "a/b": "x"}, "tags": ["a", 2, {}], "from": "2026-01-01"}
            """
        let root = try #require(JSONDocument(Array(json.utf8), file: "").root)
        let (link, faults) = LinkDescription.read(root)
        #expect(link?.from == nil)
        let found = faults.filter { $0.diagnostic.severity == .error }.map {
            "\($0.pointer) \($0.diagnostic.rule)"
        }
        #expect(
            found.sorted() == [
                "/from wrong-value", "/page/image/url url", "/page/image/widht unknown-key",
                "/page/title wrong-kind", "/slug slug-form", "/tags/1 wrong-kind",
                "/tags/2 wrong-kind", "/web/a~1b unknown-key",
            ])
    }

    @Test(
        "so many faults of a described link are kept, and the others are counted",
        arguments: [(100, []), (101, [1]), (20_000, [19_900])] as [(Int, [Int])])
    func manyFaults(_ count: Int, _ more: [Int]) throws {
        let members = (0..<count).map { "\"k\($0)\": [1]" }.joined(separator: ", ")
        let root = try #require(JSONDocument(Array("{\(members)}".utf8), file: "").root)
        let faults = LinkDescription.read(root).1
        let limit = ConfigurationLimits.findingsMax
        #expect(faults.prefix(limit).map(\.pointer) == (0..<limit).map { "/k\($0)" })
        #expect(faults.dropFirst(limit).map(\.count) == more)
    }

    /// A member has the type that it has in the description of the API. What tables and older stores
    /// have of it becomes that type.
    @Test(
        arguments: [
            (
                "archived", #""true""#, "true",
                #""archived" must be true or false, not the text "true""#
            ),
            ("archived", "1", "true", #""archived" must be true or false, not 1"#),
            (
                "page.index", #""false""#, "false",
                #""index" must be true or false, not the text "false""#
            ),
            ("page.title", "5", #""5""#, #""title" must be a text, not the number 5"#),
            ("slug", "true", #""true""#, #""slug" must be a text, not true"#),
            (
                "page.image.width", #""1200""#, "1200",
                #""width" must be a number, not the text "1200""#
            ),
            ("page.image.width", "true", "1", #""width" must be a number, not true"#),
            (
                "campaign.utm", #""true""#, "true",
                #""utm" must be true or false, not the text "true""#
            ),
            (
                "campaign.apple.provider", "12", #""12""#,
                #""provider" must be a text, not the number 12"#
            ),
        ])
    func aMemberHasOneType(
        _ path: String, _ wrong: String, _ right: String, _ message: String
    ) throws {
        func json(_ value: String) throws -> JSONValue {
            var text = value
            if path.contains("image") { text = #"{"url": "/a.png", "width": \#(value)}"# }
            let names = path.split(separator: ".").filter { $0 != "width" }
            for name in names.reversed() { text = #"{"\#(name)": \#(text)}"# }
            return try #require(JSONDocument(Array(text.utf8), file: "").root)
        }
        let faults = LinkDescription.read(try json(wrong)).1
        #expect(faults.map(\.diagnostic.message) == [message])
        #expect(faults.map(\.diagnostic.rule) == [.wrongKind])
        #expect(LinkDescription.read(try json(right)).1.isEmpty)
        if wrong != "1", wrong != "true" || right == #""true""# {
            let typed = LinkDescription.typed(try json(wrong).written)
            #expect(typed.compact == (try json(right).written.compact))
        }
    }

    @Test func whatADescribedLinkDoesNotHaveComesFromItsCollection() throws {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links:
              s:
                match: /s/*
                stored: {destinations: a.b}
                web: {ios: landing, android: store}
                page: {title: All}
            environments: {e: {hosts: a.b, tls: {certificate: c, key: k}, publish: {a: s}, store: l}}
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        let link = try #require(read.configuration?.links[0])
        let destination = URLTemplate("https://a.b/x")
        func actions(_ json: String) -> [WebAction?] {
            let stored = link.stored(
                destination: destination, StoredDetails(stored: Array(json.utf8)), period: nil)
            return WebPlatform.allCases.map { stored.web?.action(for: $0) }
        }
        let redirect = WebAction.redirect(try #require(destination), .found)
        #expect(actions("") == [.landing, .landing, .store, redirect])
        #expect(
            actions(#"{"web": {"android": "landing"}}"#) == [
                .landing, .landing, .landing, redirect,
            ])
        #expect(
            actions(#"{"web": {"default": "landing"}}"#) == [
                .landing, .landing, .landing, .landing,
            ])
        #expect(actions(#"{"web": "not-found"}"#) == [.notFound, .notFound, .notFound, .notFound])
        #expect(actions("{").last == redirect)
        let own = link.stored(
            destination: nil, StoredDetails(stored: Array(#"{"page": {"title": "Own"}}"#.utf8)),
            period: nil)
        #expect(own.page?.title == "Own" && own.key == "s")
    }
}

extension String {
    /// How many rules exclude.
    fileprivate func components(exclude: Bool) -> Int {
        ranges(of: "\"exclude\": \(exclude)").count
    }
}
