import ArgumentParser
import Diagnostics
import Origin
import SiteConfiguration
import Sockets
import TLS

/// What `serve` would say of an environment: all that it does before it binds an address is done,
/// by the same code. Of the access log, which is not the linter's to make, the permissions are
/// looked at.
struct StartCheck {
    let findings: [Diagnostic]
    /// What it would end with, or would if the host of a certificate that cannot be used were its
    /// only one; nil where there is nothing to mend.
    let fault: ExitCode?

    init(_ environment: Environment) {
        let start = Self.build(environment)
        let log = environment.accessLog.findFault(opens: false)
        findings = start.findings + [log?.diagnostic].compactMap(\.self)
        fault = start.fault ?? log?.status
    }

    private static func build(
        _ environment: Environment
    ) -> (findings: [Diagnostic], fault: ExitCode?) {
        do {
            let snapshot = try Snapshot.build(
                environment, limits: OriginLimits(), ticketKeys: try TicketKeys(),
                now: Clock.unixSeconds)
            // A start would serve the other hosts.
            return (
                snapshot.warnings + snapshot.certificateFaults,
                snapshot.certificateFaultKind?.exitCode
            )
        } catch let error as SnapshotError {
            return (error.diagnostics, error.kind.exitCode)
        } catch {
            let position = environment.position
            return (
                [Diagnostic(.error, .unusableCertificate, at: position, "\(error)")], .ourFault
            )
        }
    }
}
