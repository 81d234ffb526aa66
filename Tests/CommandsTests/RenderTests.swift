import Foundation
import SiteConfiguration
import Testing

@Suite("waymark render")
struct RenderTests {
    @Test(
        "prints the bytes that are served, and nothing else",
        arguments: ["prod", "uat", "dev"])
    func rendersAsServed(_ environment: String) throws {
        let site = try #require(
            Configuration.load(path: Program.repository.appending(path: "waymark.yaml").path)
                .configuration)
        let served = try #require(site.environment(named: environment)?.sites[0].associations.aasa)
        let outcome = try Program.run("render", "aasa", "--env", environment)
        #expect(outcome.status == 0)
        #expect(Array(outcome.output.utf8) == served)
        #expect(outcome.messages == "")
    }

    @Test func `a form can be asked for`() throws {
        let outcome = try Program.run(
            "render", "aasa", "--config", "Tests/Fixtures/sites/rwdevcon/waymark.yaml",
            "--env", "prod", "--form", "legacy")
        #expect(outcome.status == 0)
        let file = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        #expect(
            file as? NSDictionary == [
                "applinks": [
                    "apps": [NSString](),
                    "details": [
                        ["appID": "KFCNEC27GU.com.razeware.RWDevCon", "paths": ["/videos/*"]]
                    ],
                ] as NSDictionary
            ])
    }

    @Test(
        "what programs ask for, and pages, are printed as they are sent",
        arguments: [
            (["robots"], "Sitemap: https://www.rwdevcon.com/sitemap.xml"),
            (["sitemap"], "<loc>https://www.rwdevcon.com/videos/talk-ray-wenderlich-teamwork.html"),
            (["manifest"], "\"url\": \"https://apps.apple.com/app/id958625272\""),
            (["robots", "--host", "rwdevcon.com"], "Allow: /"),
            (
                [
                    "page", "--as", "x-preview", "--url",
                    "https://rwdevcon.com/videos/talk-ray-wenderlich-teamwork.html",
                ], "<meta property=\"og:video:width\" content=\"1280\">"
            ),
        ])
    func pages(_ arguments: [String], _ expected: String) throws {
        let site = ["--config", "Tests/Fixtures/sites/rwdevcon/waymark.yaml", "--env", "prod"]
        let outcome = try Program.run(["render"] + arguments + site)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(expected))
    }

    @Test func `a page that is shown with 404 is printed, and the status told`() throws {
        let outcome = try Program.run(
            "render", "page", "--env", "prod", "--url", "https://mobile.willhaben.at/nothing")
        #expect(outcome.status == 1)
        let page = Program.repository.appending(path: "Public/404.html")
        #expect(try outcome.output == String(contentsOf: page, encoding: .utf8))
        #expect(
            outcome.messages == "waymark: error: https://mobile.willhaben.at/nothing is answered "
                + "with 404 Not Found\n")
    }

    @Test(
        "the host that is asked takes the place of the link's",
        arguments: [
            ([], "https://open.willhaben.at/auto-verkaufen"),
            (["--host", "open.willhaben.at"], "https://mobile.willhaben.at/auto-verkaufen"),
        ])
    func pageOfHost(_ host: [String], _ opens: String) throws {
        let outcome = try Program.run(
            [
                "render", "page", "--env", "prod", "--as", "iphone-safari", "--url",
                "https://mobile.willhaben.at/auto-verkaufen",
            ] + host)
        #expect(outcome.output.contains("class=\"button primary\" href=\"\(opens)\""))
    }

    @Test(
        "what does not belong together is a fault of usage",
        arguments: [
            (["page"], 64), (["page", "--url", "https:"], 64), (["robots", "--as", "curl"], 64),
            (["robots", "--host", "a..b"], 64), (["robots", "--host", "example.com"], 1),
            (["page", "--url", "https://example.com/"], 1),
        ])
    func usage(_ arguments: [String], _ status: Int) throws {
        #expect(Int(try Program.run(["render"] + arguments + ["--env", "prod"]).status) == status)
    }

    @Test(
        "an argument that is none is quoted, and said in words to be none",
        arguments: [
            (
                ["robots", "--host", "a_b"],
                "\"a_b\": this is not a host name; write letters, digits and hyphens"
            ),
            (
                ["robots", "--host", String(repeating: "a.", count: 127) + "a"],
                "a host name has 255 bytes, may have 253"
            ),
            (
                ["page", "--host", "mobile.willhaben.at", "--url", "ftp:x"],
                "\"ftp:x\": a link must begin with"
            ),
        ])
    func arguments(_ arguments: [String], _ expected: String) throws {
        let outcome = try Program.run(["render"] + arguments + ["--env", "prod"])
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains(expected), "\(outcome.messages)")
    }

    @Test(
        "a host of others is told, not a file that is missing",
        arguments: [
            (["aasa", "--host", "example.com"], 1), (["page", "--url", "https://example.com/"], 1),
            (["aasa", "--host", "MOBILE.willhaben.at"], 0),
        ])
    func hosts(_ arguments: [String], _ status: Int) throws {
        let outcome = try Program.run(["render"] + arguments + ["--env", "prod"])
        #expect(Int(outcome.status) == status)
        #expect(
            outcome.messages.contains("prod\" does not serve host \"example.com\"; it serves ")
                == (status == 1))
    }

    @Test func `a file that is not served is answered with 1`() throws {
        let outcome = try Program.run("render", "assetlinks", "--env", "prod")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(
            outcome.messages == "waymark: error: environment \"prod\" serves no assetlinks.json\n")
    }

    @Test func `an unknown environment is answered with 78, and the nearest one`() throws {
        let outcome = try Program.run("render", "aasa", "--env", "prd")
        #expect(outcome.status == 78)
        #expect(outcome.output == "")
        #expect(outcome.messages.contains("there is no environment \"prd\""))
        #expect(outcome.messages.contains("did you mean \"prod\"?"))
    }

    @Test func `an invalid configuration is answered with 78, and every error`() throws {
        let text = smallestConfiguration.replacing("hosts:", with: "hsots:") + "vresion: 1\n"
        let outcome = try withConfiguration(text) {
            try Program.run("render", "aasa", "--config", $0, "--env", "dev")
        }
        #expect(outcome.status == 78)
        #expect(outcome.output == "")
        #expect(outcome.messages.contains("waymark.yaml:8:5: error: \"dev\" has no key \"hsots\""))
        #expect(outcome.messages.contains("waymark.yaml:11:1: error:"))
    }

    @Test func `a missing configuration is answered with 66`() throws {
        let outcome = try Program.run("render", "aasa", "--config", "no.yaml", "--env", "dev")
        #expect(outcome.status == 66)
        #expect(
            outcome.messages == "no.yaml:1:1: error: the file does not exist [file-missing]\n    "
                + "give the path of a configuration; waymark init creates one\n")
    }

    @Test(
        "what makes no sense is answered with 64",
        arguments: [
            ["render"], ["render", "aasa"], ["render", "robot", "--env", "dev"],
            ["render", "assetlinks", "--env", "dev", "--form", "legacy"],
        ])
    func usage(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
    }

    @Test(
        "the sitemap has each page by one address",
        arguments: [
            ("{match: /, web: page}", ["", "news.html"]),
            ("{match: /videos/*, web: page}", ["", "news.html"]),
            ("{match: /home, web: page}", ["", "home", "news.html"]),
            ("{match: /today, web: /news.html}", ["", "today"]),
            ("{match: /news/*, web: /news.html}", ["", "news.html"]),
            ("{match: /today, web: /news.html, page: {index: false}}", [""]),
            (
                "{match: /today, web: \"307 https://www.example.com/\"}",
                ["", "news.html", "today"]
            ),
            // Its content is at the other address.
            ("{match: /today, web: \"308 https://www.example.com/\"}", ["", "news.html"]),
        ])
    func sitemap(_ link: String, _ paths: [String]) throws {
        let text = smallestConfiguration.replacing("{match: /}", with: link)
        try withConfiguration(text) { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let pages = directory.appending(path: "Public")
            try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
            for name in ["index.html", "news.html"] {
                try Data("<title>\(name)</title>".utf8).write(to: pages.appending(path: name))
            }
            let outcome = try Program.run("render", "sitemap", "--config", path, "--env", "dev")
            let found = outcome.output.components(separatedBy: "<loc>https://localhost/")
                .dropFirst().map { $0.components(separatedBy: "</loc>")[0] }
            #expect(found.sorted() == paths)
        }
    }

    @Test(
        "there is a sitemap where there is a page to list, and robots.txt names no other",
        arguments: [
            ("{match: /items/*}", false), ("{match: /items, web: landing}", true),
            ("{match: /items, web: landing, page: {index: false}}", false),
        ])
    func emptySitemap(_ link: String, _ isThere: Bool) throws {
        let text = smallestConfiguration.replacing("{match: /}", with: link)
        try withConfiguration(text) { path in
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent().appending(path: "Public"),
                withIntermediateDirectories: true)
            let map = try Program.run("render", "sitemap", "--config", path, "--env", "dev")
            #expect(map.status == (isThere ? 0 : 1))
            #expect(map.output.contains("<loc>") == isThere)
            let robots = try Program.run("render", "robots", "--config", path, "--env", "dev")
            #expect(robots.output.contains("Sitemap: ") == isThere)
            #expect(robots.output.contains("Allow: /\n"))
        }
    }

    @Test func `an app without links is told as what it shares, and where it shares nothing not`()
        throws
    {
        let key = Array(repeating: "A1", count: 32).joined(separator: ":")
        let text = smallestConfiguration.replacing(
            "links:",
            with: """
                  keys:
                    ios: {id: W4X7K2M9QH.com.example.keys, services: [webcredentials]}
                    android: {package: com.example.keys, sha256: "\(key)", dynamic: true}
                  robot:
                    ios: {id: W4X7K2M9QH.com.example.robot}
                    android: {package: com.example.robot, sha256: "\(key)", credentials: true}
                links:
                """
        ).replacing("publish: {app: [home]}", with: "publish: {keys: [], app: home, robot: []}")
        try withConfiguration(text) { path in
            let apple = try Program.run("render", "aasa", "--config", path, "--env", "dev")
            #expect(
                apple.output == """
                    {
                      "applinks": {
                        "details": [
                          {
                            "appIDs": ["W4X7K2M9QH.com.example.app"],
                            "components": [
                              {"/": "/"}
                            ]
                          }
                        ]
                      },
                      "webcredentials": {"apps": ["W4X7K2M9QH.com.example.keys"]}
                    }

                    """)
            let android = try Program.run(
                "render", "assetlinks", "--config", path, "--env", "dev")
            #expect(android.output.contains("get_login_creds"))
            #expect(android.output.contains("com.example.robot"))
            #expect(!android.output.contains("com.example.keys"))
            #expect(!android.output.contains("handle_all_urls"))
            let match = try Program.run(
                "match", "https://localhost/", "--config", path, "--env", "dev")
            #expect(match.output.contains("opens W4X7K2M9QH.com.example.app because rule 1 (link"))
        }
    }
}
