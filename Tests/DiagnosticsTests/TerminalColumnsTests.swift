import Diagnostics
import Testing

@Suite("Columns of a terminal")
struct TerminalColumnsTests {
    @Test(
        "letters of East Asia and pictures take two, marks none",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("👍", 2),
            ("─░…", 3),
        ])
    func columns(_ text: String, _ columns: Int) { #expect(terminalColumns(text) == columns) }
}
