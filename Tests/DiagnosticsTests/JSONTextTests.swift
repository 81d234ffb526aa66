import Diagnostics
import Foundation
import Testing

@Suite("JSON that is written (RFC 8259)")
struct JSONTextTests {
    @Test func `members keep their order, and levels are indented`() {
        let value = JSONText.object([
            ("b", .array([.number(-1), .boolean(true), .null])), ("a", .object([])),
            ("c", .array([])),
        ])
        #expect(
            value.indented == """
                {
                  "b": [
                    -1,
                    true,
                    null
                  ],
                  "a": {},
                  "c": []
                }
                """)
    }

    /// The ranges in the source are those of the Unicode version of the standard library.
    @Test func `what steers a reader are controls, formats and separators of lines`() {
        let wrong = (0...UInt32(0x10FFFF)).lazy.compactMap { Unicode.Scalar($0) }.filter { scalar in
            let steers: Bool =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            return steers != steersReader(scalar)
        }
        #expect(Array(wrong.prefix(10)) == [])
    }

    @Test(
        "a text is read as it was",
        arguments: [
            "", "plain", "\"\\/", "\u{0}\u{1F}\n\r\t\u{8}\u{C}\u{7F}", "\u{E9}\u{1F600}",
            "\"\u{301}", "\u{2028}\u{2029}", "</script>", "\u{202E}\u{E0001}\u{1F600}", "##[error]",
            "## a [b]",
        ])
    func escapes(_ text: String) throws {
        let written = Data(JSONText.array([.string(text)]).indented.utf8)
        let read = try #require(try JSONSerialization.jsonObject(with: written) as? [String])
        #expect(read.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)])
        #expect(!written.contains { $0 < 0x20 && $0 != 0x0A })
        #expect(!String(decoding: written, as: UTF8.self).contains("##["))
    }
}
