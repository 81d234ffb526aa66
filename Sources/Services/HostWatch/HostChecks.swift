package import Diagnostics
package import LiveCheck
import Synchronization
import URISyntax

/// The findings about checked hosts. The watch's thread writes them, any thread reads them.
package final class HostChecks: Sendable {
    /// Nil where nothing is to be checked.
    private let entries = Mutex([CheckEntry]?.none)

    package var current: [CheckEntry]? { entries.withLock { $0 } }

    func set(_ new: [CheckEntry]?) { entries.withLock { $0 = new } }
}

/// A host that is checked, with what was found at the last check. Times are in seconds since 1970.
package struct CheckEntry: Sendable {
    package let host: String
    /// Nil before the first check.
    package let report: HostReport?
    package let time: Int?
    /// The time of its next check; nil if it is not checked again.
    package let next: Int?

    package init(_ host: CheckedHost, next: Int?) {
        (self.host, self.next) = (host.name, next)
        (report, time) = (host.last?.report, host.last?.time)
    }
}

extension [CheckEntry] {
    /// For people: a line for each host, the worst first, and everything about those that are not
    /// healthy.
    package var text: String {
        let known = filter { $0.report != nil }
        let healthy = known.count { $0.report?.verdict == .healthy }
        let waiting = count - known.count
        let sum =
            "\(healthy) of \(counted(known.count, "host")) \(known.count == 1 ? "is" : "are") healthy"
            + (waiting > 0 ? "; \(waiting) not checked yet" : "")
        let details = known.compactMap(\.report).filter { $0.verdict != .healthy }
            .flatMap { [""] + $0.lines }
        return ([sum, ""] + sorted { $0.rank > $1.rank }.map(\.line) + details)
            .map { $0 + "\n" }.joined()
    }

    /// Everything that was found, for people.
    package var details: String {
        flatMap { $0.report?.lines ?? [$0.line] }.map { $0 + "\n" }.joined()
    }

    package var json: JSONText {
        .array(
            map { entry in
                let members: [(key: String, value: JSONText)] =
                    if case .object(let members)? = entry.report?.json {
                        members
                    } else {
                        [("host", .string(entry.host)), ("verdict", .null)]
                    }
                return .object(
                    members + [
                        ("checked", .orNull(entry.time.map { "\(Timestamp(seconds: $0))" })),
                        ("next", .orNull(entry.next.map { "\(Timestamp(seconds: $0))" })),
                    ])
            })
    }
}

extension CheckEntry {
    fileprivate var rank: Int {
        switch report?.verdict {
        case .broken: 4
        case .warning: 3
        case .unchecked: 2
        case nil: 1
        case .healthy: 0
        }
    }

    fileprivate var line: String {
        guard let report, let time else { return "not checked yet: \(host)" }
        let cause = report.cause.map { ": \($0.finding.message) [\($0.finding.rule.rawValue)]" }
        return "\(report.verdict.rawValue): \(host), at \(Timestamp(seconds: time))\(cause ?? "")"
    }
}
