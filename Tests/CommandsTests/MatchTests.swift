import Foundation
import Testing

@Suite("waymark match")
struct MatchTests {
    private static let file = """
        {"applinks": {"details": [
          {"appIDs": ["8LQ3T5XW7R.com.example.one"], "components": [
            {"/": "/buy/*", "?": {"y": "?*"}},
            {"/": "/help/*", "exclude": true},
            {"/": "/he*"}]},
          {"appIDs": ["8LQ3T5XW7R.com.example.two"], "components": [{"/": "/hello"}]}]}}
        """

    private func match(_ arguments: String..., input: String? = nil) throws -> Program.Outcome {
        try withFile(Self.file) {
            try Program.run(["match"] + arguments + ["--aasa", $0], input: input)
        }
    }

    /// As the origin does: a wildcard does not stand for a host that another site lists.
    @Test(
        "a host is that of one site",
        arguments: [("shop.links.example", "one"), ("other.links.example", "all")])
    func hostOfSites(_ host: String, _ app: String) throws {
        let text = """
            version: 1
            apps:
              one: {ios: {id: 8LQ3T5XW7R.com.example.one}}
              all: {ios: {id: 8LQ3T5XW7R.com.example.all}}
            links:
              any: {match: /a/*}
            sites:
              one: {hosts: [shop.links.example], publish: {one: [any]}}
              all: {hosts: [links.example, "*.links.example"], publish: {all: [any]}}
            environments:
              dev: {tls: {certificate: certs/dev.pem, key: certs/dev.key}}

            """
        try withConfiguration(text) { path in
            for format in ["text", "lines"] {
                let outcome = try Program.run(
                    "match", "https://\(host)/a/x", "--config", path, "--env", "dev", "--format",
                    format)
                #expect(outcome.status == 0, "\(outcome.messages)")
                #expect(outcome.output.contains("com.example.\(app)"), "\(outcome.output)")
                let other = app == "one" ? "all" : "one"
                #expect(!outcome.output.contains("com.example.\(other)"), "\(outcome.output)")
            }
        }
    }

    @Test func `each app is told apart, and why`() throws {
        let outcome = try match("https://e.com/help/x", "https://e.com/buy/1")
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                https://e.com/help/x
                  stays in the browser for 8LQ3T5XW7R.com.example.one: rule 2 (line 4) excludes it
                  stays in the browser for 8LQ3T5XW7R.com.example.two: no rule matches; \
                the nearest is rule 1 (line 6), and the path "/help/x" does not match "/hello"
                https://e.com/buy/1
                  stays in the browser for 8LQ3T5XW7R.com.example.one: no rule matches; \
                the nearest is rule 1 (line 3), and the link has no query item "y", \
                which must match "?*"
                  stays in the browser for 8LQ3T5XW7R.com.example.two: no rule matches

                """)
        #expect(outcome.messages == "")
    }

    @Test func `the status is 0 when every link opens an app`() throws {
        #expect(try match("https://e.com/hey", "https://e.com/buy/1?y=2").status == 0)
        #expect(try match("https://e.com/hey", "https://e.com/buy/1?y=").status == 1)
    }

    @Test func `JSON has the members that scripts rely on`() throws {
        let outcome = try match("https://e.com/hello", "mailto:x", "--format", "json")
        #expect(outcome.status == 1)
        let links = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [NSDictionary])
        #expect(links.map { $0["url"] as? String } == ["https://e.com/hello", "mailto:x"])
        #expect(
            links[0]["opens"] as? [String] == [
                "8LQ3T5XW7R.com.example.one", "8LQ3T5XW7R.com.example.two",
            ])
        let app = try #require((links[0]["apps"] as? [NSDictionary])?.first)
        #expect(app["verdict"] as? String == "open")
        #expect(app["rule"] as? String == "/applinks/details/0/components/2")
        #expect(app["line"] as? Int == 5)
        #expect(links[1]["opens"] as? [String] == [])
        #expect(links[1]["error"] as? String == "a link must begin with https:// or http://")
    }

    @Test func `a stream is answered line by line`() throws {
        let outcome = try match(
            input:
                "https://e.com/hello\r\n\nhttps://e.com/help/\nnonsense\n\t https://e.com/x \n \n")
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                open\thttps://e.com/hello\t8LQ3T5XW7R.com.example.one\t8LQ3T5XW7R.com.example.two
                exclude\thttps://e.com/help/
                none\tnonsense
                none\thttps://e.com/x

                """)
        #expect(try match("--format", "json", input: "").output == "[\n]\n")
        let named = try match("-", input: "https://e.com/help/\n")
        #expect(named.output == "exclude\thttps://e.com/help/\n")
    }

    @Test(
        "every command takes waymark.yaml, or a configuration of standard input",
        arguments: [
            ["match", "https://localhost/", "--env", "dev"], ["lint"],
            ["explain", "https://localhost/", "--env", "dev"], ["test"],
            ["render", "aasa", "--env", "dev"],
            ["report", "https://localhost/", "--env", "dev", "--ignore", "status"],
        ])
    func configurations(_ arguments: [String]) throws {
        try withConfiguration(smallestConfiguration) { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let usual = try Program.run(arguments, in: directory)
            #expect(![64, 66, 78].contains(usual.status), "\(usual)")
            try FileManager.default.removeItem(atPath: path)
            let option = arguments[0] == "lint" ? ["-"] : ["--config", "-"]
            let typed = try Program.run(
                arguments + option, input: smallestConfiguration, in: directory)
            #expect(typed.status == usual.status, "\(typed)")
            #expect(typed.output.replacing("<stdin>", with: "waymark.yaml") == usual.output)
        }
    }

    @Test func `a configuration knows its hosts`() throws {
        let link = "https://mobile.willhaben.at/auto-verkaufen"
        func match(_ link: String, _ environment: String) throws -> Program.Outcome {
            try Program.run("match", link, "--config", "waymark.yaml", "--env", environment)
        }
        #expect(try match(link, "prod").status == 0)
        let elsewhere = try match(link, "uat")
        #expect(elsewhere.status == 1)
        #expect(
            elsewhere.output == """
                \(link)
                  stays in the browser: host "mobile.willhaben.at" is not served by this \
                environment, and has its own file

                """)
        let unicode = try match("https://m\u{FC}nchen.example/", "prod")
        #expect(unicode.output.contains("host \"xn--mnchen-3ya.example\" is not served by"))
        // A ligature, of which the library knows no mapping.
        let unknown = try match("https://\u{FB01}.example/", "prod")
        #expect(unknown.output.contains("is compared in punycode"))
    }

    @Test("a file that is too large for every system opens nothing", arguments: [131_072, 131_073])
    func size(_ count: Int) throws {
        let text = Self.file + String(repeating: " ", count: count - Self.file.utf8.count)
        let outcome = try withFile(text) {
            try Program.run("match", "https://e.com/hello", "--aasa", $0)
        }
        #expect(outcome.status == (count > 131_072 ? 78 : 0))
        #expect(outcome.messages.contains("file has 131073 bytes") == (count > 131_072))
    }

    @Test(
        "what cannot be asked is refused",
        arguments: [
            (["match", "https://e.com/"], 64),
            (["match", "", "--config", "waymark.yaml", "--env", "prod"], 64),
            (["match", "https://e.com/", "--config", "waymark.yaml"], 64),
            (["match", "https://e.com/", "--aasa", "no.json"], 66),
            (["match", "https://e.com/", "--aasa", "Package.swift"], 78),
            (["match", "https://e.com/", "--config", "waymark.yaml", "--env", "prdo"], 78),
        ] as [([String], Int32)])
    func refusals(_ arguments: [String], _ status: Int32) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == status)
        #expect(outcome.output == "" && outcome.messages != "")
    }

    @Test func `a result depends on the key where another statement decides otherwise`() throws {
        func statement(_ key: String, _ rules: String) -> String {
            """
            {"relation": ["delegate_permission/common.handle_all_urls"], \(rules)
              "target": {"namespace": "android_app", "package_name": "com.example.app",
                "sha256_cert_fingerprints": ["\(String(repeating: "0A:", count: 31))\(key)"]}}
            """
        }
        let rules = """
            "relation_extensions": {"delegate_permission/common.handle_all_urls": {
            "dynamic_app_link_components": [{"/": "/a"}]}},
            """
        let words = "depends on the signing key"
        let texts = [statement("1B", ""), statement("1C", rules)]
        for (statements, path, isSaid) in [
            (texts, "b", true), (texts.reversed(), "b", true), (texts, "a", true),
            ([texts[0], statement("1C", "")], "b", false),
            ([texts[1], statement("1B", rules)], "b", false),
        ] {
            try withFile("[\(statements.joined(separator: ",\n"))]") { file in
                let outcome = try Program.run(
                    "match", "https://e.com/\(path)", "--assetlinks", file)
                #expect(outcome.output.contains(words) == isSaid, "\(outcome)")
            }
        }
    }

    @Test func `Android's rules are asked in the same way`() throws {
        let file = """
            [{"relation": ["delegate_permission/common.handle_all_urls"],
              "target": {"namespace": "android_app", "package_name": "com.example.app",
                         "sha256_cert_fingerprints": ["\(String(repeating: "0A:", count: 31))1B"]},
              "relation_extensions": {"delegate_permission/common.handle_all_urls": {
                "dynamic_app_link_components": [{"/": "/a/*"}, {"/": "*", "exclude": true}]}}}]
            """
        try withFile(file) { path in
            let opened = try Program.run("match", "https://e.com/a/b", "--assetlinks", path)
            #expect(opened.status == 0)
            let outcome = try Program.run("match", "https://e.com/b", "--assetlinks", path)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("com.example.app: rule 2 (line 5) excludes it"))
        }
    }
}
