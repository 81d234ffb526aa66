import Diagnostics
import EventLog
import Logging
import Origin
import Sockets

/// Tells of certificates that end soon while nothing is reloaded: each time that there is something
/// new to say, which is once a day, and on the last day once an hour.
struct ExpiryWatch {
    private var said: [Diagnostic] = []

    /// - Parameter server: whoever started it has said what there was to say.
    init(_ server: OriginServer) { renew(server) }

    /// Other certificates are served; a reload says of them what there is.
    mutating func renew(_ server: OriginServer) { said = findings(server) }

    mutating func look(_ server: OriginServer, _ events: Logger) {
        let findings = findings(server)
        guard findings != said else { return }
        said = findings
        events.report(findings)
    }

    private func findings(_ server: OriginServer) -> [Diagnostic] {
        server.snapshot.value.expiryFindings(now: Clock.unixSeconds)
    }
}
