@testable import Console
import Foundation
import JSONSyntax
import LinkIndex
import LinkStore
import Markup
import Testing
import URISyntax
import Visits

/// Pages with the largest charts and tables that can be asked for. A first view has everything that it needs, so its page is what it
/// costs.
@Suite("Pages with charts stay small, and their tables right")
struct PageSizeTests {
    private static let bytesMax = 100_000

    /// A console with eight links of long names that were visited in each hour or on each day.
    private func console(
        _ more: String = "", days: Int, hours: Bool = false, title: String
    ) throws -> TestConsole {
        let console = try TestConsole(more)
        for number in 1...8 {
            let tag = "t\(number)" + String(repeating: "&", count: 62)
            _ = try console.make(
                #"""
                {"collection": "short", "destination": "https://www.example.com/?utm_campaign=c\#(number)\#(String(repeating: "-x", count: 120))",
                 "page": {"title": "\#(number)\#(title)"}, "tags": ["\#(tag)", "all"]}
                """#)
        }
        let now = console.now / 3_600
        try console.visits.use { store throws(StoreError) in
            for number in 1...8 {
                var batch = VisitBatch()
                for step in 0..<(hours ? 24 * days : days) {
                    let hour = now - (hours ? step : 24 * step)
                    let count = 1_000_000 * number + step
                    batch.add(
                        VisitKey(link: number, hour: hour, .visit, platform: UInt8(number % 4)),
                        count)
                }
                try store.add(batch)
            }
            var batch = VisitBatch()
            for number in 1...20 {
                batch.add(
                    LinkDay(link: 1, day: now / 24),
                    referrer: "host\(number).\(String(repeating: "x", count: 50)).example", 5)
                batch.addMiss(
                    CollectionName("short").number, now,
                    "/s/\(number)\(String(repeating: "x", count: 60))", 2)
            }
            try store.add(batch)
        }
        return console
    }

    /// The rows of the table of numbers: its cells, without separators of thousands.
    private func rows(_ answer: ConsoleResponse) -> [[Int]] {
        let text = answer.text
        guard let start = text.range(of: "class=\"pivot\""),
            let end = text[start.upperBound...].range(of: "</tbody>")
        else { return [] }
        return text[start.upperBound..<end.lowerBound].split(separator: "</tr>")
            .map { row in
                row.matches(of: #/<td>([0-9,.]+)<\/td>/#).compactMap {
                    Int($0.1.filter { $0 != "," && $0 != "." })
                }
            }.filter { !$0.isEmpty }
    }

    /// The number of rows that the page says are in the table for spreadsheets alone.
    private func omitted(_ text: String) -> Int {
        text.firstMatch(of: #/([0-9,.]+) (more are in|weitere stehen)/#).flatMap {
            Int($0.1.filter { $0 != "," && $0 != "." })
        } ?? 0
    }

    private static let periods: [(String, Int)] = [
        ("period=90", 90), ("from=2026-08-27&to=2027-01-15", 142),
        ("from=2026-06-30&to=2027-01-15", 200), ("from=2024-12-16&to=2027-01-15", 761),
    ]

    @Test("days divided in seven", arguments: periods)
    func days(_ period: String, _ count: Int) throws {
        let console = try console(
            days: min(count, 761), title: String(repeating: "\\\"<", count: 300))
        for divided in ["link", "campaign", "tag", "platform"] {
            for (compared, language) in [("", ConsoleLanguage.en), ("&compare=1", .de)] {
                let query = "visits?\(period)&by=day&and=\(divided)\(compared)"
                let answer = console.get(query, as: .editor, language)
                let page = PageStructure(answer.content)
                #expect(answer.status == 200 && page.faults == [], "\(query): \(page.faults)")
                #expect(answer.content.count < Self.bytesMax, "\(query): \(answer.content.count)")
                let rows = rows(answer)
                #expect(rows.count + omitted(page.text) == count, "\(query): \(rows.count)")
                // Each row has the sum of its parts, unless a visit is in several of them.
                for row in rows where divided != "tag" {
                    let parts = row.suffix(divided == "platform" ? 4 : 7)
                    #expect(parts.reduce(0, +) == row[0], "\(query): \(row)")
                }
                // Behind the chart, the last day is the first.
                let all = (1...8).map { 1_000_000 * $0 }.reduce(0, +)
                #expect(rows.first?.first == all, "\(query): \(rows.first ?? [])")
                #expect(count > 142 || page.tags.filter { $0 == "path class d" }.count > 4)
            }
        }
    }

    @Test("hours, alone and divided", arguments: ["", "&and=link", "&and=platform", "&and=tag"])
    func hours(_ more: String) throws {
        let console = try console(
            "\n    time-zone: Europe/Berlin\n", days: 89, hours: true,
            title: String(repeating: "x ", count: 200))
        // An answer has at most 10,000 rows.
        let isLong = more != "&and=link" && more != "&and=tag"
        for (period, count) in [
            ("period=90", 24 * 89), ("period=7", 7 * 24), ("from=2027-01-15&to=2027-01-15", 24),
        ] where isLong || count < 1_000 {
            let answer = console.get("visits?by=hour&\(period)\(more)", as: .viewer, .de)
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [], "\(page.faults)")
            #expect(answer.content.count < Self.bytesMax, "\(period): \(answer.content.count)")
            let found = rows(answer).count + omitted(page.text)
            // The last day is not over.
            #expect((count - 24...count).contains(found), "\(period): \(found)")
        }
    }

    @Test("tables without a chart", arguments: ["link", "campaign", "tag", "referrer", "platform"])
    func tables(_ by: String) throws {
        let console = try console(days: 30, title: String(repeating: "&", count: 1_000))
        for more in ["", "&and=platform", "&and=outcome&compare=1"]
        where by != "referrer" || more == "" {
            let answer = console.get(
                "visits?by=\(by)\(by == "platform" && more.contains("platform") ? "" : more)")
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [], "\(page.faults)")
            #expect(answer.content.count < Self.bytesMax, "\(by)\(more): \(answer.content.count)")
        }
    }

    /// A hundred links with names of the longest kind, of which as many have a row as there is room for.
    @Test func `many rows of long names are cut by their bytes, and the rest is counted`() throws {
        let console = try TestConsole()
        for number in 1...130 {
            _ = try console.make(
                #"""
                {"collection": "short", "destination": "https://www.example.com/",
                 "page": {"title": "\#(number) \#(String(repeating: "\\\"", count: 1_000))"}}
                """#)
        }
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for number in 1...130 {
                batch.add(VisitKey(link: number, hour: console.now / 3_600, .visit), number)
            }
            try store.add(batch)
        }
        let answer = console.get("visits?by=link&and=platform&compare=1")
        let page = PageStructure(answer.content)
        #expect(
            page.faults == [] && answer.content.count < Self.bytesMax, "\(answer.content.count)")
        let rows = rows(answer)
        #expect(rows.count >= 30 && rows.count + omitted(page.text) == 130, "\(rows.count)")
        #expect(rows.first?.first == 130, "\(rows.first ?? [])")
        // The table for spreadsheets has all, with whole names.
        let table = console.get("visits.csv?by=link").text
        #expect(table.split(separator: "\r\n").count == 131)
        #expect(table.contains(String(repeating: "\"\"", count: 1_000)))
    }

    @Test("the page of one link", arguments: periods)
    func link(_ period: String, _ count: Int) throws {
        let console = try console(days: count, title: "Poster")
        let id = console.ask("GET", ["links"]).json?["links"]?.elements?.first?["id"]?.text ?? ""
        for number in 1...30 {
            console.ask("PATCH", ["links", id], #"{"note": "n\#(number)"}"#, ["if-match": "*"])
        }
        for language in ConsoleLanguage.allCases {
            let answer = console.get("links/\(id)?\(period)", as: .editor, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [], "\(page.faults)")
            #expect(answer.content.count < Self.bytesMax, "\(period): \(answer.content.count)")
            #expect(rows(answer).count + omitted(page.text) == count)
        }
    }

    /// Titles, destinations and notes can have thousands of characters, of which a list shows two lines.
    @Test func `a list of links with long texts, and a history of them`() throws {
        let console = try TestConsole()
        var id = ""
        for number in 1...50 {
            id = try console.make(
                #"""
                {"collection": "exact", "destination": "https://www.example.com/\#(String(repeating: "x", count: 2_000))",
                 "page": {"title": "\#(number) \#(String(repeating: "é", count: 1_000))"},
                 "note": "\#(String(repeating: "n", count: 4_000))", "tags": ["winter", "mail"]}
                """#)
        }
        for number in 1...30 {
            let note = String(repeating: "n", count: 3_000) + "\(number)é"
            console.ask("PATCH", ["links", id], #"{"note": "\#(note)"}"#, ["if-match": "*"])
        }
        let columns =
            "columns=destination-collection-tags-state-visits-made-changed-starts-ends-note"
        for path in ["links", "links?\(columns)", "links/\(id)", ""] {
            let answer = console.get(path)
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [], "\(path): \(page.faults)")
            #expect(answer.content.count < Self.bytesMax, "\(path): \(answer.content.count)")
        }
        // What was changed is seen.
        let page = PageStructure(console.get("links/\(id)").content)
        #expect(page.text.contains("nn29é") && page.text.contains("nn30é"))
    }

    @Test(
        "long texts of a history begin where they differ",
        arguments: [
            ("a", "b", "a", "b"),
            (
                String(repeating: "a", count: 299) + "1", String(repeating: "a", count: 299) + "2",
                nil, nil
            ),
            (
                String(repeating: "a", count: 400) + "1", String(repeating: "a", count: 400) + "2",
                "…" + String(repeating: "a", count: 40) + "1",
                "…" + String(repeating: "a", count: 40) + "2"
            ),
            (
                String(repeating: "é", count: 200) + "1", String(repeating: "é", count: 200),
                "…" + String(repeating: "é", count: 20) + "1",
                "…" + String(repeating: "é", count: 20)
            ),
            (
                "1" + String(repeating: "a", count: 400), "2",
                "1" + String(repeating: "a", count: 299) + "…", "2"
            ),
            // The place before which 40 bytes are is within the second family.
            (
                String(repeating: "a", count: 400) + "👩‍👩‍👧👩‍👩‍👧" + String(repeating: "b", count: 30) + "1",
                String(repeating: "a", count: 400) + "👩‍👩‍👧👩‍👩‍👧" + String(repeating: "b", count: 30),
                "…👩‍👩‍👧" + String(repeating: "b", count: 30) + "1",
                "…👩‍👩‍👧" + String(repeating: "b", count: 30)
            ),
        ] as [(String, String, String?, String?)])
    func history(_ before: String, _ after: String, _ first: String?, _ second: String?) {
        let shown = LinkHistory.shown(before, after)
        #expect(shown.before == first ?? before && shown.after == second ?? after)
    }

    @Test("bars of a chart are as high as their counts", arguments: [1, 90, 142])
    func bars(_ count: Int) {
        let rows = (0..<count).map { (name: "2027-01-01", parts: [$0, 1, $0 % 3]) }
        let most = rows.map { $0.parts.reduce(0, +) }.max() ?? 1
        var page = PageWriter(
            ConsoleSetting(environment: "prod", language: .en, isSecure: true))
        ChartBars(rows: rows, most: max(1, most)).write(&page)
        let text = String(decoding: page.markup.bytes, as: UTF8.self)
        // Each part that has a count is drawn once, within the box.
        let drawn = text.matches(of: #/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/#).filter {
            $0.2 != "0" || $0.4 != "120"
        }
        let parts = rows.flatMap(\.parts).filter { $0 > 0 }.count
        #expect(drawn.count <= parts && drawn.count >= parts - 1)
        for one in drawn {
            let (top, height) = (Int(one.2) ?? -1, Int(one.4) ?? -1)
            #expect(top >= 0 && height >= 1 && top + height <= 120, "\(one.0)")
        }
        #expect(text.utf8.count < 24_000)
    }

    @Test(
        "a name that is too long is cut between characters",
        arguments: [
            ("short", 5, "short"), ("longer", 5, "longe…"), ("ééé", 3, "é…"), ("a😀", 3, "a…"),
            ("😀", 2, "…"),
            ("", 0, ""),
            // A letter with its accents, and a picture of several scalars.
            ("e\u{301}x", 2, "…"), ("ae\u{301}x", 3, "a…"), ("ae\u{301}x", 4, "ae\u{301}…"),
            ("ae\u{301}\u{323}x", 4, "a…"), ("कि!", 3, "…"), ("कि!", 6, "कि…"),
            ("a👩‍👩‍👧b", 15, "a…"), ("a👩‍👩‍👧b", 12, "a…"), ("a👩‍👩‍👧b", 19, "a👩‍👩‍👧…"),
            ("a👍🏽b", 5, "a…"), ("a👍🏽b", 9, "a👍🏽…"), ("☂\u{FE0F}b", 3, "…"),
            // Two letters are a flag, and the next two another.
            ("🇩🇪🇦🇹!", 4, "…"), ("🇩🇪🇦🇹!", 8, "🇩🇪…"), ("🇩🇪🇦🇹!", 12, "🇩🇪…"), ("🇩🇪🇦🇹!", 16, "🇩🇪🇦🇹…"),
        ])
    func shortened(_ text: String, _ most: Int, _ expected: String) {
        #expect(Array(text.shortened(to: most).utf8) == Array(expected.utf8))
    }

    @Test func `marks without end are cut at once`() {
        let text = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(Array(text.shortened(to: 101).utf8) == Array(text.utf8.prefix(101)) + "…".utf8)
        let flags = String(repeating: "🇩", count: 50_000)
        #expect(flags.shortened(to: 100_001).utf8.count == 100_000 + 3)
    }
}
