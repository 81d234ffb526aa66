import Memory
import TestSupport
import Testing

@Suite("Copies of texts in lower case")
struct LowercaseCopyTests {
    @Test func `only letters change, and nothing beside the copy`() {
        var random = SplitMix(seed: 11)
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let start = Int.random(in: 0...text.count, using: &random)
            let end = Int.random(in: start...text.count, using: &random)
            let offset = Int.random(in: 0..<4, using: &random)
            var copy = [UInt8](repeating: 0xAA, count: offset + end - start + 3)
            copy.copyLowercased(text, start..<end, to: offset)
            let lowered = text[start..<end].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
            let beside = [UInt8](repeating: 0xAA, count: 3)
            #expect(copy == [UInt8](repeating: 0xAA, count: offset) + lowered + beside)
        }
    }
}
