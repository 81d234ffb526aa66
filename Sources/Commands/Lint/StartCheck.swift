import ArgumentParser
import Diagnostics
import Origin
import SiteConfiguration
import Sockets
import TLS

/// What `serve` would say of an environment: all that it does before it binds an address is done,
/// by the same code.
struct StartCheck {
    let findings: [Diagnostic]
    /// What it would end with; nil where it would start.
    let fault: ExitCode?

    init(_ environment: Environment) {
        do {
            let snapshot = try Snapshot.build(
                environment, limits: OriginLimits(), ticketKeys: try TicketKeys(),
                now: Clock.unixSeconds)
            (findings, fault) = (snapshot.warnings, nil)
        } catch let error as SnapshotError {
            (findings, fault) = (error.diagnostics, error.kind.exitCode)
        } catch {
            let place = environment.place
            findings = [Diagnostic(.error, "unusable-certificate", at: place, "\(error)")]
            fault = .ourFault
        }
    }
}
