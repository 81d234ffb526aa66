package import Sockets
import Synchronization
import TLS

/// A running origin: a thread for each loop, all answering from the published snapshot.
package final class OriginServer: Sendable {
    /// Where it listens; ports are never 0.
    package let addresses: OriginAddresses
    package let snapshot: Published<Snapshot>
    private let controls: [LoopControl]
    private let health: Health
    private let outcomes: ThreadOutcomes

    /// - Parameter log: must have a share for each loop.
    /// Binds every address and starts the loops; when it returns, connections are accepted.
    package static func start(
        _ snapshot: Snapshot, on addresses: OriginAddresses, limits: OriginLimits, loops: Int,
        log: AccessLogOutput? = nil
    ) throws(StartError) -> OriginServer {
        var bound = addresses
        bound.https = try reserve(addresses.https)
        bound.http = try reserve(addresses.http)
        bound.admin = try reserve(addresses.admin)
        do {
            return try OriginServer(snapshot, bound, limits, loops, log)
        } catch {
            throw StartError(address: nil, error: error)
        }
    }

    private static func reserve(_ address: SocketAddress?) throws(StartError) -> SocketAddress? {
        guard let address else { return nil }
        do {
            return try Listener.reserve(address)
        } catch {
            throw StartError(address: address, error: error)
        }
    }

    private init(
        _ snapshot: Snapshot, _ addresses: OriginAddresses, _ limits: OriginLimits, _ loops: Int,
        _ log: AccessLogOutput?
    ) throws(SystemError) {
        self.addresses = addresses
        self.snapshot = Published(snapshot)
        health = Health()
        let outcomes = try ThreadOutcomes(count: loops)
        self.outcomes = outcomes
        var controls = [LoopControl]()
        for _ in 0..<loops { controls.append(try LoopControl()) }
        self.controls = controls
        let (published, health) = (self.snapshot, health)
        for index in 0..<loops {
            let control = controls[index]
            try startThread(name: "waymark-\(index)") {
                do {
                    let requestLog =
                        if let log { try RequestLog(log, loop: index, limits) } else {
                            RequestLog()
                        }
                    let bench = try Bench(
                        limits: limits, published: published, health: health,
                        httpsPort: addresses.https?.port, log: requestLog)
                    var loop = try EventLoop(
                        try Listeners(addresses, isFirstLoop: index == 0), control, published,
                        bench, connectionsMax: max(1, limits.connectionsMax / loops))
                    outcomes.started(nil)
                    loop.run()
                } catch {
                    outcomes.started(error as? SystemError ?? .exhausted)
                }
                outcomes.ended()
            }
        }
        if let error = outcomes.waitForStart() {
            for control in controls { control.stop() }
            throw error
        }
        health.isReady = true
    }

    /// Replaces what is answered from; connections finish requests with the snapshot that they
    /// began with.
    package func publish(_ next: Snapshot) {
        snapshot.publish(next)
        for control in controls { control.wakeup.wake() }
    }

    /// Stops accepting, lets requests in flight finish within the limit, and returns when every
    /// loop has ended. Stopping twice is stopping once.
    package func stop() {
        beginStop()
        outcomes.waitForEnd()
    }

    /// Begins to stop and returns at once; `isStopped` says when it is done.
    package func beginStop() {
        health.isReady = false
        for control in controls { control.stop() }
    }

    package var isStopped: Bool { outcomes.allEnded }
}

/// Why an origin could not be started.
package struct StartError: Error, Sendable {
    /// The address that could not be bound, if that was it.
    package let address: SocketAddress?
    package let error: SystemError
}

/// What became of the loops' threads.
private final class ThreadOutcomes: Sendable {
    private let count: Int
    private let starts: Semaphore
    private let ends: Semaphore
    private let endCount = Atomic<Int>(0)
    private let failure = Mutex<SystemError?>(nil)

    init(count: Int) throws(SystemError) {
        self.count = count
        starts = try Semaphore()
        ends = try Semaphore()
    }

    func started(_ error: SystemError?) {
        if let error { failure.withLock { $0 = error } }
        starts.signal()
    }

    func ended() {
        endCount.wrappingAdd(1, ordering: .releasing)
        ends.signal()
    }

    func waitForStart() -> SystemError? {
        for _ in 0..<count { starts.wait() }
        return failure.withLock { $0 }
    }

    /// Whoever asks again when all have ended does not wait: there is nobody left to signal.
    func waitForEnd() { while !allEnded { ends.wait() } }

    var allEnded: Bool { endCount.load(ordering: .acquiring) >= count }
}
