import Foundation
import Markup
import Testing

@Suite("Values that are written into markup")
struct MarkupWriterTests {
    static let values = [
        "", "plain", "<script>alert(1)</script>", "\"><script>", "' onload='x", "</title><b>",
        "a\"\u{301}b", "\"\u{20D2}", "<\u{338}b>", "&lt;b&gt;", "&amp", "<!--", "-->", "]]>",
        "\u{2028}\u{2029}", "\u{FEFF}<", "`${x}`", "{{x}}", "😀\u{202E}", "\t", "a\nb",
    ]

    private func write(_ write: (inout MarkupWriter) -> Void) -> [UInt8] {
        var writer = MarkupWriter()
        write(&writer)
        return writer.bytes
    }

    @Test("a value in content and in an attribute is read back as it was", arguments: values)
    func roundTrip(_ value: String) {
        let html = write {
            $0.raw("<i")
            $0.attribute("title", value)
            $0.raw(">")
            $0.text(value)
            $0.raw("</i>")
        }
        let range = 10..<10 + write { $0.text(value) }.count
        let tag = HTMLTag(
            name: "i", attributes: [HTMLAttribute(name: "title", value: value, valueRange: range)])
        let text = value.isEmpty ? [] : [HTMLToken.Kind.text(value)]
        #expect(HTMLTokenizer(html).map(\.kind) == [.startTag(tag)] + text + [.endTag("i")])
    }

    @Test(
        "controls are replaced, and a line ends one way",
        arguments: [
            ("a\0b", "a\u{FFFD}b"), ("\u{1B}\u{7F}", "\u{FFFD}\u{FFFD}"), ("a\r\nb\rc", "a\nb\nc"),
            ("\u{80}\u{85}\u{9F}\u{A0}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{A0}"), ("\r\r\n", "\n\n"),
        ])
    func controls(_ value: String, _ written: String) {
        #expect(String(decoding: write { $0.text(value) }, as: UTF8.self) == written)
    }

    @Test("a JSON string in a script is read back as it was", arguments: values + ["\0\u{9F}\\"])
    func jsonStrings(_ value: String) throws {
        let bytes = write { $0.jsonString(value) }
        let read = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        #expect(read as? String == value)
        for byte in [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0x0A] {
            #expect(!bytes.contains(byte))
        }
        #expect(!String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{2028}"))
    }
}
