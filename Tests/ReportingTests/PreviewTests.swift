import Diagnostics
import Testing

@testable import Reporting

@Suite("Drawings of previews")
struct PreviewTests {
    @Test func `a bubble of Messages has the picture, the title and the host`() throws {
        let card = try card(
            of: """
                <title>a</title><meta property=og:title content='Golden Lamb'>
                <meta property=og:image content=/lamb.png>
                <meta property=og:video content=/v.mp4>
                """,
            at: "https://table.example/x")
        #expect(
            card.previews.first?.drawing == [
                "╭──────────────────────────────────────────╮",
                "│ ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │",
                "│ ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │",
                "│ ░░░░░░░░░░░░░░ ▶ lamb.png ░░░░░░░░░░░░░░ │",
                "│ ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │",
                "│ ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ │",
                "│ Golden Lamb                              │",
                "│ table.example                            │",
                "╰──────────────────────────────────────────╯",
            ])
        #expect(card.previews.map(\.id) == ["messages", "spotlight", "facebook", "x"])
    }

    @Test func `what is cut is said to be`() throws {
        let title = String(repeating: "long title ", count: 20)
        let card = try card(of: "<title>\(title)</title><meta name=twitter:card content=summary>")
        for preview in card.previews {
            #expect(preview.drawing.contains { $0.contains("…") }, "\(preview.id)")
            #expect(preview.notes.contains { $0.hasPrefix("the title has 219 characters") })
        }
    }

    @Test(
        "a picture too small for a program is drawn as it would be",
        arguments: [
            (140, 140, "messages", "icon"), (599, 400, "facebook", "shown small"),
            (199, 400, "facebook", "not shown"),
        ])
    func smallPictures(_ width: Int, _ height: Int, _ id: String, _ word: String) throws {
        let card = try card(
            of: "<title>a</title><meta property=og:image content=/b.png>"
                + "<meta property=og:image:width content=\(width)>"
                + "<meta property=og:image:height content=\(height)>")
        let preview = try #require(card.previews.first { $0.id == id })
        #expect(preview.notes.contains { $0.contains(word) })
    }

    static let hostile = [
        "\u{1B}[31mred\u{1B}]0;x\u{7}", "a\u{202E}b\u{2066}c\u{200F}",
        "Z\u{301}\u{302}\u{303}\u{304}x",
        "日本語の長いタイトル日本語の長いタイトル日本語の長いタイトル", "👩‍👩‍👧‍👦 family 👍🏽", "\u{301}a", "a\u{0}b\r\nc",
        String(repeating: "W", count: 500), String(repeating: "e\u{301}", count: 300), "",
    ]

    @Test("no text breaks out of its drawing", arguments: hostile)
    func boundaries(_ text: String) throws {
        let card = try card(
            of: "<title>\(text)</title><meta name=description content='\(text)'>"
                + "<meta property=og:image content='/\(text)'>"
                + "<meta name=twitter:card content=summary_large_image>",
            at: "https://\(String(repeating: "table.", count: 20))example/x")
        for preview in card.previews {
            let widths = Set(preview.drawing.map { terminalColumns($0) })
            #expect(widths.count == 1, "\(preview.drawing)")
            for scalar in preview.drawing.joined().unicodeScalars {
                let category = scalar.properties.generalCategory
                #expect(category != .control && category != .format)
            }
        }
    }

    @Test(
        "lines are broken between words, and inside of those that are too long",
        arguments: [
            ("one two three", 7, 3, ["one two", "three"]), ("one two three", 7, 1, ["one tw…"]),
            ("abcdefgh", 3, 2, ["abc", "de…"]), ("日本語", 4, 2, ["日本", "語"]), ("日本語", 3, 1, ["日…"]),
            ("ab  cd", 2, 2, ["ab", "cd"]), ("", 5, 2, []), ("日", 1, 1, ["日"]),
        ] as [(String, Int, Int, [String])])
    func wrapping(_ text: String, _ columns: Int, _ lines: Int, _ expected: [String]) {
        #expect(wrapped(text, columns: columns, lines: lines).lines == expected)
    }
}
