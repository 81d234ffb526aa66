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
        #expect(second.post(path, form, as: .admin).status == (isRemoval ? 303 : 200))
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

    @Test func `sessions of a person are ended by a button`() throws {
        let console = try TestConsole()
        #expect(console.post("people", [("name", "ben")], as: .admin).status == 200)
        #expect(console.post("people/ben/sign-out", [], as: .admin).status == 303)
        #expect(console.post("people/eve/sign-out", [], as: .admin).status == 404)
        #expect(console.post("people/ben/x", [], as: .admin).status == 404)
        let audit = console.get("audit", as: .admin)
        #expect(
            audit.text.contains("sign out person ben") && PageStructure(audit.content).faults == [])
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
        #expect(console.post("tokens/\(id)/remove", [], as: .admin).status == 303)
        #expect(console.post("tokens/\(id)/remove", [], as: .admin).status == 404)
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
