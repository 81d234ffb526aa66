import Answering
import ArgumentParser
import Diagnostics
import Files
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets
import TLS

/// Builds snapshots from a configuration: at the start, at each reload, and for `lint`, so that all
/// report the same errors.
struct SnapshotSource {
    let configuration: ConfigurationOptions
    /// Whether https is served, which needs a certificate.
    let needsTLS: Bool
    let ticketKeys: Background<Result<TicketKeys, OpenSSLError>>
    /// Sets the limits that the command line overrides.
    let setLimits: @Sendable (inout LimitSettings) -> Void
    /// The directory of automatic certificates; nil if none is requested.
    var certificates: CertificateDirectory?
    let challenges = ChallengeCertificates()
    /// Receives what is found in public files when they are read.
    var report: @Sendable (Diagnostic) -> Void = { _ in }
    var memory = WorkMemory()

    /// Reads the configuration and all its files, and builds a snapshot; prints nothing. Files that
    /// change meanwhile are read once more, so that a certificate and its key are from one renewal,
    /// and the hash is of what was read. If they still change, there is no snapshot.
    /// - Parameter previous: what is served now.
    func attempt(after previous: Snapshot? = nil) -> SnapshotAttempt {
        for _ in 0..<repetitionsMax {
            let attempt = attemptOnce(previous)
            if attempt.changesOfRead.isEmpty { return attempt }
        }
        var attempt = attemptOnce(previous)
        attempt.withdrawIfChanged()
        return attempt
    }

    private func attemptOnce(_ previous: Snapshot?) -> SnapshotAttempt {
        // Taken before the file is read, so that later changes are noticed.
        let file = Inputs(configuration: configuration.path, nil, sites: [])
        var stamps = file.stamps()
        var reading = configuration.read(servesOthers: true).tested
        let obstacle = placeCertificates(&reading)
        var attempt = SnapshotAttempt(
            inputs: Inputs(
                configuration: configuration.path, reading.environment,
                sites: previous?.keptSites(reading.environment) ?? []),
            diagnostics: reading.diagnostics)
        attempt.obstacle = obstacle
        stamps.merge(attempt.inputs.stamps()) { first, _ in first }
        attempt.stamps = stamps
        // With many files, this takes as long as everything else together.
        let hash = Background(name: "waymark-hash") { [inputs = attempt.inputs] in inputs.hash() }
        if let fault = reading.fault {
            attempt.fault = fault
        } else if let environment = reading.environment {
            build(environment, after: previous, &attempt)
        } else {
            attempt.fault = .configurationInvalid
        }
        attempt.findTrees(after: previous, memory)
        attempt.hash = InputHash(hash.value, attempt.trees)
        return attempt
    }

    /// The result of an attempt where only these public files have changed: all else is taken over
    /// from the served snapshot. Nil where something else has to be made anew.
    func attempt(
        replacing files: [String: [FoundFile]], of served: Snapshot, _ record: InputRecord
    ) -> SnapshotAttempt? {
        guard let inputs = record.servedInputs else { return nil }
        var attempt = SnapshotAttempt(inputs: inputs, diagnostics: [])
        do {
            guard
                let snapshot = try served.replacing(files, now: Clock.unixSeconds)
            else { return nil }
            attempt.snapshot = snapshot
            attempt.trees = PublicTrees(snapshot.sites)
        } catch {
            attempt.diagnostics = error.diagnostics
            attempt.fault = error.kind.exitCode
            attempt.trees = record.trees
            for (directory, files) in files {
                let directory = Array(directory.utf8)
                attempt.trees[directory] = record.trees[directory]?.replacing(files)
            }
        }
        (attempt.stamps, attempt.hash) = (record.stamps, record.hash)
        for (directory, files) in files {
            let directory = Array(directory.utf8)
            guard let tree = record.trees[directory] else { continue }
            for file in files {
                guard let before = tree.index(of: Array(file.relativePath.utf8)) else { continue }
                attempt.hash?.replace(tree.files[before], with: file, in: directory)
            }
        }
        return attempt
    }

    /// Automatic certificates are files like any others, but for the configuration, which does not
    /// name them.
    /// - Returns: what keeps all of them from being requested.
    private func placeCertificates(
        _ reading: inout ConfigurationReading
    ) -> CertificateStateFault? {
        guard let environment = reading.environment else { return nil }
        let placed = environment.placingCertificates(in: reading.fault == nil ? certificates : nil)
        reading.environment = placed.environment
        reading.diagnostics += placed.findings
        reading.diagnostics += environment.store?.database?.passwordExposure ?? []
        return placed.obstacle
    }

    private func build(
        _ environment: Environment, after previous: Snapshot?, _ attempt: inout SnapshotAttempt
    ) {
        guard !needsTLS || !environment.sites.allSatisfy(\.certificates.isEmpty) else {
            attempt.diagnostics.append(
                Diagnostic(
                    .error, .missingCertificate, at: environment.position,
                    "environment \(quoted(environment.name)) has no certificate for https",
                    advice: "add tls: {certificate: …, key: …}, or use --https off"))
            attempt.fault = .configurationInvalid
            return
        }
        var environment = environment
        setLimits(&environment.limits)
        environment.limits[.memoryFilesBytes] = memory.filesBytes(
            atMost: OriginLimits().setting(environment.limits).answering.memoryFilesBytesMax,
            kept: previous?.sites.sites.reduce(0) { $0 + $1.memoryFilesBytes } ?? 0)
        let room = previous.map {
            PublicFilesRoom(memory, for: .reload, after: $0.sites.sites.map(\.publicTree))
        }
        defer {
            if room?.isLacking == true {
                (attempt.snapshot, attempt.lacksRoom) = (nil, true)
                attempt.diagnostics = [.noMemoryToReload(memory.lack)]
            }
        }
        do {
            let snapshot = try Snapshot.build(
                environment, limits: OriginLimits(), ticketKeys: try ticketKeys.value.get(),
                after: previous, now: Clock.unixSeconds, outputs: FileIdentity.standardOutputs,
                speaksTLS: needsTLS, challenges: challenges,
                room: room.map { BuildRoom(files: $0.take, page: $0.take) } ?? BuildRoom(),
                report: report)
            let findings =
                snapshot.warnings + snapshot.certificateFaults + snapshot.certificateConsequences
            attempt.diagnostics += findings.map(OldPlaces(keptIn: snapshot).hiding)
            for fault in snapshot.siteFaults {
                // What the configuration's reader found is there already.
                attempt.diagnostics += fault.diagnostics.filter {
                    !attempt.diagnostics.contains($0)
                }
                attempt.diagnostics.append(fault.consequence)
            }
            attempt.snapshot = snapshot
        } catch let error as BuildError {
            attempt.diagnostics += error.diagnostics
            attempt.fault = error.kind.exitCode
        } catch {
            attempt.diagnostics.append(
                Diagnostic(.error, .start, at: nil, "cannot start: \(error)"))
            attempt.fault = .ourFault
        }
    }
}

private let repetitionsMax = 2

extension BuildError.Kind {
    var exitCode: ExitCode {
        switch self {
        case .missingFile: .inputMissing
        case .noPermission: .noPermission
        case .invalid: .configurationInvalid
        case .shortage: .ourFault
        }
    }
}

extension CertificateStateFault {
    /// Service managers start again what has ended by a cause that passes.
    var exitCode: ExitCode {
        isPassing ? .tryAgain : isOfPermission ? .noPermission : .configurationInvalid
    }
}

extension Snapshot {
    /// The sites that are served as they were before, or will be: their files are inputs still.
    func keptSites(_ environment: Environment?) -> [Site] {
        let refused = (environment?.refusedSites ?? []).map(\.name) + siteFaults.map(\.site)
        return sites.sites.map(\.source).filter { site in site.name.map(refused.contains) ?? false }
    }
}
