import Foundation
import Testing

@Suite("waymark report")
struct ReportTests {
    private static let files = "Tests/Fixtures/report"
    private static let page = "\(files)/page.html"
    private static let everything = [
        page, "--url", "https://table.example/places/golden-lamb", "--public", "\(files)/public",
        "--aasa", "\(files)/apple-app-site-association", "--assetlinks", "\(files)/assetlinks.json",
        "--robots", "\(files)/robots.txt",
    ]
    private static let video = "https://www.rwdevcon.com/videos/talk-ray-wenderlich-teamwork.html"
    private static let site = [
        "--config", "Tests/Fixtures/sites/rwdevcon/waymark.yaml", "--env", "prod",
    ]

    @Test func `a file is held against everything that is said of it`() throws {
        let outcome = try Program.run(["report"] + Self.everything)
        #expect(outcome.status == 0)
        for line in [
            "\(Self.page), at \"https://table.example/places/golden-lamb\"\n",
            "  ✓ aasa-match               opens W4X7K2M9QH.com.example.table because rule 2 ",
            "  ✓ image-size               1200×630, read from the file\n",
            "  – status … redirects       a file has no response; a URL with --config has one\n",
            "  │ [ Call ]  [ Directions ]                                 │\n",
            "\n0 required, 0 recommended, ",
        ] {
            #expect(outcome.output.contains(line), "\(line)")
        }
    }

    @Test func `JSON has the members that scripts rely on`() throws {
        let outcome = try Program.run(["report", "--format", "json"] + Self.everything)
        let fixture = Program.repository.appending(path: "\(Self.files)/report.json")
        if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1" {
            return try Data(outcome.output.utf8).write(to: fixture)
        }
        #expect(try outcome.output == String(contentsOf: fixture, encoding: .utf8))
        #expect(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) is NSDictionary)
    }

    @Test func `a URL is answered by its configuration's origin`() throws {
        let outcome = try Program.run(["report", Self.video, "--as", "googlebot"] + Self.site)
        #expect(outcome.output.hasPrefix("\(Self.video), requested by googlebot, in prod\n"))
        for line in [
            "  ✓ status                   200 for googlebot\n",
            "  ✓ redirects                none\n",
            "  ✓ aasa-served              200, application/json, ",
            "  – assetlinks-served        the environment publishes no Android app\n",
        ] {
            #expect(outcome.output.contains(line), "\(line)")
        }
    }

    @Test func `a redirect within the environment is followed, and counted`() throws {
        let plain = "http" + Self.video.dropFirst(5)
        let outcome = try Program.run(["report", plain] + Self.site)
        #expect(outcome.output.contains("  ✓ redirects                308 to \"\(Self.video)\"\n"))
        #expect(outcome.output.contains("  ✓ status                   200 for applebot\n"))
        #expect(outcome.output.contains("is plain HTTP\n"))
    }

    @Test func `a host of somebody else's is not answered`() throws {
        let outcome = try Program.run(["report", "https://elsewhere.example/"] + Self.site)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("  ✗ status                   421 for applebot\n"))
    }

    @Test func `a file is held against a configuration's apps`() throws {
        let outcome = try Program.run(
            ["report", Self.page, "--url", "https://rwdevcon.com/videos/x"] + Self.site)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("  ✓ ids-agree                \"958625272\""))
        #expect(outcome.output.contains("appclips lists no \"com.example.table.Clip\""))
    }

    @Test func `what must be mended decides the status, and what is recommended when asked`() throws
    {
        let html = "<html lang=en><title>A page without a picture</title><h1>x</h1>"
        func status(_ options: String...) throws -> Int32 {
            try withFile(html) { try Program.run(["report", $0] + options).status }
        }
        #expect(try status() == 1)
        #expect(try status("--ignore", "image", "--ignore", "deep-link-markup") == 0)
        #expect(
            try status(
                "--ignore", "image", "--ignore", "deep-link-markup", "--fail-on", "recommended")
                == 1)
    }

    @Test(
        "what cannot be asked for is refused",
        arguments: [
            ["https://table.example/"], [page, "--config", "waymark.yaml"],
            [page, "--url", "table.example"], [page, "--ignore", "imag"],
            [page, "--as", "nobody"], [page, "--robots", "x", "--config", "a", "--env", "b"],
            ["https://a.example/", "--url", "https://b.example/", "--config", "a", "--env", "b"],
        ])
    func refusals(_ arguments: [String]) throws {
        #expect(try Program.run(["report"] + arguments).status == 64)
    }

    @Test func `what is not there, too large or wrong has a status of its own`() throws {
        #expect(try Program.run("report", "/no/such/page.html").status == 66)
        #expect(try Program.run("report", Self.page, "--aasa", "/no/such/file").status == 66)
        let page = String(repeating: " ", count: 4 * 1_048_576)
        #expect(try withFile(page) { try Program.run("report", $0) }.status == 1)
        #expect(try withFile(page + " ") { try Program.run("report", $0) }.status == 78)
        let status = try withConfiguration("version: 2\n") { path in
            try Program.run("report", Self.video, "--config", path, "--env", "prod").status
        }
        #expect(status == 78)
    }
}
