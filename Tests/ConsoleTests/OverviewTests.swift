@testable import Console
import Diagnostics
import Foundation
import Testing
import URISyntax

@Suite("What the first page says needs somebody")
struct OverviewTests {
    private func make(_ console: TestConsole, _ slug: String, endsIn days: Int?) throws -> String {
        let until = days.map {
            #", "until": "\#(Timestamp(seconds: console.now + $0 * 86_400))""#
        }
        return try console.make(
            #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(until ?? "")}"#
        )
    }

    /// The part of a page about links that end soon.
    private func ending(_ answer: ConsoleResponse, _ language: ConsoleLanguage = .en) -> String {
        let text = answer.text
        let title = "<h2>\(ConsoleText.endSoon(language))</h2>"
        guard let start = text.range(of: title),
            let end = text[start.upperBound...].range(of: "</section>")
        else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test("links that end soon, the next first", arguments: ConsoleLanguage.allCases)
    func endSoon(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        let none = ending(console.get("", as: .viewer, language), language)
        #expect(none.contains(language == .en ? "No link ends in the next 14" : "endet kein Link"))
        for (slug, days) in [("later", 13), ("never", nil), ("soon", 1), ("far", 15)] {
            _ = try make(console, slug, endsIn: days)
        }
        let answer = console.get("", as: .viewer, language)
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && answer.content.count < 100_000)
        let part = ending(answer, language)
        let soon = try #require(part.range(of: "/s/soon")?.lowerBound)
        let later = try #require(part.range(of: "/s/later")?.lowerBound)
        #expect(soon < later && !part.contains("/s/never") && !part.contains("/s/far"))
        let words = language == .en ? "Ends 2027-01-16 08:00 UTC" : "Endet 16.01.2027 08:00 UTC"
        #expect(part.contains(words), "\(part)")
        // The list has the same as a filter.
        let list = PageStructure(console.get("links?state=ending", as: .viewer, language).content)
        #expect(list.choices["state"] == "ending" && list.faults == [])
        #expect(list.text.contains("/s/soon") && !list.text.contains("/s/far"))
        // In a day, one has ended.
        console.now += 2 * 86_400
        #expect(!ending(console.get("", as: .viewer, language), language).contains("/s/soon"))
    }

    @Test func `links that nobody gets any more do not end soon`() throws {
        let console = try TestConsole()
        let ids = try ["off", "archived", "gone", "on"].map { slug in
            try make(console, slug, endsIn: 2)
        }
        #expect(console.post("links/\(ids[0])/disable", []).status == 303)
        #expect(console.post("links/\(ids[1])/delete", []).status == 303)
        console.ask("DELETE", ["links", ids[2]], "", ["if-match": "*"])
        let part = ending(console.get(""))
        #expect(part.contains("/s/on"))
        for slug in ["off", "archived", "gone"] { #expect(!part.contains("/s/\(slug)")) }
        // More than the page has are in the list.
        for number in 0..<7 { _ = try make(console, "n\(number)", endsIn: 3) }
        let many = PageStructure(console.get("").content)
        #expect(many.hrefs.contains("/console/links?state=ending"))
    }

    @Test("what is not well, for those who may see it", arguments: ConsoleLanguage.allCases)
    func unwell(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        console.health.findings = .found([], seen: console.now)
        var certificate = CertificateHealth("a.example")
        certificate.end = console.now + 90 * 86_400
        console.health.certificates = [certificate]
        console.health.reloads = [ReloadAttempt(.taken, .start, at: console.now)]
        let well = PageStructure(console.get("", as: .admin, language).content)
        #expect(well.text.contains(language == .en ? "Nothing needs you." : "Nichts braucht dich."))
        #expect(!well.hrefs.contains("/console/health#reloads"))
        console.health.reloads = [
            ReloadAttempt(.refused, .changed, from: console.now - 9, at: console.now - 5, [])
        ]
        let unwell = PageStructure(console.get("", as: .admin, language).content)
        #expect(unwell.faults == [] && unwell.hrefs.contains("/console/health#reloads"))
        #expect(!unwell.hrefs.contains("/console/health#certificates"))
        #expect(!unwell.text.contains("Nothing needs you."))
        for role in [ConsoleRole.viewer, .editor] {
            #expect(!console.get("", as: role, language).text.contains("/console/health"))
        }
    }
}
