import Associations
import Diagnostics
import Foundation
import Testing
import URISyntax

@testable import SiteConfiguration
import TestSupport

@Suite("Several sites")
struct SeveralSitesTests {
    private static let head = """
        version: 1
        apps: {shared: {ios: {id: K3W9Q7M2XA.com.example.shared}}}
        links: {imprint: {match: /imprint, web: "https://www.example.com/imprint"}}
        environments:
          prod:
            hosts: "{site}.links.example"
            tls: {certificate: "certs/{site}.pem", key: certs/links.key}
            publish: {shared: [imprint]}
            robots: open
          dev: {extends: prod, hosts: "{site}.localhost", robots: closed}
        sites:
        """

    private func read(
        _ sites: String, servesOthers: Bool = false
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        let text = Self.head + "\n" + sites.split(separator: "\n").map { "  \($0)\n" }.joined()
        return Configuration.read(
            Array(text.utf8), file: "f", directory: "/d", servesOthers: servesOthers)
    }

    private func sites(_ text: String, _ environment: String) throws -> [Site] {
        let (configuration, diagnostics) = read(text)
        return try #require(
            configuration?.environment(named: environment)?.sites, "\(diagnostics)")
    }

    @Test func `a site has what it sets, and inherits the rest`() throws {
        let text = """
            shop: {site: {name: Shop}, robots: closed}
            news: {environments: {dev: {robots: open, hosts: [news.test]}}}
            """
        let prod = try sites(text, "prod")
        #expect(prod.map(\.name) == ["shop", "news"])
        #expect(
            prod.map { $0.hosts[0].description } == ["shop.links.example", "news.links.example"])
        #expect(prod.map(\.isClosedToRobots) == [true, false])
        #expect(prod.map(\.presentation.name) == ["Shop", nil])
        #expect(
            prod.map { $0.certificates[0].certificate.path } == [
                "/d/certs/shop.pem", "/d/certs/news.pem",
            ])
        #expect(prod.map(\.publicDirectory.path) == ["/d/Public/shop", "/d/Public/news"])
        #expect(prod.allSatisfy { $0.publications.map(\.app.key) == ["shared"] })
        let dev = try sites(text, "dev")
        #expect(dev.map { $0.hosts[0].description } == ["shop.localhost", "news.test"])
        #expect(dev.map(\.isClosedToRobots) == [true, false])
    }

    @Test(
        "the nearest value counts: the site's for the environment, the environment's, the site's",
        arguments: [
            ("a: {}", "dev.html"), ("a: {unmatched: /site.html}", "dev.html"),
            (
                "a: {unmatched: /site.html, environments: {prod: {unmatched: /own.html}}}",
                "dev.html"
            ),
            ("a: {environments: {dev: {unmatched: /own.html}}}", "/own.html"),
        ])
    func layers(_ site: String, _ expected: String) throws {
        let text = """
            version: 1
            apps: {app: {ios: {id: K3W9Q7M2XA.com.example.app}}}
            links: {home: {match: /}}
            environments:
              prod: {hosts: "{site}.example", tls: {certificate: c, key: k}, publish: {app: [home]}}
              dev: {extends: prod, hosts: "{site}.test", unmatched: /dev.html}
            sites:
              \(site)
            """
        let dev = try #require(
            Configuration.read(Array(text.utf8), file: "f").configuration?
                .environment(named: "dev")?.sites.first)
        guard case .page(let path, _, _) = dev.unmatched else {
            Issue.record("\(dev.unmatched)")
            return
        }
        #expect(path.hasSuffix(expected))
    }

    @Test func `its own links come before those of all sites`() throws {
        let shop = try sites(
            """
            shop: {links: {lamp: {match: /lamp, web: landing}}, publish: {shared: [lamp, imprint]}}
            news: {site: {name: News}}
            """, "prod")
        #expect(shop.map { $0.webLinks.map(\.key) } == [["lamp", "imprint"], ["imprint"]])
        #expect(shop[0].publications[0].links.map(\.key) == ["lamp", "imprint"])
    }

    @Test(
        "what is wrong with a site is said of this site",
        arguments: [
            ("a: {publish: {shared: [lamp]}}", "there is no link \"lamp\""),
            (
                "a: {links: {imprint: {match: /}}}",
                "link \"imprint\" is also in f:3:9, for all sites"
            ),
            ("a: {apps: {shared: {ios: {id: K3W9Q7M2XA.b}}}}", "is also in f:2:8, for all sites"),
            ("a: {environments: {uat: {robots: open}}}", "there is no environment \"uat\""),
            ("a: {log: {access: off}}", "\"a\" has no key \"log\""),
            ("a: {hosts: [\"*.a.example\"]}", "the first host is the canonical host"),
            ("a: {hosts: [a.example, \"*.com\"]}", "is a wildcard for a whole top level"),
            ("a: {hosts: [\"{sites}.example\"]}", "has braces that are not {site}"),
            ("a: {hosts: [a.example, a.example]}", "host \"a.example\" is listed twice"),
            ("a: {hosts: [a.example], open-host: \"*.example.com\"}", "without a wildcard"),
            ("a_b: {}", "\"a_b.links.example\" has an underscore"),
        ])
    func faults(_ site: String, _ message: String) {
        let (configuration, diagnostics) = read("\(site)\nnews: {site: {name: News}}")
        #expect(configuration == nil)
        #expect(diagnostics.contains { $0.message.contains(message) }, "\(diagnostics)")
        let others = read("\(site)\nnews: {site: {name: News}}", servesOthers: true)
        let prod = others.configuration?.environment(named: "prod")
        #expect(prod?.sites.map(\.name) == ["news"], "\(diagnostics)")
        #expect(prod?.refusedSites.map(\.name) == [site.hasPrefix("a_b") ? "a_b" : "a"])
    }

    @Test func `a file of the directory that is no site's is named`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.copyItem(
            atPath: repository("Tests/Fixtures/sites/links-house"), toPath: directory.path)
        let file = directory.path + "/waymark.yaml"
        #expect(Configuration.load(path: file).diagnostics.isEmpty)
        try Data().write(to: directory.appending(path: "sites/more.yml"))
        let findings = Configuration.load(path: file).diagnostics
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("sites/more.yml\" is not read") == true)
    }

    @Test func `a host of two sites is an error of both, and of no other`() {
        let text = """
            shop: {hosts: [shop.example, both.example]}
            news: {hosts: [both.example]}
            game: {site: {name: Game}}
            """
        let prod = read(text, servesOthers: true).configuration?.environment(named: "prod")
        #expect(prod?.sites.map(\.name) == ["game"])
        #expect(Set(prod?.refusedSites.map(\.name) ?? []) == ["shop", "news"])
        #expect(
            read(text).diagnostics.map(\.message).sorted() == [
                "host \"both.example\" belongs to two sites of \"prod\": \"news\" and \"shop\"",
                "host \"both.example\" belongs to two sites of \"prod\": \"shop\" and \"news\"",
            ])
    }

    @Test(
        "a wildcard serves one label more, and a listed host comes first",
        arguments: [
            ("a.links.example", "all"), ("shop.links.example", "shop"), ("links.example", "all"),
            ("a.b.links.example", nil), (".links.example", nil), ("example", nil),
            ("alinks.example", nil),
        ] as [(String, String?)])
    func wildcards(_ host: String, _ site: String?) throws {
        let text = """
            all: {hosts: [links.example, "*.links.example"]}
            shop: {hosts: [shop.links.example]}
            """
        let prod = try #require(read(text).configuration?.environment(named: "prod"))
        #expect(prod.site(of: host)?.name == site)
    }

    @Test func `without sites there is no name to stand for`() {
        let text = """
            version: 1
            apps: {app: {ios: {id: K3W9Q7M2XA.com.example.app}}}
            links: {home: {match: /}}
            environments:
              dev: {hosts: "{site}.test", tls: {certificate: c, key: k}, publish: {app: [home]}}
            """
        #expect(
            Configuration.read(Array(text.utf8), file: "f").diagnostics.map(\.message) == [
                "`{site}` stands for the name of a site, but the configuration has no `sites`"
            ])
    }

    // MARK: Files

    @Test(
        "each file of a directory is a site", arguments: [("thirty", 30), ("links-house", 3)])
    func files(_ name: String, _ count: Int) throws {
        let path = repository("Tests/Fixtures/sites/\(name)/waymark.yaml")
        let (configuration, diagnostics) = Configuration.load(path: path)
        let prod = try #require(configuration?.environment(named: "prod"), "\(diagnostics)")
        #expect(prod.sites.count == count)
        #expect(prod.sites.compactMap(\.name) == prod.sites.compactMap(\.name).sorted())
        #expect(prod.sites.allSatisfy { $0.position.file.hasSuffix("sites/\($0.name!).yaml") })
        #expect(prod.confidentialFiles.count { $0.kind == .configuration } == count + 1)
    }

    @Test func `two readings of the same site are equal, so that it is shared`() throws {
        let path = repository("Tests/Fixtures/sites/links-house/waymark.yaml")
        let (first, second) = (
            Configuration.load(path: path).configuration,
            Configuration.load(path: path).configuration
        )
        #expect(first?.environments.map(\.sites) == second?.environments.map(\.sites))
    }

    @Test(
        "a file that cannot be read is a fault of its site alone",
        arguments: [
            ("b.yaml", "links: {a", "did not find expected"), ("b.yaml", "", "file is empty"),
            ("b.yaml", "publsh: {}", "has no key \"publsh\""),
            ("b c.yaml", "site: {name: B}", "is not a name"),
        ])
    func unreadable(_ file: String, _ text: String, _ message: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let sites = directory.appending(path: "sites")
        try FileManager.default.createDirectory(at: sites, withIntermediateDirectories: true)
        let main = Self.head.replacing("sites:", with: "sites: sites/*.yaml")
        try Data(main.utf8).write(to: directory.appending(path: "waymark.yaml"))
        try Data("site: {name: A}".utf8).write(to: sites.appending(path: "a.yaml"))
        try Data(text.utf8).write(to: sites.appending(path: file))
        let path = directory.path + "/waymark.yaml"
        let (configuration, diagnostics) = Configuration.load(path: path)
        #expect(configuration == nil)
        #expect(diagnostics.contains { $0.message.contains(message) }, "\(diagnostics)")
        #expect(
            diagnostics.filter { $0.severity == .error }.allSatisfy {
                $0.position?.file.hasSuffix(file) == true
            }, "\(diagnostics)")
        let prod = Configuration.load(path: path, servesOthers: true).configuration?
            .environment(named: "prod")
        #expect(prod?.sites.map(\.name) == ["a"])
        #expect(prod?.refusedSites.count == 1)
    }

    @Test(
        "a directory without sites is an error of all",
        arguments: ["sites/*.yaml", "sites", "*/*.yaml", "sites/*.yml"])
    func nothing(_ pattern: String) {
        let text = Self.head.replacing("sites:", with: "sites: \"\(pattern)\"")
        let (configuration, diagnostics) = Configuration.read(
            Array(text.utf8), file: "f", directory: "/nowhere", servesOthers: true)
        #expect(configuration == nil)
        #expect(diagnostics.contains { $0.severity == .error })
    }
}
