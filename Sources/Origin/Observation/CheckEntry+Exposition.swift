import LiveCheck
import Metrics
import Services

extension [CheckEntry] {
    /// The results in Prometheus' text format.
    package var exposition: [UInt8] {
        var page = Exposition(.text)
        expose(&page)
        return page.bytes
    }

    func expose(_ page: inout Exposition) {
        let reports = compactMap(\.report)
        page.begin(MetricCatalogue.checkBroken)
        for report in reports where report.verdict != .unchecked {
            page.add(.integer(report.verdict == .broken ? 1 : 0), .init("host", report.host))
        }
        page.begin(MetricCatalogue.checkFindings)
        for report in reports {
            var seen = Set<String>()
            for (hop, finding) in report.findings
            where seen.insert("\(hop) \(finding.rule)").inserted {
                page.add(
                    .integer(1), .init("host", report.host), .init("hop", hop.rawValue),
                    .init("rule", finding.rule.rawValue), .init("severity", "\(finding.severity)"))
            }
        }
        page.begin(MetricCatalogue.checkTime)
        for entry in self {
            guard let time = entry.time else { continue }
            page.add(.integer(time), .init("host", entry.host))
        }
        page.begin(MetricCatalogue.checkNext)
        for entry in self {
            guard let next = entry.next else { continue }
            page.add(.integer(next), .init("host", entry.host))
        }
    }
}
