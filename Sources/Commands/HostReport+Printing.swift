import Diagnostics
import LiveCheck

// A report of the live check in each format.

extension HostReport {
    /// Whether an error is found before the copies of others are asked.
    var isBrokenHere: Bool { hops.contains { $0.hop < .cdn && $0.status == .failed } }

    /// Whether Apple's CDN has the live file, as far as it was asked.
    var isCurrentAtApple: Bool { hops.contains { $0.hop == .cdn && $0.status == .passed } }

    /// Everything that was found, with its step.
    var findings: [(hop: Hop, finding: LiveFinding)] {
        hops.flatMap { hop in hop.findings.map { (hop: hop.hop, finding: $0) } }
    }

    /// For people: a line for each step, with what was found there, then the verdict.
    var lines: [String] {
        var lines = [String]()
        for hop in hops {
            let place = hop.address.map { " \($0)" } ?? ""
            let time = hop.milliseconds.map { " (\($0) ms)" } ?? ""
            lines.append("\(hop.status.mark) \(host) \(hop.hop.rawValue)\(place)\(time)")
            for finding in hop.findings { lines += finding.lines.map { "    \($0)" } }
        }
        let reason = cause.map { ": \($0.finding.message)" } ?? ""
        return lines + ["\(host): \(verdict.rawValue)\(reason)"]
    }

    /// The shape that scripts can rely on.
    var json: JSONText {
        .object([
            ("host", .string(host)), ("verdict", .string(verdict.rawValue)),
            (
                "cause",
                cause.map { cause in
                    .object(
                        [("hop", .string(cause.hop.rawValue))] + cause.finding.members + [
                            (
                                "affects",
                                .strings(cause.finding.rule.affects(cause.hop).map(\.rawValue))
                            )
                        ])
                } ?? .null
            ),
            (
                "hops",
                .array(
                    hops.map { hop in
                        .object([
                            ("hop", .string(hop.hop.rawValue)), ("address", .orNull(hop.address)),
                            ("status", .string(hop.status.rawValue)),
                            ("ms", .orNull(hop.milliseconds)),
                            (
                                "findings",
                                .array(
                                    hop.findings.map {
                                        .object(
                                            [("severity", .string("\($0.severity)"))] + $0.members)
                                    })
                            ),
                        ])
                    })
            ),
        ])
    }

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
                lines: [finding.message] + [finding.evidence, finding.advice].compactMap(\.self))
        }
    }
}

extension HostReport.Status {
    fileprivate var mark: String {
        switch self {
        case .passed: "ok     "
        case .warning: "warning"
        case .failed: "FAILED "
        case .unchecked: "-      "
        }
    }
}

extension LiveFinding {
    fileprivate var lines: [String] {
        ["\(severity): \(message) [\(rule.rawValue)]"]
            + (evidence.map { ["  seen: \($0)"] } ?? []) + ["  \(advice)"]
    }

    fileprivate var members: [(key: String, value: JSONText)] {
        [
            ("rule", .string(rule.rawValue)), ("message", .string(message)),
            ("evidence", .orNull(evidence)), ("advice", .string(advice)),
        ]
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
                content: .text(finding.advice))
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
