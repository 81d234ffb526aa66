import Foundation
import Glibc
import LinkAPI
import LinkStore
import Testing

extension TestAPI {
    /// A collection with Firebase's API beside others.
    static let firebase = """
        version: 1
        apps:
          shop: {name: Shop, ios: {id: ABCDE12345.com.example.shop, store: 123456789}}
        links:
          fdl:
            match: /x/*
            stored: {destinations: [www.example.com, store], case: exact, firebase: [long-links, api]}
          other: {match: /o/*, stored: {destinations: [www.example.com], case: exact}}
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [fdl]}
            store: var/links.db
        """

    /// A token with these scopes.
    func token(_ scopes: String..., collections: [String]? = nil) -> String {
        token(scopes, collections: collections)
    }

    func token(_ scopes: [String], collections: [String]? = nil) -> String {
        let list = { (texts: [String]) in texts.map { "\"\($0)\"" }.joined(separator: ", ") }
        let rest = collections.map { ", \"collections\": [\(list($0))]" } ?? ""
        return ask("POST", "tokens", "{\"name\": \"t\", \"scopes\": [\(list(scopes))]\(rest)}")[
            "token"]
    }
}

private func statuses(_ lines: [[String: Any]]) -> [Int] {
    lines.compactMap { $0["status"] as? Int }
}

private func link(_ slug: String, _ rest: String = "") -> String {
    #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(rest)}"#
}

// MARK: - Aliases

@Suite struct ImportedAliasTests {
    private static let wrong: [(alias: String, fault: String)] = [
        (String(repeating: "a", count: 65), "/aliases/1 slug-form"), ("", "/aliases/1 unset-value"),
        ("a/b", "/aliases/1 slug-form"), ("%41", "/aliases/1 slug-form"),
        ("ä", "/aliases/1 slug-form"), ("a.", "/aliases/1 slug-form"),
        ("x?y", "/aliases/1 slug-form"),
        ("favicon.ico", "/aliases/1 slug-reserved"), ("_x", "/aliases/1 slug-reserved"),
        ("info", "/aliases/1 slug-shadowed"), ("page.html", "/aliases/1 slug-shadowed"),
        // They are the slug and the first alias in other letters.
        ("SPRING", "/aliases/1 slug-taken"), ("Good", "/aliases/1 slug-taken"),
        // Of another link.
        ("there", "/aliases/1 slug-taken"),
    ]

    @Test("an alias is a slug, or its line is refused", arguments: wrong, [false, true])
    func refuses(_ row: (alias: String, fault: String), isRehearsed: Bool) throws {
        let api = try TestAPI()
        _ = try api.create(link("There"))
        let line = link("spring", #", "aliases": ["good", "\#(row.alias)"]"#)
        let answer = try api.importing(line, isRehearsed ? [("dry-run", "true")] : [])
        #expect(faults(answer[0]) == [row.fault], "\(answer)")
        #expect(try api.store.link("short", slug: "spring") == nil)
        #expect(try api.store.link("short", slug: "good") == nil)
    }

    @Test func anAliasThatIsASlugIsKept() throws {
        let api = try TestAPI()
        let line = link(
            "spring", #", "aliases": ["good", "\#(String(repeating: "a", count: 64))"]"#)
        #expect(statuses(try api.importing(line)) == [201])
        #expect(try api.store.link("short", slug: "good")?.aliases.count == 2)
        // The same again changes nothing, also in other letters.
        let again = try api.importing(
            link("spring", #", "aliases": ["GOOD"]"#), [("mode", "upsert")])
        #expect(again[0]["outcome"] as? String == "unchanged", "\(again)")
    }

    @Test func anAliasThatIsTakenRefusesTheLineOfALinkThatExistsToo() throws {
        let api = try TestAPI()
        _ = try api.create(link("there"))
        _ = try api.create(link("spring"))
        let line = link("spring", #", "note": "n", "aliases": ["new", "there"]"#)
        let answer = try api.importing(line, [("mode", "upsert")])
        #expect(faults(answer[0]) == ["/aliases/1 slug-taken"], "\(answer)")
        let spring = try #require(try api.store.link("short", slug: "spring"))
        #expect(spring.aliases.isEmpty && spring.content.note == nil)
    }

    @Test func aliasesOfEarlierLinesAreTaken() throws {
        for query in [[], [("dry-run", "true")]] as [[(name: String, value: String)]] {
            let api = try TestAPI()
            let answer = try api.importing(
                """
                \(link("a", #", "aliases": ["b"]"#))
                \(link("B"))
                \(link("c", #", "aliases": ["A"]"#))
                \(link("d"))
                """, query)
            #expect(statuses(answer) == [201, 409, 409, 201], "\(answer)")
        }
    }

    @Test func aliasesAreAListOfTexts() throws {
        let api = try TestAPI()
        for aliases in ["\"a\"", "{}", "[null]", "[[\"a\"]]"] {
            let answer = try api.importing(link("a", ", \"aliases\": \(aliases)"))
            #expect(statuses(answer) == [422], "\(aliases): \(answer)")
        }
        #expect(statuses(try api.importing(link("a", ", \"aliases\": []"))) == [201])
    }

    @Test(arguments: [(100, 201), (101, 422), (4_000, 422)])
    func aLinkHasSoManyAliases(count: Int, status: Int) throws {
        let api = try TestAPI()
        let aliases = (0..<count).map { "\"b\($0)\"" }.joined(separator: ",")
        let answer = try api.importing(link("a", ", \"aliases\": [\(aliases)]"))
        #expect(statuses(answer) == [status], "\(count)")
        guard status == 201 else { return }
        let id = try #require(try api.store.link("short", slug: "a")?.id)
        let more = api.ask("POST", "links/\(id)/aliases", #"{"slug": "more"}"#)
        #expect(more.status == 422 && more.faults == [" too-many"], "\(more.text)")
    }
}

// MARK: - Other lines of imports

@Suite struct ImportedLineTests {
    @Test func aLineThatCouldNotBeFoundAgainIsNoUpsert() throws {
        let api = try TestAPI()
        let line = #"{"collection": "short", "destination": "https://www.example.com/"\#("")"#
        let lines = """
            \(line)}
            \(line), "externalId": "e"}
            \(line), "slug": "s"}
            """
        #expect(statuses(try api.importing(lines, [("mode", "upsert")])) == [422, 201, 201])
        #expect(statuses(try api.importing(lines, [("mode", "upsert")])) == [422, 200, 200])
        #expect(statuses(try api.importing(line + "}")) == [201])
    }

    @Test func tagsAreLimited() throws {
        let api = try TestAPI()
        func ask(_ count: Int) -> APIResponse {
            let tags = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
            return api.ask("POST", "links", link("a\(count)", ", \"tags\": [\(tags)]"))
        }
        #expect(ask(100).status == 201)
        #expect(ask(101).faults == ["/tags too-many"])
    }
}

// MARK: - Names of our own

@Suite struct OwnNameTests {
    private static let name = "firebase:short:0123456789abcdef0123456789abcdef"
    private static let link =
        #"{"collection": "other", "destination": "https://www.example.com/evil", "externalId": "\#(name)"}"#

    @Test func theyAreNotTakenInAdvance() throws {
        let api = try TestAPI(TestAPI.firebase)
        for scopes in ["links.create", "links.write", "admin"] {
            let token = api.token(scopes)
            let made = api.ask("POST", "links", Self.link, token: token)
            #expect(made.faults == ["/externalId wrong-value"], "\(made.text)")
        }
        let other = Self.link.replacing("firebase:", with: "firebas:")
        #expect(api.ask("POST", "links", other).status == 201)
        let plain = try api.create(
            #"{"collection": "other", "destination": "https://www.example.com/"}"#)
        let patch = #"{"externalId": "\#(Self.name)"}"#
        #expect(api.ask("PATCH", "links/\(plain["id"])", patch, ["if-match": "*"]).status == 422)
        let put = api.ask("PUT", "links/by-external-id/\(Self.name)", Self.link)
        #expect(put.status == 422, "\(put.text)")
    }

    @Test func anExportWithThemIsImportedByWhoMayChangeAllLinks() throws {
        let api = try TestAPI(TestAPI.firebase)
        func imported(_ token: String, _ name: String) throws -> Int {
            let line = Self.link.replacing("abcdef\"", with: "abcde\(name)\"")
            return statuses(try api.importing(line, token: token))[0]
        }
        #expect(try imported(api.token("links.create"), "0") == 422)
        #expect(try imported(api.token("links.write", collections: ["other"]), "1") == 422)
        #expect(try imported(api.token("links.write"), "2") == 201)
        #expect(try imported(TestAPI.secret, "3") == 201)
    }

    @Test func aShortLinkIsOfTheCollectionThatWasAskedFor() throws {
        let api = try TestAPI(TestAPI.firebase)
        let json =
            #"{"longDynamicLink": "https://go.example.com/x/?link=https%3A%2F%2Fwww.example.com%2F"}"#
        let made = api.ask("POST", "shortLinks", json)
        #expect(made.status == 200)
        #expect(api.ask("POST", "shortLinks", json)["shortLink"] == made["shortLink"])
        // Its name goes on, whatever else is changed.
        let slug = made["shortLink"].split(separator: "/").last.map(String.init) ?? ""
        let found = api.ask("GET", "links:find?collection=fdl&slug=\(slug)")
        let changed = api.ask(
            "PATCH", "links/\(found["id"])", #"{"note": "n"}"#, ["if-match": "*"])
        #expect(changed.status == 200, "\(changed.text)")
        // A link of another collection with the name is not the answer.
        let taken = try TestAPI(TestAPI.firebase)
        let line = Self.link.replacing(Self.name, with: found["externalId"])
        #expect(statuses(try taken.importing(line)) == [201])
        let answer = taken.ask("POST", "shortLinks", json)
        #expect(answer.status == 409 && !answer.text.contains("/o/"), "\(answer.text)")
    }
}

// MARK: - Rows of Firebase

@Suite struct FirebaseRowTests {
    private static let query = [(name: "format", value: "firebase"), ("collection", "fdl")]

    private func rows(_ links: String...) -> String {
        "Short link,Deep link (link)\r\n"
            + links.enumerated().map { "\($1),https://www.example.com/\($0)\r\n" }.joined()
    }

    @Test(arguments: ["create", "upsert"])
    func aShortLinkThatIsThereTwiceIsRefused(mode: String) throws {
        let api = try TestAPI(TestAPI.firebase)
        let table = rows(
            "https://go.example.com/x/AbCd", "https://go.example.com/x/abcd",
            "https://go.example.com/x/AbCd")
        let answer = try api.importing(table, Self.query + [("mode", mode)], type: "text/csv")
        #expect(statuses(answer) == [201, 201, 409], "\(answer)")
        #expect(
            try api.store.link("fdl", slug: "AbCd")?.content.destination
                == "https://www.example.com/0")
        // The same file again is no repetition within it.
        let again = try api.importing(table, Self.query + [("mode", "upsert")], type: "text/csv")
        #expect(statuses(again) == [200, 200, 409])
    }

    @Test func aRowOfAnotherDomainIsRefusedUnlessItIsNamed() throws {
        let api = try TestAPI(TestAPI.firebase)
        let table = rows(
            "https://example.page.link/AbCd", "https://go.example.com/x/own",
            "HTTPS://GO.example.com/x/upper?d=1")
        let answer = try api.importing(table, Self.query, type: "text/csv")
        #expect(statuses(answer) == [422, 201, 201], "\(answer)")
        let problem = try #require(answer[0]["problem"] as? [String: Any])
        #expect("\(problem)".contains("example.page.link"))
        let named = try api.importing(
            rows("https://example.page.link/AbCd", "https://other.page.link/b"),
            Self.query + [("domain", "Example.page.link")], type: "text/csv")
        #expect(statuses(named) == [201, 422], "\(named)")
    }

    @Test(
        "the domain of short links is the name of a host, and of an export",
        arguments: [
            ("example.page.link", nil), ("GO.example.com", nil), ("localhost", nil),
            ("", "domain is \"\", must be the name of a host"),
            ("https://example.page.link", "must be the name of a host"),
            ("example.page.link/", "must be the name of a host"),
            ("example.page.link:443", "must be the name of a host"),
            ("example.page.link.", "must be the name of a host"),
            ("*.page.link", "must be the name of a host"),
            ("192.0.2.1", "must be the name of a host"), (" ", "must be the name of a host"),
        ] as [(String, String?)])
    func domain(_ name: String, _ detail: String?) throws {
        let api = try TestAPI(TestAPI.firebase)
        let answer = try api.importing(
            rows("https://go.example.com/x/own"), Self.query + [("domain", name)], type: "text/csv")
        #expect((answer[0]["status"] as? Int) == (detail == nil ? 201 : 400), "\(answer)")
        let said = answer[0]["detail"] as? String ?? ""
        #expect(detail.map { said.contains($0) } ?? true, "\(name): \(answer)")
        let other = try api.importing("{}\n", [("domain", "example.page.link")])
        #expect(
            (other[0]["detail"] as? String)?.contains("another service: format=") == true,
            "\(other)")
    }
}

// MARK: - Forms

@Suite struct InputFormTests {
    @Test func aTimeWithAFractionOfASecondIsRead() throws {
        let api = try TestAPI()
        let made = try api.create(link("a", #", "until": "2027-04-01T00:00:00.987Z""#))
        #expect(made["until"] == "2027-04-01T00:00:00Z")
        let line = link("b", #", "created": "2026-04-01T02:00:00.5+02:00""#)
        #expect(statuses(try api.importing(line)) == [201])
        #expect(try api.store.link("short", slug: "b")?.created == 1_775_001_600)
    }

    @Test(arguments: [
        (
            "https://www.example.com/Füße?q=ä b",
            "https://www.example.com/F%C3%BC%C3%9Fe?q=%C3%A4%20b"
        ),
        ("https://www.exämple.com/ü", "https://www.xn--exmple-cua.com/%C3%BC"),
        ("https://www.example.com/{x}", "https://www.example.com/%7Bx%7D"),
        ("https://www.example.com/100%ü", "https://www.example.com/100%25%C3%BC"),
    ])
    func aDestinationThatIsNotEscapedIsOfferedEscaped(written: String, offered: String) throws {
        let api = try TestAPI()
        let answer = api.ask(
            "POST", "links", #"{"collection": "short", "destination": "\#(written)"}"#)
        #expect(answer.status == 422)
        #expect(answer.text.contains(offered), "\(answer.text)")
    }

    @Test func aPageThatIsNotThereIsWarnedOf() throws {
        let api = try TestAPI()
        func warnings(_ rest: String) throws -> [String] {
            let answer = api.ask("POST", "links:check", link("w", rest))
            #expect(answer.object["isValid"] as? Bool == true, "\(answer.text)")
            return (answer.object["warnings"] as? [[String: Any]] ?? [])
                .compactMap { $0["pointer"] as? String }
        }
        #expect(try warnings(#", "web": "/s/page.html""#) == [])
        #expect(try warnings(#", "web": "/nosuchpage""#) == ["/web"])
        #expect(try warnings(#", "web": {"ios": "/nosuchpage"}"#) == ["/web/ios"])
        #expect(
            try warnings(#", "after": "/nosuchpage", "until": "2099-01-01T00:00:00Z""#) == [
                "/after"
            ])
        #expect(try warnings(#", "page": {"image": "/nosuch.png"}"#) == ["/page/image"])
        #expect(try warnings(#", "page": {"image": "/s/page.html"}"#) == [])
        #expect(try warnings(#", "page": {"image": "https://www.example.com/x.png"}"#) == [])
    }

    @Test func aParameterThatIsThereTwiceIsOneMember() throws {
        let api = try TestAPI()
        _ = try api.create(link("spring"))
        let answer = api.resolve(
            "https://go.example.com/s/spring?utm_source=a&utm_source=b&utm_x=c")
        #expect(answer.text.contains(#""campaign": {"source": "a", "x": "c"}"#), "\(answer.text)")
        // One without a value is none, as for redirects.
        let empty = api.resolve(
            "https://go.example.com/s/spring?utm_source&utm_source=2&utm_medium=&utm_term=t")
        #expect(
            empty.text.contains(#""campaign": {"source": "2", "term": "t"}"#), "\(empty.text)")
        #expect(
            !api.resolve("https://go.example.com/s/spring?utm_source=").text.contains("campaign"))
    }

    @Test(arguments: ["a~b_c", "a%7Eb%5Fc", "a%7eb%5fc", "%61%7Eb_c", "A%7EB%5FC"])
    func whatIsEscapedWithoutNeedIsTheSame(slug: String) throws {
        let api = try TestAPI()
        _ = try api.create(link("a~b_c"))
        #expect(api.resolve("https://go.example.com/s/\(slug)")["state"] == "active")
        #expect(api.resolve("https://go.example.com/s/a%2Fb_c")["state"] == "unknown")
    }
}
