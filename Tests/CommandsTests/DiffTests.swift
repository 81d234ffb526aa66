import Foundation
import Testing

@Suite("waymark diff")
struct DiffTests {
    private func promoted() throws -> String {
        try String(
            contentsOf: Program.repository.appending(path: "waymark.yaml"), encoding: .utf8
        ).replacing("willhaben: [ad-insertion]", with: "willhaben: [ad-insertion, car-sale]")
            .replacing("opens: [willhaben-dev]", with: "opens: [willhaben, willhaben-dev]")
    }

    @Test func `promoting a link says exactly that, with a link to try`() throws {
        try withConfiguration(promoted()) { new in
            let outcome = try Program.run("diff", "waymark.yaml", new, "--env", "prod")
            #expect(outcome.status == 1)
            #expect(
                outcome.output.hasPrefix(
                    """
                    environment prod
                      app W4X7K2M9QH.at.willhaben.mobileapp
                        starts opening /auto-verkaufen
                            no rule matched before
                            for example https://mobile.willhaben.at/auto-verkaufen

                    """), "\(outcome.output)")
        }
    }

    @Test func `the rendered files say the same`() throws {
        let before = try Program.run("render", "aasa", "--env", "prod").output
        let after = try withConfiguration(promoted()) {
            try Program.run("render", "aasa", "--config", $0, "--env", "prod").output
        }
        try withFile(before) { old in
            try withFile(after) { new in
                let outcome = try Program.run("diff", old, new, "--format", "json")
                #expect(outcome.status == 1)
                let report = try #require(
                    try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
                        as? NSDictionary)
                #expect(report["changed"] as? Bool == true)
                let environment = try #require((report["environments"] as? [NSDictionary])?.first)
                let apps = try #require(environment["apps"] as? [NSDictionary])
                #expect(apps.count == 1)
                #expect(apps[0]["id"] as? String == "W4X7K2M9QH.at.willhaben.mobileapp")
                #expect(apps[0]["change"] as? String == "changed")
                let starts = try #require(apps[0]["starts"] as? [NSDictionary])
                #expect(starts.map { $0["pattern"] as? String } == ["/auto-verkaufen"])
                #expect(
                    starts.map { $0["example"] as? String }
                        == ["https://example.com/auto-verkaufen"])
                #expect((apps[0]["stops"] as? [NSDictionary])?.isEmpty == true)
            }
        }
    }

    @Test func `settings of the process come before its sites, and are no site's`() throws {
        let house = Program.repository.appending(path: "Tests/Fixtures/sites/links-house")
        try inScratchDirectory { directory in
            for name in ["old", "new"] {
                try FileManager.default.copyItem(at: house, to: directory.appending(path: name))
            }
            let file = directory.appending(path: "new/waymark.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing("    hsts: 300\n", with: "    log: {anonymize: true}\n")
                .write(to: file, atomically: true, encoding: .utf8)
            // A site that comes before all others.
            try """
            apps: {a: {ios: {id: K3W9Q7M2XA.example.a}}}
            links: {a: {match: /a}}
            publish: {a: [a]}
            """.write(
                to: directory.appending(path: "new/sites/a.yaml"), atomically: true, encoding: .utf8
            )
            let both = ["diff", "old/waymark.yaml", "new/waymark.yaml"]
            let output = try Program.run(both, in: directory).output
            let blocks = output.components(separatedBy: "environment ").filter {
                $0.contains("log.anonymize")
            }
            #expect(blocks.count == 2, "\(output)")
            for (block, name) in zip(blocks, ["prod", "dev"]) {
                #expect(
                    block == """
                        \(name)
                          setting log.anonymize
                              before: false
                              now: true

                        """, "\(block)")
            }
            let json = try Program.run(both + ["--format", "json"], in: directory).output
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
            for part in try #require(report["environments"] as? [NSDictionary]) {
                let changes = (part["settings"] as? [NSDictionary])?.count
                #expect(changes == (part["site"] is NSNull ? 1 : 0), "\(part)")
            }
        }
    }

    @Test func `a rule of a configuration is named by its line there, for both systems`() throws {
        let sha = Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2"
        let text = smallestConfiguration.replacing(
            "com.example.app}",
            with: "com.example.app}, android: {package: com.example.app, dynamic: true, "
                + "sha256: \"\(sha)\"}"
        ).replacing("match: /", with: "match: /a/*, exclude: /a/b/*")
        let line = try #require(
            text.split(separator: "\n").firstIndex { $0.contains("/a/b/*") }.map { $0 + 1 })
        try withConfiguration(text) { old in
            try withConfiguration(text.replacing("/a/b/*", with: "/a/c/*")) { new in
                let output = try Program.run("diff", old, new).output
                for (file, rule) in [(old, "/a/b/* (F:"), (new, "/a/c/* (F:")] {
                    let words = rule.replacing("F", with: file) + "\(line):"
                    #expect(output.components(separatedBy: words).count == 3, "\(output)")
                }
                let json = try Program.run("diff", old, new, "--format", "json").output
                #expect(json.components(separatedBy: "\"line\": \(line)").count > 2, "\(json)")
            }
            let matched = try Program.run(
                "match", "https://localhost/a/x", "--config", old, "--env", "dev", "--format",
                "json"
            ).output
            #expect(matched.components(separatedBy: "\"line\": \(line)").count == 3, "\(matched)")
        }
    }

    @Test func `what is wrong with a generated file is not said with its lines`() throws {
        // A placeholder, which `lint` finds in the configuration.
        let sha = "B7:2C:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96"
        let text = smallestConfiguration.replacing(
            "ios: {id: W4X7K2M9QH.com.example.app}",
            with: "android: {package: com.example.app, dynamic: true, sha256: "
                + "\"\(sha):B2:3F:CF:44:E5\"}")
        let placeholder = text.replacing(
            "\(sha):B2:3F:CF:44:E5", with: Array(repeating: "00", count: 32).joined(separator: ":"))
        for text in [text, placeholder] {
            try withConfiguration(text) { path in
                for command in ["match", "explain"] {
                    let outcome = try Program.run(
                        command, "https://localhost/", "--config", path, "--env", "dev")
                    #expect(!outcome.messages.contains("assetlinks.json:"), "\(outcome)")
                }
            }
        }
    }

    private static func file(_ rules: String, id: String = "ABCDE12345.a.b", more: String = "")
        -> String
    {
        #"{"applinks":{\#(more)"details":[{"appIDs":["\#(id)"],"components":[\#(rules)]}]}}"#
    }

    @Test(
        "a rule that decides nothing says why",
        arguments: [
            (
                file(#"{"/":"/$(x)"}"#, more: #""substitutionVariables":{"x":["a"]},"#),
                file(#"{"/":"/$(x)"}"#),
                """
                app ABCDE12345.a.b
                  stops opening /$(x)
                      no rule matches any more
                      for example https://example.com/a
                  /$(x) (line 1) never matches: there is no variable "x"

                """
            ),
            (
                file(#"{"/":"/a"}"#), file(#"{"/":"/a"},{"/":"a"}"#),
                """
                app ABCDE12345.a.b
                  a (line 1) matches no link

                """
            ),
            (
                file(#"{"/":"/a/b"}"#), file(#"{"/":"/a/*"},{"/":"/a/b"}"#),
                """
                app ABCDE12345.a.b
                  starts opening some links of /a/*
                      no rule matched before
                      for example https://example.com/a/example
                  nothing reaches /a/b (line 1): earlier rules decide before it

                """
            ),
            (
                file(#"{"/":"/a"}"#), file(#"{"/":"/a"}"#, id: "FGHIJ67890.a.b"),
                "app ABCDE12345.a.b is now FGHIJ67890.a.b\n"
            ),
            (
                #"{"webcredentials":{"apps":["ABCDE12345.a.b","ABCDE12345.c.d"]}}"#,
                #"{"webcredentials":{"apps":["FGHIJ67890.a.b","ABCDE12345.e.f"]}}"#,
                """
                webcredentials: ABCDE12345.a.b is now FGHIJ67890.a.b
                webcredentials: ABCDE12345.e.f is new
                webcredentials: ABCDE12345.c.d is gone

                """
            ),
        ])
    func words(_ old: String, _ new: String, _ output: String) throws {
        try withFile(old) { before in
            try withFile(new) { after in
                let outcome = try Program.run("diff", before, after)
                #expect(outcome.output == output)
            }
        }
    }

    @Test func `a pattern of anybody's file steers no terminal`() throws {
        let file =
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/X"}]}]}}"#
        try withFile(file.replacing("/X", with: "/a")) { old in
            try withFile(file.replacing("/X", with: "/\u{9B}2J")) { new in
                let outcome = try Program.run("diff", old, new)
                #expect(outcome.status == 1)
                #expect(outcome.output.contains("opening /\\u{9B}2J\n"))
                #expect(!outcome.output.unicodeScalars.contains("\u{9B}"))
            }
        }
    }

    /// A rule that remembers seventeen characters has more states than the search looks at, and the
    /// links of the rule that is added are all decided by it.
    @Test(
        "a search that gave up is a change in every format",
        arguments: [
            ("text", "the search for differences gave up"), ("json", "\"changed\": true"),
            ("json", "\"complete\": false"), ("github", "the search for differences gave up"),
            ("markdown", "the search for differences gave up"),
        ])
    func incomplete(_ format: String, _ said: String) throws {
        let rule = #"{"/": "*a????????????????"}"#
        try withFile(Self.file(rule)) { old in
            try withFile(Self.file(rule + #", {"/": "*ab???????????????"}"#)) { new in
                let outcome = try Program.run("diff", old, new, "--format", format)
                #expect(outcome.status == 1, "\(outcome.messages)")
                #expect(outcome.output.contains(said), "\(outcome.output)")
            }
            // What is written alike needs no search.
            let same = try Program.run("diff", old, old, "--format", format)
            #expect(same.status == 0 && !same.output.contains(said))
        }
    }

    @Test func `the kind of both versions can be said`() throws {
        try withFile("{}") { file in
            let outcomes = try ["aasa", "config"].map {
                try Program.run("diff", file, file, "--as", $0).status
            }
            #expect(outcomes == [0, 78])
        }
    }

    @Test func `nothing is said of what changes for nobody`() throws {
        let outcome = try Program.run("diff", "waymark.yaml", "waymark.yaml")
        #expect(outcome.status == 0 && outcome.output == "" && outcome.messages == "")
        let other = try promoted().replacing(
            "car-sale: {match: /auto-verkaufen}", with: "car-sale: {match: /auto-verkaufen/}")
        try withConfiguration(promoted()) { old in
            try withConfiguration(other) { new in
                let outcome = try Program.run("diff", old, new)
                #expect(outcome.status == 0)
            }
        }
    }

    @Test func `a configuration that is served can be compared and checked, at any size`() throws {
        let padding = "#" + String(repeating: "x", count: 9_000_000) + "\n"
        try withConfiguration(promoted() + padding) { path in
            let (compared, checked) = (
                try Program.run("diff", path, path), try Program.run("lint", path)
            )
            #expect(compared.status == 0)
            #expect(!checked.output.contains("[file-size]"))
        }
    }

    @Test func `environments can be held against each other`() throws {
        let outcome = try Program.run(
            "diff", "waymark.yaml", "waymark.yaml", "--env", "uat", "--new-env", "prod")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("host mobile.willhaben.at is new"))
        #expect(outcome.output.contains("host mobile-uat.willhaben.at is gone"))
        #expect(!outcome.output.contains("app "))
    }

    /// An app on each system, Android's with rules of its own.
    private static let both = """
        version: 1
        apps:
          ios: {ios: {id: W4X7K2M9QH.com.example.shop}}
          droid: {android: {package: com.example.shop, sha256: KEY, dynamic: true}}
        links:
          offer: {match: /offer/*}
          product: {match: /product/*}
        environments:
          prod:
            hosts: [shop.example.test]
            tls: {certificate: a, key: b}
            publish: {ios: [offer], droid: [offer, product]}

        """.replacing(
            "KEY", with: "\"" + Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2\"")

    @Test(
        "what changes for Android is said too",
        arguments: [
            ("droid: [offer, product]", "droid: [product]", "stops opening /offer/*"),
            (
                ", dynamic: true", "",
                "starts opening every link of its manifest, because it has no dynamic rules\n"
            ),
            (", droid: [offer, product]", "", "Android app com.example.shop is gone"),
            (":B2", ":B3", "is new"), ("dynamic: true", "credentials: true, dynamic: true", "may "),
        ])
    func android(_ old: String, _ new: String, _ said: String) throws {
        try withConfiguration(Self.both) { before in
            try withConfiguration(Self.both.replacing(old, with: new)) { after in
                let outcome = try Program.run("diff", before, after)
                #expect(outcome.status == 1)
                #expect(outcome.output.contains(said), "\(outcome.output)")
                let files = try [before, after].map {
                    try Program.run("render", "assetlinks", "--config", $0, "--env", "prod").output
                }
                guard files.allSatisfy({ !$0.isEmpty }) else { return }
                try withFile(files[0]) { first in
                    try withFile(files[1]) { second in
                        let outcome = try Program.run("diff", first, second)
                        #expect(outcome.status == 1 && outcome.output.contains(said))
                    }
                }
            }
        }
    }

    @Test(
        "how certificates are requested, and what is watched, is compared",
        arguments: [
            ("terms: agreed", "terms: agreed, directory: staging", "acme-staging-v02"),
            (
                "terms: agreed", "terms: agreed, directory: \"https://ca.example/d\"",
                "now: https://ca.example/d"
            ),
            ("terms: agreed", "terms: agreed, profile: short", "now: short"),
            ("terms: agreed", "terms: agreed, email: a@b.example", "now: a@b.example"),
            (
                "terms: agreed", "terms: agreed, hosts: [shop.example.test]",
                "now: shop.example.test"
            ),
            ("terms: agreed", "terms: agreed, dns: persistent", "now: persistent"),
            ("terms: agreed", "terms: agreed, staging: off", "now: off"),
            (
                "terms: agreed",
                "terms: agreed, otherwise: [{directory: \"https://ca.example/d\", terms: agreed}]",
                "now: directory https://ca.example/d"
            ),
            ("{automatic: {terms: agreed}}", "{certificate: a, key: b}", "now: a with b"),
            ("\n    publish", "\n    watch: true\n    publish", "now: every 900 s"),
            (
                "\n    publish", "\n    watch: {hosts: [shop.example.test]}\n    publish",
                "now: shop.example.test"
            ),
        ])
    func requests(_ old: String, _ new: String, _ said: String) throws {
        let text = Self.both.replacing(
            "{certificate: a, key: b}", with: "{automatic: {terms: agreed}}")
        try withConfiguration(text) { before in
            try withConfiguration(text.replacing(old, with: new)) { after in
                let outcome = try Program.run("diff", before, after)
                #expect(outcome.status == 1)
                #expect(outcome.output.contains(said), "\(outcome)")
                let back = try Program.run("diff", after, before)
                #expect(back.status == 1 && !back.output.contains("now: \n"), "\(back)")
                #expect(try Program.run("diff", after, after).status == 0)
            }
        }
    }

    private static func statement(_ relations: String, _ keys: String...) -> String {
        let keys = keys.map { key in
            "\"" + Array(repeating: key, count: 32).joined(separator: ":") + "\""
        }
        return """
            {"relation": [\(relations)], "target": {"namespace": "android_app", \
            "package_name": "com.example.b", \
            "sha256_cert_fingerprints": [\(keys.joined(separator: ", "))]}}
            """
    }

    private static let opens = #""delegate_permission/common.handle_all_urls""#
    private static let signsIn = #""delegate_permission/common.get_login_creds""#
    private static let site = #""target": {"namespace": "web", "site": "https://other.example"}"#

    private static func ruled(_ statement: String) -> String {
        #"{"relation_extensions": {\#(opens): {"dynamic_app_link_components": [{"/": "/a"}]}}, "#
            + statement.dropFirst()
    }

    /// Both directions of each pair are changes; a pair of equals in another order is none.
    @Test(
        "of assetlinks.json, each relation counts for each key, each website and each include",
        arguments: [
            (
                [statement(opens, "A1", "B2"), statement(signsIn, "A1", "B2")],
                [statement(opens, "A1"), statement(signsIn, "A1", "B2")],
                "B2 may no longer delegate_permission/common.handle_all_urls"
            ),
            (
                [statement(opens, "A1", "B2")], [statement(opens, "A1"), statement(signsIn, "B2")],
                "B2 may no longer delegate_permission/common.handle_all_urls"
            ),
            (
                [statement(opens, "A1")], [statement(opens + #", "no""#, "A1")],
                "A1 may no longer delegate_permission/common.handle_all_urls"
            ),
            (
                [statement(opens, "A1")],
                [statement(opens, "A1"), #"{"relation": [\#(signsIn)], \#(site)}"#],
                "the website https://other.example may delegate_permission/common.get_login_creds"
            ),
            (
                [statement(opens, "A1"), statement(opens, "B2")],
                [statement(opens, "A1"), ruled(statement(opens, "B2"))], "stops opening every link"
            ),
            (
                [statement(opens, "A1"), ruled(statement(opens, "B2"))],
                [ruled(statement(opens, "A1")), statement(opens, "B2")], "signed with"
            ),
            (
                [statement(opens, "A1")],
                [statement(opens, "A1"), #"{"include": "https://other.example/more.json"}"#],
                "the include of https://other.example/more.json is new"
            ),
        ])
    func statements(_ old: [String], _ new: [String], _ said: String) throws {
        func text(_ statements: [String]) -> String {
            "[\(statements.joined(separator: ",\n"))]"
        }
        try withFile(text(old)) { before in
            try withFile(text(new)) { after in
                let outcome = try Program.run("diff", before, after, "--as", "assetlinks")
                #expect(outcome.status == 1 && outcome.output.contains(said), "\(outcome)")
                for format in ["json", "markdown", "github"] {
                    let both = [[before, after], [after, before]]
                    for files in both {
                        let outcome = try Program.run(
                            ["diff"] + files + ["--as", "assetlinks", "--format", format])
                        #expect(outcome.status == 1 && !outcome.output.isEmpty, "\(outcome)")
                        #expect(!outcome.output.contains("Nothing changes"), "\(outcome)")
                    }
                }
            }
            try withFile(text(old.reversed())) { after in
                let outcome = try Program.run("diff", before, after, "--as", "assetlinks")
                #expect(outcome.status == 0, "\(outcome)")
            }
        }
    }

    /// A short statement can give many relations to many keys.
    @Test func `what single keys may do is compared up to a limit`() throws {
        func file(_ relations: Int, last: String = "z/z") -> String {
            let names = (0..<relations).map { "\"a/a\($0)\"" } + ["\"\(last)\""]
            let keys = (0..<1_000).map { key in
                "\""
                    + (0..<32).map { $0 == 0 ? "AA" : "\((key >> ($0 % 10)) % 10)7" }
                    .joined(separator: ":") + "\""
            }
            return "["
                + #"{"relation": [\#(names.joined(separator: ","))], "target": {"namespace": "#
                + #""android_app", "package_name": "com.example.b", "sha256_cert_fingerprints": "#
                + "[\(keys.joined(separator: ","))]}}]"
        }
        for (relations, isCompared) in [(99, true), (100, false)] {
            try withFile(file(relations)) { old in
                // The order alone is no change.
                try withFile(file(relations).replacing(#""a/a0","a/a1""#, with: #""a/a1","a/a0""#))
                {
                    new in
                    for format in isCompared ? ["json"] : ["text", "json", "github", "markdown"] {
                        let outcome = try Program.run(
                            "diff", old, new, "--as", "assetlinks", "--format", format)
                        #expect(outcome.status == (isCompared ? 0 : 1), "\(format)")
                        let words =
                            format == "json"
                            ? "\"complete\": false"
                            : "more than 100000 pairs of a relation and a key"
                        #expect(outcome.output.contains(words) == !isCompared, "\(format)")
                    }
                }
            }
        }
    }

    @Test func `an association file is not held against one of the other kind`() throws {
        let apple = try Program.run("render", "aasa", "--env", "prod").output
        try withFile(apple) { first in
            try withFile("[]") { second in
                let outcome = try Program.run("diff", first, second)
                #expect(outcome.status == 64)
            }
        }
    }

    @Test(
        "what cannot be compared is refused",
        arguments: [
            (["diff", "-", "-"], 64), (["diff", "waymark.yaml", "no.yaml"], 66),
            (["diff", "waymark.yaml", "Package.swift"], 78),
            (["diff", "waymark.yaml", "waymark.yaml", "--env", "prdo"], 78),
            (["diff", "waymark.yaml", "waymark.yaml", "--new-env", "prod"], 64),
        ] as [([String], Int32)])
    func refusals(_ arguments: [String], _ status: Int32) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == status)
        #expect(outcome.output == "" && outcome.messages != "")
    }
}
