@testable import Console
import Foundation
import JSONSyntax
import Testing
import URISyntax

@Suite("What lists, changes and refusals say to those who read or hear them")
struct PlainListTests {
    private func console(_ more: String = "") throws -> (TestConsole, id: String) {
        let console = try TestConsole(more)
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        return (console, id)
    }

    /// The texts of elements with a name, without the marks of others in them.
    private func texts(_ answer: ConsoleResponse, _ element: String) -> [String] {
        answer.text.components(separatedBy: "<\(element)").dropFirst().map { rest in
            let inner = rest.components(separatedBy: "</\(element)>")[0]
            return inner.components(separatedBy: "<").map {
                $0.components(separatedBy: ">").dropFirst().joined(separator: ">")
            }.joined()
        }
    }

    @Test func `each reason of a preview is heard with the device that it is of`() throws {
        let (console, id) = try console()
        for (language, word) in [(ConsoleLanguage.en, "Why?"), (.de, "Warum?")] {
            let answer = console.get("links/\(id)/preview", as: .viewer, language)
            let names = texts(answer, "summary").filter { $0.hasPrefix(word) }
            #expect(names.count == 10 && Set(names).count == 10, "\(names)")
            #expect(names.contains("\(word): iPad") && PageStructure(answer.content).faults == [])
        }
    }

    @Test func `the history has a word for nothing, and each way back its own name`() throws {
        let (console, id) = try console()
        for (time, json) in [
            (1_800_000_060, #"{"note": "For Ben"}"#),
            (1_800_000_120, #"{"note": null, "page": {"title": "Sale"}}"#),
            (1_800_000_180, #"{"page": {"title": "Spring"}}"#),
        ] {
            console.now = time
            console.ask("PATCH", ["links", id], json, ["if-match": "*"])
        }
        for (language, word, undo) in [
            (ConsoleLanguage.en, "(empty)", "Undo this change…"),
            (.de, "(leer)", "Diese Änderung zurücknehmen…"),
        ] {
            let answer = console.get("links/\(id)", language)
            #expect(texts(answer, "del") == ["Sale", word, "For Ben", word], "\(answer.text)")
            #expect(texts(answer, "ins") == ["Spring", "Sale", word, "For Ben"])
            let ways = texts(answer, "a").filter { $0.hasPrefix(undo) }
            #expect(ways.count == 3 && Set(ways).count == 3, "\(ways)")
            #expect(ways.allSatisfy { $0.hasPrefix(undo + ": ") })
            #expect(PageStructure(answer.content).faults == [])
        }
    }

    @Test func `a refusal quotes the destination as it was typed`() throws {
        let (console, id) = try console()
        let campaign = [("utm_source", "mail"), ("utm_campaign", "spring")]
        for destination in ["ftp://x.example/a", "https://a b/", "x", "https://"] {
            let form = [("collection", "short"), ("destination", destination)] + campaign
            for path in ["new", "check"] {
                let answer = console.post(path, form)
                #expect(answer.status == (path == "new" ? 422 : 200), "\(destination)")
                #expect(!answer.text.contains("utm_source=mail"), "\(answer.text)")
            }
        }
        // An address gets what the fields have.
        let made = console.post(
            "new", [("collection", "short"), ("destination", "www.example.com/x")] + campaign)
        let link = try console.link(#require(made.linkID))
        #expect(
            link?["destination"]?.text
                == "https://www.example.com/x?utm_source=mail&utm_campaign=spring")
        #expect(console.link(id)?["destination"]?.text == "https://www.example.com/")
    }

    @Test func `times of a table are those that a spreadsheet sorts`() throws {
        let (console, id) = try console("\n    time-zone: Europe/Berlin\n")
        let json = #"{"from": "2027-02-28T23:00:00Z", "until": "2027-03-31T21:59:59Z"}"#
        console.ask("PATCH", ["links", id], json, ["if-match": "*"])
        _ = try console.make(
            #"{"collection": "short", "slug": "b", "destination": "https://www.example.com/"}"#)
        let lines = console.get("links.csv").text.components(separatedBy: "\r\n")
        #expect(
            lines[0].hasSuffix(
                ",from (Europe/Berlin),until (Europe/Berlin),created (Europe/Berlin)"))
        #expect(lines[1].hasSuffix(",active,false,,,2027-01-15 09:00:00"), "\(lines[1])")
        #expect(
            lines[2].hasSuffix(
                ",active,false,2027-03-01 00:00:00,2027-03-31 23:59:59,2027-01-15 09:00:00"),
            "\(lines[2])")
    }

    @Test func `an import says in the changes how many links it was`() throws {
        let (console, _) = try console()
        let made = (1...1_200).map { "n\($0),https://www.example.com/\($0)" }
        let again = ["a,https://www.example.com/2"]
        for (lines, mode) in [(made, "create"), (again, "upsert")] {
            let table = (["slug,destination"] + lines).joined(separator: "\r\n")
            let seen = console.post(
                "import",
                [
                    ("format", "csv"), ("collection", "short"), ("mode", mode), ("text", table),
                    ("do", "check"),
                ])
            let form = PageStructure(seen.content).form + [("do", "import")]
            #expect(console.post("import", form).status == 200)
        }
        let audit = console.get("audit", as: .admin)
        let sums = audit.text.matches(of: #/imported links \(([0-9,]+) made\)/#).compactMap {
            Int($0.1.replacing(",", with: ""))
        }
        #expect(sums.reduce(0, +) == 1_200, "\(PageStructure(audit.content).text)")
        let german = PageStructure(console.get("audit", as: .admin, .de).content)
        for word in ["hat Links importiert (", " erstellt)", "importiert (1 geändert)"] {
            #expect(german.text.contains(word), "\(german.text)")
        }
        #expect(german.faults == [])
    }

    @Test func `who is an administrator of some collections has the tabs that open`() throws {
        let answer = ConsoleAPI.Answer(
            status: 200, type: "application/json", fields: [:], content: Array("{}".utf8))
        for (isForAll, role, tabs) in [
            (true, ConsoleRole.admin, ["collections", "audit", "people", "tokens", "health"]),
            (false, .admin, ["collections"]), (true, .editor, ["collections", "audit"]),
            (false, .viewer, ["collections"]),
        ] {
            let request = ConsoleRequest(
                .get, ["collections"], person: ConsolePerson("carl", role, isForAll: isForAll),
                setting: ConsoleSetting(environment: "prod", language: .en, isSecure: true),
                now: 1_800_000_000)
            let page = PageStructure(Console.answer(request, ConsoleAPI { _ in answer }).content)
            let all = ["collections", "audit", "people", "tokens", "health"]
            // The menu has the first of them, too.
            #expect(all.filter { page.hrefs.contains("/console/\($0)") } == tabs)
        }
    }

    @Test func `a place that a list does not have is said in words of the page`() throws {
        let (console, id) = try console()
        for (language, words) in [
            (ConsoleLanguage.en, "has no place of the list"), (.de, "nennt keine Stelle der Liste"),
        ] {
            for query in ["after=xyz", "after=xyz&order=slug"] {
                let answer = console.get("links?\(query)", language)
                let page = PageStructure(answer.content)
                #expect(answer.status == 400 && page.faults == [])
                #expect(page.text.contains(words) && !page.text.contains("must be"), "\(page.text)")
            }
            #expect(console.get("links?after=\(id)", language).status == 200)
        }
    }
}
