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

    @Test func `every error says what to write, unless its fact does`() {
        // A range, or all values that are allowed.
        let saysItself = ["must be", "may be", "may have", "no number of", "not a port from"]
        let bare = Fixture.all.flatMap { fixture in
            let directory = Fixture.directory
            return Configuration.read(
                Array(fixture.input.utf8), file: fixture.name, directory: directory
            ).diagnostics.filter { finding in
                finding.severity == .error && finding.advice == nil
                    && !saysItself.contains { finding.message.contains($0) }
            }
        }
        #expect(bare.map(\.head) == [])
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
