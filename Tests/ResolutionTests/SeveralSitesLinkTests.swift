import Diagnostics
import SiteConfiguration
import Testing

@testable import Resolution

@Suite("Link tests of several sites")
struct SeveralSitesLinkTests {
    private func run(
        _ change: (String, String) = ("", "")
    ) throws -> (sites: [String?], outcomes: [LinkTestOutcome]) {
        var text = """
            version: 1
            apps: {app: {ios: {id: K3W9Q7M2XA.com.example.app}}}
            links: {a: {match: /a, web: "https://www.example.com/"}}
            sites:
              one:
                hosts: [one.example]
                robots: closed
                expect: [{url: "https://one.example/a", env: prod, gets: 302}]
              two:
                hosts: [two.example]
                expect: [{url: "https://two.example/b", env: prod, gets: 404}]
              three:
                hosts: [three.example]
                expect: [{url: "https://three.example/a", env: prod, opens: [app]}]
            environments:
              prod:
                tls: {certificate: a.pem, key: a.key}
                publish: {app: [a]}
            expect:
              - {url: "https://one.example/none", env: prod, gets: 404}
              - {url: "https://two.example/a", env: prod, gets: 302}

            """
        if !change.0.isEmpty {
            #expect(text.contains(change.0))
            text = text.replacing(change.0, with: change.1)
        }
        let (configuration, findings) = Configuration.read(
            Array(text.utf8), file: "f", directory: "/nowhere", servesOthers: true)
        let read = try #require(configuration, "\(findings)")
        let prod = try #require(read.environment(named: "prod"))
        return (prod.sites.map(\.name), read.runLinkTests { _ in [] })
    }

    @Test func `each is run for the site of its host`() throws {
        let (sites, outcomes) = try run()
        #expect(sites == ["one", "two", "three"])
        #expect(outcomes.map(\.site) == ["one", "two", "one", "two", "three"])
        #expect(outcomes.filter { !$0.hasPassed }.isEmpty, "\(outcomes)")
    }

    @Test(
        "those of a site with errors are run for no other site",
        arguments: [
            ("robots: closed", "robot: closed"), ("robots: closed", "robots: shut"),
            ("robots: closed", "environments: {uat: {robots: open}}"),
            ("hosts: [one.example]", "hosts: [one_.example]"),
        ])
    func broken(_ old: String, _ new: String) throws {
        let (sites, outcomes) = try run((old, new))
        #expect(sites == ["two", "three"])
        #expect(outcomes.map(\.site) == ["two", "two", "three"])
        #expect(outcomes.filter { !$0.hasPassed }.isEmpty, "\(outcomes)")
    }

    @Test func `a host of two sites is tested for neither`() throws {
        let (sites, outcomes) = try run(
            ("hosts: [two.example]", "hosts: [two.example, one.example]"))
        #expect(sites == ["three"])
        #expect(outcomes.map(\.site) == ["three"])
        #expect(outcomes.filter { !$0.hasPassed }.isEmpty, "\(outcomes)")
    }
}
