@testable import Console
import Foundation
import Testing

/// Refusals and remarks in English, which are not the words of the API and of waymark.yaml.
@Suite("Findings in the words of the form")
struct PlainWordsTests {
    private static let right = [
        ("collection", "short"), ("slug", "spring"), ("destination", "https://www.example.com/"),
    ]

    private static let forms: [(field: String, value: String, words: String)] = [
        (
            "from", "10:00 pm",
            "“10:00 pm” is no day and time – write day and time, such as 2027-03-31 22:00"
        ),
        (
            "from", "1.2.27",
            "“1.2.27” has a year of two digits – write the year with four digits, such as 2027-03-31"
        ),
        ("until", "2030-13-01", "is not in the calendar between 1970 and 9999 – check the month"),
        ("app-data", "x", "Each line is name=value, such as product=7."),
        ("title", "a\u{7}", "Here is a character that cannot be seen: “a\\u{7}” – remove it"),
        (
            "destination", "https://evil.example/",
            "“evil.example” is not allowed in the collection “short”. Allowed is: www.example.com, store – choose another"
        ),
        (
            "destination", "https://www.example.com/a b",
            "an address can have the character at place 26 only as %XX – write https://www.example.com/a%20b"
        ),
        (
            "destination", "https://www.example.com/{1}",
            "only as %XX – write https://www.example.com/%7B1%7D"
        ),
        ("slug", "_x", "“_x” is reserved: the server’s own paths begin with _ – choose another"),
        ("slug", "info", "Something else is at “/s/info” already: link “info”"),
        ("after", "landing", "and no end – write an end, or leave both out"),
        ("ios", "//x.example/", "“//x.example/” lacks https: – write “https://x.example/”, or"),
        // The words of the API that are those of people stay.
        ("slug", "taken", "“taken” is taken – choose another"),
        ("until", "2020-01-01", "2020-01-01T23:59:59Z is over, so nobody would get the link"),
    ]

    private static let foreign = [
        "RFC", "openapi", "`", "mapping", "member", "the key", " slug", "prose of several",
        "(the same", "Waymark's own",
    ]

    @Test("a refused form has the words and the forms of its fields", arguments: forms)
    func refused(_ row: (field: String, value: String, words: String)) throws {
        let console = try TestConsole()
        _ = try console.make(
            #"{"collection": "short", "slug": "taken", "destination": "https://www.example.com/"}"#)
        let form = Self.right.filter { $0.0 != row.field } + [(row.field, row.value)]
        let answer = console.post("new", form)
        let page = PageStructure(answer.content)
        #expect((400..<500).contains(answer.status) && page.faults == [])
        #expect(page.text.contains(row.words), "\(summary(answer))")
        for word in Self.foreign { #expect(!summary(answer).contains(word), "\(summary(answer))") }
        let live = console.post("check", form).text
        for word in Self.foreign { #expect(!live.contains(word), "\(live)") }
    }

    private func summary(_ answer: ConsoleResponse) -> String {
        let text = answer.text
        guard let start = text.range(of: "id=\"errors\""),
            let end = text[start.lowerBound...].range(of: "</div>")
        else { return "no summary" }
        return String(text[start.lowerBound..<end.lowerBound])
    }

    @Test func `a short name is refused once`() throws {
        let form = Self.right.filter { $0.0 != "slug" } + [("slug", ".")]
        let answer = try TestConsole().post("new", form)
        let words = "A short name has letters A–Z"
        #expect(answer.status == 422)
        #expect(summary(answer).components(separatedBy: words).count == 2, "\(summary(answer))")
    }

    @Test("another name without a text", arguments: ConsoleLanguage.allCases)
    func alias(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        let answer = console.post("links/\(id)/aliases", [("slug", "")], as: .editor, language)
        let text = PageStructure(answer.content).text
        #expect(text.contains(language == .en ? "Write a short name." : "Schreib einen Kurznamen."))
        #expect(!text.contains("empty text") && !text.contains("the key"))
    }

    @Test("a list of no collection", arguments: ConsoleLanguage.allCases)
    func noCollection(_ language: ConsoleLanguage) throws {
        let answer = try TestConsole().get("links?collection=nix", as: .viewer, language)
        let text = PageStructure(answer.content).text
        #expect(
            text.contains(
                language == .en
                    ? "There is no collection “nix”" : "Die Sammlung „nix“ gibt es nicht"),
            "\(text)"
        )
        #expect(!text.contains("collection is"))
    }

    @Test func `a sentence that is known in no other words stays`() {
        #expect(APISentence.words(.en, fact: "something odd has happened") == nil)
        #expect(APISentence.words(.en, fact: "\"a\" is taken") == "“a” is taken")
        #expect(
            APISentence.words(.en, fact: "\"a\" is reserved: for a reason")
                == "“a” is reserved: for a reason")
    }
}
