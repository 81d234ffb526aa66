@testable import Console
import JSONSyntax
import LinkStore
import Testing

/// What pages and forms do while the store cannot be reached, or can be read alone.
@Suite("The store is away")
struct StoreAwayTests {
    private let new = [
        ("collection", "short"), ("slug", "spring"), ("destination", "https://www.example.com/"),
        ("title", "Früh\"ling"), ("note", "n"),
    ]

    private static let forms: [(String, [(String, String)], ConsoleRole)] = [
        ("new", [("collection", "short"), ("destination", "https://www.example.com/")], .editor),
        (
            "new", [("collection", "short"), ("destination", "https://x/"), ("do", "check")],
            .editor
        ),
        ("links/ID/edit", [("title", "T"), ("was.title", ""), ("tag", "TAG")], .editor),
        ("links/ID/delete", [], .editor), ("links/ID/disable", [], .editor),
        ("links/ID/enable", [], .editor), ("links/ID/restore", [("was", "active")], .editor),
        ("links/ID/erase", [("tag", "*"), ("sure", "1")], .editor),
        ("links/ID/aliases", [("slug", "more")], .editor),
        ("links/selected", [("id", "ID"), ("do", "tag"), ("value", "t")], .editor),
        (
            "import",
            [
                ("collection", "short"), ("text", "slug,destination\na,https://www.example.com/\n"),
                ("do", "check"),
            ], .editor
        ),
        ("people", [("name", "ben"), ("role", "editor")], .admin),
        ("people/anna/link", [], .admin), ("people/anna/sign-out", [], .admin),
        ("people/anna/remove", [], .admin), ("people/anna/remove", [("sure", "1")], .admin),
        ("tokens", [("name", "t"), ("scope", "links.read")], .admin),
        ("tokens/1/remove", [("sure", "1")], .admin),
    ]

    @Test(
        "while the store is away, a form says that it was not sent, and has everything",
        arguments: [false, true], ConsoleLanguage.allCases)
    func away(_ isReadable: Bool, _ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        console.ask("POST", ["people"], #"{"name": "anna", "role": "admin"}"#)
        let tag = console.ask("GET", ["links", id]).fields["ETag"] ?? ""
        // With a database that is read alone, and one that does not answer at all.
        console.isAway = { !isReadable || $0.method != "GET" }
        for (path, form, role) in Self.forms {
            let own = form.map {
                ($0.0, $0.1.replacing("ID", with: id).replacing("TAG", with: tag))
            }
            let answer = console.post(path.replacing("ID", with: id), own, as: role, language)
            let page = PageStructure(answer.content)
            // What is asked about first can be asked where reading goes on.
            if isReadable, path.hasSuffix("remove"), form.isEmpty { continue }
            #expect(
                answer.status == 503 && page.faults == [],
                "\(path): \(answer.status) \(page.faults)")
            #expect(answer.field("Retry-After") == "5", "\(path)")
            #expect(
                page.text.contains(language == .en ? "Send again" : "Noch einmal senden"),
                "\(path): \(page.text)")
            #expect(page.hrefs.contains("/console/\(path.replacing("ID", with: id))"), "\(path)")
            for item in own where item.0 != "text" {
                #expect(page.hidden.contains { $0 == item }, "\(path): \(item)")
            }
        }
        console.isAway = { _ in false }
        let links = console.ask("GET", ["links"]).json?["links"]?.elements?.count
        #expect(links == 1 && console.link(id)?["archived"] == nil)
        #expect(console.link(id)?["page"]?["title"]?.text == "Früh\"ling")
    }

    private static let pages = [
        "", "links", "links?order=week", "links?q=a", "links/ID", "links/ID/edit",
        "links/ID/preview",
        "links/ID/erase", "links/ID/code.svg", "links/ID/visits.csv?by=day", "links.csv", "new",
        "new?like=ID", "visits", "visits?by=link", "visits.csv", "misses", "misses.csv",
        "collections",
        "audit", "people", "tokens", "preview?url=https://go.example.com/s/spring", "import",
    ]

    @Test(
        "while the store cannot be read, pages say so, and none says that there is nothing",
        arguments: ConsoleLanguage.allCases)
    func unreadable(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        let none =
            language == .en
            ? [
                "No links yet", "There is no collection", "There is no token", "No misses",
                "There is nobody", "Nothing was changed", "No link has",
            ]
            : [
                "Noch keine Links", "gibt es keine Sammlung", "Es gibt keine Sammlung",
                "noch kein Token", "Keine Fehlgriffe", "noch niemanden", "Noch wurde nichts",
            ]
        for path in Self.pages.map({ $0.replacing("ID", with: id) }) {
            console.isAway = { _ in true }
            let answer = console.get(path, as: .admin, language)
            #expect([200, 503].contains(answer.status), "\(path): \(answer.status)")
            if answer.type.hasPrefix("text/html") {
                let page = PageStructure(answer.content)
                #expect(page.faults == [], "\(path): \(page.faults)")
                for words in none { #expect(!page.text.contains(words), "\(path): \(words)") }
            }
            // The nearest: as soon as it is back, the same page is there.
            console.isAway = { _ in false }
            #expect([200, 303].contains(console.get(path, as: .admin, language).status), "\(path)")
        }
    }

    @Test("while the store is read alone, pages go on", arguments: pages)
    func readAlone(_ path: String) throws {
        let console = try TestConsole()
        let id = try #require(console.post("new", new).linkID)
        console.isAway = { $0.method != "GET" }
        let answer = console.get(path.replacing("ID", with: id), as: .admin)
        // A link that is in use is not asked about before it is deleted for good.
        #expect(answer.status == (path == "links/ID/erase" ? 303 : 200), "\(answer.status)")
    }

    @Test(
        "what was made once is shown also where the list cannot be read then",
        arguments: ["tokens", "people"])
    func madeOnce(_ path: String) throws {
        let console = try TestConsole()
        let form =
            path == "tokens"
            ? [("name", "ci"), ("scope", "links.read")] : [("name", "ben"), ("role", "viewer")]
        var isMade = false
        console.isAway = { question in
            defer { if question.method == "POST" { isMade = true } }
            return isMade
        }
        let answer = console.post(path, form, as: .admin)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [], "\(answer.status) \(page.faults)")
        #expect(answer.text.contains("id=\"secret\""))
        // Nothing says that it has to be sent again.
        #expect(!page.text.contains("Send again"))
    }

    /// Without the rights that somebody has, nobody knows what has to be asked about.
    @Test func `a change of rights that cannot be asked about is not made`() throws {
        let console = try TestConsole()
        console.ask("POST", ["people"], #"{"name": "ben", "role": "admin"}"#)
        console.isAway = { $0.method == "GET" && $0.path == ["people"] }
        let role = console.post("people", [("name", "ben"), ("role", "viewer")], as: .admin)
        #expect(role.status == 503)
        #expect(console.post("people/ben/remove", [], as: .admin).status == 503)
        console.isAway = { _ in false }
        let people = console.ask("GET", ["people"]).json?["people"]?.elements ?? []
        #expect(people.count == 1 && people[0]["role"]?.text == "admin")
        #expect(
            console.post("people", [("name", "ben"), ("role", "viewer")], as: .admin).status == 409)
    }
}
