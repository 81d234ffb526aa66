@testable import Console
import Diagnostics
import JSONSyntax
import LinkIndex
import LinkStore
import Testing
import URISyntax
import Visits

@Suite("What people stumbled over in the console")
struct StumblingTests {
    private func request(_ path: [String], _ language: ConsoleLanguage = .en) -> ConsoleRequest {
        ConsoleRequest(
            .get, path, person: ConsolePerson("Anna", .editor),
            setting: ConsoleSetting(environment: "prod", language: language, isSecure: true),
            now: 1_800_000_000)
    }

    /// - Parameter last: the part of a list after which none follows; nil for a list without an end.
    private func list(last: Int?) -> ConsoleAPI {
        final class Asked { var count = 0 }
        let asked = Asked()
        return ConsoleAPI { question in
            guard question.path == ["links"] else {
                return ConsoleAPI.Answer(
                    status: 200, type: "application/json", fields: [:], content: Array("{}".utf8))
            }
            asked.count += 1
            let links = (0..<200).map { #"{"id":"\#($0)","slug":"s\#($0)"}"# }
            return ConsoleAPI.Answer(
                status: 200, type: "application/json",
                fields: asked.count == last ? [:] : ["Link": "<x?after=z>; rel=\"next\""],
                content: Array(#"{"links":[\#(links.joined(separator: ","))]}"#.utf8))
        }
    }

    @Test(
        "a list whose table has not all of its links says so, on the page and in the file's name",
        arguments: [nil, 50, 51] as [Int?])
    func cutTable(_ last: Int?) {
        let table = Console.answer(request(["links.csv"]), list(last: last))
        let name = table.field("Content-Disposition") ?? ""
        #expect(name.contains("list-of-links-first-10000.csv") == (last != 50), "\(name)")
        #expect(table.text.split(separator: "\r\n").count == 10_001)
        for (language, words) in [
            (ConsoleLanguage.en, "It has the first 10,000 of them at most"),
            (.de, "Sie hat höchstens die ersten 10.000"),
        ] {
            let page = Console.answer(request(["links"], language), list(last: nil)).text
            #expect(page.contains(words) && page.contains("href=\"/console/import\""))
            let short = Console.answer(request(["links"], language), list(last: 1)).text
            #expect(!short.contains(words))
        }
    }

    @Test(
        "a title of which nobody sees anything is no name",
        arguments: [
            ("\u{E0001}", false), ("\u{2800}\u{3164}", false), ("\u{200B}\u{FE0F}", false),
            ("a\u{E0001}", true), ("ツ", true), ("🎉", true),
        ])
    func unseenTitles(_ title: String, _ isName: Bool) {
        let link = JSONDocument(
            Array(#"{"slug": "poster", "page": {"title": "\#(title)"}}"#.utf8), file: "")
        let words = link.root.map { LinkWords($0, now: 0) }
        #expect(words?.name == (isName ? title : "poster"))
    }

    @Test func `a miss is offered as a link only where it can be one`() throws {
        let console = try TestConsole()
        let paths = ["/s/none", "/s/a~b.c_d-e", "/s/%22%3Ex", "/s/.x", "/s/a/b", "/s/"]
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for path in paths {
                batch.addMiss(CollectionName("short").number, console.now / 3_600, path, 2)
            }
            try store.add(batch)
        }
        for language in ConsoleLanguage.allCases {
            let page = PageStructure(console.get("misses", as: .editor, language).content)
            let offered = page.hrefs.filter { $0.contains("/new?") }
            #expect(offered.count == 2, "\(offered)")
            for path in offered {
                let form = String(path.dropFirst("/console/".count))
                #expect(console.get(form).status == 200)
            }
        }
    }

    @Test func `whoever has no collection is told so, and fills in no form`() throws {
        let console = try TestConsole()
        #expect(console.get("links").text.contains("href=\"/console/new\""))
        #expect(console.get("").text.contains("action=\"/console/new\""))
        console.removeCollections()
        for (language, words) in [
            (ConsoleLanguage.en, "There is no collection for you"),
            (.de, "Es gibt keine Sammlung für dich"),
        ] {
            let answer = console.get("new", as: .editor, language)
            #expect(answer.status == 200 && answer.text.contains(words))
            #expect(PageStructure(answer.content).faults == [])
            for path in ["links", ""] {
                let page = console.get(path, as: .editor, language)
                #expect(page.status == 200 && !page.text.contains("/console/new"))
            }
        }
    }

    private static let choices: [(String, String?)] = [
        ("by=bogus", "by"), ("by=day&and=x", "and"), ("period=12", "period"), ("by=link", nil),
        ("by=&and=", nil),
    ]

    @Test(
        "a choice that the page of visits does not offer is refused beside its field",
        arguments: choices)
    func foreignChoices(_ query: String, _ field: String?) throws {
        let console = try TestConsole()
        for path in ["visits", "visits.csv"] {
            let answer = console.get("\(path)?\(query)")
            #expect(answer.status == (field == nil ? 200 : 400), "\(path)")
            guard let field else { continue }
            let page = PageStructure(answer.content)
            #expect(page.faults == [] && page.hrefs.contains("#\(field)"))
            #expect(page.text.contains("is not among the choices"))
        }
    }

    @Test(
        "a language that no page offers is refused",
        arguments: [("xx", 400), ("de\u{301}", 400), ("de", 303), ("", 303)])
    func foreignLanguages(_ language: String, _ status: Int) throws {
        let console = try TestConsole()
        let answer = console.post("language", [("language", language), ("back", "/console/links")])
        #expect(answer.status == status)
        #expect((answer.field("Set-Cookie") != nil) == (language == "de"))
    }

    @Test func `who was led here by another site is not said to be signed out`() {
        for (language, words, not) in [
            (ConsoleLanguage.en, "Go on to the console", "You are not signed in"),
            (.de, "Weiter zur Konsole", "Du bist nicht angemeldet"),
        ] {
            let setting = ConsoleSetting(environment: "prod", language: language, isSecure: true)
            let answer = Console.notice(.ledHere(path: "/console/links/x"), setting)
            let page = PageStructure(answer.content)
            #expect(answer.status == 401 && page.faults == [])
            #expect(page.text.contains(words) && !page.text.contains(not))
            #expect(page.hrefs.contains("/console/links/x"))
            let plain = Console.notice(.signInNeeded(path: "/console/links/x"), setting)
            #expect(PageStructure(plain.content).text.contains(not))
        }
    }

    @Test func `keys lead through a list, and to the first field of a new link`() throws {
        let page = PageStructure(try TestConsole().get("help").content)
        #expect(page.text.contains("↓ ↑") && page.text.contains("The next link of a list"))
        for words in ["ArrowDown: 1", "table.links tbody a.name", "new#destination"] {
            #expect(page.script.contains(words), "\(words)")
        }
        #expect(page.script.utf8.count < 10_240)
    }

    @Test func `a number and its unit stay on one line of a heading`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/", "page": {"title": "Sommer 20 % Rabatt"}}"#
        )
        #expect(console.get("links/\(id)").text.contains("<h1>Sommer 20\u{A0}% Rabatt</h1>"))
        #expect(console.get("links").text.contains(">Sommer 20 % Rabatt<"))
    }

    @Test func `all links of a page are selected with one button, which the script shows`() throws {
        let console = try TestConsole()
        _ = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        let page = PageStructure(console.get("links").content)
        #expect(page.faults == [] && page.text.contains("Select all of this page, or none"))
        #expect(page.tags.contains("button type class hidden"))
        #expect(page.script.contains(#"form.querySelector("button.all")"#))
        #expect(!console.get("links", as: .viewer).text.contains("Select all"))
    }

    @Test func `names in tables of visits wrap on a narrow page`() throws {
        let style = PageStructure(try TestConsole().get("visits").content).style
        #expect(style.contains(".scroll thead .number{min-width:4.5rem;white-space:normal;"))
        #expect(style.contains("max-width:8.5rem;white-space:normal"))
    }

    /// Of a poster, most visits say nothing of where they came from.
    @Test func `a total by referrer is that of all visits, and says how many have none`() throws {
        let console = try TestConsole("\n    time-zone: Europe/Berlin\n")
        _ = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/?utm_campaign=sale"}"#
        )
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: console.now / 3_600, .visit), 18)
            batch.add(LinkDay(link: 1, day: console.now / 86_400), referrer: "news.example", 7)
            try store.add(batch)
        }
        for (language, sum, words, zone) in [
            (
                ConsoleLanguage.en, "18 visits", "Of 18 visits, 7 say where they came from",
                "days are those of UTC"
            ),
            (
                .de, "18 Besuche", "Von 18 Besuchen sagen 7, woher sie kamen",
                "Tage sind die von UTC"
            ),
        ] {
            for query in ["by=referrer", "by=referrer&and=day", "campaign=sale"] {
                let page = PageStructure(
                    console.get("visits?\(query)", as: .viewer, language).content)
                #expect(page.faults == [] && page.text.contains(sum), "\(query): \(page.text)")
                #expect(
                    page.text.contains(words) && page.text.contains(zone), "\(query): \(page.text)")
            }
        }
        // The nearest: where all say it, nothing is left out.
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(LinkDay(link: 1, day: console.now / 86_400), referrer: "b.example", 11)
            try store.add(batch)
        }
        #expect(!console.get("visits?by=referrer").text.contains("say where they came from"))
    }

    @Test func `the card of Messages is among those of chats`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        for (language, name) in [
            (ConsoleLanguage.en, "Messages (iMessage)"), (.de, "Nachrichten (iMessage)"),
        ] {
            let page = PageStructure(
                console.get("links/\(id)/preview", as: .viewer, language).content)
            #expect(page.faults == [] && page.text.contains(name))
            #expect(page.tags.filter { $0.hasPrefix("tr") }.count == 11)
        }
    }

    @Test(
        "the form of a link says at once what the link does",
        arguments: [
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/?utm_campaign=x"}"#,
            #"{"collection": "short", "slug": "a", "page": {"title": "A"}, "destination": "https://www.example.com/", "until": "2027-06-01T00:00:00Z"}"#,
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/", "web": {"ios": "landing"}, "page": {"title": "A"}, "tags": ["b"]}"#,
        ])
    func previewOfEdited(_ json: String) throws {
        let console = try TestConsole()
        let id = try console.make(json)
        let page = PageStructure(console.get("links/\(id)/edit").content)
        // Also in another language, and after somebody else has changed it.
        let german = console.post("links/\(id)/edit", page.form + [("language", "de")])
        #expect(german.status == 200 && german.text.contains("<strong>WhatsApp,"))
        console.ask("PATCH", ["links", id], #"{"note": "theirs"}"#, ["if-match": "*"])
        let form = page.form.filter { $0.0 != "title" } + [("title", "Mine"), ("do", "save")]
        let conflict = console.post("links/\(id)/edit", form)
        #expect(conflict.status == 409 && conflict.text.contains("<strong>WhatsApp,"))
        #expect(page.tags.contains("ul class") && page.text.contains("WhatsApp"), "\(page.text)")
    }

    @Test(
        "an invitation is for three days, and one's own link for ten minutes",
        arguments: [ConsoleLanguage.en, .de])
    func invitations(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let form = [("name", "Ben"), ("role", "editor")]
        let page = PageStructure(console.post("people", form, as: .admin, language).content)
        #expect(page.faults == [])
        #expect(
            page.text.contains(
                language == .en ? "until 2027-01-18 08:00 UTC" : "bis 18.01.2027 08:00 UTC"),
            "\(page.text)")
        let again = PageStructure(console.post("people/ben/link", [], as: .admin).content)
        #expect(again.text.contains("until 2027-01-18 08:00 UTC"))
        let own = [("name", "anna"), ("role", "admin")]
        let mine = PageStructure(console.post("people", own, as: .admin).content)
        #expect(mine.text.contains("until 2027-01-15 08:10 UTC"), "\(mine.text)")
    }

    /// An end that is asked for, and the one that the link has; nil where none is asked for, and where it is refused.
    private static let asked: [(String?, String?)] = [
        (nil, "2027-01-15T08:10:00Z"), ("2027-01-18T08:00:00Z", "2027-01-18T08:00:00Z"),
        ("2027-01-18T08:00:01Z", nil), ("2027-01-15T08:00:00Z", nil), ("soon", nil),
    ]

    @Test("a sign-in link has an end of at most three days", arguments: asked)
    func ends(_ asked: String?, _ end: String?) throws {
        let console = try TestConsole()
        let more = asked.map { #", "expires": "\#($0)""# } ?? ""
        let answer = console.ask("POST", ["people"], #"{"name": "ben"\#(more)}"#)
        #expect(answer.status == (end == nil ? 422 : 201))
        #expect(answer.json?["expires"]?.text == end)
        #expect(
            end != nil || answer.json?["errors"]?.elements?.first?["pointer"]?.text == "/expires")
    }

    @Test func `a column of another table can be a campaign, an action or data of the app`() throws
    {
        let console = try TestConsole()
        let table = """
            Ziel,Kurzname,Kampagne,iPhone,Daten
            https://www.example.com/?a=1#f,one,Herbst & mehr,store,"{""k"": ""v""}"
            https://www.example.com/?utm_campaign=own,two,Herbst,landing,

            """
        let asked = console.post(
            "import", [("format", "columns"), ("collection", "short"), ("text", table)],
            as: .editor, .de)
        let page = PageStructure(asked.content)
        #expect(page.faults == [] && page.choices["ours.2"] == "utm_campaign", "\(page.choices)")
        let form =
            page.form.filter { !["ours.3", "ours.4"].contains($0.0) }
            + [("ours.3", "web.ios"), ("ours.4", "app.data"), ("do", "check")]
        let seen = console.post("import", form)
        let shown = PageStructure(seen.content)
        #expect(shown.text.contains("New links: 2"), "\(shown.text)")
        #expect(shown.text.contains("the destination has utm_campaign"))
        let done = console.post("import", shown.form + [("do", "import")])
        #expect(done.text.contains("Links made: 2"))
        let links = console.ask("GET", ["links"]).json?["links"]?.elements ?? []
        let one = links.first { $0["slug"]?.text == "one" }
        #expect(
            one?["destination"]?.text
                == "https://www.example.com/?a=1&utm_campaign=Herbst%20%26%20mehr#f",
            "\(one?["destination"]?.text ?? "")")
        #expect(one?["web"]?["ios"]?.text == "store" && one?["app"]?["data"]?["k"]?.text == "v")
        let two = links.first { $0["slug"]?.text == "two" }
        #expect(two?["destination"]?.text == "https://www.example.com/?utm_campaign=own")
    }
}
