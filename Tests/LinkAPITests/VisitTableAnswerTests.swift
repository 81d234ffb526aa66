import Foundation
import LinkAPI
import LinkIndex
import LinkStore
import Testing
import Visits

/// What was counted, as spreadsheets open it.
@Suite struct VisitTableAnswerTests {
    /// A table of visits, without its mark.
    private func table(_ path: String...) throws -> String {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)[
                "id"]
        let visits = SharedVisits()
        try visits.open(api.store.path + ".visits")
        let hour = api.now / 3_600
        try visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: hour, .visit), 7)
            // A device whose clock is wrong.
            batch.add(VisitKey(link: 1, hour: hour - 240, .open), 2)
            for host in ["=1+1", "-1.example", "1e5", "grüße.example", "a.example"] {
                batch.add(LinkDay(link: 1, day: hour / 24), referrer: host, 3)
            }
            for path in ["=HYPERLINK(\"https://x.example\")", "@sum", "+49", "/s/ä", "/s/1"] {
                batch.addMiss(CollectionName("short").number, hour, path, 1)
            }
            try store.add(batch)
        }
        let parts = path[0].replacing("ID", with: id).split(separator: "?").map(String.init)
        let query = parts.dropFirst().map { item in
            let pair = item.split(separator: "=").map(String.init)
            return (name: pair[0], value: pair[1])
        }
        var request = APIRequest(
            method: "GET", path: parts[0].split(separator: "/").map(String.init), query: query,
            fields: ["authorization": "Bearer \(TestAPI.secret)", "accept": "text/csv"])
        request.isLocal = true
        let answer = api.api.answer(
            request, api.store, at: api.now * 1_000, localSecret: TestAPI.secret, visits: visits)
        #expect(answer.status == 200 && answer.type == "text/csv; charset=utf-8")
        #expect(answer.content.starts(with: [0xEF, 0xBB, 0xBF]))
        return String(decoding: answer.content.dropFirst(3), as: UTF8.self)
    }

    @Test func aReferrerIsNoFormula() throws {
        let table = try table("links/ID/visits?by=referrer")
        // Only people come from somewhere.
        #expect(table.hasPrefix("referrer,visits\r\n"))
        for cell in ["'=1+1,3", "'-1.example,3", "'1e5,3", "grüße.example,3", "a.example,3"] {
            #expect(table.contains("\r\n\(cell)\r\n"), "\(table)")
        }
    }

    @Test func aPathIsNoFormula() throws {
        let table = try table("misses")
        #expect(table.hasPrefix("path,collection,count,"))
        for cell in [
            #""'=HYPERLINK(""https://x.example"")",short,1,"#, "'@sum,short,1,", "'+49,short,1,",
            "/s/ä,short,1,", "/s/1,short,1,",
        ] { #expect(table.contains("\r\n\(cell)"), "\(table)") }
    }

    @Test func opensOfAWrongClockAreTheLinksAsTheyAreInTheSum() throws {
        #expect(try table("links/ID/visits").contains("\r\n2027-01-05,0,0,0,0,0,2,"))
        #expect(try table("visits").contains("\r\n2027-01-05,0,0,0,0,0,2,"))
        let later = try table("links/ID/visits?from=2027-01-06")
        #expect(!later.contains("2027-01-05") && later.contains("\r\n2027-01-15,7,"))
    }

    @Test func aTableByDayHasAllDays() throws {
        for path in ["links/ID/visits", "visits"] {
            let lines = try table("\(path)?days=7").split(separator: "\r\n")
            #expect(lines.count == 8 && lines[1].hasPrefix("2027-01-09,0,0,"))
            #expect(lines[7].hasPrefix("2027-01-15,7,"))
        }
    }

    @Test func numbersAndTimesAreNoTexts() throws {
        #expect(try table("links/ID/visits").contains("\r\n2027-01-15,7,0,0,"))
        #expect(try table("visits?by=hour").contains("\r\n2027-01-15T08:00:00Z,7,0,0,"))
    }
}
