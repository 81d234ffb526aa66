@testable import Console
import Diagnostics
import JSONSyntax
import Testing

@Suite("What is done a second time, and addresses of forms that are opened again")
struct RepeatedDeedTests {
    private static let languages: [(ConsoleLanguage, person: String, token: String)] = [
        (.en, "ben is not here any more", "this token is revoked already"),
        (.de, "ben ist nicht mehr da", "Dieses Token ist schon widerrufen"),
    ]

    /// Each of two tabs has asked, and the other one was faster.
    @Test(arguments: ["remove", "sign-out", "link"])
    func `who was removed already is named, above those who are there`(_ deed: String) throws {
        let console = try TestConsole()
        for name in ["ben", "eve"] {
            #expect(console.post("people", [("name", name)], as: .admin).status == 200)
        }
        let path = "people/ben/\(deed)"
        let sure = [("sure", "1")]
        #expect(console.post("people/ben/remove", sure, as: .admin).status == 303)
        for (language, words, _) in Self.languages {
            for form in [[], sure] {
                let answer = console.post(path, form, as: .admin, language)
                let page = PageStructure(answer.content)
                #expect(answer.status == 404 && page.faults == [])
                #expect(page.text.contains(words) && page.text.contains("eve"), "\(page.text)")
            }
        }
        // Who is there is asked about, signed out, or gets a link.
        let other = console.post("people/Eve/\(deed)", [], as: .admin)
        #expect(other.status == ["remove": 409, "sign-out": 303, "link": 200][deed])
        #expect(!other.text.contains("not here any more"))
        #expect(console.post(path, sure, as: .editor).status == 403)
    }

    @Test func `a token that was revoked already is said to be so`() throws {
        let console = try TestConsole()
        for name in ["mail", "app"] {
            let form = [("name", name), ("scope", "links.read")]
            #expect(console.post("tokens", form, as: .admin).status == 200)
        }
        let tokens = console.ask("GET", ["tokens"]).json?["tokens"]?.elements ?? []
        let ids = tokens.suffix(2).compactMap { $0["id"]?.written.compact }
        try #require(ids.count == 2)
        let sure = [("sure", "1")]
        #expect(console.post("tokens/\(ids[0])/remove", sure, as: .admin).status == 303)
        for (language, _, words) in Self.languages {
            for form in [[], sure] {
                let path = "tokens/\(ids[0])/remove"
                let answer = console.post(path, form, as: .admin, language)
                let page = PageStructure(answer.content)
                #expect(answer.status == 404 && page.faults == [])
                #expect(page.text.contains(words) && !page.hidden.contains { $0.0 == "sure" })
            }
        }
        let other = console.post("tokens/\(ids[1])/remove", [], as: .admin)
        #expect(other.status == 409 && !other.text.contains("revoked already"))
    }

    /// The token of the tests' editor has this name.
    @Test("a change that is saved twice is saved", arguments: ["editor", "Anna"])
    func savedTwice(_ name: String) throws {
        let console = try TestConsole()
        console.personName = name
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/", "note": "old"}"#)
        let form = PageStructure(console.get("links/\(id)/edit").content).form
            .filter { !["note", "until"].contains($0.0) }
        // A time is typed otherwise than it is shown.
        let typed = form + [("note", "new"), ("until", "31.12.2030 10:00")]
        #expect(console.post("links/\(id)/edit", typed).status == 303)
        let again = console.post("links/\(id)/edit", typed)
        #expect(
            again.field("Location")?.hasSuffix("done=changed") == (name == "editor" ? true : nil))
        // Another text of the same page is one that has not been saved.
        let other = form + [("note", "newer"), ("until", "31.12.2030 10:00")]
        #expect(console.post("links/\(id)/edit", other).status == 409)
        #expect(console.link(id)?["note"]?.text == "new")
    }

    private static let secrets: [(String, [(String, String)])] = [
        ("tokens", [("name", "mail"), ("scope", "links.read")]),
        ("people", [("name", "Eve"), ("role", "editor")]), ("people/ben/link", []),
    ]

    @Test("a secret is made once by a form that is sent twice at once", arguments: secrets)
    func twice(_ path: String, _ fields: [(String, String)]) throws {
        let console = try TestConsole()
        #expect(console.post("people", [("name", "ben")], as: .admin).status == 200)
        func form() throws -> [(String, String)] {
            let page = console.get(path == "tokens" ? path : "people", as: .admin)
            let hidden = PageStructure(page.content).hidden
            let mark = try #require(hidden.first { $0.0 == "mark" })
            return fields + [mark]
        }
        let (first, second) = try console.postTwice(path, form(), as: .admin)
        #expect(second?.status == 200 && first.status == 409, "\(first.text)")
        #expect(PageStructure(first.content).faults == [])
        // The form of a later page makes another one.
        #expect(try console.post(path, form(), as: .admin).status == 200)
    }

    /// As after a double click, or when a browser sends a form again.
    @Test func `the form of a new link makes one link, however often it is sent`() throws {
        let console = try TestConsole()
        func mark(_ answer: ConsoleResponse) throws -> String {
            try #require(PageStructure(answer.content).hidden.first { $0.0 == "once" }?.1)
        }
        func form(_ mark: String, _ more: (String, String)...) -> [(String, String)] {
            [("once", mark), ("collection", "short"), ("do", "save")]
                + (more.isEmpty ? [("destination", "https://www.example.com/")] : more)
        }
        let first = try mark(console.get("new"))
        let links = (0..<3).map { _ in console.post("new", form(first)).linkID }
        #expect(links[0] != nil && Set(links).count == 1)
        // Somebody else's form, another page, and other fields after a way back make another link.
        let admin = console.post("new", form(first), as: .admin).linkID
        let other = console.post("new", form(try mark(console.get("new")))).linkID
        let changed = console.post(
            "new", form(first, ("destination", "https://www.example.com/"), ("title", "T"))
        ).linkID
        #expect(Set([links[0], admin, other, changed].compactMap(\.self)).count == 4)
        #expect(console.ask("GET", ["links"]).json?["links"]?.elements?.count == 4)
        // It stays the same while the form comes back, in another language, too.
        let refused = console.post("new", form("7", ("destination", "x y")))
        #expect(refused.status == 422)
        #expect(try mark(refused) == "7")
        #expect(try mark(console.post("new", form("7") + [("language", "de")])) == "7")
        let made = console.post("new", form("7")).linkID
        #expect(made != nil && console.post("new", form("7")).linkID == made)
        // A form without it is one of its own.
        let without = [("collection", "short"), ("destination", "https://www.example.com/")]
        let both = (0..<2).compactMap { _ in console.post("new", without).linkID }
        #expect(Set(both).count == 2)
        let id = try #require(made)
        #expect(!console.get("links/\(id)/edit").text.contains("name=\"once\""))
    }

    @Test(
        "the address of a form leads to the page that has it",
        arguments: [
            ("links/ID/aliases", "links/ID"), ("links/ID/disable", "links/ID"),
            ("links/ID/enable", "links/ID"), ("links/ID/delete", "links/ID"),
            ("links/ID/restore", "links/ID"), ("links/selected", "links"),
            ("people/ben/remove", "people"), ("people/ben/link", "people"),
            ("people/ben/sign-out", "people"), ("tokens/3/remove", "tokens"), ("language", ""),
        ])
    func formsOpened(_ path: String, _ page: String) throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        let before = console.link(id)?["updated"]?.text
        let answer = console.get(path.replacing("ID", with: id), as: .admin)
        #expect(answer.status == 303)
        #expect(answer.field("Location") == "/console/" + page.replacing("ID", with: id))
        #expect(console.link(id)?["updated"]?.text == before)
        // What no page sends a form to is no page.
        #expect(console.get("links/\(id)/alias", as: .admin).status == 404)
        #expect(console.get("people/ben/erase", as: .admin).status == 404)
        #expect(console.get("tokens/3", as: .admin).status == 404)
    }
}
