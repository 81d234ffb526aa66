package import Certificates
package import Diagnostics
import HTTPMessages
import SiteConfiguration

/// The messages about automatic certificates for operators.
package enum CertificateFindings {
    /// An attempt has failed.
    /// - Parameters:
    ///   - entry: as it is planned now.
    ///   - next: the next attempt, in seconds since 1970, as all times.
    ///   - evidence: what this machine gets that asks for the challenge itself.
    static func failure(
        _ fault: IssuanceFault, _ entry: RenewalPlan.Entry, next: Int, evidence: String?,
        at position: SourcePosition, now: Int
    ) -> Diagnostic {
        let subject: String
        let isUrgent: Bool
        if entry.record.isRevoked {
            (subject, isUrgent) = ("was revoked, and no other was issued", true)
        } else if let validity = entry.validity {
            let isOver = validity.notAfter <= now
            subject =
                "was not renewed, and \(isOver ? "ended" : "ends") on \(HTTPDate.text(validity.notAfter))"
            isUrgent = validity.alarm(isLate: true, now: now) != nil
        } else {
            (subject, isUrgent) = ("was not issued", true)
        }
        let failures = entry.record.failures
        guard fault.kind != .machine else {
            return Diagnostic(
                .error, .certificateNotIssued, at: position,
                "the certificate of \(entry.host) \(subject): \(fault)",
                advice: "remove the cause; it is tried again within a minute after that")
        }
        return Diagnostic(
            isUrgent ? .error : .warning, .certificateNotIssued, at: position,
            "the certificate of \(entry.host) \(subject): \(fault)"
                + (evidence.map { "; \($0)" } ?? ""),
            advice: "the next attempt is on \(HTTPDate.text(next))"
                + (failures > 1 ? ", after \(failures) failures" : "")
                + "; waymark certificates renew \(entry.host) tries it now")
    }

    /// A certificate nears its end, or has ended.
    /// - Parameters:
    ///   - next: of the next attempt.
    ///   - obstacle: why this process makes none.
    static func alarm(
        _ entry: RenewalPlan.Entry, _ level: ExpiryAlarm, pause: OrderPause?, next: Int,
        obstacle: String?, at position: SourcePosition, now: Int
    ) -> Diagnostic {
        let end = entry.validity?.notAfter ?? now
        let fact =
            level == .ended
            ? "ended on \(HTTPDate.text(end)): no client trusts it any more"
            : "ends in \(durationInWords(end - now)), on \(HTTPDate.text(end)), and is not renewed yet"
        let reason =
            pause?.reason ?? entry.hold?.reason
            ?? (entry.record.failures > 0 ? entry.record.lastFault : nil)
        return Diagnostic(
            .error, level == .ended ? .expiredCertificate : .certificateExpiresSoon, at: position,
            "the certificate of \(entry.host) \(fact)" + (reason.map { "; \($0)" } ?? ""),
            advice: obstacle.map { "this process does not renew it: \($0)" }
                ?? "the next attempt is on \(HTTPDate.text(max(next, now))); waymark certificates renew \(entry.host) tries it now, "
                + "and files in `tls` in front of `automatic` replace it")
    }

    /// Hosts without a certificate, as a start finds them: each whose last attempt has failed in a
    /// finding of its own, as long as they are few; the others in one for each thing that they wait for.
    package static func greeting(
        _ waiting: [RenewalPlan.Waiting], now: Int, _ position: (String) -> SourcePosition?
    ) -> [Diagnostic] {
        let failed = waiting.filter { $0.entry.record.failures > 0 }
        let singles = failed.prefix(singlesMax).map { host in
            let record = host.entry.record
            return Diagnostic(
                .error, .certificateNotIssued, at: position(host.entry.host),
                "\(host.entry.host) has no certificate, after "
                    + "\(counted(record.failures, "failure")): "
                    + (record.lastFault ?? "the cause is not known"),
                advice: "remove the cause; "
                    + (host.due <= now
                        ? "this start tries it again at once"
                        : "the next attempt is on \(HTTPDate.text(host.due))"
                            + (host.reason.map { ": \($0)" } ?? "")
                            + "; waymark certificates renew \(host.entry.host) tries it now"))
        }
        let others = failed.dropFirst(singlesMax) + waiting.filter { $0.entry.record.failures == 0 }
        let groups = Dictionary(grouping: others) { $0.due <= now ? "" : $0.reason ?? later }
        return singles
            + groups.sorted { $0.key < $1.key }.flatMap { reason, hosts in
                group(hosts, reason: reason)
            }
    }

    /// Hosts that wait for the same; for nothing if there is no reason.
    private static func group(_ hosts: [RenewalPlan.Waiting], reason: String) -> [Diagnostic] {
        list(hosts.map(\.entry.host)) { places, them in
            (them == "it" ? "it is" : "they are")
                + (reason.isEmpty
                    ? " requested now"
                    : " requested on \(dates(hosts[places].map(\.due))): \(reason)")
                + "; waymark certificates list shows each, and waymark certificates renew HOST "
                + "requests one at once"
        }
    }

    /// Hosts without a certificate, where this process requests none.
    static func unattended(_ hosts: [String], _ obstacle: String) -> [Diagnostic] {
        list(hosts) { _, them in "this process does not request \(them): \(obstacle)" }
    }

    /// Hosts whose last attempt has failed, and that a reload does not try again.
    /// - Parameter hosts: with the times of their next attempts.
    static func delayed(_ hosts: [(host: String, due: Int)]) -> [Diagnostic] {
        list(
            hosts.map(\.host),
            "that \(hosts.count == 1 ? "has" : "have") failed and "
                + "\(hosts.count == 1 ? "is" : "are") not tried by this reload"
        ) { places, _ in
            "a reload tries a host twice an hour and ten times a day, within the authority's limits; next "
                + "\(dates(hosts[places].map(\.due))); waymark certificates renew HOST tries one now"
        }
    }

    /// The first and the last of these times.
    private static func dates(_ times: [Int]) -> String {
        Set([times.min(), times.max()].compactMap(\.self)).sorted().map(HTTPDate.text)
            .joined(separator: " to ")
    }

    /// Names hosts, so many in a finding.
    /// - Parameters:
    ///   - what: all of them have in common.
    ///   - advice: is given their places, and the pronoun for them.
    private static func list(
        _ hosts: [String], _ what: String = "without a certificate",
        _ advice: (Range<Int>, _ them: String) -> String
    ) -> [Diagnostic] {
        stride(from: 0, to: hosts.count, by: namesMax).map { start in
            let some = start..<min(start + namesMax, hosts.count)
            return Diagnostic(
                .warning, .certificateState, at: nil,
                "\(counted(some.count, "host")) \(what): "
                    + hosts[some].joined(separator: ", "),
                advice: advice(some, some.count == 1 ? "it" : "them"))
        }
    }

    private static let later = "the last attempt has failed"

    static func another(in directory: String) -> Diagnostic {
        Diagnostic(
            .warning, .certificateState, at: nil,
            "another process requests the certificates in \(quoted(directory))",
            advice: "this one serves them, and takes over when the other ends; if the other has "
                + "another configuration, give each its own --state")
    }

    /// A record could not be cleared, which is of no use any more.
    /// - Parameter wasSet: whether the program has set it, as far as this process knows.
    static func leftRecord(_ reason: String, of host: AutomaticHost, wasSet: Bool) -> Diagnostic {
        Diagnostic(
            .warning, .certificateState, at: host.automatic.position,
            "a record for \(host.name) \(wasSet ? "was" : "may be") left in DNS: \(reason)",
            advice:
                "the next start clears it again; a record that is there does no harm, and can be "
                + "removed by hand")
    }

    /// A certificate was issued when the turn of this node was over.
    static func late(_ host: AutomaticHost) -> Diagnostic {
        Diagnostic(
            .warning, .certificateState, at: host.automatic.position,
            "the certificate of \(host.name) was issued, and this node does not use it: its turn was over, or the "
                + "nodes' database does not answer",
            advice:
                "the node whose turn it is goes on with the order; all nodes serve what that gets")
    }

    private static let singlesMax = 20
    private static let namesMax = 100
}
