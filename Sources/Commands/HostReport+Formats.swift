import Diagnostics
import LiveCheck

// A report of the live check for programs that show findings.

extension HostReport {
    /// A command for GitHub's runner for each finding.
    var commands: [WorkflowCommand] {
        hops.flatMap(\.findings).map { finding in
            let name: StaticString =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .note: "notice"
                }
            return WorkflowCommand(
                name: name, properties: [("title", "\(host): \(finding.rule.rawValue)")],
                lines: [finding.message] + finding.explanation)
        }
    }
}

extension LiveFinding {
    /// The evidence, and the cure or the fault from which it follows.
    fileprivate var explanation: [String] {
        [evidence, follows.map { "follows from \($0.rawValue)" } ?? advice].compactMap(\.self)
    }
}

extension JUnitReport {
    /// One suite for each host, with one case for each step.
    init(_ reports: [HostReport]) {
        root = XMLElement(
            name: "testsuites",
            content: .elements(
                reports.map { report in
                    let failed = report.hops.count { $0.status == .failed }
                    let skipped = report.hops.count { $0.status == .unchecked }
                    return XMLElement(
                        name: "testsuite",
                        attributes: [
                            ("name", report.host), ("tests", "\(report.hops.count)"),
                            ("failures", "\(failed)"), ("errors", "0"), ("skipped", "\(skipped)"),
                        ],
                        content: .elements(
                            report.hops.map { Self.testCase(report.host, $0) }))
                }))
    }

    private static func testCase(_ host: String, _ hop: HostReport.HopReport) -> XMLElement {
        let errors = hop.findings.filter { $0.severity == .error }
        let failures = errors.map { finding in
            XMLElement(
                name: "failure", attributes: [("message", finding.message)],
                content: .text(finding.explanation.joined(separator: "\n")))
        }
        let skipped =
            hop.status == .unchecked
            ? [XMLElement(name: "skipped", content: .text(hop.findings[0].message))] : []
        return XMLElement(
            name: "testcase",
            attributes: [
                ("classname", host),
                ("name", hop.hop.rawValue + (hop.address.map { " \($0)" } ?? "")),
            ],
            content: .elements(failures + skipped))
    }
}
