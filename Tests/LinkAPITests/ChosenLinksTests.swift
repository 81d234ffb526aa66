import LinkStore
import Testing
import Visits

@testable import LinkAPI

/// Hosts of referring pages and visitors of several links together.
@Suite struct ChosenLinksTests {
    /// An API with the links `a` and `b` of a campaign, and `c`, which were visited.
    private func api() throws -> TestAPI {
        let api = try TestAPI()
        for (slug, campaign) in [
            ("a", "?utm_campaign=sale"), ("b", "?utm_campaign=sale"), ("c", ""),
        ] {
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/\#(campaign)"}"#
            )
        }
        let today = api.now / 86_400
        try api.count { batch in
            for link in 1...3 {
                for (ago, host) in [(0, "news.example"), (1, "=1+1"), (1, "news.example")] {
                    let day = LinkDay(link: link, day: today - ago)
                    batch.add(day, referrer: host, link)
                    batch.add(VisitKey(link: link, hour: 24 * day.day, .visit), link)
                    batch.add(visitor: .init(key: day.packed, number: UInt32(ago), count: 1))
                }
            }
        }
        return api
    }

    private func rows(_ answer: APIResponse, _ names: String...) -> [String] {
        (answer.object["rows"] as? [[String: Any]] ?? []).map { row in
            names.map { "\(row[$0] ?? "?")" }.joined(separator: " ")
        }
    }

    @Test func referrersOfACampaignAreSummedUp() throws {
        let api = try api()
        let path = "visits?campaign=sale&by="
        #expect(
            rows(api.ask("GET", path + "referrer"), "referrer", "visits")
                == ["news.example 6", "=1+1 3"])
        #expect(
            rows(api.ask("GET", path + "day,referrer&days=1"), "day", "referrer", "visits")
                == ["2027-01-15 news.example 3"])
        #expect(
            rows(api.ask("GET", "visits?by=referrer"), "referrer", "visits")
                == ["news.example 12", "=1+1 6"])
        #expect(rows(api.ask("GET", "visits?by=referrer&tag=none"), "referrer").isEmpty)
        let table = api.ask("GET", path + "referrer,day&format=csv").text
        #expect(table.contains("referrer,day,visits\r\n'=1+1,2027-01-14,3\r\n"), "\(table)")
    }

    @Test func visitorsAreTheSumOfThoseOfEachLink() throws {
        let api = try api()
        let path = "visits?campaign=sale"
        #expect(
            rows(api.ask("GET", path + "&visitors=true"), "day", "visits", "visitors")
                == ["2027-01-14 6 2", "2027-01-15 3 2"])
        #expect(
            rows(api.ask("GET", "visits?visitors=true&days=1"), "day", "visits", "visitors")
                == ["2027-01-15 6 3"])
        #expect(!api.ask("GET", path).text.contains("visitors"))
        let table = api.ask("GET", path + "&visitors=true&days=2&format=csv").text
        #expect(table.hasPrefix("\u{FEFF}day,visits,") && table.contains("firstOpens,visitors\r\n"))
        #expect(table.contains("2027-01-15,3,0,0,0,0,0,0,2\r\n"), "\(table)")
        // Without the question for them, no column is empty in every row.
        for query in [path + "&days=2", "visits?days=2"] {
            let plain = api.ask("GET", query + "&format=csv").text
            #expect(plain.contains("firstOpens\r\n2027-01-14,"), "\(plain)")
        }
    }

    @Test(
        arguments: [
            ("visitors=true&by=hour", "visitors is true"),
            ("visitors=true&by=day,tag", "ask by day"),
            ("visitors=true&zone=Europe/Berlin", "leave zone out"),
            ("by=referrer,tag", "by=referrer&tag=…"), ("by=link,referrer", "by=referrer&link=…"),
            ("by=hour,referrer", "ask for day,referrer"),
            ("by=referrer&zone=Europe/Berlin", "leave zone out"),
        ])
    func whatIsNotKeptIsRefused(_ query: String, _ reason: String) throws {
        let answer = try TestAPI().ask("GET", "visits?\(query)")
        #expect(answer.status == 400 && answer["detail"].contains(reason), "\(answer.text)")
    }
}
