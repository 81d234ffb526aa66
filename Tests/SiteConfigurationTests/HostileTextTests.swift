import Diagnostics
import TestSupport
import Testing

@testable import SiteConfiguration

@Suite("Any bytes are answered")
struct HostileTextTests {
    @Test func `every beginning of every fixture`() {
        for fixture in Fixture.all where fixture.input.utf8.count < 1_500 {
            let bytes = Array(fixture.input.utf8)
            for count in stride(from: 0, to: bytes.count, by: 3) { read(bytes[..<count]) }
        }
    }

    @Test func `fixtures with bytes changed, taken out, and put in twice`() {
        var random = SplitMix()
        let strange = Array("\0\t\n\r \"'#&*!|>%@`{}[],:?-~\u{FC}".utf8) + [0x80, 0xFF]
        for fixture in Fixture.all where fixture.input.utf8.count < 3_000 {
            for _ in 0..<20 {
                var bytes = Array(fixture.input.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    mutate(&bytes, strange, &random)
                }
                let (site, diagnostics) = read(bytes[...])
                let hasErrors = diagnostics.contains { $0.severity == .error }
                #expect((site == nil) == hasErrors, "seed \(random.seed)")
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ strange: [UInt8], _ random: inout SplitMix) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = strange.randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(strange.randomElement(using: &random) ?? 0, at: index)
        default:
            let end = Int.random(in: index..<bytes.count, using: &random)
            bytes.insert(contentsOf: bytes[index...end], at: index)
        }
    }

    /// Texts that would keep a careless reader busy for minutes, or take all memory.
    static let bombs: [(name: String, text: String)] = [
        (
            "aliases of aliases",
            (0..<30).reduce("a0: &a0 [x]\n") { text, number in
                text + "a\(number + 1): &a\(number + 1) [*a\(number), *a\(number)]\n"
            }
        ),
        (
            "aliases in a key",
            (0..<30).reduce("a0: &a0 [x]\n") { text, number in
                text + "a\(number + 1): &a\(number + 1) [*a\(number), *a\(number)]\n"
            } + "? *a30\n: x\n"
        ),
        (
            "keys in keys",
            String(repeating: "? ", count: 900) + String(repeating: "a ", count: 9_000)
        ),
        ("keys in keys in brackets", String(repeating: "{? ", count: 900)),
        ("brackets", String(repeating: "[", count: 500_000)),
        ("braces", String(repeating: "{a: ", count: 200_000)),
        ("hyphens", String(repeating: "- ", count: 300_000)),
        ("duplicate keys", String(repeating: "a: 1\n", count: 50_000)),
        ("different keys", (0..<50_000).map { "a\($0): 1\n" }.joined()),
        ("a long key", String(repeating: "k", count: 500_000) + ": 1\n"),
        ("a long text", "version: " + String(repeating: "v", count: 900_000)),
        ("a slip in a long line", "version: 1\n" + String(repeating: "- ", count: 300_000)),
        ("a slip behind blanks", "a: [\n" + String(repeating: " ", count: 600_000) + "}"),
        ("comments without an end", "version: 1\n- " + String(repeating: "a /* ", count: 120_000)),
        (
            "unknown links",
            "version: 1\nlinks: {" + (0..<9_000).map { "l\($0): {match: /}," }.joined()
                + "}\napps: {a: {ios: {id: ABCDE12345.a}}}\nenvironments: {dev: {hosts: [a], "
                + "tls: {certificate: a, key: b}, publish: {a: ["
                + (0..<50_000).map { "m\($0)" }.joined(separator: ",") + "]}}}\n"
        ),
    ]

    @Test("a bomb does not go off", .timeLimit(.minutes(10)), arguments: bombs.map(\.name))
    func isDefused(_ name: String) throws {
        let bomb = try #require(Self.bombs.first { $0.name == name })
        let (site, diagnostics) = read(Array(bomb.text.utf8)[...])
        #expect(site == nil)
        #expect(!diagnostics.isEmpty)
        #expect(diagnostics.count <= ConfigurationLimits.findingsMax + 1)
    }

    @discardableResult
    private func read(
        _ bytes: ArraySlice<UInt8>
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        Configuration.read(Array(bytes), file: "f", directory: ".")
    }
}
