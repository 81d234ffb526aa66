import TestSupport
import Testing

@testable import Associations

@Suite("The work for paths of a manifest")
struct ManifestWorkTests {
    /// The steps that a comparison takes, and whether it is finished.
    private func steps(
        _ patterns: [String], groups: [[ManifestLinks.Group]] = [], max: Int = 10_000_000
    ) throws -> (count: Int, isComplete: Bool) {
        var left = max
        let paths = ManifestPaths(try patterns.map { try AndroidPattern(.simple, $0) })
        let comparison = ManifestComparison(
            [RuleText(path: "/item/*")], ManifestLinks(paths, groups), host: "example.com", &left)
        return (max - left, comparison.isComplete)
    }

    /// A pattern of characters beyond ASCII.
    private func text(_ number: Int, _ length: Int) -> String {
        var text = "/"
        for index in 0..<length {
            text.unicodeScalars.append(
                Unicode.Scalar(UInt32(0x4E00 + number * 7 + index)) ?? "x")
        }
        return text + ".*"
    }

    @Test func `each letter of a character beyond ASCII is a step`() throws {
        let one = try steps([text(0, 100)])
        #expect(one.isComplete && one.count < 1_000_000)
        let many = try steps((0..<20).map { text($0, 1_500) })
        #expect(!many.isComplete && many.count < 7_000_000)
    }

    @Test func `links that are held against all patterns take steps`() throws {
        let patterns = (0..<300).map { "/.*a\($0).*" + String(repeating: "b", count: 100) }
        var index = ManifestLinkIndex(
            ManifestLinks(ManifestPaths(try patterns.map { try AndroidPattern(.simple, $0) })))
        let link = try #require(AndroidLink(try LinkURL("https://example.com/xaxa")))
        #expect(index.taker(of: link) == nil)
        #expect((1_200...3_000).contains(index.work), "\(index.work)")
        // An example of each pattern is held against all.
        let few = try steps(Array(patterns.prefix(10)))
        #expect(few.isComplete)
        let many = try steps(patterns, max: 250_000)
        #expect(!many.isComplete && (350_000..<500_000).contains(many.count), "\(many)")
    }

    @Test func `queries of many items take steps`() throws {
        let groups = try (0..<200).map { number in
            ManifestLinks.Group(
                allows: true,
                [
                    .init(.path, try AndroidPattern(.simple, "/.*")),
                    .init(.query, try AndroidPattern(.simple, ".*a\(number).*")),
                ], filter: 0, number: number)
        }
        let found = try steps([], groups: [groups], max: 3_000_000)
        #expect(!found.isComplete && (2_500_000..<4_000_000).contains(found.count), "\(found)")
    }

    /// The classes as one set after the other divides them.
    private func divided(
        _ sets: [LetterSet], _ letters: [Letter]
    ) -> [[Bool]] {
        letters.map { letter in sets.map { $0.contains(letter) } }
    }

    @Test func `letters are in one class if no set distinguishes them`() {
        var random = SplitMix(seed: 37)
        for _ in 0..<50 {
            let scalars = ["é", "ü", "α", "漢", "字"].shuffled(using: &random).prefix(3)
                .flatMap(\.unicodeScalars)
            let letters =
                (0..<128).map { Letter(UInt8($0)) } + scalars.map(Letter.scalar)
                + [.equals, .ampersand, .other]
            let sets = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                var set = LetterSet(letters.shuffled(using: &random).prefix(5))
                if Bool.random(using: &random) { set.formUnion(.anything) }
                return set
            }
            let singles = letters.shuffled(using: &random).prefix(2)
            let classes = LetterClasses(sets, scalars: scalars, singles: Array(singles))
            let all = sets + singles.map { LetterSet([$0]) }
            let signatures = divided(all, letters)
            var numbers = [[Bool]: Int]()
            for (letter, signature) in zip(letters, signatures) {
                let number = numbers[signature] ?? numbers.count
                numbers[signature] = number
                #expect(classes.number(of: letter) == number)
            }
            #expect(classes.count == numbers.count)
            #expect(classes.examples.map { classes.number(of: $0) } == Array(0..<classes.count))
        }
    }
}
