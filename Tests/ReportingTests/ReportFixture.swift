import Associations
import Foundation
import Reporting
import TestSupport

/// The page with which nothing is wrong, and everything that is known of it.
enum ReportFixture {
    static let address = "https://table.example/places/golden-lamb"
    static let page = text("page.html")

    /// The input of a report on the page, each edit made once to its text.
    /// - Parameter file: the name that the page goes by.
    static func input(_ edits: [(String, String)] = []) throws -> ReportInput {
        var page = page
        for (old, new) in edits {
            guard let range = page.range(of: old) else { throw MissingText(text: old) }
            page.replaceSubrange(range, with: new)
        }
        let reading = PageReading(Array(page.utf8), file: "page.html")
        var input = ReportInput(page: reading, url: try LinkURL(address))
        input.exchange = PageExchange(
            client: "applebot", redirects: [], response: response(pageFields), encoding: "gzip")
        input.counterpart = Counterpart(client: "iphone-safari", page: reading)
        input.aasa = file("apple-app-site-association", "application/json")
        input.assetlinks = file("assetlinks.json", "application/json")
        input.robots = file("robots.txt", "text/plain")
        input.site = KnownSite(
            environment: "prod", isClosedToRobots: false, hosts: ["table.example"], apps: [app()])
        for path in ["images/lamb.png", "images/icon.png"] {
            input.resources["https://table.example/\(path)"] = file("public/\(path)", "image/png")
        }
        return input
    }

    struct MissingText: Error { let text: String }

    static func app(
        store: String? = "958625272", package: String? = "com.example.table"
    ) -> KnownApp {
        KnownApp(
            appID: "W4X7K2M9QH.com.example.table", storeIdentifier: store, package: package)
    }

    static let pageFields = [
        "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "Strict-Transport-Security": "max-age=63072000",
    ]

    static func response(_ fields: [String: String], status: Int = 200) -> ResponseFields {
        ResponseFields(status: status, fields: fields.map { ($0.key, $0.value) })
    }

    static func file(_ name: String, _ type: String) -> FetchedFile {
        let fields = [
            "Content-Type": type, "Cache-Control": "public, max-age=3600", "ETag": "\"1\"",
        ]
        return FetchedFile(name: name, bytes: bytes(name), response: response(fields))
    }

    static func bytes(_ name: String) -> [UInt8] {
        Array(
            FileManager.default.contents(atPath: repository("Tests/Fixtures/report/\(name)"))
                ?? Data())
    }

    static func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }
}

/// Whether fixtures are to be written anew, for a person to review.
let updatesFixtures = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"

/// A report on a page of this content alone.
func card(of html: String, at url: String? = nil) throws -> ReportCard {
    let page = PageReading(Array(html.utf8), file: "page.html")
    return ReportCard(ReportInput(page: page, url: try url.map { try LinkURL($0) }))
}

extension ReportCard {
    func result(_ id: String) -> ItemResult? { results.first { $0.item.id == id } }
}
