package import Answering
package import Files
import Memory
package import Services
import SiteConfiguration
package import Snapshots
package import Sockets
import Synchronization
import TLS
package import URISyntax

/// A running origin: a thread for each loop, all answering from the published snapshot.
package final class OriginServer: Sendable {
    /// The addresses that it listens at; ports are never 0.
    package let addresses: OriginAddresses
    /// The part of it that the services know.
    package let served: ServedOrigin
    /// The limits that hold until the origin is started again.
    package let startLimits: OriginLimits
    /// The stored links; nil if there are none.
    package let links: LinkService?
    /// The pages for the people who make them; nil if there are none.
    package let console: ConsoleService?
    private let usualLimits: OriginLimits
    private let controls: [LoopControl]
    private let health: Health
    private let outcomes: ThreadOutcomes

    /// Starts a loop for each share of the listeners; when it returns, connections are accepted.
    /// - Parameters:
    ///   - limits: of which a configuration may set some otherwise.
    ///   - log: must have a share for each loop.
    ///   - adminHosts: names that the admin listener is asked for, besides `localhost`.
    ///   - version: the program's, for metrics.
    ///   - links: the stored links; nil if there are none.
    ///   - memory: the limits that new connections must fit into.
    ///   - handler: answers requests on threads of its own.
    ///   - clock: the time that limits of connections are measured by.
    ///   - ended: is woken at the end of each loop; nil if only `stop` waits for it.
    ///   - report: called on the loops' threads.
    package static func start(
        _ snapshot: Snapshot, on listeners: BoundListeners, limits: OriginLimits,
        log: AccessLogOutput? = nil, watchdog: Watchdog? = nil, adminHosts: [HostName] = [],
        version: String = "", links: LinkService? = nil, console: ConsoleService? = nil,
        memory: MemoryLimits = MemoryLimits(), handler: (any RequestHandler)? = nil,
        clock: LoopClock = LoopClock(), waking ended: Wakeup? = nil,
        report: @escaping @Sendable (OriginEvent) -> Void = { _ in }
    ) throws(StartError) -> OriginServer {
        do {
            return try OriginServer(
                snapshot, listeners, limits, log, watchdog, AdminHosts(adminHosts), version,
                links, console, memory, handler, clock, ended, report)
        } catch {
            throw StartError(error: error)
        }
    }

    private init(
        _ snapshot: Snapshot, _ listeners: BoundListeners, _ limits: OriginLimits,
        _ log: AccessLogOutput?, _ watchdog: Watchdog?, _ adminHosts: AdminHosts,
        _ version: String, _ links: LinkService?, _ console: ConsoleService?,
        _ memory: MemoryLimits,
        _ handler: (any RequestHandler)?, _ clock: LoopClock, _ ended: Wakeup?,
        _ report: @escaping @Sendable (OriginEvent) -> Void
    ) throws(SystemError) {
        let addresses = listeners.addresses
        let loops = listeners.shares.count
        self.addresses = addresses
        (self.links, self.console) = (links, console)
        links?.serve(snapshot)
        links?.memory.use(memory)
        let startLimits = limits.setting(snapshot.environment.limits)
        self.startLimits = startLimits
        usualLimits = limits
        served = ServedOrigin(snapshot)
        console?.serve(served)
        health = Health()
        let ends = if let ended { ended } else { try Wakeup() }
        let outcomes = try ThreadOutcomes(count: loops, ends: ends)
        self.outcomes = outcomes
        var controls = [LoopControl]()
        for _ in 0..<loops { controls.append(try LoopControl(watchdog)) }
        self.controls = controls
        let fitting = startLimits.fitting(loops: loops)
        var shared = SharedByLoops(
            served: served, health: health, clock: clock, httpsPort: addresses.https?.port)
        shared.log = log
        shared.links = links
        shared.adminHosts = adminHosts
        shared.handler = console ?? links ?? handler
        if addresses.admin != nil {
            shared.telemetry = Telemetry(
                loops: loops, served, log, connectionsMax: fitting.connectionsMax,
                version: version, links: links)
        }
        shared.admission = Admission(
            connectionsMax: fitting.connectionsMax,
            overLimit: .init(all: fitting.overLimitMax, perAddress: fitting.overLimitPerAddressMax))
        shared.memory = MemoryBudget(memory)
        shared.shortages = ShortageReport(report)
        shared.peers = PeerReport(report)
        for index in 0..<loops {
            let (control, share) = (controls[index], listeners.shares[index])
            let others = self.controls.filter { $0 !== control }
            try startThread(name: "waymark-\(index)") { [shared] in
                do {
                    let parts = try LoopParts(shared, limits: limits, loop: index)
                    var loop = try EventLoop(
                        share.take(), control, others, shared.served.published, parts, fitting)
                    outcomes.started(nil)
                    loop.run()
                    for other in others { other.wakeup.wake() }
                } catch {
                    outcomes.started(error as? SystemError ?? .exhausted)
                }
                outcomes.ended()
            }
        }
        if let error = outcomes.waitForStart() {
            for control in controls { control.order(.stopping) }
            throw error
        }
        health.isReady = true
    }

    /// The snapshot that is answered from.
    package var snapshot: Snapshot { served.snapshot }

    package var reloads: ReloadState { served.reloads }

    /// The limits of the configuration in force.
    package var limits: OriginLimits { usualLimits.setting(snapshot.environment.limits) }

    /// Replaces what is answered from; connections finish requests with the snapshot that they
    /// began with.
    package func publish(_ next: Snapshot) {
        served.published.publish(next)
        links?.serve(next)
        wakeLoops()
    }

    /// Lets every loop take a turn now.
    package func wakeLoops() {
        for control in controls { control.wakeup.wake() }
    }

    /// Stops accepting, lets requests in flight finish within the limit, and returns when every
    /// loop has ended. Stopping twice is stopping once.
    package func stop() {
        beginStop()
        outcomes.waitForEnd()
    }

    /// Goes on answering, but is not ready any more, and every answer says that its connection
    /// ends: clients and load balancers go elsewhere.
    package func beginLeave() {
        health.isReady = false
        for control in controls { control.order(.leaving) }
    }

    /// Begins to stop and returns at once; `isStopped` says when it is done.
    package func beginStop() {
        health.isReady = false
        for control in controls { control.order(.stopping) }
    }

    /// Begins to end every loop with its connections, whatever is under way, and returns at once.
    package func beginEnd() {
        health.isReady = false
        for control in controls { control.order(.ending) }
    }

    /// Requests that were not answered whole when the time to stop was over.
    package var requestsCutOff: Int { controls.reduce(0) { $0 + $1.requestsCutOff } }

    /// Connections that were open then, those of the admin listener left out.
    package var connectionsClosed: Int { controls.reduce(0) { $0 + $1.connectionsClosed } }

    package var isStopped: Bool { outcomes.allEnded }
}

/// The starts and ends of the loops' threads, and the error of one that could not run.
private final class ThreadOutcomes: Sendable {
    private let count: Int
    private let starts: Wakeup
    private let ends: Wakeup
    private let endCount = Atomic<Int>(0)
    private let failure = Mutex<SystemError?>(nil)

    init(count: Int, ends: Wakeup) throws(SystemError) {
        (self.count, self.ends) = (count, ends)
        starts = try Wakeup()
    }

    func started(_ error: SystemError?) {
        if let error { failure.withLock { $0 = error } }
        starts.wake()
    }

    func ended() {
        endCount.wrappingAdd(1, ordering: .releasing)
        ends.wake()
    }

    func waitForStart() -> SystemError? {
        var missing = count
        while missing > 0 { missing -= starts.wait() }
        return failure.withLock { $0 }
    }

    /// A second call, after all have ended, does not wait: no loop is left to wake it.
    func waitForEnd() { while !allEnded { ends.wait() } }

    var allEnded: Bool { endCount.load(ordering: .acquiring) >= count }
}
