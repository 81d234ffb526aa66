import ArgumentParser
import Diagnostics
import Origin
import SiteConfiguration
import Sockets
import TLS

/// Builds snapshots from the configuration and answers signals, on the main thread, while the
/// loops serve.
struct Supervisor {
    private let source: ConfigurationOptions
    private let needsTLS: Bool
    private let ticketKeys: TicketKeys
    private let limits = OriginLimits()
    private(set) var snapshot: Snapshot
    /// How many configurations have been served, the first included.
    private var generation = 1

    /// - Throws: an exit status, after the reasons have been said.
    init(_ source: ConfigurationOptions, _ addresses: OriginAddresses) throws {
        self.source = source
        needsTLS = addresses.https != nil
        do {
            ticketKeys = try TicketKeys()
        } catch {
            printMessage("waymark: error: \(error)")
            throw ExitCode.ourFault
        }
        snapshot = try Self.build(source, needsTLS, ticketKeys, limits)
    }

    /// Returns when the server has stopped.
    mutating func run(_ server: OriginServer, _ log: AccessLogOutput) {
        defer { log.stop() }
        while true {
            switch Signal.next() {
            case .hangUp:
                reload(server)
                log.reopen(snapshot.environment.accessLog.destination)
            case .userOne: log.reopen()
            case .terminate, .interrupt: return drain(server)
            case .quit, nil: return
            }
        }
    }

    private mutating func reload(_ server: OriginServer) {
        let began = Clock.monotonicMicroseconds
        do {
            let next = try Self.build(source, needsTLS, ticketKeys, limits)
            try next.environment.accessLog.check()
            snapshot = next
            server.publish(snapshot)
            generation += 1
            let elapsed = (Clock.monotonicMicroseconds - began) / 1000
            printMessage(
                "waymark: reloaded \(snapshot.environment.name): generation \(generation), "
                    + "\(elapsed) ms")
        } catch {
            printMessage(
                "waymark: error: not reloaded; still serving generation \(generation) "
                    + "[reload-refused]")
        }
    }

    private func drain(_ server: OriginServer) {
        printMessage("waymark: stopping; requests in flight have \(limits.drainSeconds) s")
        server.beginStop()
        while !server.isStopped {
            switch Signal.next(milliseconds: 20) {
            case .terminate, .interrupt, .quit: return printMessage("waymark: stopped at once")
            case .hangUp, .userOne, nil: break
            }
        }
        printMessage("waymark: stopped")
    }

    /// Reads the configuration and builds a snapshot; says everything that is wrong.
    private static func build(
        _ source: ConfigurationOptions, _ needsTLS: Bool, _ ticketKeys: TicketKeys,
        _ limits: OriginLimits
    ) throws -> Snapshot {
        let environment = try source.loadTested()
        guard !needsTLS || !environment.certificates.isEmpty else {
            printMessage(
                Diagnostic(
                    .error, "missing-certificate", at: environment.place,
                    "environment \(quoted(environment.name)) names no certificate to serve https "
                        + "with",
                    advice: "add tls: {certificate: …, key: …}, or pass --https off"))
            throw ExitCode.configurationInvalid
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
            throw exitStatus(error.kind)
        }
    }

    private static func exitStatus(_ kind: SnapshotError.Kind) -> ExitCode {
        switch kind {
        case .missingFile: ExitCode.inputMissing
        case .noPermission: ExitCode.noPermission
        case .invalid: ExitCode.configurationInvalid
        }
    }
}
