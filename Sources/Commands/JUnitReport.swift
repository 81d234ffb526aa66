import Diagnostics
import Resolution
import SiteConfiguration

/// Link tests as XML for build services (the schema of Ant's JUnit task).
struct JUnitReport {
    let root: XMLElement

    init(suite: String, _ outcomes: [LinkTestOutcome]) {
        let failed = outcomes.count { !$0.failures.isEmpty }
        let suite = XMLElement(
            name: "testsuite",
            attributes: [
                ("name", suite), ("tests", "\(outcomes.count)"), ("failures", "\(failed)"),
                ("errors", "0"), ("skipped", "\(outcomes.count { $0.undecided != nil })"),
            ],
            content: .elements(outcomes.map(Self.testCase)))
        root = XMLElement(name: "testsuites", content: .elements([suite]))
    }

    private static func testCase(_ outcome: LinkTestOutcome) -> XMLElement {
        let expectation = outcome.expectation
        let profile = expectation.profile.map { " as \($0)" } ?? ""
        let failures = outcome.failures.map { failure in
            let message = failure.sentence
            return XMLElement(
                name: "failure", attributes: [("message", message)],
                content: .text("\(expectation.position): \(failure.reason ?? message)"))
        }
        let skipped = outcome.undecided.map {
            [XMLElement(name: "skipped", attributes: [("message", $0)], content: .text($0))]
        }
        return XMLElement(
            name: "testcase",
            attributes: [
                ("classname", expectation.environment), ("name", expectation.url + profile),
                ("file", expectation.position.file), ("line", "\(expectation.position.line)"),
            ],
            content: .elements(failures + (skipped ?? [])))
    }
}
