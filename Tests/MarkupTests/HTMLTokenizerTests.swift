import Markup
import Testing

@Suite("HTML is divided as browsers do (WHATWG HTML §13.2.5)")
struct HTMLTokenizerTests {
    /// A document and its tokens, in a notation that fits a line: `<a x=y>`, `</a>`, `"text"`,
    /// `!comment`, `?doctype`.
    struct Row: CustomTestStringConvertible {
        let html: String
        let tokens: [String]

        init(_ html: String, _ tokens: String...) { (self.html, self.tokens) = (html, tokens) }

        var testDescription: String { html.debugDescription }
    }

    static let rows = [
        Row("", ""), Row("a", "\"a\""), Row("<", "\"<\""), Row("a < b", "\"a < b\""),
        Row("<!DOCTYPE HTML>a", "?html", "\"a\""), Row("<!doctype>", "?"),
        Row("<A HREF=X>", "<a href=X>"), Row("</A >", "</a>"), Row("</>a</>b", "\"a\"", "\"b\""),
        Row("<a b='c' d=\"e\" f=g h>", "<a b=c d=e f=g h=>"),
        Row("<a b=1 b=2 B=3>", "<a b=1>"), Row("<a =b=c>", "<a =b=c>"),
        Row("<a b = c/d>", "<a b=c/d>"), Row("<br/>", "<br/>"), Row("<br / a>", "<br a=>"),
        Row("<a b=>c", "<a b=>", "\"c\""), Row("<a b=\"c", ""), Row("x<a b", "\"x\""),
        Row("<a b='\"><i>'>", "<a b=\"><i>>"), Row("<a\tb\n=\r\n'c'\u{C}>", "<a b=c>"),
        Row("<a'b\"c>", "<a'b\"c>"), Row("<a b\"c=d>", "<a b\"c=d>"),
        Row("<!--a-->b", "!a", "\"b\""), Row("<!-->b", "!", "\"b\""), Row("<!--->b", "!", "\"b\""),
        Row("<!--a--!>b", "!a", "\"b\""), Row("<!--a--b-->", "!a--b"), Row("<!--a", "!a"),
        Row("<!--a--", "!a"), Row("<!a>b", "!a", "\"b\""), Row("<?a?>b", "!?a?", "\"b\""),
        Row("</1>b", "!1", "\"b\""), Row("<![CDATA[a]]>b", "![CDATA[a]]", "\"b\""),
        Row("<title>a<b>&amp;</title >", "<title>", "\"a<b>&\"", "</title>"),
        Row("<title></titles></title>", "<title>", "\"</titles>\"", "</title>"),
        Row("<style>a<b>&amp;</STYLE>", "<style>", "\"a<b>&amp;\"", "</style>"),
        Row("<script>a<!--b</script>c", "<script>", "\"a<!--b\"", "</script>", "\"c\""),
        Row(
            "<script><!--<script></script>--></script>", "<script>", "\"<!--<script></script>-->\"",
            "</script>"),
        Row("<script><!--><script></script>", "<script>", "\"<!--><script>\"", "</script>"),
        Row("<script>a</scripts></script", "<script>", "\"a</scripts></script\""),
        Row("<title></title>", "<title>", "</title>"), Row("<title>a", "<title>", "\"a\""),
        Row("<plaintext></plaintext>", "<plaintext>", "\"</plaintext>\""),
        Row("a\r\nb\rc\0d", "\"a\nb\nc\u{FFFD}d\""), Row("\u{FEFF}a", "\"a\""),
        Row("a\"\u{301}<b c=\"\u{301}\">", "\"a\"\u{301}\"", "<b c=\u{301}>"),
        Row("<a b=\"c\"\u{301}>", "<a b=c \u{301}=>"),
    ]

    @Test("a document's pieces", arguments: rows)
    func tokens(_ row: Row) {
        let found = HTMLTokenizer(Array(row.html.utf8)).map(\.notation)
        #expect(found == row.tokens.filter { !$0.isEmpty })
    }

    @Test("pieces cover the document from end to end, in order", arguments: rows)
    func ranges(_ row: Row) {
        var end = 0
        for token in HTMLTokenizer(Array(row.html.utf8)) {
            #expect(token.range.lowerBound >= end && !token.range.isEmpty)
            end = token.range.upperBound
        }
        #expect(end <= row.html.utf8.count)
    }

    @Test("every beginning of a document is a document", arguments: rows)
    func prefixes(_ row: Row) {
        let bytes = Array(row.html.utf8)
        for count in bytes.indices {
            let last = Array(HTMLTokenizer(Array(bytes[..<count]))).last
            #expect(last?.range.upperBound ?? 0 <= count)
        }
    }

    @Test func `thousands of empty tags need no deep stack`() {
        let html = String(repeating: "</>", count: 200_000)
        #expect(Array(HTMLTokenizer(Array(html.utf8))).isEmpty)
    }

    @Test func `bytes that are no UTF-8 are replaced`() {
        let tokens = HTMLTokenizer([0x61, 0xED, 0xA0, 0x80, 0x3C, 0x62, 0xFF, 0x3E]).map(\.notation)
        #expect(tokens == ["\"a\u{FFFD}\u{FFFD}\u{FFFD}\"", "<b\u{FFFD}>"])
    }
}

extension HTMLToken {
    fileprivate var notation: String {
        switch kind {
        case .startTag(let tag):
            let attributes = tag.attributes.map { " \($0.name)=\($0.value)" }.joined()
            return "<\(tag.name)\(attributes)\(tag.isSelfClosing ? "/" : "")>"
        case .endTag(let name): return "</\(name)>"
        case .text(let text): return "\"\(text)\""
        case .comment(let text): return "!\(text)"
        case .doctype(let name): return "?\(name)"
        }
    }
}
