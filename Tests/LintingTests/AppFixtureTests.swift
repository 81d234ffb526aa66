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

    @Test func `every fault of the catalogue from A01 to A52 has a rule`() {
        let codes = Set(Catalogue.rules.map(\.code))
        #expect((1...52).map { "A\($0 < 10 ? "0" : "")\($0)" }.filter { !codes.contains($0) } == [])
    }

    /// Fixtures whose one fault is also the cause of an error of another rule.
    private static let seenTwice: [String: RuleName] = [
        "manifest-scheme-form.missing": .publishedNotInManifest,
        "clip-not-listed": .serviceNotPublished, "debug-certificate": .fingerprintNotPublished,
        "debuggable-build": .packageNotListed,
        "manifest-port": .publishedNotInManifest, "one-host-fails-all": .packageNotListed,
        "path-has-star": .publishedNotInManifest, "path-without-slash": .publishedNotInManifest,
        "pattern-star": .publishedNotInManifest, "pattern-star.advanced": .publishedNotInManifest,
        "pattern-star.set": .publishedNotInManifest, "service-not-entitled": .serviceNotPublished,
    ]

    /// Without its rule, the fixture would have no error: a rule that is lost is not hidden by another one.
    @Test(
        "a fixture that fails has no error of another rule",
        arguments: AppFixture.all.filter(\.isToFail))
    func isOfOneRule(_ fixture: AppFixture) {
        let name = String(fixture.name.dropLast(".fails.txt".count))
        let others = fixture.agreements.flatMap(\.findings).filter {
            $0.severity == .error && $0.rule.rawValue != fixture.rule
        }
        #expect(Set(others.map(\.rule)) == Set([Self.seenTwice[name]].compactMap(\.self)))
    }

    @Test func `every finding says what to do`() {
        let silent = AppFixture.all.flatMap(\.agreements).flatMap(\.findings).filter {
            $0.advice == nil
        }
        #expect(silent == [])
    }
}
