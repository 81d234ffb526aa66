import Diagnostics
import Testing

@testable import SiteConfiguration

@Suite("Configuration fixtures")
struct FixtureTests {
    @Test("the reader says what the fixture states", arguments: Fixture.all)
    func says(_ fixture: Fixture) throws {
        let actual = fixture.actual
        if updatesFixtures { return try fixture.update(with: actual) }
        #expect(actual == fixture.expected)
    }

    @Test func `there are fixtures`() {
        #expect(Fixture.all.count > 20)
    }

    @Test func `every rule is found in a fixture or named here`() {
        let elsewhere: Set<RuleName> = [
            // A file that is not there, not readable or not text is no fixture.
            .fileMissing, .filePermission, .fileUnreadable, .fileSize, .notUTF8, .controlCharacter,
            // Limits are tested at their edges.
            .tooMany, .tooManyFindings, .associationSize,
        ]
        let found = Set(
            configurationRules.filter { rule in
                Fixture.all.contains { $0.expected.contains("[\(rule.rawValue)]") }
            })
        #expect(Set(configurationRules).subtracting(elsewhere).subtracting(found) == [])
    }
}
