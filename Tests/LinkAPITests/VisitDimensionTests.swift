import Foundation
@testable import LinkAPI
import LinkStore
import SiteConfiguration
import TestSupport
import Testing
import Visits

/// Visits by two things and in zones, beside a client that knows what it did.
@Suite struct VisitDimensionTests {
    /// 10 November 2026, 12:00 UTC.
    private static let autumn = 1_794_312_000
    /// 10 April 2026.
    private static let spring = 1_775_822_400

    private struct Done {
        let hour, link, platform, count: Int
        let outcome: VisitOutcome
    }

    /// What people did with two links, in the forty days before a moment.
    private func visited(_ api: TestAPI) throws -> [Done] {
        for slug in ["a", "b"] {
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"}"#
            )
        }
        var random = SplitMix(seed: 7)
        let done = (0..<3_000).map { _ in
            Done(
                hour: api.now / 3_600 - Int.random(in: 0..<960, using: &random),
                link: Int.random(in: 1...2, using: &random),
                platform: Int.random(in: 0...3, using: &random),
                count: Int.random(in: 1...5, using: &random),
                outcome: VisitOutcome.allCases.randomElement(using: &random) ?? .page)
        }
        for part in [done[..<1_500], done[1_500...]] {
            try api.count { batch in
                for one in part {
                    batch.add(
                        VisitKey(
                            link: one.link, hour: one.hour, .visit, one.outcome,
                            platform: UInt8(one.platform)), one.count)
                    batch.add(VisitKey(link: one.link, hour: one.hour, .bot), 1)
                }
            }
            // A part of it is in the tables.
            try api.visits?.use { store throws(StoreError) in
                try store.beginMoving()
                for _ in 0..<2 { try store.moveNext() }
            }
        }
        return done
    }

    /// The visits of rows, by the values of these members.
    private func counts(_ answer: APIResponse, _ names: String...) -> [String: Int] {
        let rows = answer.object["rows"] as? [[String: Any]] ?? []
        return Dictionary(
            rows.map { row in
                (
                    names.map { row[$0] as? String ?? "?" }.joined(separator: " "),
                    row["visits"] as? Int ?? -1
                )
            }, uniquingKeysWith: { _, _ in -1 })
    }

    private func sums(_ done: [Done], _ key: (Done) -> String) -> [String: Int] {
        done.reduce(into: [:]) { $0[key($1), default: 0] += $1.count }
    }

    private func clock(_ zone: String, _ format: String) -> (Done) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = format
        return { formatter.string(from: Date(timeIntervalSince1970: Double($0.hour * 3_600))) }
    }

    @Test(arguments: [
        ("UTC", autumn), ("Europe/Berlin", autumn), ("America/New_York", autumn),
        ("Pacific/Auckland", autumn), ("Europe/Berlin", spring), ("America/Santiago", spring),
    ]) func eachPairIsWhatWasDone(_ zone: String, _ now: Int) throws {
        let api = try TestAPI()
        api.now = now
        let done = try visited(api)
        let day = clock(zone, "yyyy-MM-dd")
        let hour = clock(zone, "yyyy-MM-dd'T'HH:mm:ssXXX")
        let days = Set(done.map(day)).sorted()
        // Whole days, so that nothing that was done on the first of them is missing.
        let from = days[1]
        let id = api.ask("GET", "links:find?collection=short&slug=a")["id"]
        for (link, path) in [(1, "links/\(id)/visits"), (nil, "visits")] {
            let own = done.filter { (link == nil || $0.link == link) && day($0) >= from }
            func ask(_ by: String) -> APIResponse {
                api.ask("GET", "\(path)?from=\(from)&by=\(by)&zone=\(zone)")
            }
            func platform(_ one: Done) -> String { WebPlatform.allCases[one.platform].rawValue }
            #expect(counts(ask("day"), "day") == sums(own, day))
            #expect(counts(ask("hour"), "hour") == sums(own, hour))
            #expect(
                counts(ask("day,platform"), "day", "platform")
                    == sums(own) { "\(day($0)) \(platform($0))" })
            #expect(
                counts(ask("outcome,hour"), "outcome", "hour")
                    == sums(own) { "\($0.outcome.name) \(hour($0))" })
            #expect(
                counts(ask("platform,outcome"), "platform", "outcome")
                    == sums(own) { "\(platform($0)) \($0.outcome.name)" })
            let rows = ask("day").object["rows"] as? [[String: Any]] ?? []
            // Programs come once in each place of ours, and people are told apart by the day of UTC alone.
            #expect(rows.allSatisfy { ($0["visitors"] != nil) == (zone == "UTC" && link != nil) })
            #expect(
                rows.reduce(0) { $0 + ($1["bots"] as? Int ?? 0) } == own.count)
        }
    }

    @Test func theHoursOfAChangeAreTold() throws {
        let api = try TestAPI()
        api.now = Self.autumn
        let first = 1_792_879_200 / 3_600
        try api.count { batch in
            // All hours of 25 October 2026 in Berlin, and one before and after.
            for hour in first - 1...first + 25 {
                batch.add(VisitKey(link: 1, hour: hour, .visit), 1)
            }
        }
        let query = "zone=Europe/Berlin&from=2026-10-25&to=2026-10-25"
        #expect(counts(api.ask("GET", "visits?by=day&\(query)"), "day") == ["2026-10-25": 25])
        let answer = api.ask("GET", "visits?by=hour&\(query)")
        let hours = counts(answer, "hour")
        #expect(hours.count == 25 && hours.values.allSatisfy { $0 == 1 })
        #expect(hours["2026-10-25T02:00:00+02:00"] == 1 && hours["2026-10-25T02:00:00+01:00"] == 1)
        #expect(answer["zone"] == "Europe/Berlin" && answer["from"] == "2026-10-24T22:00:00Z")
        #expect(answer["to"] == "2026-10-25T23:00:00Z")
    }

    @Test func whatIsNotKeptTogetherIsRefused() throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)[
                "id"]
        try api.count { batch in
            batch.add(LinkDay(link: 1, day: api.now / 86_400), referrer: "=1+1", 3)
            batch.add(VisitKey(link: 1, hour: api.now / 3_600, .visit), 4)
        }
        let path = "links/\(id)/visits?by="
        for (query, reason) in [
            ("hour,referrer", "ask for day,referrer"), ("referrer,platform", "kept by day"),
            ("day,hour", "ask for hour"), ("platform,platform", "one of them once"),
            ("day,platform,outcome", "or two with a comma"), ("day,plattform", "did you mean"),
            ("day,", "or two with a comma"), ("day,referrer&zone=Europe/Berlin", "leave zone out"),
            ("day&zone=Europe/Berln", "which is no zone"), ("day&zone=../../etc/passwd", "no zone"),
            ("day&zone=Asia/Kolkata", "whole number of hours"),
            ("day&zone=Europe/Berlin&from=2026-01-01", "begin later"),
        ] {
            let answer = api.ask("GET", path + query)
            #expect(answer.status == 400 && answer["detail"].contains(reason), "\(answer.text)")
        }
        let pair = api.ask("GET", path + "day,referrer&format=csv")
        #expect(
            pair.text.hasSuffix("day,referrer,visits\r\n2027-01-15,'=1+1,3\r\n"), "\(pair.text)")
        #expect(
            counts(api.ask("GET", path + "referrer,day"), "referrer", "day")
                == ["=1+1 2027-01-15": 3])
        let table = api.ask("GET", path + "day,platform&format=csv")
        #expect(table.text.hasSuffix("day,platform,visits\r\n2027-01-15,ios,4\r\n"))
        #expect(api.ask("GET", path + "day&zone=Asia/Karachi").status == 200)
    }
}
