import Foundation
@testable import LinkAPI
@testable import LinkStore
import SiteConfiguration
import TestSupport
import Testing
import Visits

/// Visits by what links have in common, beside a client that knows what it did.
@Suite struct VisitSurveyTests {
    private static let links: [(collection: String, tags: [String], campaign: String?)] = [
        ("short", ["spring", "poster"], "sale"), ("short", ["spring"], "sale"),
        ("short", [], nil), ("exact", ["poster"], "=1+1"), ("exact", [], "sale"),
    ]

    private struct Done {
        let hour, link, platform, count: Int
    }

    private func make(_ api: TestAPI) throws -> [String] {
        try Self.links.enumerated().map { index, link in
            let tags = link.tags.map { "\"\($0)\"" }.joined(separator: ",")
            let query = link.campaign.map { "?a=1&utm_campaign=\($0.queryEncoded)#x" } ?? ""
            return try api.create(
                """
                {"collection": "\(link.collection)", "slug": "l\(index)", "tags": [\(tags)],
                 "destination": "https://www.example.com/\(query)"}
                """)["id"]
        }
    }

    /// Visits of twenty days, a part of which is in the tables.
    private func visit(_ api: TestAPI) throws -> [Done] {
        var random = SplitMix(seed: 3)
        let done = (0..<1_000).map { _ in
            Done(
                hour: api.now / 3_600 - Int.random(in: 0..<480, using: &random),
                link: Int.random(in: 1...Self.links.count, using: &random),
                platform: Int.random(in: 0...3, using: &random),
                count: Int.random(in: 1...5, using: &random))
        }
        for part in [done[..<500], done[500...]] {
            try api.count { batch in
                for one in part {
                    let key = VisitKey(
                        link: one.link, hour: one.hour, .visit, platform: UInt8(one.platform))
                    batch.add(key, one.count)
                    batch.add(VisitKey(link: one.link, hour: one.hour, .bot), 1)
                }
            }
            try api.visits?.use { store throws(StoreError) in
                try store.beginMoving()
                try store.moveNext()
            }
        }
        return done
    }

    private func counts(_ answer: APIResponse, _ names: String...) -> [String: Int] {
        #expect(answer.status == 200, "\(answer.text)")
        let rows = answer.object["rows"] as? [[String: Any]] ?? []
        return Dictionary(
            rows.map { row in
                let key = names.map { row[$0] as? String ?? "?" }.joined(separator: " ")
                return (key, row["visits"] as? Int ?? -1)
            }, uniquingKeysWith: { _, _ in -1 })
    }

    private func sums(_ done: [Done], _ keys: (Done) -> [String]) -> [String: Int] {
        done.reduce(into: [:]) { sums, one in
            for key in keys(one) { sums[key, default: 0] += one.count }
        }
    }

    private func tags(_ done: Done) -> [String] {
        let tags = Self.links[done.link - 1].tags
        return tags.isEmpty ? [""] : tags
    }

    private func platform(_ done: Done) -> String { WebPlatform.allCases[done.platform].rawValue }

    @Test func eachPropertyOfLinksIsSummedUp() throws {
        let api = try TestAPI()
        let ids = try make(api)
        let done = try visit(api)
        func ask(_ query: String) -> APIResponse { api.ask("GET", "visits?\(query)") }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "America/New_York")
        formatter.dateFormat = "yyyy-MM-dd"
        func day(_ one: Done) -> String {
            formatter.string(from: Date(timeIntervalSince1970: Double(one.hour * 3_600)))
        }
        #expect(counts(ask("by=tag"), "tag") == sums(done, tags))
        #expect(
            counts(ask("by=campaign"), "campaign")
                == sums(done) { [Self.links[$0.link - 1].campaign ?? ""] })
        #expect(
            counts(ask("by=collection"), "collection")
                == sums(done) { [Self.links[$0.link - 1].collection] })
        #expect(counts(ask("by=link"), "link") == sums(done) { [ids[$0.link - 1]] })
        #expect(
            counts(ask("by=day,tag&zone=America/New_York"), "day", "tag")
                == sums(done) { one in tags(one).map { "\(day(one)) \($0)" } })
        #expect(
            counts(ask("by=collection,platform"), "collection", "platform")
                == sums(done) { ["\(Self.links[$0.link - 1].collection) \(platform($0))"] })
        // Conditions, with two properties of visits.
        let spring = done.filter { tags($0).contains("spring") }
        #expect(
            counts(ask("by=day,platform&tag=spring&zone=America/New_York"), "day", "platform")
                == sums(spring) { ["\(day($0)) \(platform($0))"] })
        let sale = done.filter {
            Self.links[$0.link - 1].campaign == "sale"
                && Self.links[$0.link - 1].collection == "exact"
        }
        #expect(
            counts(ask("by=platform&campaign=sale&collection=exact"), "platform")
                == sums(sale) { [platform($0)] })
        #expect(counts(ask("tag=none"), "day").isEmpty)
        let rows = ask("by=collection").object["rows"] as? [[String: Any]] ?? []
        #expect(rows.reduce(0) { $0 + ($1["bots"] as? Int ?? 0) } == done.count)
        #expect(ask("by=campaign&format=csv").text.contains("\r\n'=1+1,"))
        // The links are read before the visits, and those a day at a time or more.
        #expect(api.parts > 1)
    }

    /// Between two parts of an answer, counts are moved to the tables, and hours become days.
    @Test(arguments: ["tag", "link", "day,tag", "collection,platform"], 0..<3)
    func whatChangesMeanwhileCountsOnce(_ by: String, _ seed: Int) throws {
        let api = try TestAPI()
        let ids = try make(api)
        var random = SplitMix(seed: UInt64(seed) + 17)
        let (now, today) = (api.now / 3_600, api.now / 86_400)
        let done = (0..<2_000).map { _ in
            Done(
                hour: now - Int.random(in: 0..<24 * 115, using: &random),
                link: Int.random(in: 1...Self.links.count, using: &random),
                platform: Int.random(in: 0...3, using: &random), count: 2)
        }
        for part in [done[..<1_000], done[1_000...]] {
            // The first half is in the tables.
            try api.visits?.use { store throws(StoreError) in
                try store.beginMoving()
                while store.isMoving { try store.moveNext() }
            }
            try api.count { batch in
                for one in part {
                    let key = VisitKey(
                        link: one.link, hour: one.hour, .visit, platform: UInt8(one.platform))
                    batch.add(key, one.count)
                }
            }
        }
        let visits = try #require(api.visits)
        defer { api.betweenParts = {} }
        api.betweenParts = {
            let event = Int.random(in: 0..<3, using: &random)
            #expect(throws: Never.self) {
                try visits.use { store throws(StoreError) in
                    switch event {
                    case 0: try store.beginMoving()
                    case 1: try store.moveNext()
                    default: _ = try store.expire(today: today)
                    }
                }
            }
        }
        for _ in 0..<2 {
            let answer = api.ask("GET", "visits?by=\(by)&days=120")
            let names = by.split(separator: ",").map(String.init)
            let found =
                names.count == 1 ? counts(answer, names[0]) : counts(answer, names[0], names[1])
            let expected = sums(done) { one in
                switch by {
                case "tag": tags(one)
                case "link": [ids[one.link - 1]]
                case "day,tag": tags(one).map { "\(time(ofHour: one.hour).prefix(10)) \($0)" }
                default: ["\(Self.links[one.link - 1].collection) \(platform(one))"]
                }
            }
            #expect(found == expected)
            #expect(api.parts > 4)
        }
    }

    /// With more than a hundred links, hours are read a day at a time.
    @Test func manyLinksAreSummedUp() throws {
        let api = try TestAPI()
        for index in 1...150 {
            let tags = index <= 11 ? (0..<100).map { "\"t\(index)-\($0)\"" } : []
            _ = try api.create(
                """
                {"collection": "short", "slug": "l\(index)", "tags": [\(tags.joined(separator: ","))],
                 "destination": "https://www.example.com/"}
                """)
        }
        let begin = api.now / 3_600 - 24 * 40 - 7
        try api.count { batch in
            for link in 1...150 {
                for day in [0, 1, 17, 38] {
                    batch.add(
                        VisitKey(link: link, hour: begin + 24 * day + link % 24, .visit), link)
                }
            }
        }
        let sum = 150 * 151 / 2
        let days = counts(api.ask("GET", "visits?by=day,collection&days=60"), "day")
        #expect(days.values.reduce(0, +) == 4 * sum)
        let links = counts(api.ask("GET", "visits?by=link&days=60"), "link")
        #expect(links.count == 150 && links.values.sorted() == (1...150).map { 4 * $0 })
        // 1,100 tags, and the links without: an answer names a thousand.
        let tags = counts(api.ask("GET", "visits?by=tag&days=60"), "tag")
        #expect(tags.count == 1_001 && tags["(others)"] == 100 * 4 + 8)
        #expect(tags[""] == 4 * (12...150).reduce(0, +))
    }

    /// What is known of links follows each of their changes.
    @Test(arguments: 0..<3) func propertiesFollowEachChange(_ seed: Int) throws {
        let api = try TestAPI()
        var random = SplitMix(seed: UInt64(seed) + 11)
        var known = [(id: String, tags: [String], campaign: String, count: Int)]()
        func content(_ tags: [String], _ campaign: String) -> String {
            let names = tags.map { "\"\($0)\"" }.joined(separator: ",")
            return
                #""tags": [\#(names)], "destination": "https://www.example.com/?utm_campaign=\#(campaign)""#
        }
        for turn in 1...60 {
            let tags = ["a", "b", "ab"].filter { _ in Bool.random(using: &random) }
            let campaign = "c\(Int.random(in: 0..<3, using: &random))"
            let place = Int.random(in: 0...known.count, using: &random)
            if place == known.count || turn < 4 {
                let made = try api.create(
                    "{\"collection\": \"short\", \"slug\": \"l\(turn)\", \(content(tags, campaign))}"
                )
                let count = Int.random(in: 1...9, using: &random)
                known.append((made["id"], tags, campaign, count))
                try api.count { batch in
                    batch.add(VisitKey(link: known.count, hour: api.now / 3_600, .visit), count)
                }
            } else if turn % 7 == 0 {
                _ = api.ask("DELETE", "links/\(known[place].id)", "", ["if-match": "*"])
                (known[place].tags, known[place].campaign) = ([], "")
            } else if !known[place].campaign.isEmpty {
                let answer = api.ask(
                    "PATCH", "links/\(known[place].id)", "{\(content(tags, campaign))}",
                    ["if-match": "*"])
                #expect(answer.status == 200, "\(answer.text)")
                (known[place].tags, known[place].campaign) = (tags, campaign)
            }
            guard turn % 5 == 0 else { continue }
            var sums = [String: Int]()
            for link in known {
                for tag in link.tags.isEmpty ? [""] : link.tags {
                    sums[tag, default: 0] += link.count
                }
            }
            #expect(counts(api.ask("GET", "visits?by=tag"), "tag") == sums)
            let campaigns = Dictionary(grouping: known) { $0.campaign }
                .mapValues { $0.reduce(0) { $0 + $1.count } }
            #expect(counts(api.ask("GET", "visits?by=campaign"), "campaign") == campaigns)
            let own = known.filter { $0.tags.contains("a") }.reduce(0) { $0 + $1.count }
            let days = counts(api.ask("GET", "visits?by=day&tag=a"), "day")
            #expect(days.values.reduce(0, +) == own)
        }
    }

    /// A thousand links are named; of those with as many visits as the last, the first by their names.
    @Test func theLinksWithTheMostVisitsAreNamed() throws {
        let api = try TestAPI()
        let ids = try (1...1_003).map { index in
            try api.create(
                """
                {"collection": "short", "slug": "l\(index)", "destination": "https://www.example.com/"}
                """)["id"]
        }
        try api.count { batch in
            for link in 1...1_003 {
                let key = VisitKey(link: link, hour: api.now / 3_600, .visit)
                batch.add(key, link > 1_000 ? 9 : 1)
            }
        }
        var expected = Dictionary(uniqueKeysWithValues: ids[1_000...].map { ($0, 9) })
        for id in ids[..<1_000].sorted().prefix(997) { expected[id] = 1 }
        expected["(others)"] = 3
        #expect(counts(api.ask("GET", "visits?by=link"), "link") == expected)
    }

    /// Two tags that look the same are two, as a filter has them.
    @Test func tagsAreToldApartByScalars() throws {
        let api = try TestAPI()
        for (index, tags) in [#""é", "e\u0301""#, #""e\u0301""#].enumerated() {
            _ = try api.create(
                """
                {"collection": "short", "slug": "l\(index)", "tags": [\(tags)],
                 "destination": "https://www.example.com/"}
                """)
        }
        try api.count { batch in
            for link in 1...2 { batch.add(VisitKey(link: link, hour: api.now / 3_600, .visit), 1) }
        }
        let rows = api.ask("GET", "visits?by=tag").object["rows"] as? [[String: Any]] ?? []
        #expect(rows.compactMap { $0["visits"] as? Int }.sorted() == [1, 2])
    }

    @Test func aZoneIsCheckedWhereNothingIsCountedByDays() throws {
        let api = try TestAPI()
        try api.count { _ in }
        for by in ["tag", "link", "tag,day"] {
            let half = api.ask("GET", "visits?by=\(by)&zone=Asia/Kolkata")
            #expect(half.status == 400 && half["detail"].contains("whole number of hours"))
            let old = api.ask("GET", "visits?by=\(by)&zone=Europe/Berlin&days=300")
            #expect(old.status == 400)
            #expect(api.ask("GET", "visits?by=\(by)&zone=Europe/Berlin").status == 200)
        }
    }

    @Test func onlySoManyQuestionsAreUnderWay() {
        let places = SurveyPlaces()
        for _ in 0..<SurveyPlaces.max { #expect(places.take()) }
        #expect(!places.take())
        places.giveBack()
        #expect(places.take())
    }

    @Test func tagsCountAsTheyAreNow() throws {
        let api = try TestAPI()
        let ids = try make(api)
        try api.count { batch in
            for link in 1...2 {
                batch.add(VisitKey(link: link, hour: api.now / 3_600, .visit), link)
            }
        }
        func tags() -> [String: Int] { counts(api.ask("GET", "visits?by=tag"), "tag") }
        #expect(tags() == ["spring": 3, "poster": 1])
        _ = api.ask("PATCH", "links/\(ids[1])", #"{"tags": ["summer"]}"#, ["if-match": "*"])
        #expect(tags() == ["spring": 1, "poster": 1, "summer": 2])
        // What was deleted was visited all the same.
        _ = api.ask("DELETE", "links/\(ids[0])", "", ["if-match": "*"])
        #expect(tags().values.reduce(0, +) >= 3 && tags()["summer"] == 2)
        #expect(counts(api.ask("GET", "visits?by=collection"), "collection") == ["short": 3])
    }

    /// As the answer by the same property has them: under an empty text.
    @Test(arguments: [false, true]) func aConditionWithoutAValueIsOfLinksThatHaveNone(
        _ areTooMany: Bool
    ) throws {
        let api = try TestAPI()
        _ = try make(api)
        // A campaign without a name is none.
        _ = try api.create(
            """
            {"collection": "short", "slug": "empty", "tags": ["spring"],
             "destination": "https://www.example.com/?utm_campaign="}
            """)
        try api.count { batch in
            for link in 1...6 {
                let key = VisitKey(link: link, hour: api.now / 3_600, .visit)
                batch.add(key, 1 << link)
            }
        }
        if areTooMany { api.store.known = KnownColumns(bytesMax: 1) }
        func sum(_ query: String) -> Int {
            counts(api.ask("GET", "visits?\(query)"), "day").values.reduce(0, +)
        }
        let byTag = counts(api.ask("GET", "visits?by=tag"), "tag")
        #expect(sum("tag=") == 1 << 3 + 1 << 5 && sum("tag=") == byTag[""])
        let byCampaign = counts(api.ask("GET", "visits?by=campaign"), "campaign")
        #expect(sum("campaign=") == 1 << 3 + 1 << 6 && sum("campaign=") == byCampaign[""])
        #expect(sum("tag=&campaign=") == 1 << 3)
        #expect(api.store.hasTooManyLinks == areTooMany)
        for (name, reason) in [("link", "must be ids of links"), ("collection", "collection is")] {
            let refused = api.ask("GET", "visits?\(name)=")
            #expect(refused.status == 400 && refused["detail"].contains(reason), "\(refused.text)")
        }
        let listed = api.ask("GET", "links?tag=").object["links"] as? [[String: Any]] ?? []
        #expect(listed.compactMap { $0["slug"] as? String } == ["l2", "l4"])
    }

    @Test func aTokenHasTheSumsOfItsCollections() throws {
        let api = try TestAPI()
        _ = try make(api)
        let done = try visit(api)
        let token = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["stats.read"], "collections": ["exact"]}"#)["token"]
        let own = done.filter { $0.link > 3 }
        func ask(_ query: String) -> APIResponse {
            api.ask("GET", "visits?\(query)", token: token)
        }
        #expect(counts(ask("by=platform"), "platform") == sums(own) { [platform($0)] })
        #expect(counts(ask("by=tag"), "tag") == sums(own, tags))
        #expect(counts(ask("by=collection"), "collection").keys.sorted() == ["exact"])
        #expect(ask("collection=short").status == 400)
        let total = counts(ask("by=day"), "day").values.reduce(0, +)
        #expect(total == own.reduce(0) { $0 + $1.count })
    }

    @Test func aPeriodHasOneBefore() throws {
        let api = try TestAPI()
        api.now = 1_792_908_000
        try api.count { batch in
            // The last hour of each of 20 days in Berlin, across the change of 25 October 2026.
            for day in 0..<20 {
                let hour = (1_792_962_000 - 86_400 * day) / 3_600
                batch.add(VisitKey(link: 1, hour: hour - (day > 0 ? 1 : 0), .visit), 1 << day)
            }
        }
        func ask(_ query: String) -> APIResponse {
            api.ask("GET", "visits?zone=Europe/Berlin&\(query)")
        }
        let last = ask("days=7")
        #expect(last["firstDay"] == "2026-10-19" && last["lastDay"] == "2026-10-25")
        #expect(counts(last, "day").count == 7)
        let before = ask("days=7&before=true")
        #expect(before["firstDay"] == "2026-10-12" && before["lastDay"] == "2026-10-18")
        #expect(before["to"] == last["from"])
        #expect(counts(before, "day").count == 7 && counts(before, "day")["2026-10-18"] == 128)
        let own = ask("from=2026-10-20&to=2026-10-21&before=true")
        #expect(own["firstDay"] == "2026-10-18" && own["lastDay"] == "2026-10-19")
        for (query, reason) in [
            ("days=7&from=2026-10-20", "leave one out"), ("by=tag,campaign", "by=campaign&tag=…"),
            ("by=link,tag", "by=link&tag=…"), ("by=campaign,link", "by=link&campaign=…"),
            ("by=link,collection", "by=link&collection=…"),
            ("by=tag,referer", "must be one of"), ("days=0", "must be 1"),
        ] {
            let answer = ask(query)
            #expect(answer.status == 400 && answer["detail"].contains(reason), "\(answer.text)")
        }
    }
}

extension String {
    fileprivate var queryEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self
    }
}
