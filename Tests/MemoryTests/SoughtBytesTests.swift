import Memory
import TestSupport
import Testing

@Suite("Bytes that are looked for")
struct SoughtBytesTests {
    private func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { 0x41...0x5A ~= $0 ? $0 + 32 : $0 }
    }

    /// The same by the simplest way.
    private func isPart(_ sought: [UInt8], of text: ArraySlice<UInt8>) -> Bool {
        guard sought.count <= text.count else { return false }
        let (own, wanted) = (lowered(text), lowered(sought))
        return (0...own.count - wanted.count).contains {
            own[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }

    @Test(arguments: 0..<4) func `they are found wherever they are, and nowhere else`(_ seed: Int)
        throws
    {
        var random = SplitMix(seed: UInt64(seed) + 3)
        // Few letters, so that parts of them come often. The last are no letters of either case.
        let letters = Array("aAbB@`[{".utf8) + [0xE1, 0xC1]
        func some(_ counts: Range<Int>) -> [UInt8] {
            (0..<Int.random(in: counts, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
        }
        for _ in 0..<3_000 {
            let (text, wanted) = (some(0..<70), some(2..<7))
            let start = Int.random(in: 0...text.count, using: &random)
            let end = Int.random(in: start...text.count, using: &random)
            let sought = try #require(SoughtBytes(wanted))
            let isFound = sought.isPart(of: text.span, in: start..<end)
            let range = text[start..<end]
            #expect(isFound == isPart(wanted, of: range), "\(wanted) in \(range)")
        }
    }

    /// Beyond the range are bytes that would be found.
    @Test func `a range has its ends`() throws {
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 40) + Array("needle".utf8)
        let sought = try #require(SoughtBytes("NEEDLE".utf8))
        for (range, isExpected) in [
            (0..<46, true), (0..<45, false), (41..<46, false), (40..<46, true),
        ] {
            let isFound = sought.isPart(of: text.span, in: range)
            #expect(isFound == isExpected)
        }
    }

    /// Bytes beside it differ in the lowest bit, which a subtraction takes from the next byte.
    @Test func `one byte is found eight at a time`() {
        var random = SplitMix(seed: 9)
        let bytes: [UInt8] = [0x5B, 0x5C, 0x5D, 0xDC, 0x00]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
                bytes.randomElement(using: &random) ?? 0
            }
            let start = Int.random(in: 0...text.count, using: &random)
            let end = Int.random(in: start...text.count, using: &random)
            let byte: UInt8 = Bool.random(using: &random) ? 0x5C : 0x00
            let isFound = text.span.has(byte, in: start..<end)
            #expect(isFound == text[start..<end].contains(byte), "\(text) \(start) \(end)")
        }
    }

    @Test func `one byte is too little`() {
        #expect(SoughtBytes("a".utf8) == nil && SoughtBytes("ab".utf8) != nil)
    }
}
