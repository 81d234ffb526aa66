import TestSupport
import Testing

@testable import AppFiles

@Suite("Damaged files of apps")
struct DamageTests {
    /// Every place of a file. Of a large archive, whose members are of kinds that are also among the other
    /// files, the list of its members at its end, and some places at equal distances.
    private func places(_ bytes: [UInt8]) -> [Int] {
        guard bytes.starts(with: "PK".utf8), bytes.count > 1_000 else {
            return Array(bytes.indices)
        }
        let end = bytes.count - 200
        return stride(from: 0, to: end, by: end / 200) + Array(end..<bytes.count)
    }

    @Test("a file that ends early is read or refused, wherever it ends", arguments: Made.names)
    func truncated(_ name: String) throws {
        let bytes = try Made.bytes(name)
        for count in places(bytes) { _ = refusal(Array(bytes[..<count])) }
    }

    @Test("a file with another byte is read or refused, whichever it is", arguments: Made.names)
    func mutated(_ name: String) throws {
        let bytes = try Made.bytes(name)
        for (number, index) in places(bytes).enumerated() {
            var mutant = bytes
            mutant[index] ^= [0x01, 0x80, 0xFF][number % 3]
            _ = refusal(mutant)
        }
    }

    @Test("a file with several numbers at their ends is read or refused", arguments: Made.names)
    func extreme(_ name: String) throws {
        let bytes = try Made.bytes(name)
        var generator = SplitMix(seed: 37)
        for _ in 0..<1_000 {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: bytes.indices, using: &generator)
                let value: UInt8 = [0x00, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
                for index
                    in start..<min(
                        bytes.count, start + [1, 2, 4, 8].randomElement(using: &generator)!)
                {
                    mutant[index] = value
                }
            }
            _ = refusal(mutant)
        }
    }

    @Test(
        "what a document costs grows with its size",
        arguments: [
            "<plist><array>%</array></plist>",
            "<plist><dict><key>a</key><array>%</array></dict></plist>",
            "<manifest>%</manifest>",
        ])
    func costs(_ frame: String) throws {
        for unit in [
            "<string>a</string>", "<b c='1'/>", "x", "&lt;", "<!---->", "\n", "<![CDATA[a]]>",
        ] {
            func document(_ count: Int) -> [UInt8] {
                Array(frame.replacing("%", with: String(repeating: unit, count: count)).utf8)
            }
            let (few, many) = (document(4_000), document(32_000))
            func time(_ bytes: [UInt8]) -> Duration { processorTime { _ = refusal(bytes) } }
            // Eight times as much, and room for other programs; a square costs sixty-four times as much.
            #expect(
                (1...3).contains { _ in time(many) < time(few) * 24 + .milliseconds(50) }, "\(unit)"
            )
        }
    }
}
