@testable import Console
import JSONSyntax
import LinkStore
import Testing
import Visits

@Suite("The visits of one link, in a period")
struct LinkVisitsTests {
    /// A console of a site in Berlin, with a link that had 3 visits today, 5 a month and a half ago and 7 a year ago; two of today's
    /// say where they came from.
    private func console() throws -> (TestConsole, String) {
        let console = try TestConsole("\n    time-zone: Europe/Berlin\n")
        let id = try console.make(
            #"{"collection": "short", "slug": "poster", "destination": "https://www.example.com/"}"#
        )
        let hour = console.now / 3_600
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            for (days, count) in [(0, 3), (45, 5), (365, 7)] {
                batch.add(VisitKey(link: 1, hour: hour - 24 * days, .visit, platform: 2), count)
            }
            batch.add(LinkDay(link: 1, day: hour / 24), referrer: "news.example", 2)
            var visitors = VisitTable()
            for number in 1...2 {
                visitors.countVisitor(
                    LinkDay(link: 1, day: hour / 24), hash: UInt64(number) << 40)
            }
            visitors.move(to: &batch)
            try store.add(batch)
        }
        return (console, id)
    }

    @Test(
        "blanks around days are left out, also no-break spaces",
        arguments: ["%20", "%C2%A0", "%E2%80%87", "%E2%80%AF"])
    func blanks(_ blank: String) throws {
        let (console, id) = try console()
        let query = "from=\(blank)2026-12-01\(blank)&to=2026-12-01\(blank)"
        let answer = console.get("links/\(id)?\(query)", as: .viewer)
        #expect(answer.status == 200 && answer.text.contains("5 visits"))
        #expect(console.get("visits?\(query)", as: .viewer).status == 200)
    }

    @Test(
        "a period is that of the page of all visits, also in tables",
        arguments: [
            ("", 3, "2026-12-17", 30), ("period=90", 8, "2026-10-18", 90),
            ("from=2026-12-01&to=2026-12-01", 5, "2026-12-01", 1),
            ("period=7&was=own&from=2026-12-01", 3, "2027-01-09", 7),
            ("from=2026-01-01&to=2026-12-01", 12, "2026-01-01", 335),
        ])
    func periods(_ query: String, _ sum: Int, _ first: String, _ days: Int) throws {
        let (console, id) = try console()
        let answer = console.get("links/\(id)?\(query)", as: .viewer)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(page.text.contains("\(sum) visits"), "\(page.text)")
        for name in ["day", "platform", "outcome"] {
            let path = "links/\(id)/visits.csv?by=\(name)" + (query.isEmpty ? "" : "&\(query)")
            #expect(page.hrefs.contains("/console/\(path)"), "\(path)")
            let lines = console.get(path, as: .viewer).text.split(separator: "\r\n")
            let counts = lines.dropFirst().compactMap { Int($0.split(separator: ",")[1]) }
            #expect(counts.reduce(0, +) == sum, "\(path): \(lines)")
            if name == "day" {
                #expect(lines.count == days + 1 && lines[1].hasPrefix(first), "\(lines)")
            }
        }
        let german = PageStructure(console.get("links/\(id)?\(query)", as: .viewer, .de).content)
        #expect(german.faults == [] && german.text.contains("\(sum) Besuche"))
    }

    @Test(
        "a period that is none is refused in words, beside its field, also for tables",
        arguments: [
            ("from=1.1.2027", "from", "“1.1.2027” is no day", "„1.1.2027“ ist kein Tag"),
            ("from=2027-01-02&to=2027-01-01", "to", "before the first", "vor dem ersten"),
            ("period=x", "period", "“x” is not among the choices", "„x“ ist keine"),
        ])
    func refused(_ query: String, _ field: String, _ english: String, _ german: String) throws {
        let (console, id) = try console()
        for (language, words) in [(ConsoleLanguage.en, english), (.de, german)] {
            for path in ["links/\(id)?\(query)", "links/\(id)/visits.csv?by=day&\(query)"] {
                let answer = console.get(path, as: .viewer, language)
                let page = PageStructure(answer.content)
                #expect(answer.status == 400 && page.faults == [])
                #expect(page.text.contains(words) && page.hrefs.contains("#\(field)"))
            }
        }
    }

    @Test func `what other pages filter by is no part of it`() throws {
        let (console, id) = try console()
        let page = console.get("links/\(id)?collection=none&tag=none&zone=Asia/Tokyo&by=link")
        #expect(page.status == 200 && page.text.contains("3 visits"))
        #expect(page.text.contains("(Europe/Berlin)"))
    }

    @Test func `the table of days has the people that the page has`() throws {
        let (console, id) = try console()
        let lines = console.get("links/\(id)/visits.csv?by=day&period=7").text
            .split(separator: "\r\n")
        #expect(lines.first?.hasSuffix(",visitors (day of UTC)") == true, "\(lines)")
        #expect(
            lines.last?.hasPrefix("2027-01-15,3,") == true && lines.last?.hasSuffix(",2") == true)
        #expect(lines[lines.count - 2].hasSuffix(",0"))
        // Days of UTC have them from the API, once.
        let universal = try TestConsole()
        let other = try universal.make(
            #"{"collection": "short", "destination": "https://www.example.com/"}"#)
        let heading =
            universal.get("links/\(other)/visits.csv?by=day").text
            .split(separator: "\r\n").first ?? ""
        #expect(heading.hasSuffix(",visitors") && !heading.contains("UTC"))
    }

    @Test func `visits that do not say where they came from are counted in words`() throws {
        let (console, id) = try console()
        #expect(console.get("links/\(id)").text.contains("Of 3 visits, 2 say where they came from"))
        let german = console.get("links/\(id)", as: .viewer, .de).text
        #expect(german.contains("Von 3 Besuchen sagen 2, woher sie kamen"))
        // Where all say it, and where none does, nothing is left out.
        let before = console.get("links/\(id)?from=2026-12-01&to=2026-12-01").text
        #expect(!before.contains("say where they came from"))
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(LinkDay(link: 1, day: console.now / 86_400), referrer: "b.example", 1)
            try store.add(batch)
        }
        #expect(!console.get("links/\(id)").text.contains("say where they came from"))
    }
}
