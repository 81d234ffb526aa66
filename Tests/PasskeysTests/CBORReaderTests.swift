import Testing

@testable import Passkeys

@Suite("CBOR")
struct CBORReaderTests {
    private func read(_ bytes: [UInt8]) -> CBORReader.Item? {
        var reader = CBORReader(bytes)
        guard let item = try? reader.item(), reader.isAtEnd else { return nil }
        return item
    }

    /// Of RFC 8949, appendix A, as far as authenticators write it.
    private static let examples: [([UInt8], CBORReader.Item)] = [
        ([0x00], .integer(0)), ([0x17], .integer(23)), ([0x18, 0x18], .integer(24)),
        ([0x19, 0x03, 0xE8], .integer(1_000)), ([0x1A, 0, 0x0F, 0x42, 0x40], .integer(1_000_000)),
        ([0x20], .integer(-1)), ([0x38, 0x63], .integer(-100)),
        ([0x39, 0x01, 0x00], .integer(-257)),
        ([0x40], .bytes([])), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])),
        ([0x62, 0xC3, 0xBC], .text("ü")), ([0x80], .array([])),
        ([0x83, 1, 2, 3], .array([.integer(1), .integer(2), .integer(3)])),
        ([0xA1, 0x61, 0x61, 0xF5], .map([.text("a"): .boolean(true)])),
        ([0xF4], .boolean(false)), ([0xF6], .null),
    ]

    @Test(arguments: examples.indices)
    func `what authenticators write`(_ index: Int) {
        #expect(read(Self.examples[index].0) == Self.examples[index].1)
    }

    @Test(
        "anything else is refused",
        arguments: [
            [], [0x18], [0x18, 0x17], [0x19, 0, 0xFF], [0x1A, 0, 0, 0xFF, 0xFF], [0x1C], [0x1F],
            [0x1B, 0, 0, 0, 1, 0, 0, 0, 0], [0x41], [0x5F, 0x41, 0, 0xFF], [0x61, 0xFF],
            [0x9F, 0xFF], [0x9A, 0xFF, 0xFF, 0xFF, 0xFF], [0xBA, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x5A, 0xFF, 0xFF, 0xFF, 0xFF], [0xA2, 1, 1, 1, 2], [0xA1, 0x40, 1], [0xC0, 0x60],
            [0xF7], [0xF9, 0, 0], [0xF8, 0x20], [0xFF], [0, 0],
        ] as [[UInt8]])
    func refusals(_ bytes: [UInt8]) { #expect(read(bytes) == nil) }

    @Test func `depth has a limit`() {
        #expect(read([UInt8](repeating: 0x81, count: 7) + [0]) != nil)
        #expect(read([UInt8](repeating: 0x81, count: 8) + [0]) == nil)
        #expect(read([UInt8](repeating: 0x81, count: 100_000)) == nil)
    }
}
