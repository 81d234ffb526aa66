import Foundation
import LinkAPI
private import LinkIndex
import LinkStore
import TestSupport
import Testing

/// What one more of each thing costs that a request can have many of. Twenty times as many cost
/// twenty times as much; with a quadratic cost it would be four hundred times.
@Suite(.serialized) struct InputCostTests {
    private static let things: [(name: String, make: @Sendable (Int) -> String)] = [
        ("members", { "{\(list($0) { "\"k\($0)\": 1" })}" }),
        ("duplicates", { "{\(list($0) { _ in "\"k\": 1" })}" }),
        ("tags", { "{\"tags\": [\(list($0) { "\"t\($0)\"" })]}" }),
        ("aliases", { "{\"slug\": \"s\", \"aliases\": [\(list($0) { "\"t\($0)\"" })]}" }),
        ("app data", { "{\"app\": {\"data\": {\(list($0) { "\"k\($0)\": \($0)" })}}}" }),
        ("app arrays", { "{\"app\": {\"data\": {\"a\": [\(list($0) { "\($0)" })]}}}" }),
        ("nulls", { "{\"app\": {\"data\": {\(list($0) { "\"k\($0)\": null" })}}}" }),
        ("wrong platforms", { "{\"web\": {\(list($0) { "\"k\($0)\": \"landing\"" })}}" }),
        ("arrays in arrays", { "{\"tags\": [\(list($0) { _ in "[1]" })]}" }),
        (
            "long paths",
            { count in
                let key = String(repeating: "k", count: count)
                return
                    "{\"app\": {\"data\": {\"\(key)\": {\(list(count / 10) { _ in "\"a\": 1" })}}}}"
            }
        ),
        ("brackets", { String(repeating: "[", count: $0) }),
        ("objects", { String(repeating: "{\"a\":", count: $0) }),
        ("commas", { "{\(String(repeating: ",", count: $0))}" }),
        ("quotes", { String(repeating: "\"", count: $0) }),
        ("escapes", { "{\"note\": \"\(String(repeating: "\\u00e9", count: $0))\"}" }),
    ]

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ",")
    }

    @Test("many of it cost at most so many times one of it", arguments: things.indices)
    func costs(_ index: Int) throws {
        let thing = Self.things[index]
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)["id"]
        func cost(_ count: Int) throws -> (Duration, answerBytes: Int, contentBytes: Int) {
            let text = thing.make(count)
            var bytes = 0
            let time = processorTime {
                bytes += api.ask("POST", "links:check", text).content.count
                bytes += api.ask("PATCH", "links/\(id)", text, ["if-match": "*"]).content.count
            }
            return (time, bytes, text.utf8.count)
        }
        _ = try cost(1)
        let few = try cost(1_000)
        let many = try cost(20_000)
        #expect(many.0 < max(few.0, .microseconds(500)) * 200, "\(thing.name): \(few.0), \(many.0)")
        // An answer lists what fits.
        #expect(many.answerBytes < 1 << 18, "\(thing.name): \(many.answerBytes)")
    }

    /// A short line can change a large link, which the audit then has twice.
    @Test func aTransactionOfAnImportWritesSoMuchAtMost() throws {
        let api = try TestAPI()
        let data = String(repeating: "v", count: 15_000)
        _ = try api.create(
            """
            {"collection": "short", "slug": "fat", "destination": "https://www.example.com/",
             "app": {"data": {"k": "\(data)"}}}
            """)
        let lines = (0..<200).map {
            "{\"collection\": \"short\", \"slug\": \"fat\", \"tags\": [\"\($0)\"]}\n"
        }
        let before = api.store.index.generation
        let answer = try api.importing(lines.joined(), [("mode", "upsert")])
        #expect(
            answer.count == 201
                && answer.dropLast().allSatisfy { $0["outcome"] as? String == "changed" })
        // 200 changes of 45,000 bytes each.
        #expect(2...20 ~= api.store.index.generation - before)
    }

    @Test func anAtomicImportWritesSoMuchAtMost() throws {
        let api = try TestAPI(atomicWrittenBytesMax: 1_048_576)
        let data = String(repeating: "v", count: 15_000)
        _ = try api.create(
            """
            {"collection": "short", "slug": "fat", "destination": "https://www.example.com/",
             "app": {"data": {"k": "\(data)"}}}
            """)
        func answer(_ count: Int) throws -> [[String: Any]] {
            let lines = (0..<count).map {
                "{\"collection\": \"short\", \"slug\": \"fat\", \"tags\": [\"\($0)\"]}\n"
            }
            return try api.importing(lines.joined(), [("mode", "upsert"), ("atomic", "true")])
        }
        let generation = api.store.index.generation
        let refused = try answer(30)
        #expect(refused.count == 1 && refused[0]["status"] as? Int == 413, "\(refused[0])")
        #expect(
            (refused[0]["detail"] as? String)?.contains("at most 1048576 bytes; line ") == true)
        #expect(api.store.index.generation == generation)
        #expect(try answer(20).count == 21)
    }

    /// Rows of one cell below a heading of many cost what they cost below a heading of one.
    @Test func aShortRowCostsWhatItHas() throws {
        let api = try TestAPI()
        let rows = String(repeating: "x\n", count: 1_000)
        func cost(_ columns: Int) throws -> Duration {
            let more = (0..<columns).map { ",app.data.\(String(repeating: "k", count: 40))\($0)" }
            let heading = "collection,slug,destination\(more.joined())\n"
            var lines = 0
            let time = try processorTime {
                lines = try api.importing(heading + rows, type: "text/csv").count
            }
            #expect(lines == 1_001)
            return time
        }
        _ = try cost(1)
        let (narrow, wide) = (try cost(1), try cost(1_000))
        #expect(wide < max(narrow, .milliseconds(20)) * 5, "\(narrow), \(wide)")
    }

    @Test func anAtomicImportOfRefusedLinesHasAShortAnswer() throws {
        let api = try TestAPI()
        let lines = String(repeating: "1\n", count: 20_000)
        let answer = try api.importing(lines, [("atomic", "true")])
        #expect(answer.count < 2_000, "\(answer.count)")
        let summary = try #require(answer.last?["summary"] as? [String: Any])
        #expect(summary["refused"] as? Int ?? 0 >= 1_000)
    }
}
