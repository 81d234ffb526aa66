@testable import Console
import Diagnostics
import JSONSyntax
import LinkAPI
import LinkIndex
import LinkStore
import SiteConfiguration
import Testing
import Visits

@Suite("The page of visits")
struct VisitsPageTests {
    /// A console with so many links, which were visited today as often as their number says.
    private func console(_ count: Int = 2, tags: [String] = []) throws -> TestConsole {
        let console = try TestConsole()
        let names = tags.map { "\"\($0)\"" }.joined(separator: ",")
        for number in 1...count {
            _ = try console.make(
                #"""
                {"collection": "short", "slug": "n\#(number)", "destination": "https://www.example.com/",
                 "page": {"title": "=Title \#(number)"}, "tags": [\#(names)]}
                """#)
        }
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for number in 1...count {
                batch.add(VisitKey(link: number, hour: console.now / 3_600, .visit), number)
            }
            try store.add(batch)
        }
        return console
    }

    /// A day of 25 hours and one of 23: the clocks of Berlin go back on 25 October 2026, and forward on 28 March 2027.
    @Test(
        "days are those of the site's time zone, also where its clocks change",
        arguments: [
            (1_792_879_200, ["2026-10-24", "2026-10-25", "2026-10-26"], 25),
            (1_806_188_400, ["2027-03-27", "2027-03-28", "2027-03-29"], 23),
        ])
    func daysOfSite(_ midnight: Int, _ days: [String], _ length: Int) throws {
        let console = try TestConsole("\n    time-zone: Europe/Berlin\n")
        // In the evening of the day after.
        console.now = midnight + 45 * 3_600
        let first = midnight / 3_600
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for hour in first - 1..<first + length + 1 {
                batch.add(VisitKey(link: 1, hour: hour, .visit), 1)
            }
            try store.add(batch)
        }
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        let collections = console.ask("GET", ["collections"]).json?["collections"]?.elements ?? []
        #expect(collections.map { $0["timeZone"]?.text } == ["Europe/Berlin", "Europe/Berlin"])
        func counts(_ query: String) -> [String] {
            console.get("visits.csv?\(query)").text.split(separator: "\r\n").dropFirst().map {
                $0.split(separator: ",").prefix(2).joined(separator: " ")
            }
        }
        let period = "from=\(days[0])&to=\(days[2])"
        let expected = ["\(days[0]) 1", "\(days[1]) \(length)", "\(days[2]) 1"]
        #expect(counts(period) == expected)
        #expect(console.get("visits?\(period)").text.contains("Europe/Berlin"))
        // Each day of UTC has 24 hours.
        #expect(counts("\(period)&zone=UTC").contains("\(days[1]) \(length == 25 ? 24 : 23)"))
        // The charts of a link and of the overview have the same days.
        for path in ["links/\(id)", ""] {
            let page = console.get(path).text
            #expect(page.contains("<title>\(days[1]): \(length)</title>"), "\(path)")
            #expect(page.contains("\(days[2]) (Europe/Berlin)"), "\(path)")
        }
        #expect(console.get("links/\(id)").text.contains("People (day of UTC)"))
        // What is kept by the day of UTC alone is shown so, and not refused.
        for query in ["from=2026-01-01", "period=90&compare=1"] {
            let answer = console.get("visits?\(query)")
            #expect(answer.status == 200 && answer.text.contains("(UTC)"), "\(query)")
        }
        #expect(console.get("visits?period=90").text.contains("(Europe/Berlin)"))
    }

    @Test(
        "a time zone in which nothing can be counted is UTC, with a warning",
        arguments: [("Asia/Kolkata", "whole number of hours"), ("Europe/Berln", "is no zone in")])
    func unusable(_ zone: String, _ words: String) throws {
        let console = try TestConsole("\n    time-zone: \(zone)\n")
        let collections = console.ask("GET", ["collections"]).json?["collections"]?.elements ?? []
        #expect(!collections.isEmpty && collections.allSatisfy { $0["timeZone"] == nil })
        #expect(console.get("visits").status == 200)
        let text = TestConsole.configuration + "\n    time-zone: \(zone)\n"
        let read = Configuration.read(Array(text.utf8), file: "waymark.yaml")
        let site = try #require(read.configuration?.environments.first?.sites.first)
        let fault = LinkAPI.faultOfZone(site, at: console.now)
        #expect(fault?.message.contains(words) == true && fault?.severity == .warning)
        let right = TestConsole.configuration + "\n    time-zone: Europe/Berlin\n"
        let other = Configuration.read(Array(right.utf8), file: "waymark.yaml")
        let fine = try #require(other.configuration?.environments.first?.sites.first)
        #expect(LinkAPI.faultOfZone(fine, at: console.now) == nil)
        let none = LinkAPI.faultOfZone(fine, at: console.now, in: "/nonexistent")
        #expect(none?.message.contains("this machine has no zones") == true)
        #expect(none?.advice?.contains("tzdata") == true)
        #expect(
            Configuration.read(
                Array((TestConsole.configuration + "\n    time-zone: ../x\n").utf8), file: "w"
            ).configuration == nil)
    }

    @Test func `each table of a link can be downloaded, and so can misses`() throws {
        let console = try console()
        let id = console.ask("GET", ["links"]).json?["links"]?.elements?.first?["id"]?.text ?? ""
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(LinkDay(link: 1, day: console.now / 86_400), referrer: "=a.example", 3)
            batch.addMiss(CollectionName("short").number, console.now / 3_600, "/s/none", 2)
            try store.add(batch)
        }
        let page = console.get("links/\(id)").text
        for (name, line) in [
            ("day", "2027-01-15,1,0,"), ("platform", "ios,1"), ("referrer", "'=a.example,3"),
            ("outcome", "page,1"),
        ] {
            let path = "links/\(id)/visits.csv?by=\(name)"
            #expect(page.contains("\(path)\""), "\(path)")
            let table = console.get(path, as: .viewer)
            #expect(table.status == 200 && table.field("Content-Type") == nil)
            #expect(table.type == "text/csv; charset=utf-8")
            #expect(table.text.contains("\r\n\(line)"), "\(table.text)")
        }
        #expect(console.get("links/\(id)/visits.csv?by=none").text.contains("\r\n2027-01-15,1,"))
        #expect(console.get("links/none/visits.csv").status == 404)
        #expect(console.get("misses").text.contains("misses.csv\""))
        #expect(console.get("misses.csv").text.contains("\r\n/s/none,short,2,0,"))
    }

    @Test func `people and referrers of a campaign are sums whose meaning is said`() throws {
        let console = try TestConsole("\n    time-zone: Europe/Berlin\n")
        for slug in ["a", "b", "c"] {
            let campaign = slug == "c" ? "" : "?utm_campaign=sale"
            _ = try console.make(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/\#(campaign)"}"#
            )
        }
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for link in 1...3 {
                let day = LinkDay(link: link, day: console.now / 86_400)
                batch.add(VisitKey(link: link, hour: console.now / 3_600, .visit), 4)
                batch.add(day, referrer: "<i>.example", 3)
                batch.add(day, referrer: "", 1)
                for number in 1...2 as ClosedRange<UInt32> {
                    batch.add(visitor: .init(key: day.packed, number: number, count: 1))
                }
            }
            try store.add(batch)
        }
        let page = PageStructure(
            console.get("visits?campaign=sale&by=platform", as: .viewer).content)
        #expect(page.faults == [])
        #expect(page.text.contains("4 people, counted for each link and day"))
        #expect(page.text.contains("How many different people that are cannot be known"))
        #expect(
            page.text.contains("Where they came from") && page.text.contains("<i>.example"))
        #expect(page.text.contains("Directly, or not said") && page.text.contains("of UTC"))
        let german = console.get("visits?campaign=sale", as: .viewer, .de).text
        #expect(german.contains("4 Personen, je Link und Tag gezählt"))
        #expect(german.contains("visits.csv?campaign=sale&amp;by=referrer"))
        #expect(
            console.get("visits.csv?campaign=sale&by=referrer").text.contains("\r\n<i>.example,6"))
        // Of all links, nobody has asked for that.
        #expect(!console.get("visits").text.contains("counted for each link"))
        #expect(!console.get("visits?campaign=none").text.contains("counted for each link"))
        let days = PageStructure(console.get("visits?by=referrer&and=day").content)
        #expect(days.faults == [] && days.text.contains("(UTC)"))
        #expect(days.text.contains("Directly, or not said"))
    }

    @Test func `names of links are asked for together, also of deleted ones`() throws {
        let console = try console(130)
        let first = console.ask("GET", ["links"]).json?["links"]?.elements?.first?["id"]?.text ?? ""
        console.ask("DELETE", ["links", first], "", ["if-match": "*"])
        final class Asked { var questions = [ConsoleAPI.Question]() }
        let asked = Asked()
        console.before = { asked.questions.append($0) }
        let page = PageStructure(console.get("visits?by=link").content)
        #expect(page.faults == [] && page.text.contains("=Title 130"))
        #expect(asked.questions.filter { $0.path == ["links"] }.count == 1)
        #expect(!asked.questions.contains { $0.path.first == "links" && $0.path.count > 1 })
        asked.questions = []
        let table = console.get("visits.csv?by=link").text
        #expect(table.contains("https://go.example.com/s/n130,'=Title 130,130,"))
        #expect(table.contains("\(first),https://go.example.com/s/n1,,1,"))
        #expect(asked.questions.filter { $0.path == ["links"] }.count == 2)
        #expect(table.split(separator: "\r\n").count == 131)
    }

    @Test(
        "a day that is written makes the period, whatever the list says",
        arguments: [
            ("period=7&from=2027-01-01&to=2027-01-10", "2027-01-01 to 2027-01-10"),
            ("period=30&was=30&from=2027-01-01", "2027-01-01 to 2027-01-15"),
            ("to=2027-01-10", "2026-12-12 to 2027-01-10"),
            // Whoever had days, and chooses another period, wants that.
            ("period=7&was=own&from=2027-01-01", "2027-01-09 to 2027-01-15"),
            ("period=own", "2026-12-17 to 2027-01-15"),
        ])
    func days(_ query: String, _ shown: String) throws {
        let answer = try console().get("visits?\(query)")
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(page.text.contains(shown), "\(page.text)")
        #expect(page.text.contains("No day was written") == (query == "period=own"))
        // The form says the same.
        #expect(
            (page.choices["period"] == "own") == shown.hasPrefix("2027-01-01")
                || query.hasPrefix("to"))
        #expect((page.values["from"] == "2027-01-01") == shown.hasPrefix("2027-01-01"))
    }

    @Test(
        "what cannot be asked is said in words, beside its field",
        arguments: [
            (
                "by=tag&and=link", "and", "Tag and Link cannot be counted",
                "Schlagwort und Link lassen"
            ),
            ("by=referrer&and=tag", "and", "is kept by day", "wird je Tag behalten"),
            (
                "by=bogus", "by", "“bogus” is not among the choices", "„bogus“"
            ),
            ("by=hour&and=day", "and", "Each hour is of one day", "Jede Stunde gehört"),
            (
                "zone=Europe/Wien", "zone", "There is no time zone “Europe/Wien”",
                "Eine Zeitzone „Europe/Wien“"
            ),
            ("from=1.1.2027", "from", "“1.1.2027” is no day", "„1.1.2027“ ist kein Tag"),
            ("from=2027-01-02&to=2027-01-01", "to", "before the first", "vor dem ersten"),
        ])
    func refused(_ query: String, _ field: String, _ english: String, _ german: String) throws {
        let console = try console()
        for (language, words) in [(ConsoleLanguage.en, english), (.de, german)] {
            for path in ["visits", "visits.csv"] {
                let answer = console.get("\(path)?\(query)", as: .viewer, language)
                let page = PageStructure(answer.content)
                #expect(answer.status == 400 && page.faults == [])
                #expect(page.text.contains(words), "\(page.text)")
                #expect(page.hrefs.contains("#\(field)"))
                #expect(answer.text.contains("<title>\(language == .en ? "Error:" : "Fehler:")"))
                #expect(answer.text.contains("aria-invalid=\"true\" aria-describedby=\"errors\""))
                #expect(!page.text.contains("by is"))
            }
        }
    }

    @Test(
        "a visit of a link with two tags is one visit", arguments: ["day", "platform", "outcome"])
    func tags(_ by: String) throws {
        let page = PageStructure(
            try console(tags: ["print", "mail"]).get("visits?by=\(by)&and=tag&compare=1").content)
        #expect(page.text.contains("3 visits") && !page.text.contains("6 visits"))
        if by == "day" {
            #expect(page.text.contains("3 visits in 30 days. The most: 3 on 2027-01-15."))
            #expect(page.bars == ["2027-01-15: 3"], "\(page.bars)")
        }
        #expect(page.text.contains("None in the period before"))
    }

    @Test func `each link that is shown has its name, and in the table its URL`() throws {
        let console = try console(60)
        let page = console.get("visits?by=link").text
        #expect(page.contains(#"height="8" width="100""#) && page.contains(#"width="1""#))
        for number in [1, 30, 60] { #expect(page.contains(">=Title \(number)</a>")) }
        #expect(!page.contains(">0"), "an id is no name")
        let table = console.get("visits.csv?by=day&and=link").text.split(separator: "\r\n")
        #expect(table.count == 61 && table[0].hasPrefix("\u{FEFF}day,link,url,title,visits"))
        #expect(
            table.contains {
                $0.hasPrefix("2027-01-15,")
                    && $0.contains(",https://go.example.com/s/n60,'=Title 60,60")
            })
    }

    @Test func `days stand beside those of the period before`() throws {
        let console = try console()
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: console.now / 3_600 - 7 * 24, .visit), 8)
            try store.add(batch)
        }
        for (query, rows) in [("by=day", 7), ("by=platform", 1), ("by=platform&and=outcome", 1)] {
            let page = PageStructure(console.get("visits?period=7&compare=1&\(query)").content)
            #expect(page.faults == [] && page.text.contains("63 % less"))
            #expect(page.text.contains("Before"))
            #expect(page.tags.filter { $0.hasPrefix("tr") }.count == rows + 1)
        }
    }

    /// Visits of the last week, and of the one before.
    private func twoWeeks() throws -> TestConsole {
        let console = try console(2, tags: ["a, b", "=c"])
        let today = console.now / 3_600
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(VisitKey(link: 1, hour: today, .visit, platform: 2), 4)
            batch.add(VisitKey(link: 1, hour: today - 7 * 24, .visit, platform: 2), 5)
            batch.add(VisitKey(link: 1, hour: today - 7 * 24, .visit, platform: 3), 6)
            batch.add(VisitKey(link: 2, hour: today - 8 * 24, .visit, platform: 0), 7)
            try store.add(batch)
        }
        return console
    }

    @Test(
        "the table for download has the period before as the page has it",
        arguments: [
            "by=day", "by=platform", "by=tag", "by=link", "by=day&and=platform",
            "by=platform&and=day", "by=link&and=platform", "by=collection&and=outcome",
        ])
    func comparedTable(_ query: String) throws {
        let console = try twoWeeks()
        let path = "?period=7&compare=1&\(query)"
        let page = console.get("visits\(path)").text
        func numbers(_ count: Int) -> [Int] {
            page.split(separator: "<tr>").dropFirst().compactMap { row in
                let cells = row.matches(of: #/<td[^>]*>(?:<[^>]*>)*(\d+)/#).map { Int($0.1) ?? 0 }
                return row.contains("scope=\"row\"") && cells.count > count ? cells[count] : nil
            }
        }
        let lines = console.get("visits.csv\(path)").text.dropFirst().split(separator: "\r\n")
        let heading = lines[0].split(separator: ",").map(String.init)
        #expect(heading.last == "before" && heading.filter { $0 == "before" }.count == 1)
        let before = lines.dropFirst().map { Int($0.split(separator: ",").last ?? "") ?? -1 }
        let shown = numbers(1).reduce(0, +)
        #expect(shown > 0 && before.reduce(0, +) == shown, "\(lines)")
        #expect(lines.dropFirst().allSatisfy { !$0.isEmpty })
        let plain = console.get("visits.csv?period=7&\(query)").text
        #expect(!plain.contains("before"))
        // Where the page has no such column, the table has none.
        #expect(!console.get("visits.csv?period=7&compare=1&by=hour").text.contains("before"))
    }

    @Test func `rows of the period before alone are in the order of days`() throws {
        let table = try twoWeeks().get("visits.csv?period=7&compare=1&by=day&and=platform").text
        let lines = table.dropFirst().split(separator: "\r\n").map(String.init)
        #expect(
            lines == [
                "day,platform,visits,before", "2027-01-14,ios,0,7", "2027-01-15,ios,3,0",
                "2027-01-15,android,4,5", "2027-01-15,desktop,0,6",
            ], "\(lines)")
    }

    @Test func `what a page leaves out is compared, too`() {
        let rows = (0..<102).map { #"{"tag": "t\#($0)", "visits": \#($0)}"# }
        let json = JSONDocument(
            Array(#"{"rows": [\#(rows.joined(separator: ","))]}"#.utf8), file: "")
        let pivot = VisitPivot(json.root, by: ["tag"])
        #expect(pivot.rows.count == 100 && pivot.omitted == 2 && pivot.totals.count == 102)
        #expect(pivot.totals[Array("t1".utf8)] == 1)
    }

    @Test func `a period before the calendar is said in the words of the page`() throws {
        let console = try console()
        let long = "visits?from=1990-01-01&to=2027-01-15&compare=1"
        for (language, words) in [
            (ConsoleLanguage.en, "There is nothing to compare with: the period before would begin"),
            (.de, "Es gibt nichts zu vergleichen: Der Zeitraum davor würde vor 1970 beginnen."),
        ] {
            let page = PageStructure(console.get(long, language).content)
            #expect(page.faults == [] && page.text.contains(words), "\(page.text)")
            #expect(!page.text.contains("ask for a later one"))
        }
        // The first day of 1970 began in 1969 there.
        let first = console.get("visits?from=1970-01-01&to=2027-01-15&zone=Europe/Berlin", .de)
        #expect(first.status == 400 && first.text.contains("Der Zeitraum beginnt vor 1970."))
        #expect(!first.text.contains("begins before") && first.text.contains("href=\"#from\""))
        let second = console.get("visits?from=2010-01-01&to=2027-01-15&compare=1").text
        #expect(second.contains("None in the period before."))
    }

    @Test func `one day is one bar, and none is a sentence`() throws {
        let console = try console()
        let today = "from=2027-01-15&to=2027-01-15"
        let page = console.get("visits?\(today)", as: .viewer, .de)
        #expect(page.text.contains("3 Besuche in 1 Tag. Die meisten: 3 am 15.01.2027."))
        #expect(page.text.contains(#"d="M308 0h24v120h-24z""#))
        let empty = PageStructure(console.get("visits?\(today)&tag=none").content)
        #expect(
            empty.text.contains("No link has the tag “none”")
                && empty.text.contains("No visits in this time.")
                && !empty.tags.contains("figure class"))
    }
}
