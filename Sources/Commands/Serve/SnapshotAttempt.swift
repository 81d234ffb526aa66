import ArgumentParser
import Diagnostics
import Origin
import Services
import Snapshots
import Sockets

/// The result of building a snapshot.
struct SnapshotAttempt {
    /// The inputs that were read, as far as the configuration could be read.
    let inputs: Inputs
    /// The stamps of the inputs before the build, to notice later changes.
    var stamps = Inputs.Stamps()
    /// The public files as they were found.
    var trees = PublicTrees()
    /// Whether there was no memory to find the public files; they are those of what is served then.
    var lacksRoom = false
    /// Nil where it is not known.
    var hash: InputHash?
    var diagnostics: [Diagnostic]
    /// Nil after a fault.
    var snapshot: Snapshot?
    /// After a fault, what is served until now with the certificates that have changed since; nil
    /// if none has.
    private(set) var renewed: Snapshot?
    /// The fault that keeps all automatic certificates from being requested; nil if there is none.
    var obstacle: CertificateStateFault?
    var fault: ExitCode?

    init(inputs: Inputs, diagnostics: [Diagnostic]) {
        self.inputs = inputs
        self.diagnostics = diagnostics
    }

    /// Whether files changed each time they were read, so that there is no snapshot. What was read
    /// and what is there now may differ.
    private(set) var isPostponed = false

    /// Whether any file is not what it was when the attempt began.
    var isOutdated: Bool {
        !lacksRoom
            && (!changesOfRead.isEmpty || !inputs.findPublicFiles().isSame(as: trees))
    }

    /// The files among those that are read that are not what they were when the attempt began, by
    /// name. Public files are only found here: each is compared again when it is read.
    var changesOfRead: [String] {
        guard !inputs.haveStamps(stamps) else { return [] }
        let now = inputs.stamps()
        let names = Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }
        return names.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// After a fault, reads the certificates all the same: a configuration with an error is no
    /// reason to let those end that are renewed.
    mutating func rereadCertificates(of served: Snapshot) {
        guard snapshot == nil,
            let next = served.rereadingCertificates(now: Clock.unixSeconds)
        else { return }
        // They are about the configuration that is served, of whose text another may be there now.
        let findings = (next.certificateFaults + next.certificateConsequences).map(\.withoutPlace)
        let known = Set(diagnostics.map(\.withoutPlace))
        diagnostics += findings.filter { !known.contains($0) }
        if !next.certificateChanges(since: served).isEmpty { renewed = next }
    }

    /// Takes the public files of the snapshot or, after a fault, finds them if there is memory.
    /// - Parameter previous: what is served until now.
    mutating func findTrees(after previous: Snapshot?, _ memory: WorkMemory) {
        if let snapshot { return trees = PublicTrees(snapshot.sites) }
        let known = previous.map { PublicTrees($0.sites) } ?? PublicTrees()
        let room = PublicFilesRoom(memory, for: .comparison, after: known.all.values)
        let found = lacksRoom ? nil : inputs.findPublicFiles(within: room)
        (trees, lacksRoom) = (found ?? known, found == nil)
    }

    /// Discards a snapshot if its files have changed since.
    mutating func withdrawIfChanged() {
        guard let name = changesOfRead.first else { return }
        isPostponed = true
        snapshot = nil
        fault = .tryAgain
        diagnostics.append(
            Diagnostic(
                .error, .filesChange, at: nil,
                "\(quoted(name)) changed while it was read, \(repetitionsMax + 1) times in a row",
                advice: "it is read again when it stops changing; keep files that change "
                    + "continuously out of the served directories"))
    }
}

private let repetitionsMax = 2
