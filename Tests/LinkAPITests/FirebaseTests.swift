import Associations
import Foundation
import LinkAPI
import LinkStore
import Resolution
import TestSupport
import Testing

@Suite struct FirebaseTests {
    static let configuration = """
        version: 1
        apps:
          shop:
            name: Shop
            ios: {id: ABCDE12345.com.example.shop, store: 123456789}
            android:
              package: com.example.shop
              sha256: ["\(Array(repeating: "AB", count: 32).joined(separator: ":"))"]
        links:
          fdl:
            match: /links/*
            stored:
              destinations: [www.example.com, store]
              case: exact
              firebase: [long-links, api]
          folded: {match: /s/*, stored: {destinations: www.example.com}}
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [fdl]}
            store: var/links.db
        """

    private static let parameters = [
        "short", "link", "apn", "afl", "amv", "ibi", "ifl", "ius", "ipfl", "ipbi", "isi", "imv",
        "efr", "ofl", "st", "sd", "si", "utm_source", "utm_medium", "utm_campaign", "utm_term",
        "utm_content", "at", "ct", "mt", "pt", "archived", "name", "created",
    ]

    private static let titles = [
        "Short link", "Deep link (link)", "Android package name (apn)",
        "Android fallback link (afl)", "Android minimum version (amv)", "iOS bundle ID (ibi)",
        "iOS fallback link (ifl)", "iOS custom scheme (ius)", "iPad fallback link (ipfl)",
        "iPad bundle ID (ipbi)", "iOS App Store ID (isi)", "iOS minimum version (imv)",
        "Enable forced redirect? (efr)", "Desktop fallback (ofl)", "Social title (st)",
        "Social description (sd)", "Social image (si)", "utm_source", "utm_medium",
        "utm_campaign", "utm_term", "utm_content", "iTunes Connect at", "iTunes Connect ct",
        "iTunes Connect mt", "iTunes Connect pt", "Archived?", "Link name", "Creation timestamp",
    ]

    private static let query = [
        (name: "format", value: "firebase"), ("collection", "fdl"), ("domain", "example.page.link"),
    ]

    @Test(arguments: ["https://go.example.com/links/", "https://go.example.com/links"])
    func aShortLinkIsMoreThanThePathOfTheCollection(link: String) throws {
        let api = try TestAPI(Self.configuration)
        func detail(_ link: String) throws -> String {
            let lines = try api.importing(
                "Short link,Deep link (link)\n\(link),https://www.example.com/\n",
                [("format", "firebase"), ("collection", "fdl")], type: "text/csv")
            let problem = lines[0]["problem"] as? [String: Any]
            return (problem?["errors"] as? [[String: Any]])?.first?["detail"] as? String ?? ""
        }
        #expect(try detail(link) == "the short link \"\(link)\" has no slug")
        #expect(try detail("https://go.example.com/a").contains("is below \"/\""))
        #expect(try detail("https://go.example.com/links/a").isEmpty)
    }

    private static let agents = [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
            + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
            + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
            + "Chrome/138.0.0.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            + "Chrome/138.0.0.0 Safari/537.36",
        "Twitterbot/1.0",
    ]

    private static func table(_ rows: [[String: String]], titles: [String]? = titles) -> String {
        let lines = rows.map { row in
            parameters.map { row[$0] ?? "" }.map { $0.contains(",") ? "\"\($0)\"" : $0 }
        }
        return ((titles.map { [$0] } ?? []) + lines)
            .map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    /// What an iPhone, an iPad, an Android phone, a desktop and a preview get for a slug.
    private func answers(_ api: TestAPI, _ slug: String) throws -> [String] {
        try answers(api, to: "https://go.example.com/links/\(slug)")
    }

    private func answers(_ api: TestAPI, to link: String) throws -> [String] {
        let url = try LinkURL(link)
        return Self.agents.map { agent in
            var scratch = LinkScratch()
            scratch.index = api.store.index
            let decision = api.sites[0].resolver.decide(
                url, for: Visitor(userAgent: agent), at: api.now, &scratch)
            switch decision.answer {
            case .redirect(let location, _): return String(decoding: location, as: UTF8.self)
            case .landing: return "landing"
            case .summary: return "summary"
            case .notFound: return "404"
            case .tooLong: return "414"
            case .refused: return "400"
            default: return "other"
            }
        }
    }

    private static let short = "https://example.page.link/AbCd"
    private static let link = "https://www.example.com/p/1"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.shop"
    private static let whole = [
        "short": short, "link": link, "apn": "com.example.shop", "ibi": "com.example.shop",
        "isi": "123456789",
    ]

    /// The columns besides those above; what the four get.
    private static let rows: [([String: String], [String])] = [
        ([:], ["landing", "landing", play, link]),
        (["ofl": link + "/w"], ["landing", "landing", play, link + "/w"]),
        (["afl": link + "/a"], ["landing", "landing", link + "/a", link]),
        (["ifl": link + "/i"], [link + "/i", link + "/i", play, link]),
        (["ifl": link + "/i", "ipfl": link + "/t"], [link + "/i", link + "/t", play, link]),
        (
            ["efr": "TRUE", "pt": "11", "ct": "c", "mt": "8"],
            [
                "https://apps.apple.com/app/id123456789?pt=11&ct=c&mt=8",
                "https://apps.apple.com/app/id123456789?pt=11&ct=c&mt=8", play, link,
            ]
        ),
        (["apn": "com.other"], ["landing", "landing", link, link]),
        (["ibi": "com.other", "isi": ""], [link, link, play, link]),
        (["link": "https%3A%2F%2Fwww.example.com%2Fp%2F1"], ["landing", "landing", play, link]),
        (
            ["utm_source": "mail"],
            [
                "landing", "landing", play + "&referrer=utm_source%3Dmail",
                link + "?utm_source=mail",
            ]
        ),
        (
            ["afl": link + "?utm_source=own#top", "utm_source": "a&b", "utm_campaign": "c d"],
            [
                "landing", "landing", link + "?utm_source=own&utm_campaign=c%20d#top",
                link + "?utm_source=a%26b&utm_campaign=c%20d",
            ]
        ),
        (["archived": "true"], ["landing", "landing", play, link]),
    ]

    @Test(arguments: rows.indices)
    func aRowIsAnsweredOnEachPlatformAsFirebaseDid(_ number: Int) throws {
        let (more, expected) = Self.rows[number]
        let api = try TestAPI(Self.configuration)
        let row = Self.whole.merging(more) { _, own in own }
        let answer = try api.importing(Self.table([row]), Self.query, type: "text/csv")
        #expect(answer[0]["status"] as? Int == 201, "\(answer)")
        let got = try answers(api, "AbCd")
        #expect(got == expected + ["summary"])
        // Letter case distinguishes suffixes.
        #expect(try answers(api, "abcd") == ["404", "404", "404", "404", "404"])
    }

    /// A host of another script is named as the row has it, and its form in ASCII is offered, as for one link.
    @Test func `a host that is not in ASCII is not escaped`() throws {
        let api = try TestAPI(Self.configuration)
        func answer(_ key: String, _ url: String) throws -> [String: Any] {
            let own = [key: url, "short": "https://example.page.link/\(key)\(url.utf8.count)"]
            let row = Self.whole.merging(own) { _, own in own }
            return try api.importing(Self.table([row]), Self.query, type: "text/csv")[0]
        }
        let refused = try answer("link", "https://münchen.de/ä?q=ö")
        let words = "\(refused)"
        #expect(refused["outcome"] as? String == "refused", "\(words)")
        #expect(words.contains("xn--mnchen-3ya.de/%C3%A4"), "\(words)")
        #expect(words.contains("not in ASCII") && !words.contains("m%C3%BCnchen"), "\(words)")
        // So is a fallback, which is left out, and an image.
        for key in ["afl", "si"] {
            let taken = "\(try answer(key, "https://münchen.de/x"))"
            #expect(taken.contains("not in ASCII"), "\(taken)")
        }
        // A path is escaped, and so are braces in it, which would be a placeholder.
        let path = try answer("afl", "https://www.example.com/ä/{path}")
        #expect(path["outcome"] as? String == "created", "\(path)")
    }

    // MARK: Rows by chance

    /// What each parameter can have; nothing in half of the rows.
    private static let choices: [(String, [String])] = [
        ("link", [link, link + "?a=b&utm_source=own", link + "#top", "https://evil.example/"]),
        ("apn", ["com.example.shop", "com.other"]), ("ibi", ["com.example.shop", "com.other"]),
        ("ipbi", ["com.example.shop"]), ("isi", ["123456789", "1"]),
        ("afl", [link + "/a", link + "/a?x=y", "market://x", "https://evil.example/"]),
        ("ifl", [link + "/i", "itms://x"]), ("ipfl", [link + "/t"]), ("ofl", [link + "/w"]),
        ("efr", ["1", "0"]), ("st", ["A title"]), ("sd", ["Some text"]),
        ("si", ["https://www.example.com/i.png", "http://www.example.com/i.png"]),
        ("amv", ["12"]), ("imv", ["2.1"]), ("pt", ["11"]), ("ct", ["spring"]), ("mt", ["8"]),
        ("utm_source", ["mail", "a&b"]), ("utm_campaign", ["c d"]), ("utm_term", ["ü"]),
    ]

    private static func row(_ random: inout SplitMix) -> [String: String] {
        var row = [String: String]()
        for (name, values) in choices where name == "link" || random.next() & 1 == 0 {
            // Most rows lead where they may.
            let number = Int(random.next() % UInt64(values.count))
            let isEvil = values[number].contains("evil") && random.next() & 3 > 0
            row[name] = isEvil ? values[0] : values[number]
        }
        return row
    }

    /// What the four and a preview get, by the tables of Firebase's documentation alone.
    private static func expected(_ row: [String: String]) -> [String] {
        func url(_ name: String) -> String? {
            guard var url = row[name], url.hasPrefix("http") else { return nil }
            let hasOwn = url.contains("utm_source=own")
            var fragment = ""
            if url.hasSuffix("#top") { (url, fragment) = (String(url.dropLast(4)), "#top") }
            let items = [
                hasOwn ? nil : row["utm_source"].map { ("utm_source", $0) },
                row["utm_campaign"].map { ("utm_campaign", $0) },
                row["utm_term"].map { ("utm_term", $0) },
            ].compactMap(\.self)
            for (name, value) in items {
                url += (url.contains("?") ? "&" : "?") + "\(name)=\(escaped(value))"
            }
            return url + fragment
        }
        for name in ["link", "afl", "ifl", "ipfl", "ofl"]
        where row[name]?.contains("evil") == true {
            return ["400", "400", "400", "400", "400"]
        }
        let link = url("link") ?? ""
        let hasApple = [row["ibi"], row["ipbi"]].contains("com.example.shop")
        var store = "https://apps.apple.com/app/id123456789"
        if row["pt"] != nil {
            store += "?pt=11" + (row["ct"].map { "&ct=\($0)" } ?? "")
            store += "&mt=8"
        }
        let apple = hasApple ? (row["efr"] == "1" ? store : "landing") : link
        let iPhone = url("ifl") ?? apple
        var android = link
        if row["apn"] == "com.example.shop" {
            let referrer = ["utm_source", "utm_campaign", "utm_term"].compactMap { name in
                row[name].map { "\(name)=\(escaped($0))" }
            }.joined(separator: "&")
            android = play + (referrer.isEmpty ? "" : "&referrer=\(escaped(referrer))")
        }
        return [
            iPhone, url("ipfl") ?? iPhone, url("afl") ?? android, url("ofl") ?? link, "summary",
        ]
    }

    private static func escaped(_ text: String) -> String {
        var plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."~"))
        plain.insert(charactersIn: "-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    @Test func rowsLongLinksAndRequestsAreTheSameLinkAndAnsweredAsTheTablesSay() throws {
        let api = try TestAPI(Self.configuration)
        var random = SplitMix(seed: 21)
        let rows = (0..<300).map { _ in Self.row(&random) }
        let table = rows.enumerated().map { number, row in
            row.merging(["short": "https://example.page.link/R\(number)"]) { own, _ in own }
        }
        let imported = try api.importing(Self.table(table), Self.query, type: "text/csv")
        #expect(imported.count == rows.count + 1)
        var counts = [String: Int]()
        for (number, row) in rows.enumerated() {
            let expected = Self.expected(row)
            counts[expected[0] == "400" ? "400" : "answered", default: 0] += 1
            let query = row.shuffled(using: &random)
                .map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
            let long = "https://go.example.com/links/?\(query)"
            #expect(try answers(api, to: long) == expected, "\(row)")
            let isRefused = imported[number]["outcome"] as? String == "refused"
            #expect(isRefused == (expected[0] == "400"), "\(row)")
            let made = api.ask("POST", "shortLinks", #"{"longDynamicLink": "\#(long)"}"#)
            #expect(made.status == (isRefused ? 400 : 200), "\(made.text)")
            guard !isRefused else { continue }
            #expect(try answers(api, "R\(number)") == expected, "\(row)")
            #expect(try answers(api, to: made["shortLink"]) == expected, "\(row)")
        }
        #expect(counts.values.allSatisfy { $0 > 15 }, "\(counts)")
    }

    @Test func membersOfARowAreKept() throws {
        let api = try TestAPI(Self.configuration)
        let row = Self.whole.merging([
            "st": "A title, long", "sd": "Text", "si": "https://www.example.com/i.jpg",
            "amv": "12", "imv": "2.1", "archived": "TRUE", "name": "Spring",
            "created": "1557000000123",
        ]) { _, own in own }
        #expect(try api.importing(Self.table([row]), Self.query, type: "text/csv").count == 2)
        let exported = try api.exported()
        for part in [
            #""slug": "AbCd""#, #""title": "A title, long""#, #""description": "Text""#,
            #""image": "https://www.example.com/i.jpg""#, #""note": "Spring""#,
            #""archived": true"#, #""created": "2019-05-04T20:00:00Z""#,
            #""data": {"link": "https://www.example.com/p/1", "amv": "12", "imv": "2.1"}"#,
        ] {
            #expect(exported.contains(part), "\(part): \(exported)")
        }
    }

    @Test(arguments: [
        (["link": "https://evil.example/"], ["/destination"]), (["link": ""], ["/destination"]),
        (["link": "javascript:alert(1)"], ["/destination"]),
        (["afl": "https://evil.example/"], ["/web/android"]),
        (["ofl": "https://evil.example/"], ["/web/desktop"]), (["short": ""], ["/slug"]),
        (["short": "https://example.page.link/a b"], ["/slug"]),
        (["short": "https://go.example.com/promo/zz9"], ["/short"]),
        (["short": "https://go.example.com/links/deep/zz8"], ["/short"]),
        (["short": "https://go.example.com/zz7"], ["/short"]),
        (["short": "https://go.example.com/links/"], ["/short"]),
        (["short": "https://go.example.com:8443/links/a"], ["/short"]),
        (["short": "https://u@go.example.com/links/a"], ["/short"]),
        (["short": "https://example.page.link"], ["/short"]),
        (["short": "https://example.page.link//"], ["/short"]),
        (["short": "https://example.page.link/?link=https://www.example.com/"], ["/short"]),
        (["short": "https://go.example.com/links/?link=https://www.example.com/"], ["/short"]),
        (["short": "AbCd?d=1"], ["/slug"]),
    ])
    func whatMayNotBeIsRefused(_ more: [String: String], _ pointers: [String]) throws {
        let api = try TestAPI(Self.configuration)
        let row = Self.whole.merging(more) { _, own in own }
        let answer = try api.importing(Self.table([row]), Self.query, type: "text/csv")
        #expect(answer[0]["outcome"] as? String == "refused", "\(answer)")
        let problem = answer[0]["problem"] as? [String: Any]
        let errors = problem?["errors"] as? [[String: Any]] ?? []
        #expect(errors.compactMap { $0["pointer"] as? String } == pointers, "\(answer)")
        // People look for it in the table.
        let headings = errors.map { $0["heading"] as? String ?? "" }
        #expect(headings.allSatisfy(Self.titles.contains), "\(answer)")
    }

    @Test(arguments: [
        (["apn": "com.other"], ["/apn"]), (["ibi": "com.other"], ["/ibi", "/isi"]),
        (["isi": "1"], ["/isi"]), (["si": "http://www.example.com/i.jpg"], ["/si"]),
        (["pt": "x"], ["/pt"]), (["at": "1l3v", "mt": "8"], ["/at", "/mt"]),
        (["efr": "perhaps"], ["/efr"]), (["created": "May"], ["/created"]),
        (["ius": "shop"], ["/ius"]), (["created": "2019-05-04 20:00:00 UTC"], []),
        (["created": "2019-05-04T20:00:00.123Z"], []), (["archived": "no"], []),
        (["short": "https://example.page.link/AbCd?d=1"], ["/short"]),
        (["short": "https://example.page.link/AbCd?"], ["/short"]),
        (["short": "https://example.page.link/AbCd#a/b"], ["/short"]),
        (["short": "https://go.example.com/links/AbCd/"], ["/short"]),
        (["short": "https://example.page.link/AbCd//?d=/b#c"], ["/short", "/short", "/short"]),
        (["short": "HTTPS://Example.Page.Link/AbCd"], []),
    ])
    func whatIsNotKeptIsSaid(_ more: [String: String], _ pointers: [String]) throws {
        let api = try TestAPI(Self.configuration)
        var row = Self.whole.merging(more) { _, own in own }
        if pointers.count == 2, more["ibi"] != nil { row["isi"] = "123456789" }
        let answer = try api.importing(
            Self.table([row]), Self.query + [("report", "refused")], type: "text/csv")
        let warnings = answer[0]["warnings"] as? [[String: Any]] ?? []
        let expected = pointers.filter { $0 != "/isi" || more["isi"] != nil }
        #expect(warnings.compactMap { $0["pointer"] as? String } == expected, "\(answer)")
        #expect(try api.store.link("fdl", slug: "AbCd") != nil)
    }

    @Test(arguments: [
        "https://go.example.com/links/z", "https://example.page.link/any/z", "z",
        " https://go.example.com/links/z\u{A0}",
    ])
    func aShortLinkOfTheCollectionsPathIsTaken(short: String) throws {
        let api = try TestAPI(Self.configuration)
        let row = Self.whole.merging(["short": short]) { _, own in own }
        let answer = try api.importing(Self.table([row]), Self.query, type: "text/csv")
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        #expect(try api.store.link("fdl", slug: "z") != nil)
        // A word alone may be the slug of another domain's link.
        let warnings = answer[0]["warnings"] as? [[String: Any]] ?? []
        let isTold = warnings.contains { $0["pointer"] as? String == "/short" }
        #expect(isTold == (short == "z"), "\(answer)")
    }

    @Test func columnsAreFoundByTheirNamesOrTheirOrder() throws {
        let rows = [Self.whole]
        let forms: [[String]?] = [
            Self.titles, Self.parameters.map { $0 == "short" ? "SHORT_LINK" : $0 }, nil,
            Array(repeating: "?", count: 29),
        ]
        for titles in forms {
            let api = try TestAPI(Self.configuration)
            let text = Self.table(rows, titles: titles)
            _ = try api.importing("\u{FEFF}" + text, Self.query, type: "text/csv")
            #expect(try answers(api, "AbCd")[3] == Self.link, "\(titles ?? [])")
        }
        let api = try TestAPI(Self.configuration)
        let few = try api.importing(
            "link,short_link\n\(Self.link),\(Self.short)\n", Self.query, type: "text/csv")
        #expect(few[0]["status"] as? Int == 201, "\(few)")
        let none = try api.importing("a,b\n1,2\n3,4\n", Self.query, type: "text/csv")
        #expect(none.count == 2 && none[0]["outcome"] as? String == "refused", "\(none)")
        let twice = try api.importing(
            "link,Deep link (link),short_link\n", Self.query, type: "text/csv")
        #expect(faults(twice[0]) == [" duplicate-key"], "\(twice)")
        #expect("\(twice)".contains("the columns 1 and 2, "))
        let more = try api.importing(
            "link,short_link,Clicks\n\(Self.link),\(Self.short)2,17\n\(Self.link),\(Self.short)3,1\n",
            Self.query, type: "text/csv")
        func warnings(_ answer: [[String: Any]]) -> [[String]] {
            answer.map {
                ($0["warnings"] as? [[String: Any]] ?? []).map { "\($0["detail"] ?? "")" }
            }
        }
        #expect(warnings(more) == [["column 3 is \"Clicks\", which is not kept"], [], []])
        // Those that are not named are counted.
        let names = (1...25).map { "x\($0)" }.joined(separator: ",")
        let many = try api.importing(
            "link,short_link,\(names)\n\(Self.link),\(Self.short)4\(String(repeating: ",", count: 25))\n",
            Self.query, type: "text/csv")
        #expect(warnings(many)[0].count == 21, "\(many)")
        #expect(warnings(many)[0].last == "5 more columns were not kept")
        let long = try api.importing(
            "link,short_link\n\(Self.link),\(Self.short),x\n", Self.query, type: "text/csv")
        #expect(faults(long[0]) == [" table-form"], "\(long)")
    }

    @Test(
        "a short link that is no URL with https makes no link",
        arguments: [
            "ftp://example.page.link/Q", "example.page.link/Q", "//example.page.link/Q",
            "http://example.page.link/Q", "http://go.example.com/links/Q",
        ])
    func noShortLink(short: String) throws {
        let api = try TestAPI(Self.configuration)
        var row = Self.whole
        row["short"] = short
        let answer = try api.importing(Self.table([row, Self.whole]), Self.query, type: "text/csv")
        #expect(counts(answer) == [1, 0, 0, 1], "\(answer)")
        #expect(faults(answer[0]) == ["/short wrong-value"])
    }

    @Test func anExportIsForACollectionThatDistinguishesCase() throws {
        let api = try TestAPI(Self.configuration)
        let text = Self.table([Self.whole])
        func status(_ query: [(name: String, value: String)], _ type: String) throws -> Int? {
            try api.importing(text, query, type: type)[0]["status"] as? Int
        }
        let format = (name: "format", value: "firebase")
        #expect(try status([format, ("collection", "folded")], "text/csv") == 400)
        #expect(try status([format], "text/csv") == 400)
        #expect(try status(Self.query, "application/x-ndjson") == 415)
        #expect(try status([("format", "other")], "text/csv") == 400)
        #expect(try status(Self.query, "text/csv") == 201)
        // The same again changes nothing.
        let again = try api.importing(text, Self.query + [("mode", "upsert")], type: "text/csv")
        #expect(again[0]["outcome"] as? String == "unchanged", "\(again)")
    }
}
