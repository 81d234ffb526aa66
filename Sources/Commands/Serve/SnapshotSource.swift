import ArgumentParser
import Diagnostics
import Origin
import SiteConfiguration
import Sockets
import TLS

/// Builds snapshots from a configuration: at the start, at each reload, and for `lint`, which say
/// the same of what is wrong.
struct SnapshotSource {
    let configuration: ConfigurationOptions
    /// Whether https is served, which takes a certificate.
    let needsTLS: Bool
    let ticketKeys: TicketKeys
    let limits: OriginLimits

    /// Reads the configuration and builds a snapshot; says everything that is wrong.
    /// - Throws: the exit status.
    func build() throws(ExitCode) -> Snapshot {
        let environment = try configuration.loadTested()
        guard !needsTLS || !environment.certificates.isEmpty else {
            printMessage(
                Diagnostic(
                    .error, "missing-certificate", at: environment.place,
                    "environment \(quoted(environment.name)) names no certificate to serve https "
                        + "with",
                    advice: "add tls: {certificate: …, key: …}, or pass --https off"))
            throw .configurationInvalid
        }
        do {
            let snapshot = try Snapshot.build(
                environment, limits: limits, ticketKeys: ticketKeys, now: Clock.unixSeconds)
            for warning in snapshot.warnings where warning.severity > .note {
                printMessage(warning)
            }
            return snapshot
        } catch {
            for diagnostic in error.diagnostics { printMessage(diagnostic) }
            throw error.kind.exitCode
        }
    }
}

extension SnapshotError.Kind {
    var exitCode: ExitCode {
        switch self {
        case .missingFile: .inputMissing
        case .noPermission: .noPermission
        case .invalid: .configurationInvalid
        }
    }
}
