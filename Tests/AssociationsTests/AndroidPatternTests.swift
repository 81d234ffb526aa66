import Foundation
import TestSupport
import Testing

@testable import Associations

@Suite("Patterns of intent filters (Android, “PatternMatcher”)")
struct AndroidPatternTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let kind: AndroidPattern.Kind
        let pattern: String
        let taken: [String]
        let left: [String]

        var testDescription: String { "\(kind) \(pattern)" }
    }

    static let rows = [
        Row(kind: .literal, pattern: "/a", taken: ["/a"], left: ["/", "/a/", "/ab", ""]),
        Row(kind: .prefix, pattern: "/a", taken: ["/a", "/ab", "/a/b"], left: ["/", "/b"]),
        Row(
            kind: .suffix, pattern: ".html", taken: ["/a.html", "/.html.html", ".html"],
            left: ["/a.htm", "/html", "/a.html/"]),
        Row(
            kind: .suffix, pattern: "aab", taken: ["/aaab", "/abaab"], left: ["/aaba", "/ab"]),
        // A star belongs to the character before it.
        Row(kind: .simple, pattern: "/a/*", taken: ["/a/", "/a//"], left: ["/a", "/a/b"]),
        Row(kind: .simple, pattern: "/a/.*", taken: ["/a/", "/a/b/c"], left: ["/a", "/b/"]),
        // Nothing is given back: the first dot ends the star.
        Row(
            kind: .simple, pattern: #"/item/.*\.html"#, taken: ["/item/a.html"],
            left: ["/item/a.b.html", "/item/a"]),
        Row(kind: .simple, pattern: #"/x\.y"#, taken: ["/x.y", "/xzy"], left: ["/xy"]),
        Row(kind: .simple, pattern: #"/x\.*y"#, taken: ["/x..y", "/xy"], left: ["/xzy"]),
        // A star at the end is skipped only if the text goes on.
        Row(kind: .simple, pattern: "/ab*", taken: ["/ab", "/abb"], left: ["/a", "/ac"]),
        Row(kind: .simple, pattern: "/ab*.*", taken: ["/ab", "/ac"], left: ["/a"]),
        Row(kind: .simple, pattern: ".*", taken: ["", "/", "/a"], left: []),
        Row(kind: .simple, pattern: "", taken: [""], left: ["/"]),
        Row(kind: .simple, pattern: "/.", taken: ["/é"], left: ["/\u{1F600}"]),
        Row(kind: .advanced, pattern: "/[a-c]+", taken: ["/a", "/abc"], left: ["/", "/d", "/ad"]),
        Row(kind: .advanced, pattern: "/[^a-c]{2}", taken: ["/de"], left: ["/d", "/def", "/ae"]),
        Row(kind: .advanced, pattern: "/a{2,}", taken: ["/aa", "/aaaa"], left: ["/a"]),
        Row(kind: .advanced, pattern: "/a*ab", taken: [], left: ["/ab", "/aab"]),
        Row(kind: .advanced, pattern: #"/a\.b}"#, taken: ["/a.b"], left: ["/azb", "/a.b}"]),
        Row(kind: .advanced, pattern: "/b*", taken: ["/", "/bb"], left: ["/a"]),
    ]

    @Test("Android's rules, one by one", arguments: rows)
    func matches(_ row: Row) throws {
        let pattern = try AndroidPattern(row.kind, row.pattern)
        #expect(row.taken.filter { !pattern.matches($0.utf16) } == [])
        #expect(row.left.filter { pattern.matches($0.utf16) } == [])
    }

    @Test(
        "an advanced pattern that Android refuses",
        arguments: [
            "*", "a**", "[", "[]", "[a", "a{", "a{2", "a{x}", "a{3,2}", "a\\", "{2}",
            "a{9999999999}",
        ])
    func refuses(_ text: String) {
        #expect(throws: AndroidPatternFault.self) { try AndroidPattern(.advanced, text) }
        #expect(AndroidPatternReference(text).stored() == nil)
    }

    @Test func `a pattern has a limit`() throws {
        let longest = String(repeating: "a", count: AndroidPattern.unitsMax)
        #expect(try AndroidPattern(.literal, longest).matches(longest.utf16))
        #expect(throws: AndroidPatternFault.tooLong(AndroidPattern.unitsMax + 1)) {
            try AndroidPattern(.literal, longest + "a")
        }
        let many = String(repeating: "a", count: 2_046)
        #expect(try AndroidPattern(.advanced, many).matches(many.utf16))
        for (text, isRead) in [(many, true), (many + "a", false)] {
            #expect((AndroidPatternReference(text).stored() != nil) == isRead)
            #expect(((try? AndroidPattern(.advanced, text)) != nil) == isRead)
        }
    }

    private static let pairs =
        ProcessInfo.processInfo.environment["WAYMARK_ANDROID_PAIRS"].flatMap(Int.init) ?? 10_000
    private static let seed =
        ProcessInfo.processInfo.environment["WAYMARK_SEED"].flatMap(UInt64.init) ?? 1

    @Test func `random patterns and paths are decided as Android decides them`() {
        var random = SplitMix(seed: Self.seed)
        var (taken, wrong) = (0, [String]())
        for number in 0..<Self.pairs {
            let isAdvanced = number % 2 == 0
            let pattern = random.text(
                isAdvanced ? Self.advancedPieces : Self.simplePieces, upTo: 7)
            let path = random.path(near: pattern)
            let reference = AndroidPatternReference(pattern)
            let expected =
                isAdvanced
                ? reference.advanced(Array(path.utf16)) : reference.simple(Array(path.utf16))
            let actual = try? AndroidPattern(isAdvanced ? .advanced : .simple, pattern)
                .matches(path.utf16)
            if actual == true { taken += 1 }
            if actual != expected {
                wrong.append("\(pattern) \(path): \(String(describing: actual))")
            }
        }
        #expect(wrong == [], "seed \(Self.seed)")
        #expect(taken * 20 > Self.pairs, "\(taken) of \(Self.pairs) are taken")
    }

    private static let simplePieces = [
        "/", "a", "b", "a", ".", ".*", ".*a", "*", "a*", "\\", "\\.", "\\*", ".*\\.", "é", "b*",
    ]
    private static let advancedPieces = [
        "/", "a", "b", "a", ".", ".*", "*", "+", "a*", "b+", "\\.", "[ab]", "[^a]", "[a-b]*",
        "[é-ü]",
        "a{1,2}", ".{2}", "{0,}", "}", "[.*]", "[a-", "]", "b{-1,1}", "\\", "\\]", "[b\\]]", "^",
    ]
}

extension SplitMix {
    mutating func text(_ pieces: [String], upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &self)).map { _ in
            pieces.randomElement(using: &self) ?? ""
        }
        .joined()
    }

    /// A path with the letters of a pattern, mostly in their order.
    mutating func path(near pattern: String) -> String {
        var path = ""
        for scalar in pattern.unicodeScalars {
            switch Int.random(in: 0..<8, using: &self) {
            case 0: path += text(["a", "b", "/", ".", "é", "*"], upTo: 2)
            case 1 where scalar == "*": path += "aab"
            default:
                if "*+\\{}[]^,".unicodeScalars.contains(scalar) { continue }
                path.unicodeScalars.append(
                    scalar == "." && Bool.random(using: &self) ? "b" : scalar)
            }
        }
        return path
    }
}
