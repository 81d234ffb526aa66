import LinkStore
import Testing

@testable import LinkAPI

/// A slug that is taken is said with everything else that is wrong, and not only when all else is mended.
@Suite struct TakenSlugTests {
    private func faults(_ answer: APIResponse) -> [String] {
        (answer.object["errors"] as? [[String: Any]] ?? []).map {
            "\($0["pointer"] ?? "") \($0["rule"] ?? "")"
        }
    }

    private func api() throws -> TestAPI {
        let api = try TestAPI()
        _ = try api.create(
            #"{"collection": "short", "slug": "taken", "destination": "https://www.example.com/"}"#)
        return api
    }

    private static let paths = ["links", "links:check", "links:explain"]

    @Test(arguments: paths)
    func itIsSaidBesideOtherFaults(_ path: String) throws {
        let api = try api()
        let link =
            #"{"collection": "short", "slug": "TAKEN", "destination": "https://evil.example/", "until": "2020-01-01T00:00:00Z"}"#
        let answer = api.ask("POST", path, link)
        #expect(
            faults(answer) == [
                "/destination destination-not-allowed", "/until wrong-value", "/slug slug-taken",
            ], "\(answer.text)")
        // The kind of the problem is still that of the content: with another slug it would be refused, too.
        #expect(path == "links:check" ? answer.status == 200 : answer.status == 422)
        // The nearest: a slug that is free, and one that is taken alone.
        let free = api.ask("POST", path, link.replacing("TAKEN", with: "free"))
        #expect(!free.text.contains("slug-taken") && faults(free).count == 2, "\(free.text)")
        let alone = api.ask(
            "POST", path,
            #"{"collection": "short", "slug": "taken", "destination": "https://www.example.com/"}"#)
        #expect(faults(alone) == ["/slug slug-taken"], "\(alone.text)")
        #expect(path == "links:check" ? alone.status == 200 : alone.status == 409)
    }

    @Test(arguments: paths)
    func aSlugThatCannotBeOneIsSaidOnce(_ path: String) throws {
        let answer = try api().ask(
            "POST", path,
            #"{"collection": "short", "slug": "_taken", "destination": "https://evil.example/"}"#)
        #expect(
            faults(answer).filter { $0.hasPrefix("/slug") } == ["/slug slug-reserved"],
            "\(answer.text)")
    }

    /// Where letter case matters, another case is another slug.
    @Test func aCollectionWithExactCaseComparesItSo() throws {
        let api = try api()
        _ = try api.create(
            #"{"collection": "exact", "slug": "Taken", "destination": "https://www.example.com/"}"#)
        for (slug, isTaken) in [("Taken", true), ("taken", false)] {
            let answer = api.ask(
                "POST", "links",
                #"{"collection": "exact", "slug": "\#(slug)", "destination": "nowhere"}"#)
            #expect(answer.text.contains("slug-taken") == isTaken, "\(answer.text)")
        }
    }

    @Test func aLinkOfAnotherSystemSaysItToo() throws {
        let api = try api()
        let answer = api.ask(
            "PUT", "links/by-external-id/crm-1",
            #"{"collection": "short", "slug": "taken", "destination": "https://evil.example/"}"#)
        #expect(
            faults(answer) == ["/destination destination-not-allowed", "/slug slug-taken"],
            "\(answer.text)")
    }

    /// A link that is changed keeps its slug, which is its own.
    @Test func aChangeIsNotToldOfItsOwnSlug() throws {
        let api = try api()
        let id = api.ask("GET", "links:find?collection=short&slug=taken")["id"]
        let answer = api.ask(
            "PATCH", "links/\(id)", #"{"destination": "https://evil.example/"}"#, ["if-match": "*"])
        #expect(faults(answer) == ["/destination destination-not-allowed"], "\(answer.text)")
    }
}
