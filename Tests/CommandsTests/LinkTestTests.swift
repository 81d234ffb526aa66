import Foundation
import Testing

@Suite("waymark test, and who runs link tests beside it")
struct LinkTestTests {
    private func configuration(_ expectations: String...) -> String {
        smallestConfiguration.replacing("match: /", with: "match: /a/*, exclude: /a/b")
            + "expect:\n" + expectations.map { "  - {\($0)}\n" }.joined()
    }

    @Test func `what holds passes, what does not fails beside what is`() throws {
        let text = configuration(
            "url: \"https://localhost/a/x\", env: dev, opens: [app]",
            "url: \"https://localhost/a/b\", env: dev, opens: []",
            "url: \"https://localhost/a/b\", env: dev, opens: [app]")
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.status == 1)
            #expect(
                outcome.output.replacing(path, with: "F") == """
                    ok    F:12:5: https://localhost/a/x in dev
                    ok    F:13:5: https://localhost/a/b in dev
                    FAIL  F:14:5: https://localhost/a/b in dev
                          expected opens app
                          actual   opens no app
                          W4X7K2M9QH.com.example.app stays in the browser: rule 1 \
                    (link "home", F:5:32) excludes it
                    2 passed, 1 failed

                    """)
        }
    }

    @Test(
        "what a browser gets is decided by the origin's own router",
        arguments: [
            ("https://localhost/nothing", "404", 0), ("https://localhost/nothing", "200", 1),
            ("https://localhost/apple-app-site-association", "200", 0),
            ("https://localhost/.well-known/assetlinks.json", "404", 0),
            ("https://localhost/.well-known/webauthn", "404", 0),
            ("http://localhost/x?y", "308 https://localhost/x?y", 0),
            ("http://localhost/x?y", "308", 0), ("http://localhost/x?y", "302", 1),
            ("https://localhost/nothing", "404 https://localhost/", 1),
            ("http://localhost/x?y", "308 https://localhost/x", 1),
            ("http://localhost/x?y#z", "308 https://localhost/x?y", 0),
            ("https://localhost/%00", "400", 0),
            ("https://localhost/\(String(repeating: "x", count: 8192))", "414", 0),
            ("https://localhost/\(String(repeating: "x", count: 8191))", "404", 0),
        ] as [(String, String, Int32)])
    func gets(_ url: String, _ outcome: String, _ status: Int32) throws {
        let text = configuration("url: \"\(url)\", env: dev, gets: \"\(outcome)\"")
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.status == status)
        }
    }

    @Test(
        "what depends on files of a running origin has few statuses, and else is undecided",
        arguments: [
            ("sitemap.xml", "200", "undecided"), ("sitemap.xml", "404", "undecided"),
            ("sitemap.xml", "302", "actual   gets 200 or 404"),
            ("robots.txt", "200", "1 passed"),
            (".well-known/acme-challenge/token", "404", "undecided"),
            (".well-known/acme-challenge/token", "301", "actual   gets 200 or 404"),
        ])
    func undecided(_ path: String, _ gets: String, _ said: String) throws {
        let text = configuration("url: \"https://localhost/\(path)\", env: dev, gets: \(gets)")
            .replacing("hosts: [localhost]", with: "hosts: [localhost]\n    acme-webroot: acme")
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.output.contains(said), "\(outcome.output)\(outcome.messages)")
            #expect((outcome.status == 1) == said.hasPrefix("actual"))
        }
    }

    @Test(
        "what apps ask of links is answered where there is a store",
        arguments: [
            ("_/resolve", "400", true, "1 passed"), ("_/resolve", "404", true, "gets 400"),
            ("_/resolve?url=https://localhost/a", "404", true, "undecided"),
            ("_/opens", "405", true, "1 passed"), ("_/opens", "404", true, "gets 405"),
            ("_/resolve", "404", false, "1 passed"), ("_/opens", "404", false, "1 passed"),
        ])
    func apps(_ path: String, _ gets: String, _ hasStore: Bool, _ said: String) throws {
        let text = configuration("url: \"https://localhost/\(path)\", env: dev, gets: \(gets)")
            .replacing(
                "hosts: [localhost]",
                with: "hosts: [localhost]" + (hasStore ? "\n    store: links.db" : ""))
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.output.contains(said), "\(outcome.output)\(outcome.messages)")
        }
    }

    @Test("a challenge of the account that requests certificates is undecided, too")
    func challengeOfAnAccount() throws {
        for (gets, said) in [("200", "undecided"), ("308", "actual   gets 200 or 404")] {
            let url = "http://localhost/.well-known/acme-challenge/token"
            let text = configuration("url: \"\(url)\", env: dev, gets: \(gets)")
                .replacing(
                    "tls: {certificate: certs/dev.pem, key: certs/dev.key}",
                    with: "tls: {automatic: {terms: agreed, hosts: [localhost.example]}}"
                )
                .replacing("hosts: [localhost]", with: "hosts: [localhost, localhost.example]")
            try withConfiguration(text) { path in
                let outcome = try Program.run("test", "--config", path)
                #expect(outcome.output.contains(said), "\(outcome.output)\(outcome.messages)")
            }
        }
    }

    @Test(
        "Safari on an iPad opens the apps of Apple's file, though its user agent is a Mac's",
        arguments: [
            ("ipad-safari", "[app]", 0), ("ipad-safari", "[app, droid]", 1),
            ("ipad-chrome", "[app]", 0), ("android-chrome", "[droid]", 0),
            ("desktop-safari", "[app, droid]", 0), ("desktop-safari", "[app]", 1),
        ] as [(String, String, Int32)])
    func ipad(_ client: String, _ opens: String, _ status: Int32) throws {
        let print = (0..<32).map { _ in "A1" }.joined(separator: ":")
        let text = configuration(
            "url: \"https://localhost/a/x\", env: dev, as: \(client), opens: \(opens)"
        ).replacing(
            "links:\n",
            with: """
                  droid:
                    android:
                      package: com.example.droid
                      sha256: ["\(print)"]
                      dynamic: true
                links:

                """
        ).replacing("{app: [home]}", with: "{app: [home], droid: [home]}")
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.status == status, "\(outcome.output)\(outcome.messages)")
        }
    }

    @Test(
        "a redirect has the status that the configuration says",
        arguments: [
            ("301 https://x.example/", 301, "iphone-safari"),
            ("302 https://x.example/", 302, "iphone-safari"),
            ("https://x.example/", 302, "iphone-safari"),
            ("307 https://x.example/", 307, "iphone-safari"),
            ("308 https://x.example/", 308, "iphone-safari"),
            ("308 https://x.example/", 308, "googlebot"),
            ("307 https://x.example/", 200, "googlebot"),
            ("308 https://x.example/", 200, "slack-preview"),
        ])
    func redirectStatus(_ action: String, _ status: Int, _ client: String) throws {
        let location = status == 200 ? "" : " https://x.example/"
        let test = "url: \"https://localhost/a/x\", env: dev, as: \(client), gets: "
        let text = configuration(
            test + "\"\(status)\(location)\"", test + "\"\(status == 307 ? 302 : 307)\(location)\"")
        let page = text.replacing("exclude: /a/b", with: "exclude: /a/b, web: \"\(action)\"")
        try withConfiguration(page) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.output.hasSuffix("\n1 passed, 1 failed\n"))
            #expect(outcome.output.contains("actual   gets \(status)\(location)\n"))
        }
    }

    @Test(
        "a client that there is not fails the test, and others are named",
        arguments: [
            ("iphone-safary", "did you mean \"iphone-safari\"?"),
            ("somebody", "the clients are iphone-safari, iphone-chrome, "),
        ])
    func unknownClient(_ name: String, _ advice: String) throws {
        let test = "url: \"https://localhost/nothing\", env: dev, gets: \"404\", as: "
        try withConfiguration(configuration(test + name, test + "curl")) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("\n      \(advice)"))
            #expect(outcome.output.hasSuffix("\n1 passed, 1 failed\n"))
            let lint = try Program.run("lint", path)
            #expect(
                lint.output.contains("error: https://localhost/nothing in dev: there is no client"))
        }
    }

    @Test func `JUnit's form is well-formed XML that counts`() throws {
        let text = configuration(
            "url: \"https://localhost/a/x?a=1&b=<2>\", env: dev, opens: [app]".replacing(
                "<2>", with: "2"),
            "url: \"https://localhost/a/b\", env: dev, opens: [app]")
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path, "--format", "junit")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("tests=\"2\" failures=\"1\" errors=\"0\""))
            #expect(outcome.output.contains("name=\"https://localhost/a/x?a=1&amp;b=2\""))
            #expect(outcome.output.contains("expected to open app, opens no app"))
        }
    }

    @Test func `serve refuses a configuration that fails one`() throws {
        try withConfiguration(
            configuration("url: \"https://localhost/b\", env: dev, opens: [app]")
        ) { path in
            let outcome = try Program.run("serve", "--config", path, "--env", "dev")
            #expect(outcome.status == 78)
            #expect(
                outcome.messages.contains(
                    ":12:5: error: https://localhost/b in dev: expected to open app, opens no app "
                        + "[expectation-failed]"))
        }
    }

    @Test(
        "an app for Android alone opens what its dynamic rules or its manifest say",
        arguments: [
            (true, "/a/x", "[app, droid]", "", "ok"), (true, "/a/x", "[app]", "", "FAIL"),
            (true, "/a/b", "[]", "", "ok"), (true, "/a/b", "[droid]", "", "FAIL"),
            (true, "/a/x", "[droid]", ", as: android-chrome", "ok"),
            (true, "/a/x", "[app]", ", as: iphone-safari", "ok"),
            (false, "/a/x", "[app, droid]", "", "?"), (false, "/a/x", "[app]", "", "?"),
            (false, "/a/b", "[]", "", "?"), (false, "/a/b", "[app]", "", "FAIL"),
            (false, "/a/x", "[app]", ", as: iphone-safari", "ok"),
            (false, "/a/x", "[droid]", ", as: android-chrome", "?"),
            (false, "/a/x", "[app]", ", as: android-chrome", "FAIL"),
        ])
    func android(
        _ isDynamic: Bool, _ path: String, _ apps: String, _ client: String, _ result: String
    ) throws {
        let url = "https://localhost\(path)"
        let key = Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2"
        let text = configuration("url: \"\(url)\", env: dev, opens: \(apps)\(client)")
            .replacing(
                "apps:\n",
                with:
                    "apps:\n  droid: {android: {package: com.example.droid, sha256: \"\(key)\"\(isDynamic ? ", dynamic: true" : "")}}\n"
            )
            .replacing("publish: {app: [home]}", with: "publish: {app: [home], droid: [home]}")
        try withConfiguration(text) { path in
            let outcome = try Program.run("test", "--config", path)
            #expect(outcome.status == (result == "FAIL" ? 1 : 0), "\(outcome)")
            #expect(outcome.output.hasPrefix(result), "\(outcome)")
            let json = try Program.run("test", "--config", path, "--format", "json").output
            #expect(json.contains("\"passed\": \(result == "ok")"), "\(json)")
            let junit = try Program.run("test", "--config", path, "--format", "junit").output
            #expect(junit.contains("<skipped ") == (result == "?"), "\(junit)")
        }
    }

    @Test func `without tests nothing fails`() throws {
        let outcome = try withConfiguration(smallestConfiguration) {
            try Program.run("test", "--config", $0)
        }
        #expect(outcome.status == 0)
        #expect(outcome.output == "0 passed, 0 failed\n")
        #expect(outcome.messages.hasPrefix("waymark: warning: "))
        #expect(outcome.messages.contains(" has no link tests; add `expect`, such as {url: "))
        let other = try Program.run("test", "--env", "uat", "--format", "junit")
        #expect(
            other.messages.contains("waymark.yaml has no link tests in environment \"uat\"; add")
                == !other.output.contains("<testcase"), "\(other)")
    }
}
