import Foundation
import TestSupport
import Testing

@Suite("waymark explain")
struct ExplainTests {
    @Test func `a support colleague reads what happens, and why`() throws {
        let outcome = try Program.run(
            "explain", "https://mobile.willhaben.at/auto-verkaufen", "--as", "instagram-ios",
            "--env", "prod")
        #expect(outcome.status == 0)
        for line in [
            "  asked by instagram-ios: a person, ios, in Instagram\n",
            "  stays in the browser for H9QM2K7X4W.at.willhaben.mobileapp.dev: Instagram's own "
                + "browser does not open apps; elsewhere the link opens the app because rule "
                + "2 (link \"car-sale\", ",
            "    public file: no public file has this path\n",
            "Instagram's own browser does not open apps",
        ] {
            #expect(outcome.output.contains(line), "\(line)")
        }
    }

    @Test func `JSON has the members that scripts rely on`() throws {
        let outcome = try Program.run(
            "explain", "http://mobile.willhaben.at/x", "--as", "desktop-chrome", "--env", "prod",
            "--format", "json")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary)
        #expect(
            Set(report.allKeys.compactMap { $0 as? String }) == [
                "url", "as", "userAgent", "environment", "host", "visitor", "apps", "appsNote",
                "at", "link",
                "steps", "response",
                "caveats",
            ])
        let response = try #require(report["response"] as? NSDictionary)
        #expect(response["status"] as? Int == 308)
        #expect(response["bodyBytes"] as? Int == 0)
        let fields = try #require(response["headers"] as? NSDictionary)
        #expect(fields["Location"] as? String == "https://mobile.willhaben.at/x")
        let steps = try #require(report["steps"] as? [NSDictionary])
        #expect(steps.filter { $0["taken"] as? Bool == true }.count == 1)
    }

    @Test(
        "a link is explained as it is at another time",
        arguments: [
            ("/bazaar/rug", "2026-02-28T22:59:59Z", "302 Found", "time: it is there until"),
            ("/bazaar/rug", "2026-02-28T23:00:00Z", "302 Found", "time: it ended at"),
            ("/fair", "2090-05-01T07:59:59Z", "404 Not Found", "link fair: its rules match, but"),
            ("/fair", "2090-05-01T10:00:00+02:00", "302 Found", "time: it is there since"),
            ("/fair", "2090-06-01T00:00:00+02:00", "410 Gone", "time: it ended at"),
        ])
    func atAnotherTime(_ path: String, _ time: String, _ status: String, _ step: String) throws {
        let outcome = try Program.run(
            "explain", "https://shop.links.example\(path)", "--as", "desktop-chrome", "--env",
            "prod", "--config",
            repository("Tests/Fixtures/sites/links-house/waymark.yaml"), "--at", time)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("  \(status), ") && outcome.output.contains(step))
        // Only one of the links is published.
        #expect(
            outcome.output.contains("an app that has the link opens it at any time")
                == path.hasPrefix("/bazaar"))
    }

    @Test(
        "a host of the API has no links, and what apps ask names the store that decides",
        arguments: [
            ("https://api.localhost/v1/links", 64, "is one of `api-hosts`: it answers the API"),
            ("https://localhost/v1/links", 0, ""),
            ("https://localhost/_/resolve?url=https://localhost/s/a", 0, "which --admin asks"),
            ("https://localhost/_/resolve?url=https://localhost/s/a", 0, "read its links yet"),
            ("https://localhost/_/resolve?url=x", 0, "  404 "),
            ("https://localhost/_/resolve?url=%zz", 0, "  404 "),
        ] as [(String, Int32, String)])
    func hostOfTheAPI(_ link: String, _ status: Int32, _ said: String) throws {
        try inScratchDirectory { directory in
            let text = """
                version: 1
                apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
                links: {short: {match: /s/*, stored: {destinations: www.example.com}}}
                environments:
                  e:
                    hosts: localhost
                    tls: {certificate: c.pem, key: k.pem}
                    publish: {a: short}
                    store: links.db
                    api-hosts: api.localhost

                """
            try Data(text.utf8).write(to: directory.appending(path: "waymark.yaml"))
            try FileManager.default.createDirectory(
                at: directory.appending(path: "Public"), withIntermediateDirectories: true)
            let one = try Program.run(["explain", link, "--env", "e"], in: directory)
            #expect(one.status == status, "\(one)")
            #expect(said.isEmpty || (one.output + one.messages).contains(said), "\(one)")
            let lines = try Program.run(
                ["explain", "-", "--env", "e"], input: link + "\n", in: directory)
            #expect(lines.status == (status == 0 ? 0 : 1), "\(lines)")
        }
    }

    @Test func `a day is no time`() throws {
        let outcome = try Program.run(
            "explain", "https://mobile.willhaben.at/x", "--env", "prod", "--at", "2026-09-01")
        #expect(outcome.status == 64)
        #expect(
            outcome.messages.contains(
                "\"2026-09-01\" is a day, and a day begins at another moment in each zone; "
                    + "write 2026-09-01T00:00:00Z"))
    }

    @Test(
        "apps are answered for where they can open",
        arguments: [
            ("iphone-safari", "", ["opens H9QM2K7X4W"], []),
            ("ipad-safari", "", ["on an iPad:\n", "  opens H9QM2K7X4W"], []),
            ("android-chrome", "", ["  the environment publishes no Android app"], ["H9QM2K7X4W"]),
            ("googlebot", "", ["  the search engine Googlebot opens no apps"], ["H9QM2K7X4W"]),
            ("desktop-chrome", "", ["this client is neither\n"], ["H9QM2K7X4W"]),
            ("curl", "", ["this client is neither\n"], ["H9QM2K7X4W"]),
            // A full stop after the host changes no answer, a port raises doubt.
            ("iphone-safari", ".", ["opens H9QM2K7X4W", "car-sale: the first"], ["punycode"]),
            ("iphone-safari", ":443", ["opens H9QM2K7X4W"], ["TN3155"]),
            ("iphone-safari", ":8443", ["opens H9QM2K7X4W", "the link has port 8443"], []),
        ] as [(String, String, [String], [String])])
    func apps(
        _ client: String, _ more: String, _ expected: [String], _ unexpected: [String]
    ) throws {
        let link = "https://mobile.willhaben.at\(more)/auto-verkaufen"
        let outcome = try Program.run("explain", link, "--as", client, "--env", "prod")
        #expect(outcome.status == 0)
        for words in expected { #expect(outcome.output.contains(words), "\(words)") }
        for words in unexpected { #expect(!outcome.output.contains(words), "\(words)") }
    }

    @Test(
        "a host in another script is the one that browsers ask for",
        arguments: [
            ("bücher.example", true), ("BÜCHER.example.", true), ("xn--bcher-kva.example", true),
            ("bucher.example", false), ("bücher2.example", false),
        ])
    func unicodeHosts(_ host: String, _ isAnswered: Bool) throws {
        let text = smallestConfiguration.replacing("localhost", with: "xn--bcher-kva.example")
        try withConfiguration(text) { path in
            try makePublicDirectory(beside: path)
            let outcome = try Program.run(
                "explain", "https://\(host)/", "--as", "iphone-safari", "--config", path, "--env",
                "dev")
            #expect(outcome.status == (isAnswered ? 0 : 1))
            #expect(outcome.output.contains("opens W4X7K2M9QH.com.example.app") == isAnswered)
            #expect(outcome.output.contains("host: dev serves it") == isAnswered)
            #expect(!outcome.output.contains("400 Bad Request"))
            // No app of another host is named, and nothing is said about it.
            let lacks = "  environment \"dev\" does not serve host \"xn--"
            #expect(isAnswered || !outcome.output.contains("W4X7K2M9QH"))
            #expect(isAnswered || !outcome.output.contains("to know"))
            #expect(!isAnswered || !outcome.output.contains(lacks))
            let match = try Program.run(
                "match", "https://\(host)/", "--config", path, "--env", "dev")
            #expect((match.status == 0) == isAnswered)
        }
    }

    @Test func `an Android client hears that its system verifies each port`() throws {
        let sha = Array(repeating: "A1", count: 32).joined(separator: ":")
        let text = smallestConfiguration.replacing(
            "ios: {id: W4X7K2M9QH.com.example.app}",
            with: "android: {package: com.example.app, sha256: \"\(sha)\"}")
        try withConfiguration(text) { path in
            try makePublicDirectory(beside: path)
            for (port, isNamed) in [("", false), (":443", false), (":8443", true)] {
                let outcome = try Program.run(
                    "explain", "https://localhost\(port)/", "--as", "android-chrome", "--config",
                    path, "--env", "dev")
                #expect(
                    outcome.output.contains("  depends on the manifest of com.example.app: the "))
                #expect(outcome.output.contains("port 8443 has its own statements") == isNamed)
            }
        }
    }

    @Test(
        "an Android client hears of Android apps, in explain and in match",
        arguments: [
            ("/", "android-chrome", true, "opens com.example.app because rule 1 (link \"home\", "),
            ("/x", "android-chrome", true, "stays in the browser for com.example.app: rule 2 "),
            ("/", "android-chrome", false, "depends on the manifest of com.example.app: "),
            ("/", "instagram-android", true, "Instagram's own browser does not open apps"),
            ("/", "iphone-safari", true, "the environment publishes no iOS app"),
        ])
    func android(_ path: String, _ client: String, _ isDynamic: Bool, _ words: String) throws {
        let sha = Array(repeating: "A1", count: 32).joined(separator: ":")
        let dynamic = isDynamic ? ", dynamic: true" : ""
        let text = smallestConfiguration.replacing(
            "ios: {id: W4X7K2M9QH.com.example.app}",
            with: "android: {package: com.example.app, sha256: \"\(sha)\"\(dynamic)}")
        try withConfiguration(text) { file in
            let arguments = ["https://localhost\(path)", "--config", file, "--env", "dev"]
            let explained = try Program.run(["explain"] + arguments + ["--as", client])
            #expect(explained.output.contains(words), "\(explained)")
            guard client == "android-chrome" else { return }
            let matched = try Program.run(["match"] + arguments)
            #expect(matched.output.contains(words), "\(matched)")
            #expect(matched.status == (words.hasPrefix("opens") ? 0 : 1))
            let line = try Program.run(["match", "--format", "lines"] + arguments).output
            let verdict = isDynamic ? (path == "/" ? "open\t" : "exclude\t") : "manifest\t"
            #expect(line.hasPrefix(verdict), "\(line)")
        }
    }

    @Test(
        "who cannot be, and what is no link, is refused",
        arguments: [
            ["https://mobile.willhaben.at/", "--as", "iphone-safri"],
            ["https://mobile.willhaben.at/", "--as", "curl", "--user-agent", "x"],
            ["https://mobile.willhaben.at/", "--user-agent", "a\r\nb: c"], ["mailto:x"],
        ])
    func refusals(_ arguments: [String]) throws {
        #expect(try Program.run(["explain", "--env", "prod"] + arguments).status == 64)
    }

    @Test(
        "a link is answered as browsers ask for it, by its steps and its response",
        arguments: [
            ("/dl/motor rad", 302, "https://www.willhaben.at/motor%20rad"),
            ("/dl/räder", 302, "https://www.willhaben.at/r%C3%A4der"),
            ("/dl/\(String(repeating: "x", count: 8189))", 414, nil),
            ("/dl/a%2Fb", 400, nil),
        ] as [(String, Int, String?)])
    func isAnsweredAsAsked(_ path: String, _ status: Int, _ location: String?) throws {
        let outcome = try Program.run(
            "explain", "https://mobile.willhaben.at\(path)", "--as", "desktop-chrome", "--env",
            "prod",
            "--format", "json")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary)
        let response = try #require(report["response"] as? NSDictionary)
        #expect(response["status"] as? Int == status)
        #expect((response["headers"] as? NSDictionary)?["Location"] as? String == location)
        let steps = try #require(report["steps"] as? [NSDictionary]).map { "\($0["reason"] ?? "")" }
        #expect(
            steps.contains { $0.contains("a redirect to \(location ?? "")") } == (status == 302))
    }

    @Test func `a link steers no terminal`() throws {
        let link = "https://mobile.willhaben.at/\u{9B}2J?\u{202E}#\u{2028}x"
        let outcome = try Program.run("explain", link, "--env", "prod")
        #expect(outcome.status == 0)
        #expect(
            outcome.output.hasPrefix("https://mobile.willhaben.at/\\u{9B}2J?\\u{202E}#\\u{2028}x\n")
        )
        #expect(!outcome.output.unicodeScalars.contains { $0.value == 0x9B || $0.value == 0x202E })
    }

    @Test(
        "of a client that nobody knows it says which there are",
        arguments: [
            ("iphone-safri", "; did you mean \"iphone-safari\"?"),
            (
                "iphone",
                "; did you mean \"iphone-safari\", \"iphone-chrome\" or \"iphone-firefox\"?"
            ),
            ("Safari-iPad", "; did you mean \"ipad-safari\"?"),
            ("nokia", "; the clients are iphone-safari, "),
        ])
    func advises(_ name: String, _ advice: String) throws {
        let link = "https://mobile.willhaben.at/"
        for command in ["explain", "report"] {
            let outcome = try Program.run(
                command, link, "--config", "waymark.yaml", "--env", "prod", "--as", name
            )
            #expect(outcome.status == 64)
            #expect(outcome.messages.contains("there is no client \"\(name)\"\(advice)"))
        }
    }

    @Test func `a host that no site has is answered with 421, and is no success`() throws {
        let arguments = [
            "--config", "Tests/Fixtures/sites/links-house/waymark.yaml", "--env", "prod",
        ]
        let strange = "https://other.example/lamp/1"
        let outcome = try Program.run(["explain", strange, "--as", "iphone-safari"] + arguments)
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "apps\n  environment \"prod\" does not serve host \"other.example\"; it serves "
                    + "game.links.example, open-game.links.example, *.game.links.example, "),
            "\(outcome.output)")
        #expect(outcome.output.contains("  421 Misdirected Request, "))
        for word in ["K3W9Q7M2XA", "to know"] { #expect(!outcome.output.contains(word)) }
        // Every line of a list is answered.
        let link = "https://shop.links.example/lamp/1"
        for (links, status) in [([strange, link], 1), ([link], 0)] as [([String], Int32)] {
            let list = try Program.run(
                ["explain", "-"] + arguments, input: links.joined(separator: "\n"))
            #expect(list.status == status, "\(list.messages)")
            #expect(list.output.split(separator: "\n").count == links.count)
        }
    }

    @Test(
        "of a list, what was answered before a line that is none is there",
        arguments: [
            ("no", "<stdin>:3: error: \"no\": a link must begin with https:// or http://"),
            ("https://a.b/ curl 7", "<stdin>:3: error: a line has a link and a client's name, "),
            ("https://a.b/ curl 7", "this one has 3 words: \"https://a.b/ curl 7\""),
            ("https://a.b/ crul", "<stdin>:3: error: there is no client \"crul\"; did you mean"),
            ("LONG", "the line is longer than "),
        ])
    func lines(_ line: String, _ message: String) throws {
        let line = line.replacing("LONG", with: String(repeating: "x", count: 1_048_577))
        let link = "https://mobile.willhaben.at/"
        let outcome = try Program.run(
            ["explain", "-", "--env", "prod"], input: "\(link)\tcurl\n\n\(line)\n\(link)\n")
        #expect(outcome.status == 1)
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(outcome.output.hasPrefix("{\"url\":"), "\(outcome.output.prefix(80))")
        #expect(outcome.messages.contains(message), "\(outcome.messages)")
    }
}

private func makePublicDirectory(beside path: String) throws {
    try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent().appending(path: "Public"),
        withIntermediateDirectories: true)
}
