import Testing

@testable import AppFiles

@Suite("XML documents of apps")
struct XMLReaderTests {
    struct Refusal: CustomTestStringConvertible {
        let text: String
        let fact: String
        let line: Int
        let column: Int
        var testDescription: String { text }
    }

    static let refusals = [
        Refusal(
            text: "<a>\n  <b></a>", fact: "closes \"a\" where \"b\" is open", line: 2, column: 6),
        Refusal(text: "<a>", fact: "ends within the element \"a\"", line: 1, column: 4),
        Refusal(
            text: "</a>", fact: "closes the element \"a\", which is not open", line: 1, column: 1),
        Refusal(text: "<a/><b/>", fact: "has a second root element", line: 1, column: 5),
        Refusal(text: "<a/>x", fact: "has text outside of its elements", line: 1, column: 5),
        Refusal(text: "  ", fact: "has no element", line: 1, column: 1),
        Refusal(text: "<a b='1' b='2'/>", fact: "repeats the attribute \"b\"", line: 1, column: 10),
        Refusal(
            text: "<a b=1/>", fact: "has an attribute without a quoted value", line: 1, column: 6),
        Refusal(
            text: "<a b='1'c='2'/>", fact: "lacks a space before an attribute", line: 1, column: 9),
        Refusal(
            text: "<a é='1' x:b='2'/>", fact: "uses the prefix \"x\" without declaring it", line: 1,
            column: 10),
        Refusal(text: "<a>é&nbsp;</a>", fact: "has an unknown reference", line: 1, column: 5),
        Refusal(text: "<a>&#0;</a>", fact: "has an unknown reference", line: 1, column: 4),
        Refusal(text: "<a>&#xD800;</a>", fact: "has an unknown reference", line: 1, column: 4),
        Refusal(text: "<a>&#+65;</a>", fact: "has an unknown reference", line: 1, column: 4),
        Refusal(text: "<a>& b</a>", fact: "has an unknown reference", line: 1, column: 4),
        Refusal(text: "<a b='<'/>", fact: "has \"<\" in an attribute's value", line: 1, column: 6),
        Refusal(text: "<a>\u{1}</a>", fact: "contains a control character", line: 1, column: 4),
        Refusal(text: "<!-- a", fact: "ends within a comment", line: 1, column: 1),
        Refusal(text: "<a><![CDATA[x", fact: "ends within a CDATA section", line: 1, column: 4),
        Refusal(
            text: "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>",
            fact: "declares types or entities of its own", line: 1, column: 13),
        Refusal(
            text: "<a/><!DOCTYPE a>", fact: "has a document type after its root", line: 1, column: 5
        ),
    ]

    @Test("a damaged document is refused at its place", arguments: refusals)
    func refuses(_ row: Refusal) throws {
        let fault = #expect(throws: FormatFault.self) { try XMLReader.read(Array(row.text.utf8)) }
        #expect(fault?.fact == row.fact)
        #expect(fault?.place == TextPlace(line: row.line, column: row.column))
    }

    @Test func `text, sections and references are one text`() throws {
        let node = try XMLReader.read(
            Array(
                "<?xml version='1.0'?><a b='x\n&quot;&#x41;'>1&lt;<!-- - -->2<![CDATA[<&]]>é</a>"
                    .utf8))
        #expect(node.text == "1<2<&é")
        #expect(node.attributes.map(\.value) == ["x \"A"])
    }

    @Test func `a prefix is that of the nearest element that declares it`() throws {
        let node = try XMLReader.read(
            Array("<a xmlns:p='1'><b xmlns:p='2' p:c=''/><d p:c='' xml:e='' f=''/></a>".utf8))
        #expect(node.children.map { $0.attributes.map(\.namespace) } == [["2"], ["1", "xml", ""]])
    }

    @Test func `elements may be nested 64 deep, and not 65`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth))
                    .utf8)
        }
        #expect(throws: Never.self) { try XMLReader.read(nested(64)) }
        let fault = #expect(throws: FormatFault.self) { try XMLReader.read(nested(65)) }
        #expect(fault?.fact == "has elements nested more than 64 deep")
    }

    @Test func `a document may have 200,000 elements, and not one more`() throws {
        func wide(_ count: Int) -> [UInt8] {
            Array(("<a>" + String(repeating: "<b/>", count: count - 1) + "</a>").utf8)
        }
        #expect(throws: Never.self) { try XMLReader.read(wide(200_000)) }
        let fault = #expect(throws: FormatFault.self) { try XMLReader.read(wide(200_001)) }
        #expect(fault?.fact == "has more than 200000 elements")
    }

    @Test func `what is no UTF-8 is refused, and a byte order mark is none of the text`() throws {
        #expect(refusal([0x3C, 0x61, 0x3E, 0xFF])?.fact == "is not UTF-8")
        #expect(try XMLReader.read([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8)).name == "a")
    }
}
