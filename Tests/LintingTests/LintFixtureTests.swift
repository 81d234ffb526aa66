import Diagnostics
import Linting
import Testing

@Suite("Lint fixtures")
struct LintFixtureTests {
    @Test("lint says what the fixture states", arguments: LintFixture.all)
    func says(_ fixture: LintFixture) throws {
        let actual = fixture.actual
        if updatesFixtures { return try fixture.update(with: actual) }
        #expect(actual == fixture.expected)
    }

    @Test("a fixture fails its rule, or passes it without an error", arguments: LintFixture.all)
    func isWhatItsNameSays(_ fixture: LintFixture) {
        let findings = fixture.findings
        #expect(findings.contains { $0.rule.rawValue == fixture.rule } == fixture.isToFail)
        #expect(fixture.isToFail || !findings.contains { $0.severity == .error })
    }

    @Test func `every rule for association files has one that fails and one that passes`() {
        // A file of 131,072 bytes is tested beside its limit, signed ones with openssl.
        let elsewhere: Set<RuleName> = [.fileSize, .signedFile, .signature]
        let rules = Catalogue.groups.filter {
            ![
                "An app's half", "The configuration", "Stored links", "Starting", "Running",
                "The run",
            ]
            .contains($0.title)
        }.flatMap(\.rules).map(\.name).filter { !elsewhere.contains($0) }.map(\.rawValue)
        for kind in ["fails", "passes"] {
            let names = Set(LintFixture.all.map(\.name))
            #expect(rules.filter { !names.contains("\($0).\(kind).txt") } == [])
        }
    }
}
