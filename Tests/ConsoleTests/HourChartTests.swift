@testable import Console
import JSONSyntax
import LinkIndex
import LinkStore
import Testing
import Visits

@Suite("Hours, days and misses of a period")
struct HourChartTests {
    /// A console with visits in these hours before now.
    private func console(
        _ more: String = "", at now: Int = 1_800_000_000, hoursAgo: [Int: Int]
    ) throws -> TestConsole {
        let console = try TestConsole(more)
        console.now = now
        _ = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for (hours, count) in hoursAgo {
                batch.add(VisitKey(link: 1, hour: now / 3_600 - hours, .visit), count)
            }
            try store.add(batch)
        }
        return console
    }

    @Test("a chart has every hour of its days", arguments: ConsoleLanguage.allCases)
    func hours(_ language: ConsoleLanguage) throws {
        let console = try console(hoursAgo: [0: 4, 30: 2])
        let answer = console.get(
            "visits?by=hour&from=2027-01-14&to=2027-01-15", as: .viewer, language)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(
            page.text.contains(
                language == .en
                    ? "6 visits in 48 hours. The most: 4 on 2027-01-15 08:00 UTC."
                    : "6 Besuche in 48 Stunden. Die meisten: 4 am 15.01.2027 08:00 UTC."),
            "\(page.text)")
        // The ends are those of the period, and two hours have bars.
        let ends = language == .en ? "2027-01-14 00:00 UTC" : "14.01.2027 00:00 UTC"
        #expect(page.text.contains(ends))
        #expect(page.bars.count == 2 && page.bars[1].hasSuffix(" 08:00 UTC: 4"), "\(page.bars)")
        // The table beside it has the hours with visits.
        let rows = page.tags.filter { $0 == "th scope" }.count
        #expect(answer.text.contains("<details class=\"numbers\">") && rows >= 2 && rows < 10)
        let words = language == .en ? "The table has the hours with visits." : "mit Besuchen."
        #expect(page.text.contains(words))
    }

    @Test("the clocks of a zone", arguments: [(1_792_965_600, 73), (1_806_267_600, 71)])
    func clocks(_ now: Int, _ hours: Int) throws {
        // In the evening of the day of the change: 25 October 2026, and 28 March 2027.
        let console = try console(
            "\n    time-zone: Europe/Berlin\n", at: now, hoursAgo: [1: 3, 20: 2])
        let day = hours == 73 ? ("2026-10-23", "2026-10-25") : ("2027-03-26", "2027-03-28")
        let page = PageStructure(
            console.get("visits?by=hour&from=\(day.0)&to=\(day.1)").content)
        #expect(page.text.contains("5 visits in \(hours) hours"), "\(page.text)")
        // The ends are those of the days, by the clocks that there were then.
        let (start, end) = hours == 73 ? ("+02:00", "+01:00") : ("+01:00", "+02:00")
        #expect(
            page.text.contains("\(day.0) 00:00 (\(start))\(day.1) 23:00 (\(end))"), "\(page.text)")
        let answer = JSONDocument(
            Array(#"{"from": "2026-10-24T22:00:00Z", "to": "2026-10-25T03:00:00Z"}"#.utf8),
            file: ""
        ).root
        #expect(
            HourSpan(
                answer, counted: ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]
            ).names == [
                "2026-10-25T00:00:00+02:00", "2026-10-25T01:00:00+02:00",
                "2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00",
                "2026-10-25T03:00:00+01:00",
            ])
        // What is no hour is kept as it is.
        #expect(HourSpan(answer, counted: ["x", "y"]).names == ["x", "y"])
        #expect(HourSpan(answer, counted: ["2026-10-25T02:00:00+02:00", "y"]).names.last == "y")
        #expect(HourSpan(nil, counted: ["2026-10-25T02:00:00Z"]).names == [])
    }

    @Test(
        "hours of a long period stay a small page", arguments: ["", "&and=platform", "&zone=UTC"])
    func long(_ more: String) throws {
        let all = Dictionary(uniqueKeysWithValues: (0..<24 * 89).map { ($0, 1 + $0 % 7) })
        let console = try console(hoursAgo: all)
        let answer = console.get("visits?by=hour&period=90\(more)")
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [] && answer.content.count < 100_000)
        #expect(page.tags.contains("path class d") && page.text.contains("visits in 2,160 hours"))
        #expect(page.text.contains("more are in the table"))
        #expect(
            console.get("visits.csv?by=hour&period=90").text.split(separator: "\r\n").count > 2_000)
    }

    @Test("hours that are not kept any more say so", arguments: ConsoleLanguage.allCases)
    func old(_ language: ConsoleLanguage) throws {
        let console = try console(hoursAgo: [0: 1])
        let words = language == .en ? "Hours are kept for 90 days" : "Stunden werden 90 Tage"
        let old = console.get("visits?by=hour&from=2026-08-01&to=2026-08-03", as: .viewer, language)
        #expect(old.status == 200 && PageStructure(old.content).text.contains(words))
        #expect(!console.get("visits?by=hour", as: .viewer, language).text.contains(words))
    }

    @Test("days are headed with their zone", arguments: ConsoleLanguage.allCases)
    func headings(_ language: ConsoleLanguage) throws {
        let universal = language == .en ? "Day (UTC)" : "Tag (UTC)"
        for (more, isUniversal) in [("\n    time-zone: Europe/Berlin\n", false), ("", true)] {
            let console = try console(more, hoursAgo: [0: 1])
            let id =
                console.ask("GET", ["links"]).json?["links"]?.elements?.first?["id"]?.text ?? ""
            for path in ["", "links/\(id)"] {
                let text = PageStructure(console.get(path, as: .viewer, language).content).text
                #expect(text.contains(universal) == isUniversal, "\(path)")
            }
        }
    }

    @Test("misses are of the chosen period", arguments: ConsoleLanguage.allCases)
    func misses(_ language: ConsoleLanguage) throws {
        let console = try console(hoursAgo: [0: 1])
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            let short = CollectionName("short").number
            batch.addMiss(short, console.now / 3_600, "/s/today", 2)
            batch.addMiss(short, console.now / 3_600 - 24 * 10, "/s/before", 2)
            try store.add(batch)
        }
        func text(_ path: String) -> PageStructure {
            PageStructure(console.get(path, as: .viewer, language).content)
        }
        let period = "from=2027-01-04&to=2027-01-06"
        let then = text("visits?\(period)")
        #expect(then.text.contains("/s/before") && !then.text.contains("/s/today"))
        let words =
            language == .en
            ? "From 2027-01-04 to 2027-01-06, of all collections"
            : "Vom 04.01.2027 bis 06.01.2027, aus allen Sammlungen"
        #expect(then.text.contains(words), "\(then.text)")
        #expect(then.hrefs.contains("/console/misses?\(period)"))
        #expect(!text("visits?period=7").text.contains("/s/before"))
        #expect(text("visits?period=30").text.contains("/s/before"))
        // All misses of that time, and as a table.
        let all = text("misses?\(period)")
        #expect(all.text.contains("/s/before") && !all.text.contains("/s/today"))
        #expect(all.text.contains(words) && all.hrefs.contains("/console/misses.csv?\(period)"))
        #expect(!console.get("misses.csv?\(period)").text.contains("/s/today"))
        #expect(text("misses").text.contains("/s/today"))
        // What is no period is passed over.
        for query in ["from=x&to=2027-01-06", "from=2027-01-06&to=2027-01-04", "from=2027-01-04"] {
            #expect(text("misses?\(query)").text.contains("/s/today"), "\(query)")
        }
        let none = text("misses?from=2027-01-01&to=2027-01-02").text
        #expect(none.contains(language == .en ? "In this time, everybody" : "In dieser Zeit hat"))
    }
}
