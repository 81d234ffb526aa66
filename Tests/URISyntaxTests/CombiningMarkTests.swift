import Testing
import URISyntax

/// The limit that keeps comparisons of texts from taking time that grows with the square of their
/// length.
@Suite("Combining marks in a row")
struct CombiningMarkTests {
    private static func marks(_ count: Int, _ marks: [String] = ["\u{301}", "\u{323}"]) -> String {
        (0..<count).map { marks[$0 % marks.count] }.joined()
    }

    @Test(
        "thirty are taken, and one more is not",
        arguments: [["\u{301}", "\u{323}"], ["\u{345}"], ["\u{F73}"], ["\u{1D165}"]])
    func run(_ marks: [String]) {
        let most = "a" + Self.marks(30, marks)
        #expect(!most.hasTooManyMarks && !(most + "b" + most).hasTooManyMarks)
        #expect(most.comparable.utf8.elementsEqual(most.utf8))
        #expect((most + Self.marks(1, marks)).hasTooManyMarks)
        #expect((Self.marks(31, marks) + "a").hasTooManyMarks)
    }

    @Test(
        "texts of languages have as many as they like",
        arguments: [
            String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 99),
            String(repeating: "क्षि", count: 99), String(repeating: "é", count: 99),
            String(repeating: "👩‍👩‍👧", count: 99), String(repeating: "\u{9BE}", count: 99),
            String(repeating: "\u{1E69}", count: 99), String(repeating: "a", count: 99),
        ])
    func languages(_ text: String) { #expect(!text.hasTooManyMarks) }

    @Test func `what has too many stays percent-encoded in a query`() {
        let escaped = String(repeating: "%CC%81", count: 31)
        let items = queryItems("a\(escaped)=1&b=x\(escaped)&c=%C3%A9&\(escaped.dropLast(6))=2")
        #expect(items[0].name == "a\(escaped)" && items[1].value == "x\(escaped)")
        #expect(items[2].value == "é" && items[3].name == Self.marks(30, ["\u{301}"]))
    }
}
