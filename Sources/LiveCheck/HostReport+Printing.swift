package import Diagnostics

// A report of the live check in each format.

extension HostReport {
    /// Whether an error is found before the copies of others are asked.
    package var isBrokenHere: Bool { hops.contains { $0.hop < .cdn && $0.status == .failed } }

    /// Whether Apple's CDN has the live file, as far as it was asked.
    package var isCurrentAtApple: Bool {
        hops.contains { $0.hop == .cdn && $0.status == .passed && $0.findings.isEmpty }
    }

    /// Everything that was found, with its step.
    package var findings: [(hop: Hop, finding: LiveFinding)] {
        hops.flatMap { hop in hop.findings.map { (hop: hop.hop, finding: $0) } }
    }

    /// Whether another report has the same faults at the same steps. What is seen of one, such as a
    /// time, is another each time.
    package func isSame(as other: HostReport) -> Bool {
        func facts(_ report: HostReport) -> Set<[String]> {
            Set(
                report.findings.filter { $0.finding.severity > .note }
                    .map { [$0.hop.rawValue, $0.finding.rule.rawValue, "\($0.finding.severity)"] })
        }
        return verdict == other.verdict && facts(self) == facts(other)
    }

    /// For people: a line for each step, with what was found there, then the verdict.
    package var lines: [String] {
        var lines = [String]()
        for hop in hops {
            let place = hop.address.map { " \($0)" } ?? ""
            let time = hop.milliseconds.map { " (\($0) ms)" } ?? ""
            lines.append("\(hop.status.mark) \(host) \(hop.hop.rawValue)\(place)\(time)")
            for finding in hop.findings { lines += finding.lines.map { "    \($0)" } }
        }
        let reason = cause.map { ": \($0.finding.message)" } ?? ""
        let left = hops.filter { $0.status == .unchecked }.map { hop in
            hop.hop.rawValue + (hop.address.map { " \($0)" } ?? "")
        }
        let rest =
            left.isEmpty || verdict == .unchecked
            ? "" : "; not checked: " + left.joined(separator: ", ")
        lines.append("\(host): \(verdict.rawValue)\(reason)\(rest)")
        if !affects.isEmpty {
            lines.append("    affects: " + affects.map(\.words).joined(separator: "; "))
        }
        return lines
    }

    /// The shape that scripts can rely on.
    package var json: JSONText {
        .object([
            ("host", .string(host)), ("verdict", .string(verdict.rawValue)),
            (
                "cause",
                cause.map { cause in
                    .object(
                        [("hop", .string(cause.hop.rawValue))] + cause.finding.members + [
                            ("affects", .strings(affects.map(\.rawValue)))
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
                                            [("severity", .string("\($0.severity)"))] + $0.members
                                                + [("follows", .orNull($0.follows?.rawValue))])
                                    })
                            ),
                        ])
                    })
            ),
        ])
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
            + (evidence.map { ["  seen: \($0)"] } ?? [])
            + [follows.map { "  follows from \($0.rawValue)" } ?? "  \(advice)"]
    }

    fileprivate var members: [(key: String, value: JSONText)] {
        [
            ("rule", .string(rule.rawValue)), ("message", .string(message)),
            ("evidence", .orNull(evidence)), ("advice", .string(advice)),
        ]
    }
}
