import Diagnostics
import Reporting
import Testing

@Suite("Pages that mean harm")
struct HostilePageTests {
    private static func times(_ text: String, _ bytes: Int = 131_072) -> String {
        String(repeating: text, count: bytes / text.utf8.count)
    }

    /// By name, because so many bytes make no readable description.
    static let pages: [String: @Sendable () -> String] = [
        "less-than signs": { times("<", 1_048_576) },
        "an unclosed quote": { "<meta property=\"og:title\" content=\"" + times("a") },
        "unclosed quotes": { times("<a b=\"'") },
        "nested comments": { times("<!--") + times("-->") },
        "comments that almost end": { "<!--" + times("--!-") },
        "declarations": { times("<!") },
        "NULs": { times("\u{0}") },
        "NULs in tags": { times("<meta \u{0}name=\u{0}>") },
        "attributes": { "<p " + (0..<20_000).map { "a\($0) " }.joined() + ">" },
        "equal attributes": { "<p " + times("a ") + ">" },
        "tags": { times("<meta property=og:image content=x>") },
        "titles": { times("<title>") + times("</title>") },
        "pictures": { times("<img src=a>") },
        "links": { times("<link rel=canonical href=a>") },
        "references": { "<title>" + times("&amp") + times("&#x") },
        "entities without end": { times("&" + String(repeating: "a", count: 100)) },
        "headings": { times("<h1><h6>") },
        "templates": { times("<template>") + "<title>a</title>" },
        "JSON without end": { "<script type=application/ld+json>" + times("[") },
        "JSON of things": {
            "<script type=application/ld+json>[" + times("{\"@type\":\"Restaurant\"},") + "{}]"
        },
        "one thing of many members": {
            "<script type=application/ld+json>{\"@type\":\"Restaurant\"," + times("\"a\":1,")
                + "\"b\":1}"
        },
        "a banner of commas": {
            "<meta name=apple-itunes-app content='" + times(",") + "'>"
        },
        "a title of marks": { "<title>" + times("\u{301}") + "</title>" },
        "a description of one word": {
            "<meta name=description content='" + times("W") + "'>"
        },
        "escapes of a script": { "<script>" + times("<!--<script>") },
    ]

    @Test(
        "the report has every item, and is no larger than a report", arguments: pages.keys.sorted())
    func answers(_ name: String) throws {
        let make = try #require(Self.pages[name])
        let page = make()
        let card = try card(of: page, at: "https://table.example/x")
        #expect(card.results.map(\.item) == ReportCatalogue.items)
        let words = card.results.map { $0.evidence.utf8.count }.reduce(0, +)
        #expect(words < 20_000)
        #expect(card.previews.allSatisfy { $0.drawing.count < 20 })
    }

    @Test(
        "no word of a page steers the terminal that shows the report",
        arguments: ["\u{1B}]0;a\u{7}", "\u{1B}[31m", "\u{9B}2J", "\u{202E}", "\u{2028}", "\r"])
    func steersNothing(_ words: String) throws {
        let page = """
            <!doctype html><title>a\(words)</title><meta name=description content="\(words)b">
            <x\(words)y><meta property="og:title\(words)" content="\(words)"><img src="\(words)">
            <meta property=og:title content="\(words)c"><h1>\(words)d</h1>
            <link rel=canonical href="/\(words)"><script type=application/ld+json>{"\(words)":1
            </script><meta name=apple-itunes-app content="app-id=\(words)">
            """
        let card = try card(of: page, at: "https://table.example/x")
        let said =
            card.results.flatMap { [$0.evidence, $0.fix ?? ""] }
            + card.previews.flatMap { [$0.title] + $0.drawing + $0.notes }
        for text in said { #expect(onOneLine(text) == text) }
    }

    @Test func `bytes that are no UTF-8 are a fault, and no more`() throws {
        let page = PageReading([0x3C, 0x70, 0x3E, 0xFF, 0xC0, 0x80], file: "page.html")
        let card = ReportCard(ReportInput(page: page))
        #expect(card.result("character-encoding")?.status == .required)
    }

    @Test func `somebody's text is quoted where it is repeated`() throws {
        let card = try card(
            of: "<title>\u{1B}[31m</title><meta property=og:title content='\u{202E}'>")
        for result in card.results {
            #expect(!result.evidence.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        }
    }
}
