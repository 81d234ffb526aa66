import Diagnostics
import Linting
import Testing

@Suite("Fixtures of apps beside a site")
struct AppFixtureTests {
    @Test("a comparison says what the fixture states", arguments: AppFixture.all)
    func says(_ fixture: AppFixture) throws {
        let actual = fixture.actual
        if updatesFixtures { return try fixture.update(with: actual) }
        #expect(actual == fixture.expected)
    }

    @Test("a fixture fails its rule, or passes it without an error", arguments: AppFixture.all)
    func isWhatItsNameSays(_ fixture: AppFixture) {
        let findings = fixture.agreements.flatMap(\.findings)
        #expect(findings.contains { $0.rule.rawValue == fixture.rule } == fixture.isToFail)
        #expect(fixture.isToFail || !findings.contains { $0.severity == .error })
    }

    @Test func `the sites of the fixtures have no error`() {
        #expect(AppFixture.configuration != nil)
    }

    @Test func `every rule has a fixture that fails and one that passes`() {
        let rules = Catalogue.groups.filter { $0.title == "An app's half" }.flatMap(\.rules)
        let names = Set(AppFixture.all.map(\.name))
        for kind in ["fails", "passes"] {
            #expect(
                rules.map(\.name.rawValue).filter { !names.contains("\($0).\(kind).txt") } == [])
        }
    }

    @Test func `every finding says what to do`() {
        let silent = AppFixture.all.flatMap(\.agreements).flatMap(\.findings).filter {
            $0.advice == nil
        }
        #expect(silent == [])
    }
}
