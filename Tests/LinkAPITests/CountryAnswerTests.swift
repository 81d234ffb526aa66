import LinkStore
import Testing
import Visits

@testable import LinkAPI

/// Visits by country, of which few are not named.
@Suite struct CountryAnswerTests {
    private func number(_ name: String) -> UInt32 {
        name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// An API whose two links, `a` with the tag `mail` and `b`, were visited.
    /// - Parameter visits: of a link, so many days ago, from a country.
    private func api(
        _ visits: [(link: Int, ago: Int, country: String, count: Int)]
    ) throws -> TestAPI {
        let api = try TestAPI()
        for (slug, tags) in [("a", #"["mail"]"#), ("b", "[]")] {
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/", "tags": \#(tags)}"#
            )
        }
        try api.count { batch in
            for one in visits {
                let day = LinkDay(link: one.link, day: api.now / 86_400 - one.ago)
                batch.add(
                    country: .init(
                        key: day.packed, number: number(one.country), count: UInt32(one.count)))
            }
        }
        return api
    }

    private func rows(_ answer: APIResponse, _ names: String...) -> [String] {
        (answer.object["rows"] as? [[String: Any]] ?? []).map { row in
            names.map { row[$0] as? String ?? "?" }.joined(separator: " ")
                + " \(row["visits"] as? Int ?? -1)"
        }
    }

    @Test func fewVisitsOfACountryAreOther() throws {
        let api = try api([
            (1, 0, "AT", 5), (1, 0, "DE", 4), (1, 0, "CH", 3), (2, 0, "AT", 9), (2, 0, "", 6),
        ])
        let id = api.ask("GET", "links:find?collection=short&slug=a")["id"]
        #expect(
            rows(api.ask("GET", "links/\(id)/visits?by=country"), "country") == ["AT 5", "other 7"])
        #expect(
            rows(api.ask("GET", "visits?by=country"), "country")
                == ["AT 14", "unknown 6", "other 7"])
        #expect(
            rows(api.ask("GET", "visits?by=country&tag=mail"), "country") == ["AT 5", "other 7"])
        #expect(rows(api.ask("GET", "visits?by=country&tag=none"), "country").isEmpty)
        let answer = api.ask("GET", "visits?by=country&format=csv")
        #expect(answer.text.hasSuffix("country,visits\r\nAT,14\r\nunknown,6\r\nother,7\r\n"))
        #expect(
            rows(api.ask("GET", "visits?by=tag,country"), "tag", "country")
                == [" AT 9", " unknown 6", "mail AT 5", "mail other 7"])
        #expect(
            rows(api.ask("GET", "visits?by=country,tag"), "country", "tag")
                == ["AT  9", "AT mail 5", "other mail 7", "unknown  6"])
    }

    /// 1,800,000,000 is a Friday.
    @Test func daysAreNamedAloneOrWithTheirWeek() throws {
        let api = try api([
            (1, 0, "AT", 2), (1, 1, "AT", 3), (1, 2, "DE", 7), (1, 30, "CH", 8),
        ])
        func ask(_ query: String) -> [String] {
            rows(api.ask("GET", "visits?by=country&\(query)"), "country")
        }
        #expect(ask("days=30") == ["DE 7", "AT 5"])
        // Without the days of the week before Thursday, or without Friday, nobody is told apart.
        #expect(ask("days=2") == ["other 5"])
        #expect(ask("days=1") == ["other 2"])
        #expect(ask("days=1&before=true") == ["other 3"])
        #expect(ask("days=40") == ["CH 8", "DE 7", "AT 5"])
        #expect(
            rows(api.ask("GET", "visits?by=day,country&days=3"), "day", "country")
                == ["2027-01-13 DE 7", "2027-01-14 other 3", "2027-01-15 other 2"])
        #expect(
            rows(api.ask("GET", "visits?by=country,day&days=3"), "country", "day")
                == ["DE 2027-01-13 7", "other 2027-01-14 3", "other 2027-01-15 2"])
    }

    @Test(arguments: [
        ("country,hour", "ask for day,country"), ("platform,country", "kept by day"),
        ("country,outcome", "so that nobody can be found"),
        ("country&zone=Europe/Berlin", "the countries of visits are kept by the day of UTC"),
    ])
    func whatIsNotKeptTogetherIsRefused(query: String, reason: String) throws {
        let api = try api([(1, 0, "AT", 5)])
        let id = api.ask("GET", "links:find?collection=short&slug=a")["id"]
        for path in ["visits", "links/\(id)/visits"] {
            let answer = api.ask("GET", "\(path)?by=\(query)")
            #expect(answer.status == 400 && answer["detail"].contains(reason), "\(answer.text)")
        }
        let answer = api.ask("GET", "links/\(id)/visits?by=country,referrer")
        #expect(answer.status == 400 && answer["detail"].contains("kept by day"))
    }
}
