import Associations
import Foundation
import Reporting
import TestSupport
import Testing

@Suite("Report cards")
struct ReportCardTests {
    @Test func `a page with which nothing is wrong passes every item`() throws {
        let card = ReportCard(try ReportFixture.input())
        for result in card.results {
            #expect(result.status == .pass, "\(result.item.id): \(result.evidence)")
        }
    }

    @Test("a fault is named by its item, and by no other", arguments: ReportFault.all)
    func fault(_ fault: ReportFault) throws {
        var input = try ReportFixture.input(fault.edits)
        fault.change(&input)
        let results = ReportCard(input).results
        let faulty = results.filter { $0.status > .pass }
        let found = faulty.first { $0.item.id == fault.item }
        #expect(found?.status == fault.status)
        #expect(Set(faulty.map(\.item.id)) == fault.also.union([fault.item]), "\(faulty)")
        #expect(found?.fix?.isEmpty == false)
    }

    @Test func `every item can be failed`() {
        let never = Set(ReportCatalogue.items.map(\.id)).subtracting(
            ReportFault.all.flatMap { [$0.item] + $0.also })
        // What a page without any tag fails, and what is only told.
        #expect(never == ["deep-link-markup", "result-actions"])
    }

    @Test func `a page that names no app is asked to, unless there is none to name`() throws {
        var input = try ReportFixture.input(ReportFault.nothingOfApps)
        #expect(ReportCard(input).result("deep-link-markup")?.status == .required)
        input.know([ReportFixture.app(store: nil, package: nil)])
        for id in ["deep-link-markup", "banner-once", "al-ios", "al-android", "twitter-app"] {
            #expect(ReportCard(input).result(id)?.status == .notApplicable, "\(id)")
        }
    }

    @Test(
        "each item is answered once, in the catalogue's order", arguments: ["", "<p", "<title>x"])
    func order(_ page: String) throws {
        #expect(try card(of: page).results.map(\.item) == ReportCatalogue.items)
        #expect(Set(ReportCatalogue.items.map(\.id)).count == ReportCatalogue.items.count)
    }

    @Test func `every group has items, and items say what they ask and who says so`() {
        #expect(Set(ReportCatalogue.items.map(\.group)) == Set(ReportGroup.allCases))
        for item in ReportCatalogue.items {
            #expect(item.asks.hasSuffix(".") && !item.source.isEmpty, "\(item.id)")
            #expect(!item.fix.hasSuffix("."), "\(item.id)")
        }
    }

    @Test func `the gravest result decides of a group`() throws {
        let card = try card(of: "<title>A page without anything</title>")
        #expect(card.status(of: .image) == .required)
        #expect(card.status(of: .description) == .recommended)
        #expect(card.status(of: .appClip) == .notApplicable)
        #expect(card.leavingOut(["image"]).status(of: .image) == .notApplicable)
    }

    @Test func `docs/report.md is what the catalogue says`() throws {
        let path = repository("docs/report.md")
        if updatesFixtures {
            return try Data(ReportCatalogue.document.utf8).write(to: URL(filePath: path))
        }
        let written = FileManager.default.contents(atPath: path) ?? Data()
        #expect(String(decoding: written, as: UTF8.self) == ReportCatalogue.document)
    }
}
