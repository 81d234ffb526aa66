import Diagnostics
import Files
import Logging
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets

// What other threads read for the supervisor, one thing at a time: a check of the inputs, or
// another snapshot.

/// A read on another thread.
enum Reading {
    case look(Background<Look>)
    case build(Background<Build>, Reloading.Order)
}

/// The result of a check of the inputs.
struct Look: Sendable {
    let record: InputRecord
    let finding: InputRecord.Finding
}

/// The result of building a snapshot.
struct Build: Sendable {
    let record: InputRecord
    let attempt: SnapshotAttempt
}

extension Supervisor {
    /// The time of the next check of the inputs, in milliseconds of the monotonic clock. A thread
    /// that reads wakes this thread when it is done.
    var nextLookAtInputs: Int { reading == nil ? watch.lookAt : .max }

    /// Takes the result of a finished read, and starts the next one.
    mutating func readOn() {
        switch reading {
        case .look(let background)?:
            guard let look = background.found else { return }
            apply(look.record)
            switch look.finding {
            case .files(let files): begin(.changed, look.record, replacing: files)
            case .anything: begin(.changed, look.record)
            case .nothing where look.record.isSettling: break
            case .nothing:
                // It may be right by now without a change: a date has come.
                guard
                    !server.reloads.isLastGood
                        || server.snapshot.hasOutdatedCertificates(now: Clock.unixSeconds)
                else { break }
                begin(.retried, look.record)
            }
        case .build(let background, _)?:
            guard background.found != nil else { return }
            react(to: .built)
        case nil: break
        }
        guard reading == nil, let record else { return }
        if main.isReloadOrdered {
            begin(.ordered, record)
        } else if certificates?.takeNews() == true {
            // What has refused the configuration was said when it was changed.
            begin(server.reloads.isLastGood ? .changed : .retried, record)
        } else if Clock.monotonicMilliseconds >= watch.lookAt {
            beginLook(record)
        }
    }

    /// Publishes what was built, or logs why it failed.
    mutating func publishBuild() {
        guard case .build(let background, let order) = reading, let build = background.found
        else { return }
        apply(build.record)
        main.notify(reloading.finish(order, build.attempt))
        // Who orders a reload may have removed what kept certificates from being issued.
        if order.reason == .ordered { certificates?.hurry() }
        main.timeExtension = nil
    }

    private mutating func apply(_ record: InputRecord) {
        reading = nil
        self.record = record
        watch.apply(record)
    }

    private mutating func beginLook(_ before: InputRecord) {
        let changes = watch.beginLook()
        reading = .look(
            Background(name: "waymark-watch", waking: main.workDone) {
                var record = before
                let finding = record.look(at: changes)
                return Look(record: record, finding: finding)
            })
    }

    /// Has another snapshot built, or only certificates read where there is no memory for it.
    /// - Parameter files: public files that have changed, where nothing else has.
    private mutating func begin(
        _ reason: Reloading.Reason, _ before: InputRecord,
        replacing files: [String: [FoundFile]] = [:]
    ) {
        // All orders until now are fulfilled by this reload.
        let order = Reloading.Order(reason: main.isReloadOrdered ? .ordered : reason)
        main.isReloadOrdered = false
        main.notify(reloading.begin(order))
        let lack = reloading.lack
        main.timeExtension = TimeExtension(main.manager, atMost: extensionMilliseconds)
        let served = server.snapshot
        reading = .build(
            Background(name: "waymark-build", waking: main.workDone) { [source] in
                var record = before
                if lack == nil, !files.isEmpty,
                    let attempt = source.attempt(replacing: files, of: served, record)
                {
                    record.followFiles(attempt)
                    return Build(record: record, attempt: attempt)
                }
                let attempt = source.attemptReload(after: served, order.reason, before, lack: lack)
                record.follow(attempt)
                return Build(record: record, attempt: attempt)
            }, order)
        react(to: .buildBegan)
    }
}

extension SnapshotSource {
    /// The same as `attempt`, for an origin that serves: it also checks that the access log can be
    /// written.
    /// - Parameter lack: the memory that is lacking for another snapshot; nil if there is enough.
    func attemptReload(
        after served: Snapshot, _ reason: Reloading.Reason, _ before: InputRecord,
        lack: String? = nil
    ) -> SnapshotAttempt {
        // It was asked before whether there is room for the sites' files. All of the configuration is built anew beside what is served.
        let stamps = before.inputs.stamps()
        let bytes = before.inputs.configurationBytes(stamps)
        let work = lack == nil ? memory.claim(forWork: bytes * configurationFactor) : nil
        guard let claim = work else {
            var attempt = SnapshotAttempt(
                inputs: before.inputs, diagnostics: [.noMemoryToReload(lack ?? memory.lack)])
            (attempt.stamps, attempt.trees, attempt.lacksRoom) = (stamps, before.trees, true)
            attempt.rereadCertificates(of: served)
            return attempt
        }
        var attempt = withExtendedLifetime(claim) { self.attempt(after: served) }
        // Opening and closing a file in a watched directory would be the reason for another try.
        let opens = reason != .retried
        if let fault = attempt.snapshot?.environment.findLogFault(opens: opens) {
            attempt.diagnostics.append(fault.diagnostic)
            attempt.snapshot = nil
        }
        attempt.rereadCertificates(of: served)
        return attempt
    }

    /// The findings of lint in the configuration that is served, which is read anew beside it.
    func findings(in served: Environment) -> RunningFindings.Outcome {
        let inputs = Inputs(configuration: configuration.path, served, sites: [])
        let bytes = inputs.configurationBytes(inputs.stamps())
        guard let claim = memory.claim(forWork: bytes * configurationFactor) else {
            return .noMemory
        }
        let found = withExtendedLifetime(claim) { configuration.findings(ofDigest: served.digest) }
        return found.map { .found($0) } ?? .otherFile
    }
}

/// Measured: so many bytes are taken for each of a configuration.
private let configurationFactor = 32
