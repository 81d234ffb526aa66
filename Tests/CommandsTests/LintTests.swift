import Foundation
import Testing

@Suite("waymark lint")
struct LintTests {
    @Test(
        "a rule that is ignored for nothing is named, if all rules were applied",
        arguments: [
            (smallestConfiguration, true),
            (smallestConfiguration.replacing("W4X7K2M9QH", with: "W4X7"), false),
            ("{\"applinks\": {}}", true), ("{\"applinks\": {", false),
        ])
    func ignoresNothing(_ text: String, _ isNamed: Bool) throws {
        try withFile(text) { path in
            let outcome = try Program.run("lint", path, "--ignore", "curly-quotes")
            #expect(outcome.output.contains("suppresses nothing") == isNamed, "\(outcome.output)")
        }
    }

    /// The certificates may be there on a server, and missing where the file is reviewed.
    @Test("a rule whose findings depend on the machine is not named", arguments: [true, false])
    func ignoresMachine(_ hasCertificates: Bool) throws {
        try withServableSite { path in
            if !hasCertificates {
                let certificates = URL(filePath: path).deletingLastPathComponent()
                    .appending(path: "certs")
                try FileManager.default.removeItem(at: certificates)
            }
            let outcome = try Program.run(
                "lint", path, "--env", "dev", "--ignore", "unreadable-file", "--ignore",
                "host-without-certificate")
            #expect(!outcome.output.contains("suppresses nothing"), "\(outcome.output)")
        }
    }

    @Test(
        "the status says whether an assetlinks.json is valid for Google", arguments: [true, false])
    func validForGoogle(_ isValid: Bool) throws {
        let fingerprint = Array(repeating: "B7:2C", count: 16).joined(separator: ":")
        let text = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {
              "namespace": "android_app", "package_name": "com.example.app",
              "sha256_cert_fingerprints": ["\(isValid ? fingerprint : fingerprint.lowercased())"]}}]
            """
        try withFile(text) { path in
            let outcome = try Program.run("lint", path, "--as", "assetlinks", "--ignore", "K12")
            #expect(outcome.output.contains("valid for Google: \(isValid ? "yes" : "no")"))
            #expect(outcome.status == (isValid ? 0 : 1), "\(outcome.output)")
        }
    }

    @Test func `of clean files nothing is said`() throws {
        let outcome = try Program.run(
            "lint", "waymark.yaml", "Tests/Fixtures/sites/rwdevcon/waymark.yaml",
            "--fail-on", "note")
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(outcome.messages == "")
    }

    @Test func `findings are data, and answered with 1`() throws {
        let outcome = try lint(smallestConfiguration + "version: 2\n")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasSuffix(
                """
                waymark.yaml:11:1: error: key "version" is already in line 1 [duplicate-key]
                  11 | version: 2
                     | ^
                    remove one of them, or write the content of both below one key

                """))
        #expect(outcome.messages == "")
    }

    @Test(
        "a finding fails from the named severity on",
        arguments: [("error", 0), ("warning", 1), ("note", 1)] as [(String, Int32)])
    func failOn(_ severity: String, _ status: Int32) throws {
        let warned = smallestConfiguration.replacing(
            "match: /", with: "match: /, page: {translations: {fr: {title: x}}}")
        #expect(try lint(warned, "--fail-on", severity).status == status)
    }

    @Test(
        "an environment that there is not is one message for every command",
        arguments: [
            ["lint"], ["test"], ["diff", "waymark.yaml"], ["explain", "https://a.example/"],
            ["match", "https://a.example/"], ["render", "robots"], ["serve"],
            ["init", "--certificates-only"],
        ])
    func unknownEnvironment(_ arguments: [String]) throws {
        for (name, advice) in [
            ("prd", "did you mean \"prod\"?"), ("x", "the environments are prod, uat, dev"),
        ] {
            let outcome = try Program.run(arguments + ["--env", name])
            #expect(outcome.status == 78, "\(outcome)")
            #expect(outcome.output.isEmpty)
            // `serve` has one line for each event.
            let fact = "waymark.yaml:1:1: error: there is no environment \"\(name)\" [unknown-name]"
            let separator = arguments == ["serve"] ? "; " : "\n    "
            #expect(
                outcome.messages.contains("\(fact)\(separator)\(advice)\n"), "\(outcome.messages)")
        }
    }

    @Test func `a site's file alone is one finding, with the configuration to lint`() throws {
        let house = "Tests/Fixtures/sites/links-house"
        for name in ["game", "news", "shop"] {
            let outcome = try Program.run("lint", "\(house)/sites/\(name).yaml")
            #expect(outcome.status == 1)
            #expect(
                outcome.output.contains("it is no configuration [missing-key]\n")
                    && outcome.output.contains("such as \"\(house)/waymark.yaml\"\n"),
                "\(outcome.output)")
            #expect(outcome.output.components(separatedBy: ": error: ").count == 2)
        }
        #expect(try Program.run("lint", "\(house)/waymark.yaml").status == 0)
    }

    @Test func `as JSON each finding has the same members`() throws {
        let outcome = try lint(
            smallestConfiguration.replacing(
                "home: {", with: "home: {page: {translations: {fr: {title: x}}}, ")
                + "  uat: {extends: dve}\n", "--format", "json")
        #expect(outcome.status == 1)
        let findings = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [NSDictionary])
        #expect(findings.count == 2)
        #expect(findings.map { $0["line"] as? Int } == [5, 11])
        #expect(findings.map { $0["column"] as? Int } == [32, 18])
        #expect(findings.map { $0["severity"] as? String } == ["warning", "error"])
        #expect(findings.map { $0["rule"] as? String } == ["unused-key", "unknown-name"])
        #expect(
            findings[0]["advice"] as? String == "they are en; add it to `site.languages`")
        #expect(findings[1]["advice"] as? String == "did you mean \"dev\"?")
        #expect(findings[1]["message"] as? String == "there is no environment \"dve\"")
        #expect((findings[1]["file"] as? String)?.hasSuffix("/waymark.yaml") == true)
        #expect(Set(findings.flatMap { $0.allKeys.compactMap { $0 as? String } }).count == 7)
    }

    @Test func `as JSON a clean file is an empty list`() throws {
        let outcome = try Program.run("lint", "waymark.yaml", "--format", "json")
        #expect(outcome.status == 0)
        #expect(outcome.output == "[]\n")
    }

    @Test func `a missing file is answered with 66, and the others are still read`() throws {
        let outcome = try withConfiguration(smallestConfiguration + "verison: 1\n") {
            try Program.run("lint", "no.yaml", $0)
        }
        #expect(outcome.status == 66)
        #expect(outcome.output.contains("has no key \"verison\""))
        #expect(outcome.messages == "no.yaml:1:1: error: the file does not exist [file-missing]\n")
    }

    @Test func `an environment can be asked for`() throws {
        let outcome = try Program.run("lint", "waymark.yaml", "--env", "prdo")
        #expect(outcome.status == 78)
        #expect(outcome.messages.contains("did you mean \"prod\"?"))
    }

    @Test func `a page that is no public file is found, of a link and of the environment`() throws {
        let text =
            smallestConfiguration.replacing(
                "match: /",
                with: "match: /a, web: /no.html, page: {image: /no.png, video: {url: /}}")
            + "    unmatched: /nor.html\n"
        try withConfiguration(text) { path in
            // Without a public directory nothing is said of its files.
            let before = try Program.run("lint", path)
            #expect(before.status == 0)
            _ = try Program.run(["init"], in: URL(filePath: path).deletingLastPathComponent())
            let after = try Program.run("lint", path)
            #expect(after.status == 1)
            #expect(after.output.contains(":5:26: error: page \"/no.html\" is not a file in"))
            #expect(after.output.contains("error: page \"/nor.html\" is not a file in"))
            #expect(after.output.contains(":5:50: warning: \"/no.png\" is not a file in"))
        }
    }

    @Test func `without a file it reads waymark.yaml`() throws {
        let outcome = try Program.run(["lint"], in: FileManager.default.temporaryDirectory)
        #expect(outcome.status == 66)
        #expect(outcome.messages.contains("waymark.yaml:1:1: error: the file does not exist"))
    }

    private func lint(_ text: String, _ options: String...) throws -> Program.Outcome {
        try withConfiguration(text) { try Program.run(["lint", $0] + options) }
    }

    @Test(
        "a public file hides what the web of a link for its path says",
        arguments: [
            ("{match: /, web: store}", true), ("{match: /shop/, web: landing}", true),
            ("{match: {\"/\": /a.html, \"?\": {q: \"*\"}}, web: not-found}", true),
            ("{match: /, web: page}", false), ("{match: \"/*\", web: landing}", false),
            ("{match: /shop, web: landing}", false), ("{match: /, page: {title: T}}", false),
        ])
    func hiddenAction(_ link: String, _ isHidden: Bool) throws {
        let text = smallestConfiguration.replacing("{match: /}", with: link)
        let outcome = try withConfiguration(text) { path in
            let pages = URL(filePath: path).deletingLastPathComponent().appending(path: "Public")
            try FileManager.default.createDirectory(
                at: pages.appending(path: "shop"), withIntermediateDirectories: true)
            for name in ["index.html", "shop/index.html", "a.html"] {
                try Data("<title>x</title>".utf8).write(to: pages.appending(path: name))
            }
            return try Program.run("lint", path)
        }
        #expect(outcome.output.contains("[hidden-action]") == isHidden, "\(outcome.output)")
    }

    @Test(
        "a link whose path Waymark answers itself is named",
        arguments: [
            ("{match: /.well-known/acme-challenge/x, web: store}", true),
            ("{match: [/x, \"/.well-known/acme-challenge/*\"], web: not-found}", true),
            ("{match: /.well-known/assetlinks.json, page: {title: T}}", true),
            ("{match: /.well-known/hi, web: store}", false),
            ("{match: [/x, \"/.well-known/*\"], web: not-found}", false),
            ("{match: /.well-known/hi, page: {title: T}}", false),
            ("{match: {\"/\": \"/.well-known/a?c\"}, web: not-found}", false),
            ("{match: /robots.txt, web: not-found}", true),
            ("{match: /apple-app-site-association, web: not-found}", true),
            ("{match: /.well-known/hi}", false), ("{match: /.well-known, web: not-found}", false),
            ("{match: \"/.*\", web: not-found}", false),
            ("{match: /x, exclude: \"/.well-known/*\", web: not-found}", false),
        ])
    func reservedPath(_ link: String, _ isNamed: Bool) throws {
        let outcome = try lint(smallestConfiguration.replacing("{match: /}", with: link))
        #expect(outcome.output.contains("[hidden-action]") == isNamed, "\(outcome.output)")
    }

    @Test(
        "a link whose path is answered from the store, or by the sitemap, is named",
        arguments: [
            ("/_/resolve", "store: var/links.db", "landing", true),
            ("/_/opens", "store: var/links.db", "landing", true),
            ("/_/other", "store: var/links.db", "landing", false),
            ("/_/resolve", "robots: open", "landing", false),
            ("/sitemap.xml", "robots: open", "landing", true),
            ("/sitemap.xml", "robots: closed", "landing", false),
            ("/sitemap.xml", "robots: open", "\"https://a.example/\"", false),
        ])
    func generatedAnswer(_ path: String, _ key: String, _ web: String, _ isNamed: Bool) throws {
        let text = smallestConfiguration.replacing(
            "{match: /}", with: "{match: \(path), web: \(web)}"
        )
        .replacing("hosts: [localhost]", with: "hosts: [localhost]\n    \(key)")
        let outcome = try lint(text)
        #expect(outcome.output.contains("[hidden-action]") == isNamed, "\(outcome.output)")
    }

    @Test("a public file in whose place the configuration generates one is named")
    func generatedFile() throws {
        for (key, isNamed) in [
            ("change-password: https://a.example/", false),
            ("webauthn: [\"https://a.example\"]", true),
        ] {
            let text = smallestConfiguration.replacing(
                "hosts: [localhost]", with: "hosts: [localhost]\n    \(key)")
            let outcome = try withConfiguration(text) { path in
                let pages = URL(filePath: path).deletingLastPathComponent()
                    .appending(path: "Public/.well-known")
                try FileManager.default.createDirectory(
                    at: pages, withIntermediateDirectories: true)
                try Data("{}".utf8).write(to: pages.appending(path: "webauthn"))
                return try Program.run("lint", path)
            }
            #expect(outcome.output.contains("[hidden-action]") == isNamed, "\(outcome.output)")
        }
    }

    @Test(
        "a pattern of headers that matches no public file and no page is named",
        arguments: [
            ("/.well-known/a*", true), ("/nothing/*", true), ("/SHOP/*", true), ("/b", true),
            ("/.well-known/*", false), ("/*", false), ("*", false), ("/shop/*", false),
            ("/?hop/*", false), ("/", false), ("/a/b*", false), ("/a*", false),
        ])
    func headerReach(_ pattern: String, _ isNamed: Bool) throws {
        let text =
            smallestConfiguration.replacing("{match: /}", with: "{match: /a/*}")
            + "    headers: [{match: \"\(pattern)\", set: {Cache-Control: no-store}}]\n"
        let outcome = try withConfiguration(text) { path in
            let pages = URL(filePath: path).deletingLastPathComponent().appending(path: "Public")
            for name in ["index.html", "shop/index.html", ".well-known/security.txt"] {
                let file = pages.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("<title>x</title>".utf8).write(to: file)
            }
            return try Program.run("lint", path)
        }
        #expect(outcome.output.contains("[header-reach]") == isNamed, "\(outcome.output)")
    }

    @Test(
        "a generated page leads nowhere unless the site has a page to lead to",
        arguments: [
            (false, "{match: /a/*, web: landing}", true),
            (true, "{match: /a/*, web: landing}", false),
            (false, "{match: [/a/*, /b], web: landing}", true),
        ])
    func deadEnd(_ hasPage: Bool, _ link: String, _ isFound: Bool) throws {
        let text = smallestConfiguration.replacing("{match: /}", with: link)
        let outcome = try withConfiguration(text) { path in
            let pages = URL(filePath: path).deletingLastPathComponent().appending(path: "Public")
            try FileManager.default.createDirectory(
                at: pages, withIntermediateDirectories: true)
            if hasPage { try Data("x".utf8).write(to: pages.appending(path: "index.html")) }
            return try Program.run("lint", path)
        }
        #expect(outcome.output.contains("[dead-end]") == isFound, "\(outcome.output)")
    }
}
