import Diagnostics
import LiveCheck
import Metrics

extension [HostReport] {
    /// The results in Prometheus' text format.
    /// - Parameter now: seconds since 1970.
    func exposition(now: Int) -> [UInt8] {
        var page = Exposition(.text)
        page.begin(broken)
        for report in self where report.verdict != .unchecked {
            page.add(.integer(report.verdict == .broken ? 1 : 0), .init("host", report.host))
        }
        page.begin(findings)
        for report in self {
            var seen = Set<String>()
            for (hop, finding) in report.findings
            where seen.insert("\(hop) \(finding.rule)").inserted {
                page.add(
                    .integer(1), .init("host", report.host), .init("hop", hop.rawValue),
                    .init("rule", finding.rule.rawValue), .init("severity", "\(finding.severity)"))
            }
        }
        page.begin(time)
        for report in self { page.add(.integer(now), .init("host", report.host)) }
        return page.bytes
    }
}

private let broken = MetricFamily(
    "waymark_check_broken", .gauge,
    "1 if links do not open the app there, or cannot be opened; nothing where it could not be asked.",
    labels: ["host"])
private let findings = MetricFamily(
    "waymark_check_findings", .gauge, "1 for each fault that was found.",
    labels: ["host", "hop", "rule", "severity"])
private let time = MetricFamily(
    "waymark_check_timestamp_seconds", .gauge, "When a host was checked.", labels: ["host"])
