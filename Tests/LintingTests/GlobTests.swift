import Linting
import TestSupport
import Testing

@Suite("Whether one pattern covers another")
struct GlobTests {
    @Test(
        "a pattern covers a narrower one, and not the other way round",
        arguments: [
            ("/a/*", "/a/b"), ("/a/*", "/a"), ("*", "/a"), ("/*", "*b"), ("/a?*", "/abc"),
            ("/*b", "/a/b"), ("*?", "?*?"), ("/a/*", "/a/$(x)"), ("/???", "/ab?"),
        ])
    func covers(_ wide: String, _ narrow: String) throws {
        let (wide, narrow) = (try #require(Glob(path: wide)), try #require(Glob(path: narrow)))
        var steps = 1_000
        #expect(wide.coversPath(narrow, folding: false, steps: &steps))
        #expect(!narrow.coversPath(wide, folding: false, steps: &steps))
    }

    @Test(
        "patterns that take the same cover each other",
        arguments: [("/buy", "buy//"), ("/buy/", "/buy"), ("*", "/*"), ("/a?*b", "/a*?b")])
    func equal(_ one: String, _ other: String) throws {
        let (one, other) = (try #require(Glob(path: one)), try #require(Glob(path: other)))
        var steps = 1_000
        #expect(one.coversPath(other, folding: false, steps: &steps))
        #expect(other.coversPath(one, folding: false, steps: &steps))
    }

    @Test(
        "what is not known is not claimed",
        arguments: [("/$(x)", "/$(y)"), ("**", "/"), ("/a", "/A")])
    func unknown(_ one: String, _ other: String) throws {
        let (one, other) = (try #require(Glob(path: one)), try #require(Glob(path: other)))
        var steps = 1_000
        #expect(!one.coversPath(other, folding: false, steps: &steps))
    }

    @Test func `a variable without its end, and a letter alone, match nothing`() {
        #expect(Glob("$(a") == nil)
        #expect(Glob(path: "a") == nil)
        #expect(Glob(path: "/") != nil)
    }

    @Test func `two stars at the end take no empty text`() throws {
        let (one, two) = (try #require(Glob("*")), try #require(Glob("**")))
        var steps = 1_000
        #expect(one.covers(two, folding: false, steps: &steps))
        #expect(!two.covers(one, folding: false, steps: &steps))
        #expect(one.isUniversal && !two.isUniversal)
    }

    @Test func `no steps, no claim`() throws {
        let (one, other) = (try #require(Glob("a*b")), try #require(Glob("aab")))
        var steps = 2
        #expect(!one.covers(other, folding: false, steps: &steps))
    }

    /// Against a plain matcher: no text that the narrower takes is refused by the wider.
    @Test func `a cover is never one that is not`() throws {
        let texts = (0...5).flatMap(words)
        var generator = SplitMix()
        var covers = 0
        for _ in 0..<3_000 {
            let (one, other) = (pattern(&generator), pattern(&generator))
            var steps = 10_000
            guard let wide = Glob(one), let narrow = Glob(other),
                wide.covers(narrow, folding: false, steps: &steps)
            else { continue }
            covers += 1
            let refused = texts.first {
                matches(other[...], $0[...]) && !matches(one[...], $0[...])
            }
            #expect(refused == nil, "seed \(generator.seed): \(one) is said to cover \(other)")
        }
        #expect(covers > 100)
    }

    private func pattern(_ generator: inout some RandomNumberGenerator) -> String {
        String(
            (0..<Int.random(in: 0...5, using: &generator)).compactMap { _ in
                "ab*?".randomElement(using: &generator)
            })
    }

    private func words(_ length: Int) -> [String] {
        guard length > 0 else { return [""] }
        return words(length - 1).flatMap { word in ["a", "b", "c"].map { word + $0 } }
    }

    private func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == "*" {
            // With something behind it, a star wants text.
            guard !rest.isEmpty, !text.isEmpty else { return rest.isEmpty }
            return matches(rest, text) || matches(pattern, text.dropFirst())
        }
        guard let letter = text.first, first == "?" || first == letter else { return false }
        return matches(rest, text.dropFirst())
    }
}
