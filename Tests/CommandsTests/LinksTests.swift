import Foundation
import Glibc
import Testing

@Suite("waymark links")
struct LinksTests {
    @Test func `a link is made, shown under each of its names, changed and deleted`() throws {
        let site = try StoreSite()
        let made = try site.run(
            "links", "create", "--collection", "short", "--slug", "Spring", "--title",
            "Spring sale",
            "--tag", "mail", "--tag", "spring", "--note", "for A", "--until",
            "2999-01-01T00:00:00Z",
            "--external-id", "crm-1", "https://www.example.com/spring")
        #expect(made.status == 0 && made.output == "https://localhost/s/Spring\n", "\(made)")
        let shown = try site.run("links", "show", "short/spring", "--format", "json")
        let link = try site.object(shown)
        #expect(link["destination"] as? String == "https://www.example.com/spring")
        #expect(link["tags"] as? [String] == ["mail", "spring"])
        #expect((link["page"] as? [String: String])?["title"] == "Spring sale")
        #expect(link["externalId"] as? String == "crm-1")
        let id = try #require(link["id"] as? String)
        for name in [id, "https://localhost/s/spring?a=b", "short/Spring"] {
            let again = try site.run("links", "show", "--format", "json", name)
            #expect(again.output == shown.output, "\(name): \(again)")
        }
        let text = try site.run("links", "show", id).output
        #expect(text.contains("\npage.title   Spring sale\n"), "\(text)")
        #expect(text.contains("\ntags         mail, spring\n"), "\(text)")

        let edited = try site.run(
            "links", "edit", id, "https://www.example.com/2", "--note", "", "--tag", "web",
            "--format", "json")
        let after = try site.object(edited)
        #expect(after["destination"] as? String == "https://www.example.com/2")
        #expect(after["note"] == nil && after["tags"] as? [String] == ["web"])
        #expect((after["page"] as? [String: String])?["title"] == "Spring sale")

        let disabled = try site.run("links", "disable", id)
        #expect(disabled.output.contains("\nstate        disabled\n"), "\(disabled)")
        #expect(try site.run("links", "enable", id).output.contains("\nstate        active\n"))

        let deleted = try site.run("links", "delete", "--yes", id)
        #expect(deleted.output == "deleted https://localhost/s/Spring\n", "\(deleted)")
        let gone = try site.run("links", "show", id)
        #expect(gone.status == 1 && gone.output.contains("\ndeleted "), "\(gone)")
        for words in [
            ["edit", id, "https://www.example.com/"], ["disable", id], ["delete", "--yes", id],
        ] {
            let refused = try Program.run(["links"] + words + site.admin, in: site.directory)
            #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
            #expect(refused.messages.contains("\" was deleted at "), "\(refused)")
        }
    }

    @Test func `all faults of a link are printed, and none is made`() throws {
        let site = try StoreSite()
        let faults = """
            --slug: error: "_a" is reserved: Waymark's own paths begin with _ [slug-reserved]
                choose another slug
            destination: error: "evil.example" is not in `destinations` of "short": \
            www.example.com [destination-not-allowed]
                lead elsewhere, or let an engineer add it

            """
        let words = ["--collection", "short", "--slug", "_a", "https://evil.example/"]
        for command in ["create", "check"] {
            let refused = try Program.run(
                ["links", command] + words + site.admin, in: site.directory)
            #expect(refused.status == 1 && refused.messages == faults, "\(refused)")
            #expect(
                refused.output
                    == (command == "check" ? "the link cannot be made: 2 errors\n" : ""))
        }
        let fine = ["links", "check", "--collection", "short", "https://www.example.com/"]
        #expect(
            try Program.run(fine + site.admin, in: site.directory).output
                == "the link can be made\n")
        #expect(try site.run("links", "list", "--format", "json").output == "")
    }

    @Test func `faults in a file have its lines`() throws {
        let site = try StoreSite()
        let json = """
            {"collection": "short",
             "destination": "https://www.example.com/",
             "page": {"title": []}, "tag": ["x"]}
            """
        let refused = try site.run("links", "create", "--json", "-", input: json)
        #expect(refused.status == 1, "\(refused)")
        let lines = refused.messages.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("<stdin>:3:20: error: ") }, "\(refused.messages)")
        #expect(lines.contains { $0.hasPrefix("<stdin>:3:32: error: ") }, "\(refused.messages)")
        let made = try site.run(
            "links", "create", "--json", "-", "--format", "json",
            input:
                #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        #expect(try site.object(made)["url"] as? String == "https://localhost/s/a", "\(made)")
        let broken = try site.run("links", "create", "--json", "-", input: "{")
        #expect(broken.status == 78 && broken.messages.hasPrefix("<stdin>:1:"), "\(broken)")
        let patched = try site.run(
            "links", "edit", "short/a", "--json", "-", input: #"{"note": "x", "web": null}"#)
        #expect(patched.output.contains("\nnote         x\n"), "\(patched)")
    }

    @Test func `a list has all pages, in columns for people and lines for programs`() throws {
        let site = try StoreSite()
        let token = try String(contentsOfFile: site.path("links.db.token"), encoding: .utf8)
        let lines = (1...450).map { number in
            """
            --next\nurl = "http://127.0.0.1:\(site.origin.admin)/v1/links"\noutput = /dev/null
            header = "Authorization: Bearer \(token.dropLast())"
            header = "Content-Type: application/json"
            data = "{\\"collection\\": \\"short\\", \\"slug\\": \\"l\(number)\\", \\"destination\\": \\"https://www.example.com/\(number)\\"}"
            """
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: site.path("curl")))
        shellOutput("curl -s -K '\(site.path("curl"))'")
        let all = try site.run("links", "list", "--format", "json").output.split(separator: "\n")
        #expect(all.count == 450)
        for (number, line) in all.enumerated() {
            #expect(line.contains("\"slug\": \"l\(number + 1)\""))
        }
        let some = try site.run("links", "list", "--format", "json", "--limit", "201").output
        #expect(some.split(separator: "\n") == Array(all.prefix(201)))
        #expect(
            try site.run("links", "disable", "short/l7").status == 0)
        #expect(
            try site.run("links", "edit", "short/l8", "--tag", "x y", "--note", "ü").status == 0)
        let disabled = try site.run("links", "list", "--state", "disabled").output
        #expect(
            disabled == """
                URL                     STATE     DESTINATION                TAGS  NOTE
                https://localhost/s/l7  disabled  https://www.example.com/7

                """)
        for filter in [
            ["--tag", "x y"], ["--search", "ü"],
            ["--search", "/8", "--collection", "short", "--limit", "1"],
        ] {
            let found = try Program.run(
                ["links", "list", "--format", "json"] + filter + site.admin, in: site.directory)
            #expect(found.output.contains("\"slug\": \"l8\""), "\(filter): \(found)")
            #expect(found.output.split(separator: "\n").count == 1)
        }
        let none = try site.run("links", "list", "--collection", "offer")
        #expect(none.output == "URL  STATE  DESTINATION  TAGS  NOTE\n" && none.status == 0)
        for words in [["list"], ["export"], ["export", "--format", "csv"]] {
            let wrong = try Program.run(
                ["links"] + words + ["--collection", "shrt"] + site.admin, in: site.directory)
            #expect(wrong.status == 1 && wrong.output.isEmpty, "\(wrong)")
            #expect(wrong.messages.contains("collection is \"shrt\": the "), "\(wrong)")
        }
    }

    @Test func `what a link does is explained for a client`() throws {
        let site = try StoreSite()
        let url = try site.create("--collection", "short", "https://www.example.com/a")
        let text = try site.run("links", "explain", url, "--as", "iphone-safari")
        #expect(text.status == 0, "\(text)")
        #expect(text.output.hasPrefix("\(url)\n  asked by iphone-safari\napps\n  W4X7K2M9QH."))
        #expect(text.output.hasSuffix("https://www.example.com/a\n"), "\(text)")
        let json = try site.object(
            site.run("links", "explain", url, "--format", "json"))
        #expect((json["answer"] as? [String: Any])?["status"] as? Int == 302)
        let wrong = try site.run("links", "explain", url, "--as", "iphone")
        #expect(wrong.status == 64)
    }

    @Test func `commands that predict ask a running origin for stored links`() throws {
        let site = try StoreSite()
        let url = try site.create(
            "--collection", "short", "--slug", "spring", "--title", "Spring sale",
            "https://www.example.com/spring")
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let tested = site.directory.appending(path: "tested.yaml")
        // The landing page is what the configuration at hand would show.
        try Data(
            (text.replacing(
                "destinations: www.example.com}",
                with: "destinations: www.example.com}, web: {ios: landing}")
                    + """
                    expect:
                      - {url: "https://localhost/s/spring", env: test, as: desktop-chrome, gets: "302 https://www.example.com/spring"}
                      - {url: "https://localhost/s/spring", env: test, as: iphone-safari, opens: [shop], gets: "200"}
                      - {url: "https://localhost/s/none", env: test, as: desktop-chrome, gets: "404"}

                    """).utf8
        ).write(to: tested)
        let path = tested.path
        let alone = try Program.run(["test", "--config", path], in: site.directory)
        #expect(alone.status == 0, "\(alone)")
        #expect(alone.output.hasSuffix("0 passed, 0 failed, 3 undecided\n"), "\(alone)")
        let whole = try site.run("test", "--config", path)
        #expect(whole.status == 0 && whole.output.hasSuffix("3 passed, 0 failed\n"), "\(whole)")

        let unknown = try Program.run(
            ["explain", "--config", path, "--env", "test", url], in: site.directory)
        #expect(unknown.output.contains("--admin"), "\(unknown)")
        let explained = try site.run(
            "explain", "--config", path, "--env", "test", "--as", "iphone-safari", url)
        #expect(explained.output.contains("a generated page\n"), "\(explained)")
        #expect(explained.output.contains("offered: https://www.example.com/spring\n"))
        let report = try site.run(
            "report", "--config", path, "--env", "test", "--as", "iphone-safari", url)
        #expect(report.output.contains("Spring sale"), "\(report)")
        let matched = try Program.run(
            ["match", "--config", path, "--env", "test", url], in: site.directory)
        #expect(matched.output.contains("(collection \"short\", "), "\(matched)")
        let wrong = try Program.run(
            ["explain", "--config", path, "--token-file", "x", url], in: site.directory)
        #expect(wrong.status == 64, "\(wrong)")
    }

    @Test func `a link that somebody else changes meanwhile is left as it is`() throws {
        let site = try StoreSite()
        let url = try site.create("--collection", "short", "https://www.example.com/a")
        // Between the command's first request and its second one.
        for words in [
            ["edit", url, "https://www.example.com/mine"], ["delete", "--yes", url],
        ] {
            let edit = ["links", "edit", url, "--note", words[0]] + site.admin
            let directory = site.directory
            let relay = try Relay(to: site.origin.admin, before: 2) {
                _ = try? Program.run(edit, in: directory)
            }
            let outcome = try Program.run(
                ["links"] + words + ["--admin", "127.0.0.1:\(relay.port)"], in: site.directory)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.messages.contains(
                    "error: the link was changed meanwhile by \"local\" at 20"), "\(outcome)")
        }
        let shown = try site.run("links", "show", url).output
        #expect(shown.contains("https://www.example.com/a\n"), "\(shown)")
        let enabled = try site.run("links", "disable", url)
        #expect(enabled.status == 0)
    }

    @Test func `a link that does not exist is said not to`() throws {
        let site = try StoreSite()
        for (name, message) in [
            ("a", "link \"a\"\n    give "), ("short/a", "link \"short/a\"\n    give "),
            ("https://localhost/s/a", "link \"https://localhost/s/a\"\n    give "),
            ("https://a.example/", "link \"https://a.example/\"\n    give "),
            ("shrt/a", "collection \"shrt\" [unknown-name]\n    the collections are "),
            ("a b/c d", "collection \"a b\" [unknown-name]\n    the collections are "),
        ] {
            let outcome = try site.run("links", "show", name)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.messages.hasPrefix("waymark: error: there is no " + message),
                "\(outcome)")
        }
    }

    @Test func `faults are named by the options that have them`() throws {
        let site = try StoreSite()
        let url = try site.create("--collection", "short", "https://www.example.com/a")
        for (words, option) in [
            (["--until", "soon"], "--until"), (["ftp://x"], "destination"),
            (["--tag", "a", "--tag", String(repeating: "b", count: 65)], "--tag"),
            (["--title", "a\u{1}"], "--title"),
        ] {
            let edited = try Program.run(
                ["links", "edit", url] + words + site.admin, in: site.directory)
            #expect(edited.status == 1, "\(edited)")
            #expect(edited.messages.hasPrefix("\(option): error: "), "\(edited)")
        }
        let created = try site.run(
            "links", "create", "--collection", "short", "--slug", "a.b.", url)
        #expect(created.messages.contains("--slug: error: "), "\(created)")
        // What is always refused is not offered.
        let help = try Program.run(["links", "edit", "--help"]).output
        #expect(!help.contains("--slug <") && !help.contains("--collection"), "\(help)")
        #expect(help.contains("--title") && help.contains("links alias"), "\(help)")
        for (option, way) in [("--slug", "links alias"), ("--collection", "links create")] {
            let edited = try Program.run(
                ["links", "edit", url, option, "b"] + site.admin, in: site.directory)
            #expect(edited.status == 64 && edited.messages.contains(way), "\(edited)")
        }
    }

    @Test func `nothing is deleted without a question, unless that is said`() throws {
        let site = try StoreSite()
        let url = try site.create("--collection", "short", "https://www.example.com/a")
        let refused = try site.run("links", "delete", url)
        #expect(refused.status == 64 && refused.messages.contains("; add --yes\n"), "\(refused)")
        let command =
            "cd \(site.path("")) && \(Program.path?.path ?? "") links delete \(url) "
            + site.admin.joined(separator: " ")
        for (answer, isDeleted) in [("n", false), ("", false), ("y", true)] {
            let said = shellOutput("printf '\(answer)\\n' | script -qec '\(command)' /dev/null")
            #expect(said.contains("delete \(url), which leads to https://www.example.com/a? It "))
            #expect(said.contains("\ndeleted \(url)") == isDeleted, "\(said)")
            #expect(try site.run("links", "show", url).status == (isDeleted ? 1 : 0))
        }
    }

    @Test func `a copy of the store can be served in its stead`() throws {
        let site = try StoreSite()
        let url = try site.create("--collection", "short", "https://www.example.com/a")
        let copy = try site.run("links", "backup")
        let start = site.path("links.db.20")
        #expect(copy.status == 0 && copy.output.hasPrefix(start), "\(copy)")
        let json = try site.object(site.run("links", "backup", "--format", "json"))
        #expect(json["slugs"] as? Int == 1)
        let path = URL(filePath: String(copy.output.dropLast()))
        let other = try StoreSite(store: path)
        #expect(try other.run("links", "list", "--format", "json").output.contains(url))
    }

    /// What is refused, and the exit status.
    @Test func `a refusal has advice`() throws {
        let site = try StoreSite()
        _ = try site.create(
            "--collection", "short", "--slug", "a", "https://www.example.com/a")
        let gone = try site.create("--collection", "short", "https://www.example.com/b")
        #expect(try site.run("links", "delete", "--yes", gone).status == 0)
        let reader = try site.run(
            "tokens", "create", "reader", "--scope", "links.read", "--collection", "short")
        try Data(reader.output.utf8).write(to: URL(filePath: site.path("reader")))
        try Data("wrong".utf8).write(to: URL(filePath: site.path("wrong")))
        let long = String(repeating: "x", count: 66_000)
        let create = ["links", "create", "--collection"]
        let rows: [([String], Int32)] = [
            (["links", "show", "short/b"], 1), (["links", "show", "../a"], 1),
            (["links", "show", ".."], 1), (["links", "show", "\u{1}"], 1),
            (["links", "edit", gone, "--note", "x"], 1), (["tokens", "remove", "7"], 1),
            (["tokens", "create", "x", "--scope", "link.read"], 1),
            (["tokens", "create", "x", "--scope", "links.read", "--collection", "none"], 1),
            (
                ["tokens", "create", "x", "--scope", "admin", "--expires", "2020-01-01T00:00:00Z"],
                1
            ),
            (create + ["short", "--slug", "a", "https://www.example.com/"], 1),
            (create + ["none", "https://www.example.com/"], 1),
            (["links", "create", "https://www.example.com/"], 1),
            (create + ["short", "--slug", "a b", "ftp://x"], 1), (create + ["short"], 1),
            (create + ["short", "--until", "2020-01-01T00:00:00Z", "https://www.example.com/"], 1),
            (create + ["short", "--note", long, "https://www.example.com/"], 1),
            (["links", "create", "--token-file", "reader", "https://www.example.com/"], 77),
            (["links", "backup", "--token-file", "reader"], 77),
            (["links", "list", "--token-file", "wrong"], 77),
            (["links", "list", "--token-file", "/dev/null"], 77),
        ]
        #expect(try site.run("links", "show", "").status == 64)
        for (words, status) in rows {
            let outcome = try Program.run(words + site.admin, in: site.directory)
            #expect(outcome.status == status && outcome.output.isEmpty, "\(words): \(outcome)")
            var isFact = false
            for line in (outcome.messages + "end").split(separator: "\n") {
                #expect(!isFact || line.hasPrefix("    "), "\(words): \(outcome.messages)")
                isFact = line.contains(": error: ")
            }
            #expect(outcome.messages.contains(": error: "), "\(words): \(outcome)")
            #expect(!outcome.messages.contains("wmk_"))
        }
    }

    @Test func `a table is cut to the terminal, and to nothing else`() throws {
        let site = try StoreSite()
        _ = try site.create(
            "--collection", "short", "--slug", "a", "--note", "日本語日本語",
            "https://www.example.com/" + String(repeating: "a", count: 100))
        let command =
            "cd \(site.path("")) && stty cols 60 && \(Program.path?.path ?? "") links list "
            + site.admin.joined(separator: " ")
        let said = shellOutput("script -qec '\(command)' /dev/null < /dev/null")
        let lines = said.split(whereSeparator: \.isNewline)
        #expect(lines.last?.hasSuffix("aaaa…") == true && lines.last?.count == 60, "\(said)")
        #expect(try site.run("links", "list").output.hasSuffix("  日本語日本語\n"))
    }
}

@Suite("waymark links import and export")
struct LinkTransferCommandTests {
    /// More than any buffer between the two holds.
    @Test func `what is exported is imported as it was`() throws {
        let site = try StoreSite()
        let note = String(repeating: "n", count: 300)
        let lines = (1...1_500).map { number in
            """
            {"collection": "short", "slug": "n\(number)", "destination": "https://www.example.com/\(number)", "tags": ["a"], "note": "\(note)"}

            """
        }
        let file = URL(filePath: site.path("links.json"))
        try Data(lines.joined().utf8).write(to: file)
        let rehearsed = try site.run("links", "import", "--dry-run", "links.json")
        #expect(
            rehearsed.output
                == "nothing was written: 1500 created, 0 changed, 0 unchanged, 0 refused\n",
            "\(rehearsed)")
        let made = try site.run("links", "import", "links.json")
        #expect(made.output == "1500 created, 0 changed, 0 unchanged, 0 refused\n", "\(made)")
        #expect(made.status == 0 && made.messages.isEmpty)
        for format in ["json", "csv"] {
            let exported = try site.run("links", "export", "--format", format)
            #expect(exported.status == 0 && exported.output.utf8.count > 500_000)
            let copy = "copy.\(format)"
            try Data(exported.output.utf8).write(to: URL(filePath: site.path(copy)))
            let again = try site.run("links", "import", "--mode", "upsert", copy)
            #expect(
                again.output == "0 created, 0 changed, 1500 unchanged, 0 refused\n", "\(again)")
            let input = try site.run(
                "links", "import", "-", "--input-format", format, "--mode", "upsert",
                "--format", "json", input: exported.output)
            let answers = input.output.split(separator: "\n")
            #expect(answers.count == 1_501, "\(input.status) \(input.messages)")
            #expect(answers.dropLast().allSatisfy { $0.contains("unchanged") })
            let some = try site.run("links", "export", "--format", format, "--tag", "b")
            #expect(some.output.split(separator: "\n").count == (format == "csv" ? 1 : 0))
        }
    }

    @Test func `each refused line is printed, and the others are made unless that is said`() throws
    {
        let site = try StoreSite()
        let table = """
            slug,destination
            a,https://www.example.com/a
            b,https://evil.example/
            c,https://www.example.com/c

            """
        try Data(table.utf8).write(to: URL(filePath: site.path("t.csv")))
        let whole = try site.run("links", "import", "--collection", "short", "--atomic", "t.csv")
        #expect(whole.status == 1, "\(whole)")
        #expect(whole.output.hasPrefix("nothing was written: "), "\(whole)")
        #expect(try site.run("links", "list", "--format", "json").output == "")
        let some = try site.run("links", "import", "--collection", "short", "t.csv")
        #expect(some.status == 1)
        #expect(some.output == "2 created, 0 changed, 0 unchanged, 1 refused\n", "\(some)")
        #expect(some.messages.contains("t.csv:3:destination: error: \"evil.example\" is not in "))
        #expect(some.messages.hasPrefix("t.csv:"), "\(some)")
        #expect(some.messages.split(separator: "\n").count == 2)
        let windows =
            Array("slug,destination,note\nd,https://www.example.com/,Gr".utf8) + [0xFC, 0x0A]
        try Data(windows).write(to: URL(filePath: site.path("w.csv")))
        let notUTF8 = try site.run("links", "import", "--collection", "short", "w.csv")
        #expect(notUTF8.status == 1, "\(notUTF8)")
        #expect(
            notUTF8.output
                == "nothing was written: 0 created, 0 changed, 0 unchanged, 1 refused; the rest was not "
                + "done\n")
        #expect(notUTF8.messages.hasPrefix("w.csv:2:30: error: the byte FC is not UTF-8"))
        for content in ["", "slug,destination\n"] {
            let nothing = try site.run(
                "links", "import", "-", "--input-format", "csv", input: content)
            #expect(nothing.status == 1, "\(nothing)")
            #expect(nothing.messages.contains("error: nothing was found to import: "))
            #expect(
                nothing.output
                    == "nothing was written: 0 created, 0 changed, 0 unchanged, 1 refused\n")
        }
        let broken = try site.run("links", "import", "-", input: "{\n")
        #expect(broken.status == 1 && broken.messages.hasPrefix("<stdin>:1: error: "), "\(broken)")
    }

    @Test func `an import or export that is refused is said to be`() throws {
        let site = try StoreSite()
        let made = try site.run("tokens", "create", "t", "--scope", "stats.read")
        try Data(made.output.utf8).write(to: URL(filePath: site.path("token")))
        let long = String(repeating: "x", count: 20_000_000)
        try Data(long.utf8).write(to: URL(filePath: site.path("long")))
        for words in [["import", "long"], ["export"]] {
            let outcome = try Program.run(
                ["links"] + words + ["--token-file", "token"] + site.admin, in: site.directory)
            #expect(outcome.status == 77 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.messages.contains("[scope-missing]\n    a token with "), "\(outcome)")
        }
        let missing = try site.run("links", "import", "none")
        #expect(missing.status == 66, "\(missing)")
        let wrong = try site.run("links", "import", "--collection", "none", "token")
        #expect(wrong.status == 1 && wrong.messages.contains("[query]"), "\(wrong)")
    }

    /// Answers one request with these bytes.
    /// - Returns: the port.
    private func answering(_ answer: String) throws -> UInt16 {
        let (listener, port) = try listen()
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 65_536)
            _ = recv(client, &bytes, bytes.count, 0)
            _ = send(client, answer, answer.utf8.count, CInt(MSG_NOSIGNAL))
            close(client)
            close(listener)
        }
        return port
    }

    struct Ending: Sendable {
        let status: Int
        let kind: String
        let exit: Int32
    }

    private static let endings = [
        Ending(status: 408, kind: "content-stalled", exit: 75),
        Ending(status: 503, kind: "unavailable", exit: 75),
        Ending(status: 401, kind: "unauthorized", exit: 77),
        Ending(status: 200, kind: "", exit: 75), Ending(status: 0, kind: "", exit: 69),
    ]

    @Test(arguments: endings, ["text", "json"])
    func `an import that stops half way is not done`(_ answer: Ending, format: String) throws {
        let site = try StoreSite()
        let problem = """
            {"type": "https://example.com/\(answer.kind)", "title": "T", "status": \(answer.status), "detail": "why"}

            """
        let summary = """
            {"summary": {"lines": 1, "created": 1, "changed": 0, "unchanged": 0, "refused": 0, "applied": true, "complete": false, "generation": 1}}

            """
        let content =
            (answer.kind.isEmpty ? "" : problem) + (answer.status == 0 ? "" : summary)
        for (isAtomic, advice) in [(false, "--mode upsert"), (true, "nothing was written")] {
            let port = try answering(
                "HTTP/1.1 \(max(answer.status, 200)) X\r\nContent-Type: application/x-ndjson\r\n"
                    + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
            let outcome = try Program.run(
                ["links", "import", "-", "--format", format, "--admin", "127.0.0.1:\(port)"]
                    + (isAtomic ? ["--atomic"] : []), input: "{}\n", in: site.directory)
            #expect(outcome.status == answer.exit, "\(outcome)")
            let isSaid = !answer.kind.isEmpty || answer.status == 0
            #expect(outcome.messages.contains(advice) == isSaid, "\(outcome)")
            if !answer.kind.isEmpty {
                #expect(outcome.messages.contains(": error: why [\(answer.kind)]"), "\(outcome)")
            }
        }
    }

    @Test(arguments: [
        (
            #""refused": 0, "warned": 3"#, "2 more lines taken with warnings that are not listed",
            Int32(0)
        ),
        (#""refused": 2, "warned": 1"#, "2 more lines refused, without the reason", 1),
        (#""refused": 0, "warned": 1"#, "", 0), (#""refused": 0"#, "", 0),
    ])
    func `lines that the answer only counts are counted in the report`(
        _ counts: String, _ words: String, _ status: Int32
    ) throws {
        let site = try StoreSite()
        let content = """
            {"line": 1, "status": 201, "outcome": "created", "warnings": [{"pointer": "/from", "detail": "odd"}]}
            {"summary": {"lines": 4, "created": 4, "changed": 0, "unchanged": 0, \(counts), "applied": true, "complete": true, "generation": 1}}

            """
        let port = try answering(
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
                + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
        let outcome = try Program.run(
            ["links", "import", "-", "--admin", "127.0.0.1:\(port)"], input: "{}\n",
            in: site.directory)
        #expect(outcome.status == status && outcome.messages.contains("odd"), "\(outcome)")
        #expect(outcome.messages.contains(" more line") == !words.isEmpty, "\(outcome)")
        #expect(outcome.messages.contains(words) || words.isEmpty, "\(outcome)")
    }

    @Test func `a part of an export does not pass for all of it`() throws {
        let site = try StoreSite()
        _ = try site.create("--collection", "short", "https://www.example.com/a")
        let port = try answering(
            """
            HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\
            Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n
            """)
        let outcome = try Program.run(
            ["links", "export", "--admin", "127.0.0.1:\(port)"], in: site.directory)
        #expect(outcome.status == 69, "\(outcome)")
        #expect(outcome.messages.contains(" ends before its answer does\n    "), "\(outcome)")
    }
}

/// Where the token comes from, and what is said without an origin or a permission.
@Suite("The origin and the token of waymark links")
struct LinkOriginTests {
    @Test func `a token is made, used and removed`() throws {
        let site = try StoreSite()
        let made = try site.run(
            "tokens", "create", "newsletter", "--scope", "links.create,links.read", "--collection",
            "short", "--expires", "2999-01-01T00:00:00Z")
        #expect(made.output.wholeMatch(of: /wmk_[0-9A-Za-z]{49}\n/) != nil, "\(made)")
        try Data(made.output.utf8).write(to: URL(filePath: site.path("token")))
        let create = ["links", "create", "https://www.example.com/", "--token-file", "token"]
        let link = try Program.run(create + site.admin, in: site.directory)
        #expect(link.output.hasPrefix("https://localhost/s/"), "\(link)")
        let table = try site.run("tokens", "list").output.split(separator: "\n")
        #expect(table.count == 2, "\(table)")
        #expect(table[0].hasPrefix("ID  NAME        ENDING  SCOPES "))
        #expect(
            table[1].hasPrefix("1   newsletter  \(made.output.dropLast().suffix(4))    "))
        #expect(table[1].contains("  links.create,links.read  short        2999-01-01T00:00:00Z  "))
        let json = try site.object(site.run("tokens", "list", "--format", "json"))
        #expect(json["name"] as? String == "newsletter")

        // Its scopes do not have this.
        let delete = ["links", "delete", "--yes", String(link.output.dropLast())]
        let refused = try Program.run(
            delete + ["--token-file", "token"] + site.admin, in: site.directory)
        #expect(refused.status == 77, "\(refused)")
        #expect(refused.messages.contains("links.delete [scope-missing]\n"), "\(refused)")
        #expect(try site.run("tokens", "remove", "1").status == 0)
        #expect(try site.run("tokens", "remove", "1").status == 1)
        let late = try Program.run(create + site.admin, in: site.directory)
        #expect(late.status == 77 && late.messages.contains("[unauthorized]"), "\(late)")
        let wrong = try site.run("tokens", "create", "x", "--scope", "links.read,all")
        #expect(
            wrong.status == 1 && wrong.messages.hasPrefix("/scopes/1: error: \"scopes\" must be "))
    }

    @Test func `the token is the file's, or the environment's, or that beside the store`() throws {
        let site = try StoreSite()
        let (secret, other) = (site.path("links.db.token"), site.path("other"))
        try Data("wrong\n".utf8).write(to: URL(filePath: other))
        let list = "links list --admin 127.0.0.1:\(site.origin.admin)"
        // What the shell does before, the options, and the exit status.
        let rows: [(String, String, Int32)] = [
            ("cd '\(site.path(""))'", "", 0), ("cd /", "--config '\(site.configuration.path)'", 0),
            ("cd /", "--config '\(site.configuration.path)' --env test", 0),
            ("cd /", "--config '\(site.configuration.path)' --env none", 78),
            ("cd /", "", 77), ("cd /", "--token-file '\(secret)'", 0),
            ("cd /; export WAYMARK_TOKEN=$(cat '\(secret)')", "", 0),
            ("cd '\(site.path(""))'; export WAYMARK_TOKEN=wrong", "", 77),
            ("cd '\(site.path(""))'; export WAYMARK_TOKEN=", "", 0),
            ("export WAYMARK_TOKEN=wrong", "--token-file '\(secret)'", 0),
            ("export WAYMARK_TOKEN=$(cat '\(secret)')", "--token-file '\(other)'", 77),
            ("cat '\(secret)' |", "--token-file -", 0), ("cd /", "--token-file /dev/null", 77),
            ("cd /", "--token-file /none", 66), ("cd /", "--token-file /tmp", 66),
            ("{ cat '\(secret)'; printf '\\0'; } |", "--token-file -", 77),
            ("{ cat '\(secret)'; printf ' \\t\\r\\n'; } |", "--token-file -", 0),
            ("cd '\(site.path(""))'; chmod 0 x 2>/dev/null", "--token-file - --config -", 64),
            ("cd /", "--config \(Program.repository.path)/waymark.yaml", 78),
        ]
        for (before, options, status) in rows {
            let separator = before.hasSuffix("|") ? " " : "; "
            let said = shellOutput(
                "\(before)\(separator)\(Program.path?.path ?? "") \(list) \(options); echo \"=$?\"")
            #expect(said.hasSuffix("=\(status)\n"), "\(before) \(options): \(said)")
            #expect(!said.contains("wmk_"))
        }
    }

    @Test func `an origin that does not answer, or has no store, is said not to`() throws {
        let site = try StoreSite()
        let token = ["--token-file", site.path("links.db.token")]
        let nothing = try Program.run(["links", "list", "--admin", "127.0.0.1:1"] + token)
        #expect(nothing.status == 69)
        #expect(
            nothing.messages.contains("127.0.0.1:1 does not answer: connect: Connection refused"))
        let other = try Program.run(
            ["links", "list", "--admin", "127.0.0.1:\(site.origin.http)"] + token)
        #expect(other.status == 69, "\(other)")
        #expect(other.messages.contains(" has no API of stored links: it answers 308 "), "\(other)")
        let outcome = try withServableSite { path in
            let origin = try RunningOrigin(URL(filePath: path), environment: "dev")
            return try Program.run(
                ["links", "list", "--admin", "127.0.0.1:\(origin.admin)"] + token)
        }
        #expect(outcome.status == 69, "\(outcome)")
        #expect(outcome.messages.contains("of an environment with a `store`?"), "\(outcome)")
    }

    /// What the commands print, and with which status they end where it cannot be written.
    @Test func `a command that cannot write its output fails`() throws {
        let site = try StoreSite()
        let url = try site.create("--collection", "short", "https://www.example.com/a")
        let described = ["--collection", "short", "https://www.example.com/b"]
        let line =
            #"{"collection": "short", "slug": "i", "destination": "https://www.example.com/"}"#
        try Data(line.utf8).write(to: URL(filePath: site.path("one.json")))
        let linkCommands: [[String]] = [
            ["list"], ["show", url], ["create"] + described, ["check"] + described,
            ["edit", url, "--note", "x"], ["disable", url], ["enable", url], ["explain", url],
            ["backup"], ["export"],
            ["import", "--mode", "upsert", site.path("one.json")],
        ]
        var commands = [
            ["tokens", "create", "x", "--scope", "links.read"], ["nodes", "--format", "text"],
        ]
        for format in ["text", "json"] {
            commands += linkCommands.map { command in
                let isExport = command == ["export"] && format == "text"
                return ["links"] + command + ["--format", isExport ? "csv" : format]
            }
            commands.append(["tokens", "list", "--format", format])
        }
        for command in commands {
            for redirection in [">/dev/full", ">&-"] {
                let outcome = try Program.run(
                    command + site.admin, in: site.directory, redirecting: redirection)
                #expect(outcome.status == 74, "\(command): \(outcome)")
            }
        }
        let help = try Program.run("--experimental-dump-help").output
        let decoded = try JSONDecoder().decode(Help.self, from: Data(help.utf8))
        let tried = Set(commands.map { "\($0[0]) \($0[1])" })
        for group in decoded.command.subcommands ?? [] {
            guard ["links", "tokens"].contains(group.commandName) else { continue }
            // What these print is no result: the link or token is gone.
            for command in group.subcommands ?? []
            where ![
                "delete", "remove", "restore", "copy", "qr", "alias", "visits", "misses",
            ].contains(command.commandName) {
                #expect(tried.contains("\(group.commandName) \(command.commandName)"))
            }
        }
    }

    private struct Help: Decodable {
        let command: Command

        struct Command: Decodable {
            let commandName: String
            let subcommands: [Command]?
        }
    }
}

/// Passes connections on to an origin, one after the other.
final class Relay: Sendable {
    let port: UInt16
    private let listener: CInt

    /// - Parameters:
    ///   - number: of the connection before which `body` runs.
    init(to origin: Int, before number: Int, _ body: @escaping @Sendable () -> Void) throws {
        let (listener, port) = try listen()
        (self.listener, self.port) = (listener, port)
        Thread.detachNewThread {
            var count = 0
            while case let client = accept(listener, nil, nil), client >= 0 {
                count += 1
                if count == number { body() }
                let server = connectLocally(origin)
                pass(client, server)
                pass(server, client)
                while pass(server, client) {}
                close(server)
                close(client)
            }
            close(listener)
        }
    }

    // The thread closes it: closed here, its number might be another listener's when the thread
    // accepts next.
    deinit { shutdown(listener, CInt(SHUT_RDWR)) }
}

/// Passes one piece on; false at the end.
@discardableResult
private func pass(_ from: CInt, _ to: CInt) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(from, &bytes, bytes.count, 0)
    return count > 0 && send(to, bytes, count, CInt(MSG_NOSIGNAL)) == count
}

private func connectLocally(_ port: Int) -> CInt {
    let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return number
}
