@testable import Console
import Testing

@Suite("The page of a person's passkeys")
struct PasskeysPageTests {
    private func page(
        _ view: PasskeyView?, _ language: ConsoleLanguage = .en
    ) -> (status: Int, text: String, structure: PageStructure) {
        let answer = Console.passkeys(
            view, ConsolePerson("anna", .editor),
            ConsoleSetting(environment: "prod", language: language, isSecure: true))
        return (answer.status, answer.text, PageStructure(answer.content))
    }

    private static let phone = ListedPasskey(
        id: "AQ", name: "phone", created: 1_800_000_000, used: nil)
    private static let hostile = ListedPasskey(
        id: "Ag", name: "</th><script>\u{202E}\"", created: 1_800_000_000, used: 1_800_000_060)

    @Test("it is well-formed in whatever state", arguments: ConsoleLanguage.allCases)
    func wellFormed(_ language: ConsoleLanguage) {
        let views: [(PasskeyView?, Int)] = [
            (nil, 200), (PasskeyView([]), 200), (PasskeyView([Self.phone]), 200),
            (PasskeyView([Self.phone, Self.hostile]), 200),
            (PasskeyView([Self.phone], .added), 200), (PasskeyView([], .removed), 200),
            (PasskeyView([], .refused, typed: "phone"), 422),
            (PasskeyView([], .nameless), 422), (PasskeyView([], .nameTooLong, typed: "x"), 422),
            (PasskeyView([], .nameWithControls, typed: "a\tb"), 422),
            (PasskeyView([Self.phone], .known, typed: "\"><b>"), 422),
            (PasskeyView([Self.phone], .full, mayAdd: false), 422),
            (PasskeyView([Self.phone], doubted: "AQ"), 409),
        ]
        for (view, status) in views {
            let page = page(view, language)
            #expect(
                page.status == status && page.structure.faults == [], "\(page.text.prefix(2_000))")
            if let view, view.mayAdd {
                #expect(page.structure.values["name"] == view.typed)
            }
        }
    }

    @Test func `it teaches, and asks about the last one`() {
        #expect(page(PasskeyView([])).structure.text.contains("Add one here"))
        #expect(page(PasskeyView([Self.phone])).structure.text.contains("With a second one"))
        let two = page(PasskeyView([Self.phone, Self.hostile])).structure
        #expect(!two.text.contains("With a second one"))
        let asked = page(PasskeyView([Self.phone], doubted: "AQ"))
        #expect(asked.structure.text.contains("phone is your only passkey"))
        #expect(asked.structure.hidden.contains { $0 == ("sure", "1") })
        // Buttons in rows have the names of what they are done to.
        #expect(asked.text.contains("aria-label=\"Remove: phone\""))
        for outcome in [nil, PasskeyOutcome.full] {
            let full = page(PasskeyView([Self.phone], outcome, mayAdd: false)).structure
            #expect(full.values["name"] == nil)
            #expect(full.text.matches(of: /as many passkeys/).count == 1)
        }
    }

    @Test func `a token that has ended says so`() throws {
        let console = try TestConsole()
        let form = [("name", "mail"), ("scope", "links.read"), ("expires", "2027-01-15 09:00")]
        #expect(console.post("tokens", form, as: .admin).status == 200)
        let badge = "<span class=\"state unwell\">Ended</span>"
        #expect(!console.get("tokens", as: .admin).text.contains(badge))
        console.now += 3_600
        let page = console.get("tokens", as: .admin)
        #expect(page.text.contains(badge) && PageStructure(page.content).faults == [])
        #expect(page.text.contains("aria-label=\"Revoke: mail\""))
    }

    @Test func `a fault of a token stands beside its field`() throws {
        let answer = try TestConsole().post("tokens", [("expires", "y")], as: .admin)
        let page = PageStructure(answer.content)
        #expect(page.faults == [])
        for id in ["name-faults", "scope-faults", "expires-faults"] {
            #expect(page.ids.contains(id), "\(id)")
        }
        #expect(answer.text.contains("aria-describedby=\"expires-hint expires-faults\""))
    }
}
