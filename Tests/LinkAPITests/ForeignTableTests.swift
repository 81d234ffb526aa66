import Foundation
@testable import LinkAPI
import LinkIndex
import LinkStore
import Testing

/// Tables that other services have exported.
@Suite struct ForeignTableTests {
    private static let upsert = [(name: "mode", value: "upsert"), ("collection", "exact")]

    private func importing(
        _ api: TestAPI, _ table: String, _ query: [(name: String, value: String)]
    ) throws -> [[String: Any]] {
        try api.importing(table, Self.upsert + query, type: "text/csv")
    }

    private func details(_ line: [String: Any], _ key: String = "warnings") -> [String] {
        let problem = line["problem"] as? [String: Any]
        let faults = key == "warnings" ? line[key] : problem?["errors"]
        return (faults as? [[String: Any]] ?? []).compactMap { $0["detail"] as? String }
    }

    /// The first line of each service, a row with everything, and the members that its link has.
    struct Example: Sendable, CustomTestStringConvertible {
        let service: String
        let heading: String
        let row: String
        let slug: String
        let members: [String: String]
        /// Beginnings of what is told of the row.
        var notes = [String]()

        var testDescription: String { "\(service): \(heading)" }
    }

    private static let destination = "https://www.example.com/a?b=c"

    private static let examples = [
        Example(
            service: "bitly",
            heading: "id,long_url,title,archived,created_at,tags,custom_bitlinks,clicks",
            row: "go.example/3xYz,\(destination),Spring,true,2024-03-01T10:00:00+0000,"
                + "\"mail, May\",https://go.example/spring,17",
            slug: "3xYz",
            members: [
                "note": "Spring", "archived": "1", "tags": "mail May", "aliases": "spring",
                "created": "2024-03-01T10:00:00Z",
            ],
            notes: ["column 8, \"clicks\", is not kept"]),
        Example(
            service: "bitly", heading: "long_url,custom_bitlink,title,archived,tags,created_at",
            row: "\(destination),go.example/spring,,false,,", slug: "spring",
            members: ["archived": "none"]),
        Example(
            service: "branch",
            heading: "alias,url,$fallback_url,$ios_url,$deeplink_path,$og_title,~tags",
            row:
                "spring,https://go.example/spring,\(destination),https://ios.example/,shop/1,Now,a",
            slug: "spring",
            members: ["web.ios": "https://ios.example/", "app.path": "shop/1", "page.title": "Now"]),
        Example(
            service: "branch", heading: "alias,$desktop_url", row: "x,\(destination)", slug: "x",
            members: [:]),
        Example(
            service: "dub",
            heading:
                "Short link,Destination URL,Clicks,Created at,Tags,Archived,Link ID,Updated at",
            row: "https://go.example/Ab,\(destination),5,2024-03-01T10:00:00.000Z,\"a, b\",No,L1,",
            slug: "Ab", members: ["externalId": "dub:L1", "tags": "a b"],
            notes: ["column 3, \"Clicks\", is not kept", "column 8, \"Updated at\", is not kept"]),
        Example(
            service: "kutt",
            heading:
                "id,address,target,description,banned,password,created_at,expire_in,visit_count",
            row: "u1,k,\(destination),Mail,true,false,2024-03-01T10:00:00Z,2099-01-01T00:00:00Z,3",
            slug: "k",
            members: [
                "note": "Mail", "state": "disabled", "until": "2099-01-01T00:00:00Z",
                "externalId": "kutt:u1",
            ],
            notes: [
                "column 9, \"visit_count\"", "column 5, \"banned\": the link is made as disabled",
            ]),
        Example(
            service: "rebrandly",
            heading: "id,title,slashtag,destination,domainName,tags.name,createdAt",
            row: "r,Spring,spring,\(destination),go.example,\"a,b\",2024-03-01T10:00:00Z",
            slug: "spring", members: ["externalId": "rebrandly:r", "note": "Spring", "tags": "a b"]),
        Example(
            service: "shlink",
            heading: "createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits,maxVisits",
            row: "2024-03-01T10:00:00+01:00,,Ab,https://go.example/Ab,\(destination),T,a|b,3,10",
            slug: "Ab", members: ["tags": "a b", "created": "2024-03-01T09:00:00Z"],
            notes: ["column 8, \"visits\"", "column 9, \"maxVisits\": \"10\" is not kept"]),
        Example(
            service: "shlink", heading: "Long URL,Short code,Domain,Title,Tags,Short URL",
            row: "\(destination),Ab,go.example,T,a|b,https://go.example/Ab", slug: "Ab",
            members: ["note": "T"]),
        Example(
            service: "short.io",
            heading:
                "originalURL,path,title,iphoneURL,androidURL,archived,tags,createdAt,expiresAt,"
                + "expiredURL,password",
            row:
                "\(destination),p,T,https://ios.example/,https://android.example/,0,a,1709287200000,"
                + "4070908800000,https://late.example/,secret",
            slug: "p",
            members: [
                "web.ios": "https://ios.example/", "web.android": "https://android.example/",
                "until": "2099-01-01T00:00:00Z", "after": "https://late.example/",
                "created": "2024-03-01T10:00:00Z", "state": "disabled",
            ],
            notes: ["column 11, \"password\": the password is not kept"]),
        Example(
            service: "short.io", heading: "originalURL,path,id,hasPassword,clicksLimit",
            row: "\(destination),p,lnk_1,true,9", slug: "p",
            members: ["externalId": "short.io:lnk_1", "state": "disabled"],
            notes: [
                "column 4, \"hasPassword\": the link is made as disabled",
                "column 5, \"clicksLimit\": \"9\" is not kept",
            ]),
        Example(
            service: "short.io", heading: "originalURL,id,path,idString,hasPassword",
            row: "\(destination),17,p,lnk_1,false", slug: "p",
            members: ["externalId": "short.io:lnk_1", "state": "active"]),
        Example(
            service: "tinyurl", heading: "alias,domain,url,tags,expires_at,archived",
            row: "t,go.example,\(destination),a,2099-01-01 00:00:00,", slug: "t",
            members: ["until": "2099-01-01T00:00:00Z"],
            notes: ["column 5, \"expires_at\": \"2099-01-01 00:00:00\" has no zone"]),
        Example(
            service: "yourls", heading: "shorturl,url,title,timestamp,ip,clicks",
            row: "http://go.example/y,\(destination),T,2024-03-01 10:00:00,192.0.2.7,9", slug: "y",
            members: ["note": "T", "created": "2024-03-01T10:00:00Z"],
            notes: ["column 5, \"ip\", is not kept", "column 6, \"clicks\", is not kept"]),
    ]

    @Test(arguments: examples)
    func aTableBecomesLinksAndASecondRunChangesNothing(_ example: Example) throws {
        let api = try TestAPI()
        let table = "\(example.heading)\r\n\(example.row)\r\n"
        let format = [(name: "format", value: example.service)]
        let rehearsed = try importing(api, table, format + [("dry-run", "true")])
        #expect(counts(rehearsed) == [1, 0, 0, 0], "\(rehearsed)")
        #expect(api.store.index.count == 0)
        let done = try importing(api, table, format)
        #expect(counts(done) == [1, 0, 0, 0], "\(done)")
        for line in [rehearsed[0], done[0]] {
            let found = details(line)
            #expect(found.count == example.notes.count, "\(found)")
            for (detail, beginning) in zip(found, example.notes) {
                #expect(detail.hasPrefix(beginning), "\(detail)")
            }
        }
        let url = "https://go.example.com/X/\(example.slug)"
        let link = try api.link(url)
        #expect(link["destination"] as? String == Self.destination)
        for (path, expected) in example.members {
            var value: Any? = link
            for part in path.split(separator: ".") {
                value = (value as? [String: Any])?[String(part)]
            }
            let shown =
                (value as? [String])?.joined(separator: " ") ?? value.map { "\($0)" } ?? "none"
            #expect(shown == expected, "\(path) of \(link)")
        }
        let again = try importing(api, table, format)
        #expect(counts(again) == [0, 0, 1, 0], "\(again)")
    }

    @Test(arguments: ForeignService.all.map(\.name))
    func aTableOfAnotherKindIsRefusedAtItsFirstLine(service: String) throws {
        let answer = try importing(
            TestAPI(), "Name,Mail\na,b\nc,d\n", [("format", service)])
        #expect(counts(answer) == [0, 0, 0, 1], "\(answer)")
        #expect(details(answer[0], "errors")[0].hasPrefix("no column is the destination"))
    }

    @Test(arguments: [
        ("Long URL=destination,Code=slug", [2, 0, 0, 0], nil),
        ("Long URL=destination, Code = slug ,Note=", [2, 0, 0, 0], nil),
        ("\"Long URL=destination\",Code=slug,Note=note", [2, 0, 0, 0], nil),
        ("Long URL=destination,Kode=slug", [0, 0, 0, 1], "columns (--columns) names \"Kode\""),
        ("Code=slug", [0, 0, 0, 1], "no column is the destination"),
        ("#2=destination,#1=slug", [2, 0, 0, 0], nil),
    ])
    func columnsAreNamedByTheOperator(columns: String, counted: [Int], fault: String?) throws {
        let api = try TestAPI()
        let table = "Code,Long URL,Note\na,\(Self.destination),x\n/b,\(Self.destination),\n"
        let answer = try importing(api, table, [("columns", columns)])
        #expect(counts(answer) == counted, "\(answer)")
        if let fault { #expect(details(answer[0], "errors")[0].hasPrefix(fault), "\(answer)") }
        if fault == nil {
            #expect(details(answer[0]).isEmpty == columns.contains("Note="), "\(answer)")
            #expect(try api.link("https://go.example.com/X/b")["slug"] as? String == "b")
        }
    }

    @Test(arguments: [
        "0", "-1", "+1", "01", "4", "\(Int.max)", "\(Int.min)", "9\(Int.max)", "", "1x",
    ])
    func aPositionIsTheNumberOfAColumn(position: String) throws {
        let table = "Code,Long URL,Note\na,\(Self.destination),x\n"
        let answer = try importing(
            TestAPI(), table, [("columns", "#\(position)=note,Long URL=destination")])
        #expect(counts(answer) == [0, 0, 0, 1], "\(answer)")
        #expect(
            details(answer[0], "errors")[0].hasPrefix("columns (--columns) names \"#\(position)\""))
    }

    private static let manyNames = (0...1_024).map { "n\($0)=note" }.joined(separator: ",")

    @Test(arguments: [
        ("Long URL", "columns has \"Long URL\", must have Theirs=ours"),
        ("=slug", "columns names no column of theirs"),
        ("a=slug,a=note", "columns names \"a\" twice"),
        ("a=destinatoin", "did you mean \"destination\"?"),
        ("a=url", "no column of ours is called \"url\""),
        ("\"a=slug", "a quote is not closed"),
        (manyNames, "columns has 1025 names, may have 1024"),
    ])
    func columnsThatAreNoneAreRefused(columns: String, words: String) throws {
        let api = try TestAPI()
        let request = APIRequest(
            method: "POST", path: ["import"], query: [("columns", columns)],
            fields: ["authorization": "Bearer \(TestAPI.secret)", "content-type": "text/csv"])
        guard
            case .failure(let response) = api.api.admit(
                request, api.store, at: api.now * 1000, localSecret: TestAPI.secret)
        else {
            Issue.record("it was let in")
            return
        }
        #expect(response.status == 400)
        #expect(response.text.replacing("\\\"", with: "\"").contains(words), "\(response.text)")
    }

    /// Of two domains, equal slugs are two links there, and would be one here.
    @Test(arguments: [
        (nil, [1, 0, 0, 1]), ("go.example", [1, 0, 0, 1]), ("other.example", [1, 0, 0, 1]),
        ("third.example", [0, 0, 0, 2]),
    ])
    func linksOfOneDomainAreTaken(domain: String?, counted: [Int]) throws {
        let api = try TestAPI()
        let table = """
            id,long_url
            go.example/a,\(Self.destination)
            OTHER.example/a,https://www.example.com/other
            """
        let answer = try importing(
            api, table, [("format", "bitly")] + (domain.map { [("domain", $0)] } ?? []))
        #expect(counts(answer) == counted, "\(answer)")
        let refused = try #require(answer.first { $0["outcome"] as? String == "refused" })
        #expect(details(refused, "errors")[0].contains("those that are imported are of"))
        if domain == "other.example" {
            let link = try api.link("https://go.example.com/X/a")
            #expect(link["destination"] as? String == "https://www.example.com/other")
        }
    }

    /// A name that is the only one of its row makes the row one of its domain, whatever column it is in.
    @Test(
        arguments: [
            ("custom_bitlink,long_url", "W,DEST", nil, [1, 0, 0, 1]),
            ("custom_bitlink,long_url", "W,DEST", "other.example", [1, 0, 0, 1]),
            ("custom_bitlink,long_url", "W,DEST", "third.example", [0, 0, 0, 2]),
            ("id,custom_bitlink,long_url", ",W,DEST", nil, [1, 0, 0, 1]),
            ("custom_bitlinks,id,long_url", "W,go.example/N,DEST", nil, [2, 0, 0, 0]),
        ] as [(String, String, String?, [Int])])
    func aNameOfAnotherDomain(
        heading: String, row: String, domain: String?, counted: [Int]
    ) throws {
        let rows = ["other.example/b", "go.example/c"].enumerated().map { number, name in
            row.replacing("W", with: name).replacing("N", with: "n\(number)")
                .replacing("DEST", with: Self.destination)
        }
        for mode in ["create", "upsert"] {
            let answer = try TestAPI().importing(
                "\(heading)\n\(rows.joined(separator: "\n"))\n",
                [("mode", mode), ("collection", "exact"), ("format", "bitly")]
                    + (domain.map { [("domain", $0)] } ?? []), type: "text/csv")
            #expect(counts(answer) == counted, "\(answer)")
            let said = answer.flatMap { details($0, "errors") }
            #expect(said.count == counted[3], "\(said)")
            for detail in said { #expect(detail.contains("those that are imported are of")) }
        }
    }

    /// The service's own domain has no name in its table.
    @Test(
        arguments: [
            (["", ""], nil, [2, 0, 0, 0], nil), (["b.test", "b.test"], nil, [2, 0, 0, 0], nil),
            (["b.test", ""], nil, [1, 0, 0, 1], "the row names no domain"),
            (["", "b.test"], nil, [1, 0, 0, 1], "the rows that are imported name no domain"),
            (["", "b.test"], "b.test", [2, 0, 0, 0], "is taken for one of \"b.test\""),
            (["", "b.test"], "c.test", [1, 0, 0, 1], "is taken for one of \"c.test\""),
        ] as [([String], String?, [Int], String?)])
    func aRowWithoutADomain(
        domains: [String], domain: String?, counted: [Int], words: String?
    ) throws {
        for (service, heading) in [
            ("kutt", "address,domain,target"), ("tinyurl", "alias,domain,url"),
        ] {
            let rows = domains.enumerated().map { "k\($0),\($1),\(Self.destination)\n" }
            let answer = try importing(
                TestAPI(), "\(heading)\n\(rows.joined())",
                [("format", service)] + (domain.map { [("domain", $0)] } ?? []))
            #expect(counts(answer) == counted, "\(answer)")
            let said = answer.flatMap { details($0) + details($0, "errors") }
            #expect(said.contains { $0.contains(words ?? "") } == (words != nil), "\(said)")
        }
    }

    /// What is advised on a column of which nothing is known can be done, and keeps it.
    @Test(
        arguments: [
            ("utm_campaign", "utm_campaign"), ("UTM Campaign", "utm_campaign"),
            ("$campaign", "utm_campaign"), ("~campaign", "utm_campaign"), ("noted", "note"),
            ("~stage", nil), ("id", nil), ("visits", nil), ("updated", nil), ("deleted", nil),
            ("warnings", nil), ("opens", nil), ("web", nil), ("app", nil), ("page", nil),
            ("campaign", "utm_campaign"), ("state", nil),
        ] as [(String, String?)])
    func adviceOnAColumn(title: String, meant: String?) throws {
        let table = "shorturl,url,\(title)\nhttps://go.example/a,\(Self.destination),spring\n"
        let answer = try importing(TestAPI(), table, [("format", "yourls")])
        let notes = answer[0]["warnings"] as? [[String: Any]] ?? []
        let advice = notes.compactMap { $0["advice"] as? String }
        #expect(
            advice.first?.contains("columns=\"\(title)=\(meant ?? "ours")\"") == true, "\(answer)")
        guard let meant else { return }
        let kept = try importing(
            TestAPI(), table, [("format", "yourls"), ("columns", "\(title)=\(meant)")])
        #expect(counts(kept) == [1, 0, 0, 0] && details(kept[0]).isEmpty, "\(kept)")
    }

    /// The port of the scheme is no other domain (RFC 9110 §4.2).
    @Test(
        arguments: [
            ("https://go.example:443/b", nil, 2), ("http://go.example:80/b", nil, 2),
            ("go.example:443/b", nil, 2), ("https://go.example:443/b", "go.example", 2),
            ("https://go.example:8443/b", nil, 1), ("http://go.example:443/b", nil, 1),
        ] as [(String, String?, Int)])
    func theirPortIsThatOfTheScheme(short: String, domain: String?, made: Int) throws {
        let table = "id,long_url\ngo.example/a,\(Self.destination)\n\(short),\(Self.destination)\n"
        let answer = try importing(
            TestAPI(), table, [("format", "bitly")] + (domain.map { [("domain", $0)] } ?? []))
        #expect(counts(answer)[0] == made, "\(answer)")
    }

    @Test(arguments: [
        "https://go.example/", "go.example/", "https://go.example", "/", "https://go.example//?x",
    ])
    func aRowWithoutASlugIsRefused(short: String) throws {
        let answer = try importing(
            TestAPI(), "shorturl,url\n\(short),\(Self.destination)\n", [("format", "yourls")])
        #expect(counts(answer) == [0, 0, 0, 1], "\(answer)")
        #expect(details(answer[0], "errors")[0].contains("is no short link"), "\(answer)")
    }

    /// What is in doubt answers nobody.
    @Test(arguments: [
        ("dub", "key,url,password", "a,DEST,no", "disabled"),
        ("dub", "key,url,password", "a,DEST,false", "active"),
        ("tinyurl", "alias,url,deleted", "a,DEST,2024-01-01", "disabled"),
        ("tinyurl", "alias,url,deleted", "a,DEST,0", "active"),
    ])
    func aLinkThatWasClosedStaysClosed(
        service: String, heading: String, row: String, state: String
    ) throws {
        let api = try TestAPI()
        let row = row.replacing("DEST", with: Self.destination)
        let answer = try importing(api, "\(heading)\n\(row)\n", [("format", service)])
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        #expect(try api.link("https://go.example.com/X/a")["state"] as? String == state)
        #expect(details(answer[0]).isEmpty == (state == "active"))
    }

    @Test(arguments: [
        ("kutt", "link,address,target", "go.example/a,b,DEST", "\"b\" is not kept"),
        (
            "bitly", "id,long_url,custom_bitlinks", "go.example/a,DEST,mine.example/z",
            "\"mine.example/z\" is not kept"
        ),
    ])
    func aSecondNameThatIsNotKeptIsTold(
        service: String, heading: String, row: String, words: String
    ) throws {
        let row = row.replacing("DEST", with: Self.destination)
        let answer = try importing(
            TestAPI(), "\(heading)\n\(row)\n", [("format", service)])
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        #expect(details(answer[0]).contains { $0.contains(words) }, "\(answer)")
    }

    @Test func manyNamesThatATableLacksAreToldUpToALimit() throws {
        let columns = (0..<1_000).map { "n\($0)=note" }.joined(separator: ",")
        let heading = (0..<1_000).map { "t\($0)" }.joined(separator: ",")
        let answer = try importing(TestAPI(), heading + "\n", [("columns", columns)])
        #expect(details(answer[0], "errors").count == 20, "\(answer)")
    }

    /// A cell of theirs is checked as one of ours: no formula, path or script becomes a slug or a destination.
    @Test(arguments: [
        ("a/b", destination), ("docs.v2/intro", destination), ("..", destination),
        ("x%2Fy", destination), ("ä", destination),
        ("a", "javascript:alert(1)"), ("a", ""), ("a", "//evil.example/"),
        (String(repeating: "a", count: 65), destination),
    ])
    func whatIsNoLinkOfOursIsRefused(slug: String, destination: String) throws {
        let answer = try importing(
            TestAPI(), "keyword,url\n\(slug),\(destination)\nok,\(Self.destination)\n",
            [("format", "yourls")])
        #expect(counts(answer) == [1, 0, 0, 1], "\(answer)")
    }

    @Test func manyUnknownColumnsAreToldUpToALimit() throws {
        let more = (0..<1_000).map { "c\($0)" }.joined(separator: ",")
        let answer = try importing(
            TestAPI(), "keyword,url,\(more)\na,\(Self.destination)\n", [("format", "yourls")])
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        let found = details(answer[0])
        #expect(found.count == 21 && found[20] == "980 more columns are not kept", "\(found)")
    }

    @Test func whatATableNeedsIsToldBeforeItIsRead() throws {
        let api = try TestAPI()
        for (query, type) in [
            ([("format", "bitly")], "application/x-ndjson"),
            ([("columns", "a=slug")], "application/x-ndjson"),
            ([("format", "bitli")], "text/csv"), ([("domain", "a.example")], "text/csv"),
            ([("format", "firebase"), ("columns", "a=slug"), ("collection", "exact")], "text/csv"),
        ] as [([(name: String, value: String)], String)] {
            let request = APIRequest(
                method: "POST", path: ["import"], query: query,
                fields: ["authorization": "Bearer \(TestAPI.secret)", "content-type": type])
            let admitted = api.api.admit(
                request, api.store, at: api.now * 1000, localSecret: TestAPI.secret)
            guard case .failure(let response) = admitted else {
                Issue.record("\(query) was let in")
                continue
            }
            #expect([400, 415].contains(response.status), "\(response.text)")
        }
    }
}

extension TestAPI {
    /// The link of a URL, with all of its members.
    fileprivate func link(_ url: String) throws -> [String: Any] {
        let answer = ask("GET", "links:find?url=\(url)")
        let json = try JSONSerialization.jsonObject(with: Data(answer.content))
        return try #require(json as? [String: Any], "\(answer.text)")
    }
}
