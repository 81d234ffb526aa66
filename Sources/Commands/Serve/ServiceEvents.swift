import Diagnostics
import EventLog
import HTTPMessages
import LiveCheck
import Logging
import Services

extension ServiceEvent {
    /// Logs what has happened to a service.
    func report(to events: Logger) {
        switch self {
        case .finding(let finding): events.report(finding)
        case .storeOpened(let path, let slugs, let milliseconds, let version, let node):
            let upgrade = version.map {
                "; its tables were upgraded from version \($0), and an older Waymark refuses it now"
            }
            let name = node.map { "; this node is \(quoted($0))" }
            var metadata: Logger.Metadata = [
                "store": .string(path), "slugs": .stringConvertible(slugs),
                "milliseconds": .stringConvertible(milliseconds),
            ]
            if let node { metadata["node"] = .string(node) }
            events.info(
                "the store \(path) is open: \(counted(slugs, "slug")), after \(milliseconds) ms\(upgrade ?? "")\(name ?? "")",
                metadata: metadata)
        case .storeRecovered(let path):
            events.info(
                "the store \(path) can be written again", metadata: ["store": .string(path)])
        case .notificationsArrive:
            events.info("notifications of the database arrive again")
        case .certificateIssued(
            let host, let authority, let isOther, let isRenewal, let notAfter, let milliseconds):
            let end = HTTPDate.text(notAfter)
            let done = (isRenewal ? "renewed" : "issued") + (isOther ? " by \(authority)" : "")
            events.info(
                "the certificate of \(host) was \(done), until \(end), after \(milliseconds) ms",
                metadata: [
                    "host": .string(host), "authority": .string(authority),
                    "not_after": .stringConvertible(notAfter),
                    "milliseconds": .stringConvertible(milliseconds),
                ])
        case .certificateRehearsed(let host, let authority):
            let fact = "the test authority \(authority) has issued a certificate of \(host)"
            events.info(
                "\(fact), which is not used; the real attempt follows",
                metadata: ["host": .string(host), "authority": .string(authority)])
        case .accountMade(let authority, let terms):
            let agreed = terms.map { "; you have agreed to its terms, \($0)" } ?? ""
            events.info(
                "\(authority) has made a new account for this origin\(agreed)",
                metadata: ["authority": .string(authority)])
        case .renewalMoved(let host, let time, let explanation):
            let date = HTTPDate.text(time)
            let fact = "the certificate of \(host) will be renewed on \(date)"
            events.info(
                "\(fact), as its authority asks: \(explanation)",
                metadata: ["host": .string(host), "renew_at": .stringConvertible(time)])
        case .programOutput(let host, let text):
            events.info(
                "the program for records in DNS of \(host) has written: \(text)",
                metadata: ["host": .string(host)])
        case .hostChecked(let change): change.report(to: events)
        }
    }
}

extension HostChange {
    fileprivate func report(to events: Logger) {
        var members: Logger.Metadata = [
            "host": .string(host), "verdict": .string(verdict.rawValue),
        ]
        members["hop"] = hop.map { .string($0.rawValue) }
        members["finding"] = finding.map { .string($0.rule.rawValue) }
        members["seen"] = finding?.evidence.map { .string($0) }
        guard let finding, let hop else {
            let fact =
                verdict == .healthy ? "\(host) is healthy" : "\(host) cannot be reached from here"
            return events.info("\(fact)\(wasHealthy ? "" : " again")", metadata: members)
        }
        events.report(
            Diagnostic(
                finding.severity, .liveCheck, at: nil,
                "\(host), \(hop.rawValue): \(finding.message)", advice: finding.advice),
            members)
    }
}
