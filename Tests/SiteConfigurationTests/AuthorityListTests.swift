import Diagnostics
import Testing

@testable import SiteConfiguration

/// The authorities that `automatic` names.
@Suite("Authorities of automatic certificates")
struct AuthorityListTests {
    private func read(_ automatic: String) -> (AutomaticCertificates?, [RuleName]) {
        let text = """
            version: 1
            apps: {app: {name: app, ios: {id: ABCDE12345.com.example.app}}}
            links: {all: {match: /p/*, web: landing}}
            environments:
              prod:
                hosts: a.example
                tls: {automatic: {terms: agreed\(automatic)}}
                publish: {app: [all]}
            """
        let (configuration, diagnostics) = Configuration.read(
            Array(text.utf8), file: "waymark.yaml", directory: "/etc/waymark")
        let prod = configuration?.environment(named: "prod")
        return (prod?.sites[0].automatic, diagnostics.map(\.rule))
    }

    private static func other(_ directory: String, _ more: String = "") -> String {
        "{terms: agreed, directory: \(directory)\(more)}"
    }

    @Test func `the test authority of Let's Encrypt is known, and can be switched off`() throws {
        let usual = try #require(read("").0)
        #expect(usual.rehearsal?.directory == AutomaticCertificates.stagingDirectory)
        #expect(usual.list.count == 1)
        for none in [
            ", staging: off", ", directory: staging", ", directory: https://ca.example/acme",
        ] {
            let automatic = try #require(read(none).0, "\(none)")
            #expect(automatic.rehearsal == nil, "\(none)")
        }
        let own = try #require(
            read(", directory: https://ca.example/acme, staging: https://ca.example/test").0)
        #expect(own.rehearsal?.authorityName == "ca.example-acme/otherwise/ca.example-test")
    }

    /// Another host in the list would else end the orders of all others.
    @Test func `what a host is requested with does not depend on the other hosts`() throws {
        let (one, none) = (try #require(read(", hosts: a.example").0), try #require(read("").0))
        #expect(one != none && one.withoutHosts == none.withoutHosts)
    }

    @Test func `authorities are asked in the order of the list`() throws {
        let list = [Self.other("https://b.example/acme"), Self.other("https://c.example/acme")]
        let automatic = try #require(
            read(", hosts: a.example, otherwise: [\(list.joined(separator: ", "))]").0)
        #expect(
            automatic.list.map(\.title) == [
                "acme-v02.api.letsencrypt.org", "b.example", "c.example",
            ])
        #expect(automatic.others.allSatisfy { $0.hosts == nil })
        // One alone is a list, too.
        #expect(read(", otherwise: \(list[0])").0?.others.map(\.title) == ["b.example"])
    }

    @Test(
        arguments: [
            (
                ", otherwise: \(other("https://acme-v02.api.letsencrypt.org/directory"))",
                .duplicateName
            ),
            (
                ", otherwise: [\(other("https://b.example/a")), \(other("https://b.example/a"))]",
                .duplicateName
            ),
            // Both would be kept in one place.
            (
                ", otherwise: [\(other("https://b.example/a")), \(other("https://b.example:a"))]",
                nil
            ),
            (", staging: \(AutomaticCertificates.usualDirectory)", .duplicateName),
            (
                ", otherwise: \(other("https://b.example/a", ", staging: https://b.example/a"))",
                .duplicateName
            ),
            (", otherwise: \(other("staging"))", nil),
            (", otherwise: \(other("http://b.example"))", .url),
            (", staging: http://b.example", .url), (", otherwise: {terms: agreed}", .missingKey),
            (", otherwise: {directory: https://b.example}", .missingKey),
            (", otherwise: \(other("https://b.example/a", ", dns: persistent"))", .unknownKey),
            (
                ", otherwise: [\((0..<5).map { other("https://b\($0).example/a") }.joined(separator: ", "))]",
                .tooMany
            ),
        ] as [(String, RuleName?)])
    func `a list that cannot be asked is refused`(text: String, rule: RuleName?) {
        let (automatic, rules) = read(text)
        #expect(automatic == nil && !rules.isEmpty)
        if let rule { #expect(rules == [rule]) }
    }

    @Test func `four others can be listed`() {
        let list = (0..<4).map { Self.other("https://b\($0).example/a") }.joined(separator: ", ")
        let (automatic, rules) = read(", otherwise: [\(list)]")
        #expect(automatic?.others.count == 4 && rules == [])
    }
}
