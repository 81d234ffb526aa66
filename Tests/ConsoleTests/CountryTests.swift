@testable import Console
import Foundation
import JSONSyntax
import LinkStore
import Markup
import Testing
import Visits

@Suite("Countries in the console")
struct CountryTests {
    /// A console with a link that was visited from AT, and by somebody else.
    private func console(
        countsCountries: Bool = true, _ attribution: String? = nil
    ) throws -> (TestConsole, id: String) {
        let console = try TestConsole(
            countsCountries: countsCountries, countryAttribution: attribution)
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#)
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            let day = LinkDay(link: 1, day: console.now / 86_400)
            for (country, count) in [(0x4154, 7), (0x4445, 2), (0, 6)] {
                batch.add(
                    country: .init(
                        key: day.packed, number: UInt32(country), count: UInt32(count)))
            }
            batch.add(VisitKey(link: 1, hour: console.now / 3_600, .visit), 15)
            try store.add(batch)
        }
        return (console, id)
    }

    @Test func `a link and the statistics have a table of countries`() throws {
        let (console, id) = try console()
        let link = console.get("links/\(id)").text
        #expect(link.contains("By country") && link.contains("at least five visits"))
        for text in [link, console.get("visits?by=country").text] {
            #expect(text.contains(">Austria<") && !text.contains(">AT<"), "\(text)")
            #expect(text.contains("too few to be named") && text.contains("Not known"))
        }
        #expect(console.get("visits").text.contains("<option value=\"country\""))
        let table = console.get("links/\(id)/visits.csv?by=country").text
        #expect(table.hasSuffix("country,visits\r\nAT,7\r\nunknown,6\r\nother,2\r\n"), "\(table)")
        let all = console.get("visits.csv?by=day&and=country").text
        #expect(all.contains("day,country,visits\r\n2027-01-15,AT,7\r\n"), "\(all)")
    }

    @Test func `a page names countries in its language`() throws {
        let (console, id) = try console()
        for path in ["links/\(id)", "visits?by=country", "visits?by=day&and=country"] {
            let text = console.get(path, .de).text
            #expect(text.contains("Österreich") && !text.contains("Austria"), "\(text)")
        }
        // Other things can have the name of a country's letters.
        #expect(console.get("visits?by=collection").text.contains(">short<"))
    }

    @Test(
        arguments: [
            ("AT", "Austria", "Österreich"), ("CI", "Côte d’Ivoire", "Côte d’Ivoire"),
            ("XK", "XK", "XK"), ("EU", "EU", "EU"), ("AP", "AP", "AP"), ("T1", "T1", "T1"),
            ("other", "other", "other"), ("unknown", "unknown", "unknown"), ("", "", ""),
        ])
    func `letters of no country stay as they are`(
        _ code: String, english: String, german: String
    ) {
        func name(_ language: ConsoleLanguage) -> String {
            PageWriter(ConsoleSetting(environment: "prod", language: language, isSecure: true))
                .country(code)
        }
        #expect(name(.en) == english && name(.de) == german)
    }

    // MARK: Attribution

    @Test func `the line that a licence asks for is below countries, and nowhere else`() throws {
        let line =
            "<b>IP & places</b> by Example (https://db.example/a?b=1&c), https://two.example/."
        let (console, id) = try console(line)
        let shown =
            "<p class=\"hint\">&lt;b&gt;IP &amp; places&lt;/b&gt; by Example "
            + "(<a rel=\"noreferrer\" href=\"https://db.example/a?b=1&amp;c\">"
            + "https://db.example/a?b=1&amp;c</a>), <a rel=\"noreferrer\" "
            + "href=\"https://two.example/\">https://two.example/</a>.</p>"
        for path in ["links/\(id)", "visits?by=country", "visits?by=day&and=country"] {
            let text = console.get(path).text
            #expect(text.components(separatedBy: shown).count == 2, "\(text)")
        }
        for path in ["visits", "visits?by=platform", "links", "links/\(id)/visits.csv?by=country"] {
            #expect(!console.get(path).text.contains("Example"), "\(path)")
        }
    }

    @Test func `no line is shown without countries, or without one in the configuration`() throws {
        let (silent, first) = try console()
        #expect(!silent.get("links/\(first)").text.contains("Example"))
        let (without, second) = try console(countsCountries: false, "by Example")
        #expect(!without.get("links/\(second)").text.contains("Example"))
        // Nothing was counted, so nothing of the source is shown.
        let empty = try TestConsole(countsCountries: true, countryAttribution: "by Example")
        #expect(!empty.get("visits?by=country").text.contains("Example"))
    }

    @Test(
        arguments: [
            "https://", "http://a.example/", "javascript:alert(1)", "xhttps://a.example",
            "https:/a", " ", "(<", "https://.,;",
        ])
    func `a word that is no https URL is no link`(_ line: String) throws {
        var page = PageWriter(
            ConsoleSetting(environment: "prod", language: .en, isSecure: true))
        page.attribution(line)
        let text = String(decoding: page.markup.bytes, as: UTF8.self)
        #expect(!text.contains("<a"), "\(text)")
        #expect(text.contains(line.replacing("<", with: "&lt;")), "\(text)")
    }

    @Test func `nothing of countries is shown where they are not counted`() throws {
        let (console, id) = try console(countsCountries: false)
        #expect(!console.get("links/\(id)").text.contains("By country"))
        #expect(!console.get("visits").text.contains("<option value=\"country\""))
    }

    @Test(arguments: ["hour", "platform", "outcome"])
    func `what is not kept with a country is said`(_ other: String) throws {
        let (console, _) = try console()
        for query in ["by=country&and=\(other)", "by=\(other)&and=country"] {
            let page = console.get("visits?\(query)")
            #expect(page.status == 400 && page.text.contains("nobody can be found by them"))
        }
        // In another zone, countries are those of days of UTC.
        #expect(console.get("visits?by=country&zone=Europe/Berlin").text.contains("(UTC)"))
    }
}
