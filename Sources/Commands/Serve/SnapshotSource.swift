import ArgumentParser
import Diagnostics
import Files
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
    let ticketKeys: Background<Result<TicketKeys, OpenSSLError>>
    /// Sets those limits of a configuration that are not left to it.
    let setLimits: @Sendable (inout LimitSettings) -> Void

    /// Reads the configuration and all that it names, and builds a snapshot; nothing is printed.
    /// What changes meanwhile is read once more, so that a certificate and its key are of one
    /// renewal, and the hash is of what was read. What goes on changing is read no oftener than
    /// that, and comes to nothing.
    /// - Parameter previous: what is served until now.
    func attempt(after previous: Snapshot? = nil) -> SnapshotAttempt {
        for _ in 0..<repetitionsMax {
            let attempt = attemptOnce(previous)
            if attempt.changes.isEmpty { return attempt }
        }
        var attempt = attemptOnce(previous)
        attempt.withdrawIfChanged()
        return attempt
    }

    private func attemptOnce(_ previous: Snapshot?) -> SnapshotAttempt {
        // From before it is read: a change after that shows.
        let file = Inputs(configuration: configuration.path, nil)
        var stamps = file.stamps()
        let reading = configuration.read().tested
        var attempt = SnapshotAttempt(
            inputs: Inputs(configuration: configuration.path, reading.environment),
            diagnostics: reading.diagnostics)
        stamps.merge(attempt.inputs.stamps()) { first, _ in first }
        attempt.stamps = stamps
        // Of many files it takes as long as all the rest.
        let hash = Background(name: "waymark-hash") { [inputs = attempt.inputs] in inputs.hash() }
        if let environment = reading.environment, reading.fault == nil {
            build(environment, after: previous, &attempt)
        } else {
            attempt.fault = reading.fault ?? .configurationInvalid
        }
        attempt.hash = hash.value
        return attempt
    }

    private func build(
        _ environment: Environment, after previous: Snapshot?, _ attempt: inout SnapshotAttempt
    ) {
        guard !needsTLS || !environment.certificates.isEmpty else {
            attempt.diagnostics.append(
                Diagnostic(
                    .error, .missingCertificate, at: environment.position,
                    "environment \(quoted(environment.name)) names no certificate to serve https "
                        + "with",
                    advice: "add tls: {certificate: …, key: …}, or pass --https off"))
            attempt.fault = .configurationInvalid
            return
        }
        var environment = environment
        setLimits(&environment.limits)
        do {
            let snapshot = try Snapshot.build(
                environment, limits: OriginLimits(), ticketKeys: try ticketKeys.value.get(),
                after: previous, now: Clock.unixSeconds, outputs: FileIdentity.standardOutputs,
                speaksTLS: needsTLS)
            attempt.diagnostics += snapshot.warnings + snapshot.certificateFaults
            attempt.diagnostics += snapshot.certificateConsequences
            attempt.snapshot = snapshot
        } catch let error as SnapshotError {
            attempt.diagnostics += error.diagnostics
            attempt.fault = error.kind.exitCode
        } catch {
            attempt.diagnostics.append(
                Diagnostic(.error, .start, at: nil, "cannot start: \(error)"))
            attempt.fault = .ourFault
        }
    }
}

/// What came of building a snapshot.
struct SnapshotAttempt {
    /// What was read, as far as the configuration could say what that is.
    let inputs: Inputs
    /// What tells that they have changed since, and what they were, both from before the build.
    var stamps = Inputs.Stamps()
    var hash = ""
    var diagnostics: [Diagnostic]
    /// Nil after a fault.
    var snapshot: Snapshot?
    var fault: ExitCode?

    init(inputs: Inputs, diagnostics: [Diagnostic]) {
        self.inputs = inputs
        self.diagnostics = diagnostics
    }

    /// Whether files changed each time that they were read, so that nothing came of it. What was
    /// read and what is there now may be two things then.
    private(set) var isPostponed = false

    /// The files that are not what they were when the attempt began, by name.
    var changes: [String] {
        let now = inputs.stamps()
        let names = Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }
        return names.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Nothing is served of which it is known that files have changed since.
    mutating func withdrawIfChanged() {
        guard let name = changes.first else { return }
        isPostponed = true
        snapshot = nil
        fault = .tryAgain
        diagnostics.append(
            Diagnostic(
                .error, .filesChange, at: nil,
                "\(quoted(name)) changed while it was read, \(repetitionsMax + 1) times in a row",
                advice: "it is read again once nothing changes any more; what is written all the "
                    + "time must not lie where files are served from"))
    }
}

private let repetitionsMax = 2

extension SnapshotError.Kind {
    var exitCode: ExitCode {
        switch self {
        case .missingFile: .inputMissing
        case .noPermission: .noPermission
        case .invalid: .configurationInvalid
        }
    }
}
