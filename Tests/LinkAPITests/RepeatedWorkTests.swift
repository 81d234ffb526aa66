import Foundation
import LinkAPI
import LinkStore
import Testing

/// A database may take a transaction back after its work is done, so that the work is done again.
@Suite struct `Work that is done again` {
    private static let before = """
        {"collection": "short", "slug": "old", "destination": "https://www.example.com/", "externalId": "o"}
        {"collection": "exact", "slug": "Old", "destination": "https://any.example/"}
        """

    private static let lines = """
        {"collection": "short", "slug": "a", "destination": "https://www.example.com/a"}
        {"collection": "short", "slug": "b", "destination": "https://www.example.com/b", "aliases": ["c"]}
        {"collection": "short", "slug": "C", "destination": "https://www.example.com/c"}
        {"collection": "short", "slug": "old", "note": "changed"}
        {"collection": "exact", "slug": "e", "destination": "https://any.example/", "externalId": "x"}
        {"collection": "exact", "slug": "f", "destination": "https://any.example/", "externalId": "x"}
        """

    private static let table = """
        collection,slug,destination,externalId,note
        short,n,https://www.example.com/1,,
        short,N,https://www.example.com/2,,
        short,old,,,one
        ,,,o,two
        exact,Old,,,three
        """

    @Test(
        arguments: [lines, table], [[], ["mode"], ["dry-run"], ["mode", "dry-run"], ["atomic"]])
    func `an import comes out as if it were done once`(_ content: String, _ options: [String])
        throws
    {
        let query = options.map { (name: $0, value: $0 == "mode" ? "upsert" : "true") }
        let type = content.hasPrefix("{") ? "application/x-ndjson" : "text/csv"
        let results = try [false, true].map { isRepeated in
            let api = try TestAPI()
            _ = try api.importing(Self.before)
            let answer = try api.importing(content, query, type: type, isRepeated: isRepeated)
            return (answer: try answer.map(shape), links: try texts(api), entries: try entries(api))
        }
        #expect(results[0].answer == results[1].answer)
        #expect(results[0].links == results[1].links)
        #expect(results[0].entries == results[1].entries)
        #expect(
            results[0].answer.count == content.split(separator: "\n").count
                + (type == "text/csv" ? 0 : 1))
    }

    @Test(arguments: [false, true])
    func `the first of two rows of one short link of Firebase stays the first`(_ isRehearsed: Bool)
        throws
    {
        let table = """
            Short link,Deep link
            https://go.example.com/links/a,https://www.example.com/1
            https://go.example.com/links/a,https://www.example.com/2
            """
        let query = [(name: "format", value: "firebase"), ("collection", "fdl")]
        let answer = try TestAPI(FirebaseTests.configuration).importing(
            table, query + (isRehearsed ? [("dry-run", "true")] : []), type: "text/csv",
            isRepeated: true)
        #expect(counts(answer) == [1, 0, 0, 1], "\(answer)")
        #expect(answer[1]["line"] as? Int == 3 && faults(answer[1]) == ["/slug slug-taken"])
    }

    /// What a line of the answer says, besides identities.
    private func shape(_ line: [String: Any]) throws -> String {
        var shape = line
        shape["id"] = nil
        shape["problem"] = (line["problem"] as? [String: Any])?["type"]
        shape["faults"] = faults(line)
        let json = try JSONSerialization.data(withJSONObject: shape, options: .sortedKeys)
        return String(decoding: json, as: UTF8.self)
    }

    private func texts(_ api: TestAPI) throws -> [String] {
        try api.exported().split(separator: "\n").map { line in
            let link = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return ["url", "destination", "aliases", "note", "externalId"]
                .map { "\(link?[$0] ?? "")" }.joined(separator: " ")
        }
    }

    /// The actions, and what the entry of an import counts.
    private func entries(_ api: TestAPI) throws -> [String] {
        try api.store.audit(before: nil, limit: 100).map { _, entry in
            entry.action + (entry.link == nil ? entry.after ?? "" : "")
        }
    }
}
