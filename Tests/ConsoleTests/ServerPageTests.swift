@testable import Console
import Diagnostics
import JSONSyntax
import Testing

@Suite("Pages about the server, its people and its tokens")
struct ServerPageTests {
    private func people(_ console: TestConsole) -> [String] {
        let people = console.ask("GET", ["people"]).json?["people"]?.elements ?? []
        return people.map { "\($0["name"]?.text ?? ""): \($0["role"]?.text ?? "")" }
    }

    @Test func `somebody is invited with a link that is shown once`() throws {
        let console = try TestConsole()
        let form = [("name", "Ben"), ("role", "editor"), ("collection", "short")]
        let answer = console.post("people", form, as: .admin)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(page.hrefs.contains { $0.hasPrefix("/console/sign-in/") })
        #expect(people(console) == ["ben: editor"])
        let list = console.get("people", as: .admin)
        #expect(list.text.contains("ben") && !list.text.contains("/sign-in/"))
        // The form of one has what they may do.
        #expect(
            PageStructure(console.get("people?name=ben", as: .admin).content).choices["role"]
                == "editor")
    }

    @Test("a refused invitation keeps what was typed", arguments: ["a b", "local", "viewer"])
    func refused(_ name: String) throws {
        let console = try TestConsole()
        let answer = console.post("people", [("name", name), ("role", "editor")], as: .admin)
        let page = PageStructure(answer.content)
        #expect(answer.status == 422 && page.faults == [] && page.ids.contains("errors"))
        #expect(page.values["name"] == name && page.choices["role"] == "editor")
        #expect(people(console) == [])
    }

    @Test("the last administrator stays unless somebody says so twice", arguments: [true, false])
    func lastAdmin(_ isRemoval: Bool) throws {
        let console = try TestConsole()
        #expect(
            console.post("people", [("name", "ann"), ("role", "admin")], as: .admin).status == 200)
        let path = isRemoval ? "people/ann/remove" : "people"
        let form = isRemoval ? [] : [("name", "Ann"), ("role", "viewer")]
        let answer = console.post(path, form, as: .admin)
        let page = PageStructure(answer.content)
        #expect(answer.status == 409 && page.faults == [])
        #expect(people(console) == ["ann: admin"])
        // The page's button does it; with a second administrator nothing is asked.
        let button = page.hidden.filter { $0.0 != "back" }
        #expect(button.contains { $0 == ("sure", "1") })
        let second = try TestConsole()
        for name in ["ann", "eve"] {
            #expect(
                second.post("people", [("name", name), ("role", "admin")], as: .admin).status == 200
            )
        }
        let other = second.post(path, form, as: .admin)
        // Beside her, the question is another one.
        #expect(other.status == 409 && !other.text.contains("only admin"))
        #expect(
            other.text.contains("Shall ann (Administrator), last seen: not signed in, be removed")
                == isRemoval)
        #expect(people(second) == ["ann: admin", "eve: admin"])
        #expect(console.post(path, button, as: .admin).status == (isRemoval ? 303 : 200))
        #expect(people(console) == (isRemoval ? [] : ["ann: viewer"]))
    }

    /// An administrator of some collections invites nobody.
    @Test func `the last administrator is not narrowed without a question`() throws {
        let console = try TestConsole()
        let all = [("name", "ann"), ("role", "admin")]
        #expect(console.post("people", all, as: .admin).status == 200)
        let narrow = all + [("collection", "short")]
        #expect(console.post("people", narrow, as: .admin).status == 409)
        #expect(people(console) == ["ann: admin"])
        #expect(console.post("people", all, as: .admin).status == 200)
        #expect(console.post("people", narrow + [("sure", "1")], as: .admin).status == 200)
        // Beside somebody else, nothing is asked.
        #expect(
            console.post("people", [("name", "eve")] + all.dropFirst(), as: .admin).status == 200)
        #expect(
            console.post("people", [("name", "bob"), ("role", "viewer")], as: .admin).status == 200)
    }

    @Test func `somebody who is there keeps their rights unless somebody says so`() throws {
        let console = try TestConsole()
        let editor = [("name", "ed"), ("role", "editor"), ("collection", "short")]
        #expect(console.post("people", editor, as: .admin).status == 200)
        for form in [
            [("name", "ED"), ("role", "viewer")],
            [("name", "ed"), ("role", "editor"), ("collection", "exact")],
        ] {
            let answer = console.post("people", form, as: .admin)
            let page = PageStructure(answer.content)
            #expect(answer.status == 409 && page.faults == [] && people(console) == ["ed: editor"])
            #expect(page.text.contains("ed is here already, with the role Editor (short)"))
            #expect(page.hrefs.contains("/console/people/ed/link"))
        }
        let kept = console.post("people/ed/link", [], as: .admin)
        #expect(kept.status == 200 && kept.text.contains("/console/sign-in/"))
        #expect(people(console) == ["ed: editor"])
        #expect(console.post("people/eve/link", [], as: .admin).status == 404)
        // The same rights are no question.
        #expect(console.post("people", editor, as: .admin).status == 200)
        let sure = [("name", "ed"), ("role", "viewer"), ("sure", "1")]
        #expect(console.post("people", sure, as: .admin).status == 200)
        #expect(people(console) == ["ed: viewer"])
    }

    @Test(
        "a form that a browser sends again makes no second secret",
        arguments: ["people", "people/ben/link", "tokens"])
    func again(_ path: String) throws {
        let console = try TestConsole()
        #expect(console.post("people", [("name", "ben")], as: .admin).status == 200)
        let page = path == "tokens" ? path : "people"
        func mark() throws -> (String, String) {
            try #require(
                PageStructure(console.get(page, as: .admin).content).hidden.last { $0.0 == "mark" })
        }
        func secrets(_ answer: ConsoleResponse) -> Bool {
            answer.text.contains(">wmk_") || answer.text.contains("/sign-in/")
        }
        let name = path == "tokens" ? "mail" : "Ben"
        let form = [("name", name), ("scope", "links.read"), try mark()]
        let first = console.post(path, form, as: .admin)
        #expect(first.status == 200 && secrets(first))
        #expect(first.text.contains("This link is for ") == (path != "tokens"))
        let second = console.post(path, form, as: .admin)
        #expect(
            second.status == 409 && !secrets(second) && PageStructure(second.content).faults == [])
        #expect(second.text.contains("Nothing was done"))
        // The page that says so has another form, which does it.
        let next: [(String, String)] = form.dropLast() + [try mark()]
        let third = console.post(path, next, as: .admin)
        #expect(third.status == 200 && secrets(third))
        // However much others do meanwhile.
        for _ in 1...130 {
            _ = try console.make(
                #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        }
        let later = console.post(path, next, as: .admin)
        #expect(later.status == 409 && !secrets(later))
        let other = try mark()
        for _ in 1...130 {
            _ = try console.make(
                #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        }
        let last = console.post(path, form.dropLast() + [other], as: .admin)
        #expect(last.status == 200 && secrets(last))
    }

    @Test func `what a form lacks is said in words, beside its field`() throws {
        let console = try TestConsole()
        for (language, words) in [
            (
                ConsoleLanguage.en,
                ["Write a name.", "Choose at least one right.", "Write a day and a time (UTC)"]
            ), (.de, ["Schreib einen Namen.", "Wähle mindestens ein Recht.", "Schreib einen Tag"]),
        ] {
            let answer = console.post("tokens", [("expires", "12/01/2026")], as: .admin, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 422 && page.faults == [])
            for word in words { #expect(page.text.contains(word), "\(page.text)") }
            #expect(answer.text.contains("<title>\(language == .en ? "Error:" : "Fehler:") Tokens"))
            for field in ["#name", "#scope", "#expires"] { #expect(page.hrefs.contains(field)) }
            #expect(answer.text.split(separator: "aria-invalid=").count == 3)
            let person = console.post("people", [("name", " ")], as: .admin, language)
            #expect(person.status == 422 && person.text.contains(words[0]))
        }
        let over = [("name", "x"), ("scope", "links.read"), ("expires", "2020-01-01T00:00")]
        #expect(console.post("tokens", over, as: .admin).text.contains("still to come"))
    }

    @Test(
        "a name that cannot be taken is said in the words of the page",
        arguments: [
            (
                "people", "Ännä", "“Ännä” cannot be the name of a person – write at most 64",
                "„Ännä“ kann nicht der Name einer Person sein – schreib höchstens 64"
            ),
            (
                "people", "local", "“local” is what the list of changes calls",
                "„local“ heißt in den Änderungen schon"
            ),
            (
                "people", "newsletter", "token has the name “newsletter” already",
                "Ein Token heißt schon „newsletter“"
            ),
            (
                "tokens", "ben", "person has the name “ben” already",
                "Eine Person heißt schon „ben“"
            ),
        ])
    func names(_ path: String, _ name: String, _ english: String, _ german: String) throws {
        let console = try TestConsole()
        console.ask("POST", ["people"], #"{"name": "ben", "role": "viewer"}"#)
        console.ask("POST", ["tokens"], #"{"name": "newsletter", "scopes": ["links.read"]}"#)
        for (language, words) in [(ConsoleLanguage.en, english), (.de, german)] {
            let answer = console.post(
                path, [("name", name), ("role", "viewer"), ("scope", "links.read")], as: .admin,
                language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 422 && page.faults == [])
            #expect(page.text.contains(words), "\(page.text)")
            #expect(!answer.text.contains("class=\"advice\" lang=\"en\""))
            // The rights of tokens have their names beside them.
            #expect(path == "tokens" || !page.text.contains("audit"))
            #expect(!page.text.contains("origin"))
        }
    }

    @Test func `changes are in words of the page's language`() throws {
        let console = try TestConsole()
        #expect(console.post("people", [("name", "ben")], as: .admin).status == 200)
        let editor = [
            ("name", "ben"), ("role", "editor"), ("collection", "short"), ("sure", "1"),
        ]
        #expect(console.post("people", editor, as: .admin).status == 200)
        let token = [("name", "mail"), ("scope", "links.read")]
        #expect(console.post("tokens", token, as: .admin).status == 200)
        let id = try #require(console.ask("GET", ["tokens"]).json?["tokens"]?.elements?.last?["id"])
        let path = "tokens/\(id.written.compact)/remove"
        #expect(console.post(path, [("sure", "1")], as: .admin).status == 303)
        #expect(console.post("people/ben/remove", [("sure", "1")], as: .admin).status == 303)
        for (language, deeds) in [
            (
                ConsoleLanguage.en,
                [
                    "added ben with the role Viewer", "gave ben the role Editor (short)",
                    "made a sign-in link for ben", "made the token mail", "revoked the token mail",
                    "removed ben",
                ]
            ),
            (
                .de,
                [
                    "hat ben mit der Rolle Leserecht hinzugefügt",
                    "hat ben die Rolle Redaktion (short) gegeben",
                    "hat einen Anmelde-Link für ben erstellt", "hat das Token mail erstellt",
                    "hat das Token mail widerrufen", "hat ben entfernt",
                ]
            ),
        ] {
            let text = PageStructure(console.get("audit", as: .admin, language).content).text
            for deed in deeds { #expect(text.contains(deed), "\(text)") }
        }
        #expect(AuditDeed("change person ben: owner") == nil && AuditDeed("x") == nil)
    }

    @Test func `who is signed in by a proxy has no buttons that do nothing`() throws {
        let setting = ConsoleSetting(environment: "prod", language: .en, isSecure: true)
        for isOfProxy in [true, false] {
            let person = ConsolePerson("anna", .viewer, isOfProxy: isOfProxy)
            let page = PageStructure(
                Console.notice(.notFound, setting, person: person).content)
            #expect(page.faults == [])
            for path in ["passkeys", "sign-out"] {
                #expect(page.hrefs.contains("/console/\(path)") == !isOfProxy)
            }
        }
    }

    @Test func `sessions of a person are ended by a button`() throws {
        let console = try TestConsole()
        #expect(console.post("people", [("name", "ben")], as: .admin).status == 200)
        #expect(console.post("people/ben/sign-out", [], as: .admin).status == 303)
        #expect(console.post("people/eve/sign-out", [], as: .admin).status == 404)
        #expect(console.post("people/ben/x", [], as: .admin).status == 404)
        let audit = console.get("audit", as: .admin)
        #expect(
            audit.text.contains("signed ben out everywhere")
                && PageStructure(audit.content).faults == [])
    }

    @Test func `a token is shown once, and revoked`() throws {
        let console = try TestConsole()
        let form = [
            ("name", "mail"), ("scope", "links.read"), ("scope", "stats.read"),
            ("collection", "short"), ("expires", "2030-01-01T00:00"),
        ]
        let answer = console.post("tokens", form, as: .admin)
        #expect(answer.status == 200 && PageStructure(answer.content).faults == [])
        #expect(answer.text.contains(">wmk_"))
        let tokens = console.ask("GET", ["tokens"]).json?["tokens"]?.elements ?? []
        let token = try #require(tokens.first { $0["name"]?.text == "mail" })
        #expect(token["scopes"]?.elements?.compactMap(\.text) == ["links.read", "stats.read"])
        #expect(token["collections"]?.elements?.compactMap(\.text) == ["short"])
        #expect(token["expires"]?.text == "2030-01-01T00:00:00Z")
        let list = console.get("tokens", as: .admin).text
        #expect(list.contains("mail") && !list.contains("wmk_"))
        let id = token["id"]?.written.compact ?? ""
        let asked = console.post("tokens/\(id)/remove", [], as: .admin)
        let question = PageStructure(asked.content)
        #expect(asked.status == 409 && question.faults == [])
        #expect(question.text.contains("Shall the token mail (…"))
        #expect(console.ask("GET", ["tokens"]).json?["tokens"]?.elements?.count == tokens.count)
        let sure = question.hidden.filter { $0.0 == "sure" }
        #expect(console.post("tokens/\(id)/remove", sure, as: .admin).status == 303)
        #expect(console.post("tokens/\(id)/remove", sure, as: .admin).status == 404)
        let refused = console.post("tokens", [("name", "x"), ("expires", "y")], as: .admin)
        #expect(refused.status == 422 && PageStructure(refused.content).values["expires"] == "y")
    }

    @Test(
        "who is no administrator changes nobody",
        arguments: [
            "people", "people/ben/remove", "people/ben/sign-out", "tokens", "tokens/1/remove",
        ],
        [ConsoleRole.viewer, .editor])
    func others(_ path: String, _ role: ConsoleRole) throws {
        let console = try TestConsole()
        #expect(
            console.post("people", [("name", "ben"), ("role", "admin")], as: .admin).status == 200)
        let tokens = console.ask("GET", ["tokens"]).json?["tokens"]?.elements?.count
        let form = [("name", "eve"), ("role", "admin"), ("scope", "admin"), ("sure", "1")]
        #expect(console.post(path, form, as: role).status == 403)
        #expect(people(console) == ["ben: admin"])
        #expect(console.ask("GET", ["tokens"]).json?["tokens"]?.elements?.count == tokens)
    }

    @Test func `changes go back page by page`() throws {
        let console = try TestConsole()
        for number in 1...120 {
            _ = try console.make(
                #"{"collection": "short", "slug": "n\#(number)", "destination": "https://www.example.com/"}"#
            )
        }
        let first = console.get("audit", as: .admin)
        #expect(first.text.contains("n120") && !first.text.contains(">n1<"))
        let older = try #require(PageStructure(first.content).hrefs.last { $0.contains("before=") })
        #expect(
            console.get(older.replacing("/console/", with: ""), as: .admin).text.contains(">n1<"))
    }

    @Test func `a collection says what it has, and where its files are`() throws {
        let page = PageStructure(try TestConsole().get("collections", as: .viewer).content)
        #expect(
            page.text.contains("www.example.com, The app’s store") && page.text.contains("Shop"))
        #expect(
            page.hrefs.contains("https://go.example.com/.well-known/apple-app-site-association"))
    }
}
