import Diagnostics
import Logging
import Origin
import Services
import Sockets
import TLS

/// Handles signals, notices changes, publishes snapshots and renews ticket keys, on the main
/// thread, while the loops serve. Files are read on other threads, so an order to stop never waits
/// for them.
struct Supervisor: ~Copyable {
    var main: MainThread
    let server: OriginServer
    let log: AccessLogOutput
    let source: SnapshotSource
    /// Nil where there is no https.
    let certificates: CertificateService?
    /// The services that end after the loops, in this order: the store of links, visits,
    /// certificates, checks, and the access log.
    let services: [any Service]
    /// The time for the services to end; nil before they were told to.
    var rest: RestTime?
    var reloading: Reloading
    var watch: InputWatch
    /// The inputs as they were last read; nil until they are known.
    var record: InputRecord?
    /// The read that is under way on another thread.
    var reading: Reading?
    /// The end of the stage, in milliseconds of the monotonic clock.
    var stageEnds = Int.max
    /// The signal that ordered a stop at once.
    var endedBy: Signal?
    private var expiry = ExpiryWatch()
    private var stall: StallWatch
    private var keysChangeAt = Clock.monotonicMilliseconds + keyMilliseconds

    /// - Parameter first: what is served at the beginning.
    init(
        _ main: consuming MainThread, _ server: OriginServer, _ source: SnapshotSource,
        _ first: SnapshotAttempt, _ log: AccessLogOutput, _ watchdog: Watchdog?,
        _ certificates: CertificateService?, _ hostWatch: HostWatch
    ) {
        self.certificates = certificates
        let all: [(any Service)?] = [server.console, certificates, hostWatch, log]
        services = (server.links?.services ?? []) + all.compactMap(\.self)
        let watch = InputWatch(
            waking: main.poller, token: MainThread.Token.directories, main.events)
        let directories = watch.directories
        reading = .look(
            Background(name: "waymark-watch", waking: main.workDone) {
                Look(
                    record: InputRecord(first, directories, source.memory), finding: .nothing)
            })
        stall = StallWatch(watchdog)
        reloading = Reloading(server, log, main.events)
        for service in services { service.thread.tellEnd(to: main.workDone) }
        self.server = server
        self.log = log
        self.source = source
        self.watch = watch
        self.main = main
        server.reloads.hash = first.hash?.text ?? ""
        server.reloads.note(.taken, .start, first.diagnostics, now: Clock.unixSeconds)
        server.served.findings.take { [source] in source.findings(in: $0) }
        self.main.server = server
        expiry.look(server, self.main.events)
        react(to: .served)
    }

    /// Returns when the server has stopped, or is given up.
    mutating func run() {
        while main.lifecycle.stage != .ended {
            if main.wait(until: min(stageEnds, nextLook)) { watch.noticeChange() }
            while let signal = main.signals.next() { react(to: .signal(signal)) }
            if isServing { doChores() }
            if server.isStopped { react(to: .loopsEnded) }
            if [.finishing, .hurrying].contains(main.lifecycle.stage) { lookAtRest() }
            if Clock.monotonicMilliseconds >= stageEnds { react(to: .timeOver) }
        }
    }

    private var isServing: Bool {
        main.lifecycle.stage == .serving || main.lifecycle.stage == .reloading
    }

    /// The next time at which something must be checked without an event.
    private var nextLook: Int {
        isServing
            ? min(nextLookAtInputs, keysChangeAt, expiry.lookAt, stall.lookAt) : .max
    }

    mutating func react(to occurrence: Lifecycle.Occurrence) {
        guard let step = main.lifecycle.react(to: occurrence) else { return }
        switch step {
        case .giveUp: break
        case .reload:
            main.isReloadOrdered = true
            log.reopen()
        case .reopenLogs: reopenLogs()
        case .refuseReload: refuseReload()
        case .publish: publishBuild()
        case .leave(let signal): leave(signal)
        case .stop: stop()
        case .end(let signal): end(signal)
        case .finish(let atOnce): finish(atOnce: atOnce)
        case .hurry(let signal): hurry(signal)
        case .abandonRest: abandonRest()
        }
    }

    private mutating func doChores() {
        readOn()
        expiry.look(server, main.events)
        stall.look(main.events)
        guard Clock.monotonicMilliseconds >= keysChangeAt else { return }
        keysChangeAt = Clock.monotonicMilliseconds + keyMilliseconds
        // Without random numbers, the old key is used until the next time.
        try? source.ticketKeys.value.get().rotate()
    }
}

/// The time for which a ticket key encrypts: 12 hours.
private let keyMilliseconds = 12 * 3600 * 1000
