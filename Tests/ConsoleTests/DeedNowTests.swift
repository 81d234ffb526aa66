@testable import Console
import JSONSyntax
import Testing

@Suite("What a link's page says of the last deed, when the link is another way by now")
struct DeedNowTests {
    private static let changes: [(name: String, patch: String)] = [
        ("active", #"{"note": "n"}"#), ("off", #"{"state": "disabled"}"#),
        ("binned", #"{"state": "disabled", "archived": true}"#),
        ("waiting", #"{"from": "2099-01-01T00:00:00Z"}"#),
        ("ended", #"{"until": "2020-01-01T00:00:00Z"}"#), ("erased", ""),
    ]

    /// The deeds whose sentence says what is not so in each state.
    private static let untrue: [String: [String]] = [
        "active": ["deleted", "erased", "disabled"], "off": ["deleted", "erased", "enabled"],
        "binned": ["erased", "restored", "enabled"], "waiting": ["deleted", "erased", "disabled"],
        "ended": ["deleted", "erased", "disabled"],
        "erased": ["changed", "alias", "restored", "enabled", "disabled"],
    ]

    @Test("an address that is opened again says what is so", arguments: changes)
    func opened(_ name: String, _ patch: String) throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        if patch.isEmpty {
            console.ask("DELETE", ["links", id], "", ["if-match": "*"])
        } else {
            #expect(console.ask("PATCH", ["links", id], patch, ["if-match": "*"]).status == 200)
        }
        for language in ConsoleLanguage.allCases {
            for deed in ["created", "created-for-later"] {
                let page = PageStructure(
                    console.get("links/\(id)?done=\(deed)", as: .editor, language).content)
                let works = ConsoleText.wasCreated(language)
                let later = ConsoleText.wasCreatedForLater(language)
                #expect(page.faults == [])
                #expect(page.text.contains(works) == (name == "active"), "\(page.text)")
                #expect(page.text.contains(later) == (name == "waiting"), "\(page.text)")
                let state = language == .en ? "Its state now: " : "Sein Zustand jetzt: "
                #expect(page.text.contains(state) == !["active", "waiting"].contains(name))
            }
        }
        for deed in ["deleted", "restored", "erased", "enabled", "disabled", "changed", "alias"] {
            let answer = console.get("links/\(id)?done=\(deed)")
            #expect(PageStructure(answer.content).faults == [])
            let isSaid = answer.text.contains("class=\"success\"")
            #expect(isSaid == !(Self.untrue[name] ?? []).contains(deed), "\(name) \(deed)")
        }
        // The list knows of the link that was deleted last by its address alone.
        let list = console.get("links?done=deleted&link=\(id)&was=active").text
        #expect(list.contains("was deleted") == ["binned", "erased"].contains(name))
        #expect(list.contains("/restore\"") == (name == "binned"))
    }
}
