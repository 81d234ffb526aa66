import AccessLog
import Memory
import Testing

@Suite("Names of requests")
struct IdentifierTests {
    static let counters: [(start: [UInt8], ends: [String])] = [
        (
            [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xF8],
            ["9", "a", "b", "c", "d", "e", "f"].map { "00000000fffffff\($0)" }
                + ["0000000100000000", "0000000100000001"]
        ),
        (
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
            ["ffffffffffffffff", "0000000000000000", "0000000000000001"]
        ),
    ]

    @Test("each is another, and only the last 16 digits count", arguments: counters)
    func counting(_ start: [UInt8], _ ends: [String]) {
        var line = AccessLine(
            headBytesMax: 0, random: [UInt8](repeating: 0xAB, count: 8) + start,
            context: AccessContext())
        var texts = [String]()
        for _ in ends {
            var entry = AccessEntry()
            entry.identifier = line.noteIdentifier()
            line.write(
                entry, AccessResult(status: 200, bytes: 0, microseconds: 0, outcome: "none"),
                from: [], at: 0)
            let text = String(decoding: line.text.array, as: UTF8.self)
            texts.append(String(text.split(separator: "\"")[15]))
        }
        #expect(texts == ends.map { String(repeating: "ab", count: 8) + $0 })
    }

    @Test(
        "an identifier is letters, digits and three marks",
        arguments: [
            ("a", true), ("A-z_0.9", true), ("", false), ("a b", false), ("a\"", false),
            ("é", false), ("a/b", false), (String(repeating: "a", count: 128), true),
            (String(repeating: "a", count: 129), false),
        ])
    func identifier(_ text: String, _ isOne: Bool) {
        #expect(isRequestIdentifier(Array(text.utf8).span) == isOne)
    }

    static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
    static let spanID = "00f067aa0ba902b7"
    static let zeros = String(repeating: "0", count: 32)

    static let parents: [(text: String, isOne: Bool)] = [
        ("00-\(traceID)-\(spanID)-01", true), ("01-\(traceID)-\(spanID)-01", true),
        ("01-\(traceID)-\(spanID)-01-more", true), ("00-\(traceID)-\(spanID)-01-more", false),
        ("01-\(traceID)-\(spanID)-01more", false), ("ff-\(traceID)-\(spanID)-01", false),
        ("00-\(traceID)-\(spanID)-0", false), ("00-\(traceID.uppercased())-\(spanID)-01", false),
        ("00-\(zeros)-\(spanID)-01", false), ("00-\(traceID)-\(zeros.prefix(16))-01", false),
        ("00_\(traceID)-\(spanID)-01", false), ("0x-\(traceID)-\(spanID)-01", false),
        ("00-\(traceID.dropLast())g-\(spanID)-01", false), ("", false),
    ]

    @Test("a traceparent is read strictly (W3C Trace Context §3.2)", arguments: parents)
    func traceParent(_ text: String, _ isOne: Bool) {
        #expect(isTraceParent(Array(text.utf8).span) == isOne)
    }
}
