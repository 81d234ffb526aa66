import Foundation
import LinkAPI
import LinkIndex
import LinkStore
import Testing

/// What the API says of changes, and to whom.
@Suite struct ChangeFeedTests {
    private static let link = #"{"collection": "short", "destination": "https://www.example.com/"}"#

    // MARK: Tokens

    @Test func theNumberOfATokenIsNeverUsedAgain() throws {
        let api = try TestAPI()
        func token() -> (id: Int, secret: String) {
            let made = api.ask("POST", "tokens", #"{"name": "t", "scopes": ["links.create"]}"#)
            return (made.object["id"] as? Int ?? 0, made["token"])
        }
        let first = token()
        let key = ["idempotency-key": "k"]
        let link = api.ask("POST", "links", Self.link, token: first.secret, key)
        #expect(link.status == 201)
        #expect(api.ask("POST", "links", Self.link, token: first.secret, key)["id"] == link["id"])
        #expect(api.ask("DELETE", "tokens/\(first.id)").status == 204)
        let second = token()
        #expect(second.id != first.id)
        #expect(api.ask("DELETE", "tokens/\(first.id)").status == 404)
        let other = api.ask("POST", "links", Self.link, token: second.secret, key)
        #expect(other.status == 201 && other["id"] != link["id"])
    }

    // MARK: Imports

    @Test func eachChangeOfAnImportHasItsEntry() throws {
        let api = try TestAPI()
        let answer = try api.importing(
            """
            {"externalId": "x", "collection": "short", "slug": "a", "destination": "https://www.example.com/1"}
            {"externalId": "x", "destination": "https://www.example.com/2"}
            {"externalId": "x", "destination": "https://www.example.com/2"}
            {"externalId": "x", "destination": "https://www.example.com/3"}
            {"collection": "short", "slug": "b", "destination": "https://www.example.com/b"}
            """, [("mode", "upsert")])
        #expect(
            answer.compactMap { $0["outcome"] as? String }
                == ["created", "changed", "unchanged", "changed", "created"])
        let id = try #require(answer[0]["id"] as? String)
        let entries = try #require(
            api.ask("GET", "audit?link=\(id)").object["entries"] as? [[String: Any]])
        #expect(entries.map { $0["action"] as? String } == ["change", "change", "import"])
        func destinations(_ key: String) -> [String?] {
            entries.map { ($0[key] as? [String: Any])?["destination"] as? String }
        }
        let all = (1...3).map { "https://www.example.com/\($0)" }
        #expect(destinations("before") == [all[1], all[0], nil])
        #expect(destinations("after") == [all[2], all[1], all[0]])
        #expect(entries.allSatisfy { $0["link"] as? String == id })
        // A link that was made and not changed since.
        let other = try #require(answer[4]["id"] as? String)
        let made = try #require(
            api.ask("GET", "audit?link=\(other)").object["entries"] as? [[String: Any]])
        #expect(made.map { $0["action"] as? String } == ["import"])
        #expect((made.first?["after"] as? [String: Any])?["slug"] as? String == "b")
        // A link that the import did not make has no such entry.
        let third = try api.create(Self.link)["id"]
        let own = try #require(
            api.ask("GET", "audit?link=\(third)").object["entries"] as? [[String: Any]])
        #expect(own.map { $0["action"] as? String } == ["create"])
        #expect((api.ask("GET", "audit").object["entries"] as? [Any])?.count == 4)
    }

    @Test func aLinkThatIsImportedWithItsIdentityHasItsEntry() throws {
        let api = try TestAPI()
        let id = "01890a5d-ac96-774b-bcce-b302099a8057"
        _ = try api.importing(
            #"{"id": "\#(id)", "collection": "short", "slug": "a", "aliases": ["b"], "destination": "https://www.example.com/"}"#
        )
        let entries = try #require(
            api.ask("GET", "audit?link=\(id)").object["entries"] as? [[String: Any]])
        #expect(entries.map { $0["action"] as? String } == ["import"])
        #expect((entries.first?["after"] as? [String: Any])?["aliases"] as? [String] == ["b"])
    }

    @Test func theNextPageOfALinksEntriesIsOfThatLink() throws {
        let api = try TestAPI()
        let lines = (0..<2).map {
            #"{"externalId": "x\#($0)", "collection": "short", "destination": "https://www.example.com/"}"#
        }
        let made = try api.importing(lines.joined(separator: "\n"))
        let ids = made.compactMap { $0["id"] as? String }
        for number in 0..<101 {
            let changes = (0..<2).map { #"{"externalId": "x\#($0)", "note": "\#(number)"}"# }
            _ = try api.importing(changes.joined(separator: "\n"), [("mode", "upsert")])
        }
        for id in ids {
            let first = api.ask("GET", "audit?link=\(id)")
            let rest = api.ask("GET", try #require(next(first)))
            let entries = [first, rest].flatMap { $0.object["entries"] as? [[String: Any]] ?? [] }
            #expect(entries.count == 102 && next(rest) == nil)
            #expect(entries.allSatisfy { $0["link"] as? String == id })
            #expect(entries.last?["action"] as? String == "import")
            #expect((entries.last?["after"] as? [String: Any])?["note"] == nil)
        }
    }

    // MARK: The feed

    /// The slugs and the generation of an answer.
    private func page(_ response: APIResponse) -> ([String], Int) {
        let links = response.object["links"] as? [[String: Any]] ?? []
        return (
            links.map { ($0["slug"] as? String ?? "") + ($0["deleted"] == nil ? "" : " deleted") },
            response.object["generation"] as? Int ?? -1
        )
    }

    private func next(_ response: APIResponse) -> String? {
        response.fields["Link"].flatMap {
            String($0.dropFirst("</v1/".count).prefix { $0 != ">" })
        }
    }

    @Test func changesComeInTheirOrderWithDeletions() throws {
        let api = try TestAPI()
        var ids = [String: String]()
        for slug in ["a", "b", "c"] {
            ids[slug] = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"}"#
            )["id"]
        }
        let any = ["if-match": "*"]
        #expect(
            api.ask("PATCH", "links/\(ids["a"]!)", #"{"archived": true}"#, any).status == 200)
        #expect(api.ask("DELETE", "links/\(ids["b"]!)", any).status == 204)
        let all = api.ask("GET", "links?changed-since=0")
        #expect(page(all) == (["c", "a", "b deleted"], 5))
        #expect(next(all) == nil)
        #expect(page(api.ask("GET", "links?changed-since=3")) == (["a", "b deleted"], 5))
        #expect(page(api.ask("GET", "links?changed-since=5")) == ([], 5))
        #expect(
            page(api.ask("GET", "links?changed-since=0&collection=exact")) == ([], 5))
        // A generation that the store has not reached is of another store.
        #expect(api.ask("GET", "links?changed-since=6").status == 400)
        #expect(api.ask("GET", "links?changed-since=0&tag=x").status == 400)
        #expect(api.ask("GET", "links?changed-since=0&after=\(ids["a"]!)").status == 400)
        #expect(api.ask("GET", "links?after=1-\(ids["a"]!)").status == 400)
        let usual = api.ask("GET", "links")
        #expect(page(usual).0 == ["c"])
    }

    @Test(arguments: [1, 2, 3, 7])
    func pagesOfChangesLoseNothingThatIsChangedMeanwhile(limit: Int) throws {
        let api = try TestAPI()
        let lines = (0..<8).map {
            #"{"collection": "short", "slug": "s\#($0)", "destination": "https://www.example.com/"}"#
        }
        // All of one generation.
        _ = try api.importing(lines.joined(separator: "\n"))
        var (seen, generation, path) = ([String](), 0, "links?changed-since=0&limit=\(limit)")
        var turns = 0
        while true {
            let response = api.ask("GET", path)
            let (slugs, end) = page(response)
            seen += slugs
            #expect(end >= generation)
            // A generation of which more comes is not over.
            if let following = next(response) {
                #expect(slugs.count == limit)
                path = following
            } else {
                generation = end
                break
            }
            if turns < 3 {
                let id = try #require(try api.store.link("short", slug: "s\(turns)")?.id)
                #expect(
                    api.ask(
                        "PATCH", "links/\(id)", #"{"note": "\#(turns)"}"#, ["if-match": "*"]
                    ).status == 200)
                turns += 1
            }
        }
        #expect(Set(seen).count == 8)
        #expect(generation == api.store.index.generation)
        for turn in 0..<turns {
            let last = try #require(seen.lastIndex(of: "s\(turn)"))
            #expect(last >= seen.count - turns)
        }
        #expect(page(api.ask("GET", "links?changed-since=\(generation)")) == ([], generation))
    }
}
