import LinkStore
import Testing
import URISyntax

@testable import LinkAPI

/// Times in tables, as spreadsheets and people write them.
@Suite struct TableTimeTests {
    /// A day alone is its beginning where something starts, and its end where something ends, as in forms of the console.
    @Test(
        arguments: [
            ("31.12.2030", "2030-12-31T00:00:00Z", "2030-12-31T23:59:59Z"),
            ("2030-12-31", "2030-12-31T00:00:00Z", "2030-12-31T23:59:59Z"),
            ("20301231", "2030-12-31T00:00:00Z", "2030-12-31T23:59:59Z"),
            ("31.12.2030 22:00", "2030-12-31T22:00:00Z", "2030-12-31T22:00:00Z"),
            ("2030-12-31T22:00", "2030-12-31T22:00:00Z", "2030-12-31T22:00:00Z"),
            ("2030-12-31T22:00+01:00", "2030-12-31T21:00:00Z", "2030-12-31T21:00:00Z"),
            ("2030-12-31T22:00:00+01:00", "2030-12-31T21:00:00Z", "2030-12-31T21:00:00Z"),
            ("31.12.2030\u{A0}22:00", "2030-12-31T22:00:00Z", "2030-12-31T22:00:00Z"),
            ("2030-12-31\u{202F}22:00", "2030-12-31T22:00:00Z", "2030-12-31T22:00:00Z"),
            (
                "\u{202F}2030-12-31\u{2007}22:00\u{2007}", "2030-12-31T22:00:00Z",
                "2030-12-31T22:00:00Z"
            ),
            // A number without separators is a time, and not milliseconds until the year 2612.
            ("20301231220015", "2030-12-31T22:00:15Z", "2030-12-31T22:00:15Z"),
            ("203012312200", "2030-12-31T22:00:00Z", "2030-12-31T22:00:00Z"),
            // A year of two digits is of a century that nobody has written.
            ("1.2.27", nil, nil), ("31.12.30 22:00", nil, nil), ("31-Dec-30", nil, nil),
            // What can be read in two ways, has hours of twelve, or is a number of days.
            ("03/04/2030", nil, nil), ("10:00 pm", nil, nil), ("47848", nil, nil),
            // Numbers that are no time, and no seconds of these centuries.
            ("20301331220000", nil, nil), ("203012312500", nil, nil), ("20301231220", nil, nil),
            ("203012312200000000", nil, nil), ("+1714730400", nil, nil),
        ] as [(String, String?, String?)])
    func timesAreReadAsPeopleAndSpreadsheetsWriteThem(
        _ cell: String, _ from: String?, _ until: String?
    ) throws {
        // A table of ours, and one whose columns are named.
        for (heading, query) in [
            ("collection,slug,destination", []),
            ("c,s,d", [("columns", "c=collection,s=slug,d=destination,X=from,Y=until")]),
        ] as [(String, [(name: String, value: String)])] {
            for (member, expected) in [("from", from), ("until", until)] {
                let api = try TestAPI()
                let own = query.isEmpty ? member : member == "from" ? "X" : "Y"
                let other = query.isEmpty ? "" : member == "from" ? ",Y" : ",X"
                let answer = try api.importing(
                    "\(heading),\(own)\(other)\nshort,a,https://www.example.com/,\(cell)"
                        + (other.isEmpty ? "\n" : ",\n"), query, type: "text/csv")
                guard let expected else {
                    #expect(faults(answer[0]) == ["/\(member) wrong-value"], "\(answer)")
                    continue
                }
                let content = try api.store.link("short", slug: "a")?.content
                let time = member == "from" ? content?.from : content?.until
                #expect(time.map { Timestamp(seconds: $0).description } == expected, "\(answer)")
                // A text without a zone is said to be taken for UTC.
                let notes = answer[0]["warnings"] as? [[String: Any]] ?? []
                #expect(
                    notes.contains { "\($0)".contains("taken for UTC") }
                        == !cell.contains("+01:00"), "\(answer)")
            }
        }
    }

    /// Berlin is one hour before UTC in winter, and two in summer; its clocks show 02:30 twice on 31 October 2027.
    @Test(
        arguments: [
            ("01.03.2027", "2027-02-28T23:00:00Z", "2027-03-01T22:59:59Z"),
            ("31.03.2027", "2027-03-30T22:00:00Z", "2027-03-31T21:59:59Z"),
            ("2027-12-24 18:00", "2027-12-24T17:00:00Z", "2027-12-24T17:00:00Z"),
            ("2027-07-24 18:00:00", "2027-07-24T16:00:00Z", "2027-07-24T16:00:00Z"),
            ("2027-10-31 02:30", "2027-10-31T00:30:00Z", "2027-10-31T00:30:00Z"),
            // What names its zone, or is a number of seconds, stays.
            ("2027-12-24 18:00 UTC", "2027-12-24T18:00:00Z", "2027-12-24T18:00:00Z"),
            ("2027-12-24T18:00:00+05:00", "2027-12-24T13:00:00Z", "2027-12-24T13:00:00Z"),
            ("1829757600", "2027-12-25T18:00:00Z", "2027-12-25T18:00:00Z"),
        ])
    func timesAreOfTheZoneThatIsNamed(_ cell: String, _ from: String, _ until: String) throws {
        for (heading, query) in [
            ("collection,slug,destination", []),
            ("c,s,d", [("columns", "c=collection,s=slug,d=destination,from=from,until=until")]),
        ] as [(String, [(name: String, value: String)])] {
            for (member, expected) in [("from", from), ("until", until)] {
                let api = try TestAPI()
                let other = query.isEmpty ? "" : member == "from" ? ",until" : ",from"
                let answer = try api.importing(
                    "\(heading),\(member)\(other)\nshort,a,https://www.example.com/,\(cell)"
                        + (other.isEmpty ? "\n" : ",\n"),
                    query + [("zone", "Europe/Berlin")], type: "text/csv")
                let content = try api.store.link("short", slug: "a")?.content
                let time = member == "from" ? content?.from : content?.until
                #expect(time.map { Timestamp(seconds: $0).description } == expected, "\(answer)")
                #expect(answer[0]["warnings"] == nil, "\(answer)")
            }
        }
    }

    @Test func aZoneThatIsNoneIsRefused() throws {
        let table = "collection,slug,destination\nshort,a,https://www.example.com/\n"
        let api = try TestAPI()
        for (zone, words) in [("Nowhere", "which is no zone"), ("", "which is no zone")] {
            let answer = try api.importing(table, [("zone", zone)], type: "text/csv")
            #expect("\(answer)".contains(words), "\(answer)")
        }
        let lines = try api.importing("{}\n", [("zone", "UTC")])
        #expect("\(lines)".contains("zone is for a table"), "\(lines)")
        #expect(try api.importing(table, [("zone", "UTC")], type: "text/csv").count == 2)
    }

    /// The name of a zone can be that of several, which is said; an offset, and UTC, are clear.
    @Test(
        arguments: [
            ("2030-12-31 22:00 CST", "2031-01-01T04:00:00Z", "taken for the offset -06:00"),
            ("31.12.2030 CET", "2030-12-30T23:00:00Z", "taken for the offset +01:00"),
            ("2030-12-31 22:00 UTC", "2030-12-31T22:00:00Z", nil),
            ("2030-12-31 22:00 GMT", "2030-12-31T22:00:00Z", nil),
            ("2030-12-31 22:00 -06:00", "2031-01-01T04:00:00Z", nil),
            ("2030-12-31 22:00 UTC -06:00", "2031-01-01T04:00:00Z", nil),
        ] as [(String, String, String?)])
    func namesOfZonesAreTold(_ cell: String, _ from: String, _ words: String?) throws {
        for (table, query) in [
            ("collection,slug,destination,from\nshort,a,https://www.example.com/,\(cell)\n", []),
            (
                "c,s,d,X\nshort,a,https://www.example.com/,\(cell)\n",
                [("columns", "c=collection,s=slug,d=destination,X=from")]
            ),
        ] as [(String, [(name: String, value: String)])] {
            let api = try TestAPI()
            let answer = try api.importing(table, query, type: "text/csv")
            let time = try api.store.link("short", slug: "a")?.content.from
            #expect(time.map { Timestamp(seconds: $0).description } == from, "\(answer)")
            let notes = answer[0]["warnings"] as? [[String: Any]] ?? []
            #expect(notes.count == (words == nil ? 0 : 1), "\(answer)")
            #expect(notes.allSatisfy { "\($0)".contains(words ?? "") }, "\(answer)")
        }
    }

    /// What exports of services write stays as it was read.
    @Test(arguments: [
        ("2024-05-03 10:00:00", "2024-05-03T10:00:00Z", false),
        ("2024-05-03 10:00:00 UTC", "2024-05-03T10:00:00Z", true),
        ("2024-05-03T10:00:00.123+0200", "2024-05-03T08:00:00Z", true),
        ("1714730400", "2024-05-03T10:00:00Z", true),
        ("1714730400000", "2024-05-03T10:00:00Z", true),
        ("1000000000", "2001-09-09T01:46:40Z", true),
        ("999999999", "2001-09-09T01:46:39Z", true),
    ])
    func timesOfExports(_ text: String, _ time: String, _ hasZone: Bool) {
        for isEnd in [false, true] {
            let found = TableTime(text, isEnd: isEnd)
            #expect(found?.time.description == time, "\(text)")
            #expect((found?.remark == nil) == hasZone, "\(text)")
        }
    }
}
