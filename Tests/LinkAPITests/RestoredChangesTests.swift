import Foundation
import LinkAPI
import LinkStore
import Testing

/// Programs that follow the changes of a store learn that it was restored.
@Suite("The list of changes across a restore")
struct RestoredChangesTests {
    private func make(_ slugs: String, _ count: Int, _ api: TestAPI) throws {
        for number in 0..<count {
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slugs)\#(number)", "destination": "https://www.example.com/"}"#
            )
        }
    }

    /// Where the next list begins, as a follower notes it.
    private func place(_ answer: APIResponse) throws -> String {
        let generation = try #require(answer.object["generation"] as? Int)
        return "links?changed-since=\(generation)&history=\(answer["history"])"
    }

    private func slugs(_ answer: APIResponse) -> [String] {
        (answer.object["links"] as? [[String: Any]] ?? []).compactMap { $0["slug"] as? String }
    }

    private func next(_ answer: APIResponse) -> String? {
        answer.fields["Link"].flatMap {
            String($0.dropFirst("</v1/".count).prefix { $0 != ">" })
        }
    }

    @Test func `a follower beyond the backup is told for good, and one before it goes on`() throws {
        let api = try TestAPI()
        try make("a", 2, api)
        let early = try place(api.ask("GET", "links?changed-since=0"))
        try make("b", 2, api)
        let copy = api.ask("POST", "backup")["path"]
        let whole = try place(api.ask("GET", early))
        try make("c", 3, api)
        let late = try place(api.ask("GET", early))
        let pages = try #require(next(api.ask("GET", "links?changed-since=0&limit=6")))
        #expect(slugs(api.ask("GET", pages)) == ["c2"])

        let restored = try TestAPI(files: LinkStore(copy))
        for turn in 0..<5 {
            // Both before and after the numbers have caught up.
            for path in [late, pages] {
                let answer = restored.ask("GET", path)
                #expect(answer.status == 400, "\(turn) \(path): \(answer.text)")
                #expect(answer["type"] == "/v1/problems/other-history")
                #expect(answer.text.contains("GET /v1/export"))
            }
            let new = (0..<turn).map { "n\($0)0" }
            #expect(slugs(restored.ask("GET", early)) == ["b0", "b1"] + new)
            #expect(slugs(restored.ask("GET", whole)) == new)
            try make("n\(turn)", 1, restored)
        }
    }

    @Test func `a follower without a restore goes on over starts, pages and changes`() throws {
        let first = try TestAPI()
        try make("a", 3, first)
        let place = try place(first.ask("GET", "links?changed-since=1"))
        let second = try TestAPI(files: first.store)
        try make("b", 2, second)
        let third = try TestAPI(files: second.store)
        try make("c", 1, third)
        #expect(slugs(third.ask("GET", place)) == ["b0", "b1", "c0"])
        var (path, found) = (String?.some(place + "&limit=1"), [String]())
        while let now = path {
            let answer = third.ask("GET", now)
            #expect(answer.status == 200, "\(answer.text)")
            found += slugs(answer)
            path = next(answer)
        }
        #expect(found == ["b0", "b1", "c0"])
        // Of numbers alone, too.
        #expect(slugs(third.ask("GET", "links?changed-since=3")) == ["b0", "b1", "c0"])
    }

    @Test(
        arguments: [
            ("links?changed-since=1&history=00", "other-history"),
            ("links?changed-since=1&history=", "other-history"),
            ("links?changed-since=9", "other-history"),
            ("links?history=0011223344556677", "query"),
        ])
    func `a place of no history of the store is refused`(path: String, kind: String) throws {
        let api = try TestAPI()
        try make("a", 1, api)
        let answer = api.ask("GET", path)
        #expect(answer.status == 400 && answer["type"] == "/v1/problems/\(kind)")
    }

    @Test func `a mark of another answer of the same store is not said to be a restore alone`()
        throws
    {
        let api = try TestAPI()
        try make("a", 1, api)
        let mark = api.ask("GET", "links?changed-since=1")["history"]
        #expect(api.ask("GET", "links?changed-since=1&history=\(mark)").status == 200)
        let mixed = api.ask("GET", "links?changed-since=0&history=\(mark)")
        #expect(mixed["type"] == "/v1/problems/other-history", "\(mixed.text)")
        #expect(mixed.text.contains("Otherwise send the two of one answer, or no history"))
    }
}
