import ArgumentParser
import Diagnostics
import Origin
import Services
import URISyntax

/// Shows, renews and revokes the certificates that an origin requests by itself.
struct CertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "Show, renew and revoke automatic certificates.",
        discussion: """
            They work on the files of `serve --state`, so run them as its user. A running origin \
            notices what they do.
            """,
        subcommands: [
            ListCertificatesCommand.self, RenewCertificateCommand.self,
            RevokeCertificateCommand.self,
        ])
}

struct RevokeCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a certificate whose key others have seen, and order another.",
        discussion: """
            The running origin answers with the revoked certificate until it has the other one.
            """)

    @Argument(help: "The host.") var host: String
    @Option(
        help: """
            Why: key-compromise, superseded, cessation-of-operation, or unspecified.
            """)
    var reason = RevocationReason.keyCompromise
    @OptionGroup var options: StateOptions

    func run() throws {
        let environment = try options.source.load()
        let found = try options.find(host, in: environment)
        do throws(RevocationError) {
            try options.directory.current.revoke(
                found, reason: reason.number, version: programVersion)
        } catch {
            printMessage("waymark: error: \(error)")
            throw ExitCode.no
        }
        try printOutput(.lines(["revoked; another is ordered"]))
    }
}

/// The reason for revoking a certificate (RFC 5280 §5.3.1).
enum RevocationReason: String, ExpressibleByArgument, CaseIterable {
    case unspecified
    case keyCompromise = "key-compromise"
    case superseded
    case cessationOfOperation = "cessation-of-operation"

    var number: Int {
        switch self {
        case .unspecified: 0
        case .keyCompromise: 1
        case .superseded: 4
        case .cessationOfOperation: 5
        }
    }
}

extension CertificateStatus {
    var json: JSONText {
        .object([
            ("host", .string("\(host)")), ("authority", .string(authority)),
            ("not_before", .orNull(notBefore)), ("not_after", .orNull(notAfter)),
            ("renew_at", .orNull(renewAt)), ("failures", .number(failures)),
            ("last_fault", .orNull(lastFault)), ("next_try", .orNull(nextTry)),
            ("revoked", .boolean(isRevoked)), ("paused_until", .orNull(pausedUntil)),
            ("pause_reason", .orNull(pauseReason)),
        ])
    }

    /// The time from which a certificate is requested or renewed; now if there is none and nothing is waited for.
    func dueTime(now: Int) -> Int {
        nextTry ?? (notAfter == nil || isRevoked ? now : renewAt ?? now)
    }

    func row(now: Int) -> [String] {
        func date(_ seconds: Int?) -> String {
            seconds.map { Timestamp(seconds: $0).description } ?? "-"
        }
        let hasEnded = notAfter.map { $0 <= now } ?? false
        let state: String =
            if let pausedUntil {
                (isRevoked ? "revoked; " : "") + (hasEnded ? "ended; " : "")
                    + "paused until \(date(pausedUntil)): \(pauseReason ?? "")"
            } else if let lastFault, failures > 0 {
                (isRevoked ? "revoked; " : "") + (hasEnded ? "ended; " : "")
                    + "\(counted(failures, "attempt")) failed, next on \(date(nextTry)): \(lastFault)"
            } else if isRevoked {
                "revoked; another is ordered"
            } else if notAfter != nil {
                (hasEnded ? "ended" : "valid") + (isOther ? "; issued by \(authority)" : "")
            } else {
                "none yet" + (nextTry.map { "; requested on \(date($0))" } ?? "")
            }
        return ["\(host)", date(notAfter), date(renewAt), state]
    }
}
