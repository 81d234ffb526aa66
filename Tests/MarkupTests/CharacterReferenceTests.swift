import Markup
import Testing

@Suite("Character references (WHATWG HTML §13.2.5.72)")
struct CharacterReferenceTests {
    /// What is written, what it says in content, and in an attribute.
    static let rows: [(source: String, content: String, attribute: String)] = [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'", "&<>\"'"), ("&AMP;&Auml;", "&Ä", "&Ä"),
        ("&", "&", "&"), ("& ", "& ", "& "), ("&;", "&;", "&;"), ("&&amp;", "&&", "&&"),
        ("&unknown;", "&unknown;", "&unknown;"), ("&amp", "&", "&"), ("&amp=", "&=", "&amp="),
        ("&ampx", "&x", "&ampx"), ("&amp x", "& x", "& x"), ("&apos", "&apos", "&apos"),
        ("&notit;", "¬it;", "&notit;"), ("&notin;", "∉", "∉"), ("&not;", "¬", "¬"),
        ("?a=1&copy=2", "?a=1©=2", "?a=1&copy=2"), ("&acE;", "\u{223E}\u{333}", "\u{223E}\u{333}"),
        (
            "&CounterClockwiseContourIntegral;", "\u{2233}", "\u{2233}"
        ), ("javascript&colon;&Tab;&NewLine;", "javascript:\t\n", "javascript:\t\n"),
        ("&#65;&#x41;&#X41;&#65", "AAAA", "AAAA"), ("&#", "&#", "&#"), ("&#x", "&#x", "&#x"),
        ("&#xg;", "&#xg;", "&#xg;"), ("&#0;", "\u{FFFD}", "\u{FFFD}"),
        ("&#xD800;", "\u{FFFD}", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}", "\u{FFFD}"),
        ("&#x10FFFF;", "\u{10FFFF}", "\u{10FFFF}"),
        ("&#99999999999999999999;", "\u{FFFD}", "\u{FFFD}"), ("&#128;&#129;", "€\u{81}", "€\u{81}"),
        ("&#x0000041;", "A", "A"),
    ]

    @Test("what a reference stands for", arguments: rows)
    func references(_ row: (source: String, content: String, attribute: String)) {
        let html = Array("\(row.source)<a b=\"\(row.source)\">".utf8)
        let start = row.source.utf8.count + 6
        let attribute = HTMLAttribute(
            name: "b", value: row.attribute, valueRange: start..<start + row.source.utf8.count)
        #expect(
            HTMLTokenizer(html).map(\.kind) == [
                .text(row.content), .startTag(HTMLTag(name: "a", attributes: [attribute])),
            ])
    }
}
