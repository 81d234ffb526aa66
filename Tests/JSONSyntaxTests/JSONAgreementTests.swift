import Diagnostics
import Foundation
import JSONSyntax
import TestSupport
import Testing

@Suite("Reading JSON as Foundation does")
struct JSONAgreementTests {
    /// Texts at the edges of the grammar.
    static let texts = [
        "{}", "[]", "null", "1", "\"\"", " [1 , 2]\r\n", "[1,]", "{\"a\":1,}", "[1 2]", "{\"a\"}",
        "[\"\t\"]", "[\"\\u00\"]", "[\"\\ud800\\udc00\"]", "[01]", "[-]", "[1.0e+5]", "[tru]",
        "{\"a\":{\"b\":[null,false]}}", "[\"\\/\"]", "[\"a\nb\"]", "{a:1}", "['a']", "[]]", "[",
        "{\"a\":1 \"b\":2}", "[1]x", "// c\n[]", "[/**/]", "\"\u{7F}\"", "[\u{A0}1]", "{,}",
    ]

    @Test("both accept a text, or neither", arguments: texts)
    func agrees(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(isTaken(bytes) == isAccepted(bytes))
    }

    @Test func `both accept a damaged file, or neither`() {
        var generator = SplitMix()
        for round in 0..<20_000 {
            var bytes = Array(sample.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damage(&bytes, &generator)
            }
            guard isComparable(bytes) else { continue }
            guard isTaken(bytes) != isAccepted(bytes) else { continue }
            Issue.record(
                "seed \(generator.seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
            return
        }
        #expect(isAccepted(Array(sample.utf8)))
    }

    /// Foundation lets a comma stand behind the last value, and so does this.
    private func isTaken(_ bytes: [UInt8]) -> Bool {
        JSONDocument(bytes, file: "f").diagnostics.allSatisfy {
            $0.severity < .error || $0.rule == .jsonTrailingComma
        }
    }

    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Foundation reads numbers into a `Double`, and text in other encodings.
    private func isComparable(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return !bytes.prefix(4).contains(0) && bytes.first.map { $0 < 0x80 } == true
            && !text.contains(#/[0-9]{17}|[0-9][eE][+-]?[0-9]{3}/#)
    }

    private func damage(_ bytes: inout [UInt8], _ generator: inout SplitMix) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return }
        let piece = pieces.randomElement(using: &generator) ?? []
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.insert(contentsOf: piece, at: index)
        default: bytes.replaceSubrange(index..<min(bytes.count, index + 4), with: piece)
        }
    }
}

private let sample = #"{"a": [1, -2.5e3, "x\n\u00e4\ud83d\ude00", {"b": true}], "ü": null}"#

private let pieces = [
    ",", ":", "{", "}", "[", "]", "\"", "\\", "\\u", "\\ud83d", "1", "0", "-", ".", "e", "true",
    "null", " ", "\n", "\t", "//", "/*", "#", "'", "\u{FEFF}", "é", "NOT ", "…",
].map { Array($0.utf8) }
