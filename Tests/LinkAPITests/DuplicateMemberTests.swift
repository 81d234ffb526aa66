import Foundation
import LinkAPI
import LinkStore
import TestSupport
import Testing

/// What is checked is what is kept: a member that is there twice has no meaning (RFC 8259 §4).
@Suite struct DuplicateMemberTests {
    private static let twice =
        #""destination": "https://www.example.com/", "web": "landing", "web": "https://evil.example/""#

    private static let requests: [(method: String, path: String, json: String, pointer: String)] = [
        ("POST", "links", #"{"collection": "short", \#(twice)}"#, "/web"),
        (
            "POST", "links", #"{"collection": "short", "collection": "exact", \#(twice)}"#,
            "/collection"
        ),
        ("PUT", "links/short/new", "{\(twice)}", "/web"),
        ("PUT", "links/by-external-id/e", #"{"collection": "short", \#(twice)}"#, "/web"),
        ("PUT", "links/by-external-id/known", "{\(twice)}", "/web"),
        ("PATCH", "links/ID", "{\(twice)}", "/web"),
        (
            "PATCH", "links/ID", #"{"web": {"ios": "landing", "ios": "https://evil.example/"}}"#,
            "/web/ios"
        ),
        ("PATCH", "links/ID", #"{"page": {"title": "a", "t\u0069tle": "b"}}"#, "/page/title"),
        (
            "PATCH", "links/ID", #"{"app": {"data": {"a": [{"b/c": 1, "b/c": 2}]}}}"#,
            "/app/data/a/0/b~1c"
        ),
        ("PATCH", "links/ID", #"{"after": "gone", "after": "https://evil.example/"}"#, "/after"),
        ("POST", "links/ID/aliases", #"{"slug": "other", "slug": "a/b"}"#, "/slug"),
        (
            "POST", "tokens", #"{"name": "t", "scopes": ["links.read"], "scopes": ["admin"]}"#,
            "/scopes"
        ),
    ]

    @Test("a member that is there twice is refused, and once it is taken", arguments: requests)
    func refuses(method: String, path: String, json: String, pointer: String) throws {
        let api = try TestAPI()
        let made = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "externalId": "known"}"#
        )
        let fields = method == "PUT" ? ["if-none-match": "*"] : ["if-match": "*"]
        let path = path.replacing("ID", with: made["id"])
        let answer = api.ask(method, path, json, fields)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.faults.contains("\(pointer) duplicate-key"), "\(answer.text)")
        #expect(!answer.text.contains("evil"))
    }

    /// Letter case distinguishes no languages (RFC 5646 §2.1.1).
    @Test func oneLanguageIsThereOnce() throws {
        let api = try TestAPI()
        func ask(_ first: String, _ second: String) -> APIResponse {
            api.ask(
                "POST", "links",
                #"{"collection": "short", "destination": "https://www.example.com/", "page": {"title": "T", "translations": {"\#(first)": {"title": "a"}, "\#(second)": {"title": "b"}}}}"#
            )
        }
        for (first, second) in [("de", "DE"), ("De", "de"), ("pt-br", "pt-BR")] {
            let answer = ask(first, second)
            let fault = "/page/translations/\(second) duplicate-key"
            #expect(answer.status == 422 && answer.faults == [fault], "\(answer.text)")
        }
        #expect(ask("de", "de-AT").status == 201)
    }

    @Test func theNearestWithoutADuplicateIsTaken() throws {
        let api = try TestAPI()
        let made = try api.create(
            #"{"collection": "short", "destination": "https://www.example.com/", "app": {"data": {"a": {"b": 1}, "b": {"b": 2}}}}"#
        )
        let changed = api.ask(
            "PATCH", "links/\(made["id"])", #"{"web": {"ios": "landing", "ipad": "landing"}}"#,
            ["if-match": "*"])
        #expect(changed.status == 200, "\(changed.text)")
        // Members are compared by their scalars: the Kelvin sign is no K.
        let kelvin = api.ask(
            "PATCH", "links/\(made["id"])", "{\"app\": {\"data\": {\"K\": 1, \"\u{212A}\": 2}}}",
            ["if-match": "*"])
        #expect(kelvin.status == 200, "\(kelvin.text)")
    }

    @Test func aCheckSaysTheSameAsMakingTheLink() throws {
        let api = try TestAPI()
        let answer = api.ask("POST", "links:check", #"{"collection": "short", \#(Self.twice)}"#)
        #expect(answer.object["isValid"] as? Bool == false, "\(answer.text)")
    }

    @Test func aLineOfAnImportIsRefusedForADuplicate() throws {
        let api = try TestAPI()
        let lines = try api.importing(
            """
            {"collection": "short", "slug": "a", \(Self.twice)}
            {"collection": "short", "slug": "b", "aliases": ["c"], "aliases": ["d"], "destination": "https://www.example.com/"}
            {"collection": "short", "slug": "e", "id": "x", "id": "y", "destination": "https://www.example.com/"}
            {"collection": "short", "slug": "f", "destination": "https://www.example.com/"}
            """)
        #expect(lines.compactMap { $0["status"] as? Int } == [422, 422, 422, 201])
        #expect(try api.store.link("short", slug: "a") == nil)
    }

    @Test func aReportOfAnOpenIsRefusedForADuplicate() throws {
        let api = try TestAPI()
        func report(_ json: String) -> Int {
            api.api.readOpens(
                Array(json.utf8), from: "n", in: api.store.index, at: 0
            ).response.status
        }
        #expect(report(#"[{"url": "https://go.example.com/s/a", "first": true}]"#) == 204)
        #expect(report(#"[{"url": "https://go.example.com/s/a", "url": "b"}]"#) == 422)
    }

    @Test func aRequestOfFirebaseIsRefusedForADuplicate() throws {
        let api = try TestAPI(TestAPI.firebase)
        func ask(_ link: String) -> APIResponse {
            api.ask(
                "POST", "shortLinks",
                #"{"dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com/x", \#(link)}}"#)
        }
        #expect(ask(#""link": "https://www.example.com/""#).status == 200)
        let refused = ask(#""link": "https://www.example.com/", "link": "https://evil.example/""#)
        #expect(refused.status == 400, "\(refused.text)")
        #expect(refused.text.contains("dynamicLinkInfo.link") && refused.text.contains("twice"))
    }

    /// Random documents: of each that is accepted every value is kept as it was checked.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func whatIsCheckedIsWhatIsKept(seed: UInt64) throws {
        let api = try TestAPI()
        var random = SplitMix(seed: seed)
        var accepted = 0
        for round in 0..<400 {
            let document = RandomLink(&random)
            let answer = api.ask("POST", "links", document.text)
            let words = "seed \(seed), round \(round): \(document.text): \(answer.text)"
            #expect((answer.status == 201) == document.isRight, "\(words)")
            guard answer.status == 201 else { continue }
            accepted += 1
            let shown = api.ask("GET", "links/\(answer["id"])")
            for (key, value) in document.members {
                let kept = try shown.json(key)
                #expect(kept == value.replacing(" ", with: ""), "\(key), \(words)")
            }
            #expect(!shown.text.contains("evil"), "\(words)")
        }
        #expect(accepted > 20)
    }
}

extension APIResponse {
    /// The text of a member, without spaces.
    fileprivate func json(_ key: String) throws -> String {
        let value = try #require(object[key], "\(key) in \(text)")
        let data = try JSONSerialization.data(
            withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self).replacing(" ", with: "")
    }
}

/// A document of few members, of which some are there twice, and some lead where they may not.
private struct RandomLink {
    private(set) var members = [(key: String, value: String)]()
    private(set) var isRight = true

    var text: String {
        "{" + members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }

    init(_ random: inout SplitMix) {
        let good = #""https://www.example.com/a""#
        let evil = #""https://evil.example/""#
        members = [
            ("collection", #""short""#), ("destination", good),
            ("until", #""2099-01-01T00:00:00Z""#),
        ]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let isEvil = Int.random(in: 0..<8, using: &random) == 0
            let url = isEvil ? evil : good
            var isTwice = false
            let member: (String, String)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: member = ("web", url)
            case 1:
                isTwice = Int.random(in: 0..<4, using: &random) == 0
                member = (
                    "web", #"{"desktop": \#(url)\#(isTwice ? #", "desktop": "landing""# : "")}"#
                )
            case 2: member = ("after", url)
            case 3: member = ("note", #""n""#)
            case 4:
                isTwice = Int.random(in: 0..<4, using: &random) == 0
                member = ("app", #"{"data": {"a": 1\#(isTwice ? #", "a": 2"# : "")}}"#)
            case 5: member = ("destination", url)
            default: member = ("tags", #"["t"]"#)
            }
            let isUsed = ["web", "after", "destination"].contains(member.0)
            if isTwice || members.contains(where: { $0.key == member.0 }) || isUsed && isEvil {
                isRight = false
            }
            members.append((key: member.0, value: member.1))
        }
        members.shuffle(using: &random)
    }
}
