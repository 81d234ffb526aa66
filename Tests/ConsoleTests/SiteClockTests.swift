@testable import Console
import JSONSyntax
import Testing

@Suite("Times by the clocks of the site")
struct SiteClockTests {
    private static let berlin = "\n    time-zone: Europe/Berlin\n"

    /// Berlin's clocks go back at 01:00 UTC on 25 October 2026, and forward at 01:00 UTC on 28 March 2027.
    private static let times = [
        ("2026-12-31 22:00", "2026-12-31T21:00:00Z", "2026-12-31 22:00"),
        ("31.7.2026 0:30", "2026-07-30T22:30:00Z", "2026-07-31 00:30"),
        // The first of two, unless the offset says which.
        ("2026-10-25 02:30", "2026-10-25T00:30:00Z", "2026-10-25 02:30 +02:00"),
        ("2026-10-25 02:30 +01:00", "2026-10-25T01:30:00Z", "2026-10-25 02:30 +01:00"),
        ("2026-10-25 01:59", "2026-10-24T23:59:00Z", "2026-10-25 01:59"),
        ("2026-10-25 03:00", "2026-10-25T02:00:00Z", "2026-10-25 03:00"),
        // No clock shows it: as if it had not been changed.
        ("2027-03-28 02:30", "2027-03-28T01:30:00Z", "2027-03-28 03:30"),
        ("2027-03-28 03:00", "2027-03-28T01:00:00Z", "2027-03-28 03:00"),
        ("2026-12-31T22:00:00Z", "2026-12-31T22:00:00Z", "2026-12-31 23:00"),
        ("2027-06-30", "2027-06-30T21:59:59Z", "2027-06-30 23:59:59"),
        // What programs write for "never": these clocks are already in the year 10000.
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ]

    @Test func `the list has the days of the clocks of the site`() throws {
        let console = try TestConsole(Self.berlin)
        console.now = 1_780_000_000
        let form = [("collection", "short"), ("destination", "https://www.example.com/")]
        _ = try #require(console.post("new", form + [("from", "2027-05-02")]).linkID)
        let list = console.get("links?columns=starts").text
        #expect(list.contains("2027-05-02") && !list.contains("2027-05-01"))
    }

    @Test("a time is read and shown by the clocks of the site", arguments: times)
    func readAndShown(_ typed: String, _ stored: String, _ shown: String) throws {
        let console = try TestConsole(Self.berlin)
        // In May 2026.
        console.now = 1_780_000_000
        let form = [("collection", "short"), ("destination", "https://www.example.com/")]
        let id = try #require(console.post("new", form + [("until", typed)]).linkID)
        #expect(console.link(id)?["until"]?.text == stored)
        let page = PageStructure(console.get("links/\(id)/edit").content)
        #expect(page.faults == [] && page.values["until"] == shown)
        #expect(page.text.contains("Day and time (Europe/Berlin)"))
        // What is saved as it is shown changes nothing.
        let saved = console.post("links/\(id)/edit", page.form + [("do", "save")])
        #expect(saved.field("Location")?.contains("done=unchanged") == true)
        // And what is written anew is the same moment.
        let again = page.form.filter { $0.0 != "was.until" } + [("was.until", ""), ("do", "save")]
        #expect(console.post("links/\(id)/edit", again).status == 303)
        #expect(console.link(id)?["until"]?.text == stored)
    }

    @Test("a table that people have written is read by the same clocks", arguments: times)
    func imported(_ typed: String, _ stored: String, _ shown: String) throws {
        let console = try TestConsole(Self.berlin)
        console.now = 1_780_000_000
        for (format, heading) in [
            ("csv", "collection,slug,destination,until"), ("columns", "c,s,d,u"),
        ] {
            let row = "short,\(format),https://www.example.com/,\"\(typed)\""
            var form = [
                ("format", format), ("collection", "short"), ("text", "\(heading)\n\(row)\n"),
            ]
            if format == "columns" {
                form += [("step", "columns"), ("do", "check")]
                let uses = ["c": "collection", "s": "slug", "d": "destination", "u": "until"]
                for (number, name) in ["c", "s", "d", "u"].enumerated() {
                    form += [("theirs.\(number)", name), ("ours.\(number)", uses[name] ?? "")]
                }
            }
            let seen = PageStructure(console.post("import", form).content)
            #expect(seen.faults == [])
            #expect(console.post("import", seen.form + [("do", "import")]).status == 200)
            let link = console.ask("GET", ["links"]).json?["links"]?.elements?.first {
                $0["slug"]?.text == format
            }
            #expect(link?["until"]?.text == stored, "\(format): \(seen.text)")
        }
    }

    @Test func `pages show times by the clocks of the site, with their offset`() throws {
        for (zone, from, german) in [
            (Self.berlin, "2027-07-31 22:00 (+02:00)", "31.07.2027 22:00 (+02:00)"),
            ("", "2027-07-31 20:00 UTC", "31.07.2027 20:00 UTC"),
        ] {
            let console = try TestConsole(zone)
            let id = try console.make(
                #"{"collection": "short", "destination": "https://www.example.com/", "from": "2027-07-31T20:00:00Z"}"#
            )
            #expect(console.get("links/\(id)").text.contains(from))
            #expect(console.get("links/\(id)", as: .viewer, .de).text.contains(german))
            let editor = PageStructure(console.get("links/\(id)/edit", as: .editor, .de).content)
            #expect(
                editor.text.contains("Tag und Zeit (\(zone.isEmpty ? "UTC" : "Europe/Berlin"))"))
        }
    }

    @Test func `the end of selected links and of tokens is by the same clocks`() throws {
        let console = try TestConsole(Self.berlin)
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        let form = [("id", id), ("do", "extend"), ("value", "2027-07-31 22:00")]
        let location = console.post("links/selected", form).field("Location") ?? ""
        #expect(console.link(id)?["until"]?.text == "2027-07-31T20:00:00Z")
        let page = console.get(String(location.dropFirst("/console/".count))).text
        #expect(page.contains("2027-07-31 22:00 (+02:00)"), "\(location)")
        let token = [("name", "slides"), ("scope", "links.read"), ("expires", "2027-07-31 22:00")]
        #expect(console.post("tokens", token, as: .admin).status == 200)
        let tokens = console.ask("GET", ["tokens"]).json?["tokens"]?.elements ?? []
        #expect(tokens.contains { $0["expires"]?.text == "2027-07-31T20:00:00Z" })
    }

    @Test func `a zone in which nothing can be counted is UTC`() throws {
        let console = try TestConsole("\n    time-zone: Asia/Kolkata\n")
        let form = [("collection", "short"), ("destination", "https://www.example.com/")]
        let id = try #require(
            console.post("new", form + [("until", "2027-07-31 22:00")]).linkID)
        #expect(console.link(id)?["until"]?.text == "2027-07-31T22:00:00Z")
    }
}
