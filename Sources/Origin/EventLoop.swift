import Memory
import Sockets
import Synchronization
import TLS

/// One thread's share of the origin: its listeners, its connections, and the wait for whatever
/// happens next. Everything in it was made on its thread and stays there; what it shares with
/// others is the published snapshot, the order to stop, and the health flag.
struct EventLoop: ~Copyable {
    private var bench: Bench
    private var connections: Slab<Connection>
    private var wheel: TimerWheel
    private var poller: Poller
    private var listeners: Listeners
    private let control: LoopControl
    private let published: Published<Snapshot>
    private var generation: UInt32 = 0
    /// Whether the listeners are waited for; not while there is no room for connections.
    private var isAccepting = true
    private var acceptsAgainAt = Int.max
    private var drainsUntil: Int?

    init(
        _ listeners: consuming Listeners, _ control: LoopControl,
        _ published: Published<Snapshot>, _ bench: consuming Bench, connectionsMax: Int
    ) throws(SystemError) {
        let poller = try Poller(eventsPerTurnMax: bench.limits.eventsPerTurnMax)
        try control.wakeup.register(with: poller, token: Token.wakeup)
        try listeners.register(with: poller)
        self.control = control
        self.published = published
        self.listeners = listeners
        self.poller = poller
        wheel = TimerWheel(capacity: connectionsMax, nowSeconds: bench.milliseconds / 1000)
        connections = Slab(capacity: connectionsMax)
        self.bench = bench
    }

    /// Runs until the order to stop has come and every connection has ended or run out of time.
    mutating func run() {
        while true {
            let count = poller.wait(milliseconds: waitMilliseconds)
            bench.refresh(published)
            for index in 0..<count { handle(poller.event(index)) }
            expireDue()
            resumeAccepting()
            bench.log.endTurn()
            if control.isStopping.load(ordering: .acquiring) {
                if drainsUntil == nil { beginDrain() }
                if connections.count == 0 || bench.milliseconds >= drainsUntil ?? 0 {
                    return abandon()
                }
            }
        }
    }

    private var waitMilliseconds: Int {
        if drainsUntil != nil { return 50 }
        return connections.count == 0 && isAccepting ? -1 : 1000
    }

    private mutating func handle(_ event: Poller.Event) {
        switch event.token {
        case Token.wakeup: control.wakeup.clear()
        case Token.https: accept(.https)
        case Token.http: accept(.http)
        case Token.admin: accept(.admin)
        default: advance(event)
        }
    }

    // MARK: Connections

    private mutating func advance(_ event: Poller.Event) {
        let index = Int(event.token & 0xFFFF_FFFF)
        // An event may be left of a connection that was closed earlier in this turn.
        guard connections.contains(index),
            connections[index].generation == UInt32(event.token >> 32)
        else { return }
        let before = connections[index].interest
        if before == .writing {
            connections[index].writable(&bench)
        } else {
            connections[index].readable(&bench)
        }
        settle(index, before: before)
    }

    /// Brings poller and timers in line with what the connection now waits for, or ends it.
    private mutating func settle(_ index: Int, before: Poller.Interest) {
        guard connections[index].phase != .closed else {
            connections[index].tellLong(&bench)
            wheel.cancel(index)
            _ = connections.remove(at: index)
            return
        }
        wheel.schedule(index, milliseconds: connections[index].deadline)
        let interest = connections[index].interest
        guard interest != before else { return }
        poller.change(
            connections[index].socket.descriptor, to: interest,
            token: Token.connection(index, connections[index].generation))
    }

    private mutating func expireDue() {
        let nowSeconds = bench.milliseconds / 1000
        while let index = wheel.takeDue(nowSeconds: nowSeconds) {
            let before = connections[index].interest
            if connections[index].deadline <= bench.milliseconds {
                connections[index].expire(&bench)
            }
            settle(index, before: before)
        }
    }

    // MARK: Accepting

    private mutating func accept(_ kind: ListenerKind) {
        for _ in 0..<bench.limits.acceptsPerTurnMax {
            guard !connections.isFull else { return pauseAccepting() }
            do {
                guard let socket = try listeners.accept(kind) else { return }
                try add(socket, kind)
            } catch {
                return pauseAccepting()
            }
        }
    }

    private mutating func add(
        _ socket: consuming Socket, _ kind: ListenerKind
    ) throws(SystemError) {
        generation &+= 1
        guard let connection = try? Connection(socket, kind, generation: generation, &bench) else {
            return
        }
        let index = connections.insert(connection)
        try poller.add(
            connections[index].socket.descriptor, .reading,
            token: Token.connection(index, generation))
        wheel.schedule(index, milliseconds: connections[index].deadline)
    }

    /// No room: the kernel keeps new connections waiting until one here has ended.
    private mutating func pauseAccepting() {
        guard isAccepting, drainsUntil == nil else { return }
        isAccepting = false
        acceptsAgainAt = bench.milliseconds + 100
        listeners.unregister(from: poller)
    }

    private mutating func resumeAccepting() {
        guard !isAccepting, drainsUntil == nil, bench.milliseconds >= acceptsAgainAt,
            !connections.isFull
        else { return }
        isAccepting = (try? listeners.register(with: poller)) != nil
    }

    // MARK: Stopping

    /// Tells of the answers that are cut off by the end of the time to stop.
    private mutating func abandon() {
        for index in 0..<connections.capacity where connections.contains(index) {
            connections[index].tellLong(&bench)
        }
        bench.log.endTurn()
    }

    /// Takes what the kernel has already accepted, stops listening, and lets every connection
    /// finish what it has begun.
    private mutating func beginDrain() {
        for kind in [ListenerKind.https, .http, .admin] { accept(kind) }
        drainsUntil = bench.deadline(seconds: bench.limits.drainSeconds)
        bench.isDraining = true
        listeners.unregister(from: poller)
        listeners.close()
        for index in 0..<connections.capacity where connections.contains(index) {
            let before = connections[index].interest
            connections[index].drain(&bench)
            settle(index, before: before)
        }
    }
}

/// What the supervisor tells a loop.
final class LoopControl: Sendable {
    let isStopping = Atomic<Bool>(false)
    let wakeup: Wakeup

    init() throws(SystemError) { wakeup = try Wakeup() }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.wake()
    }
}

/// What a poller's events are told apart by: a place and a generation for connections.
enum Token {
    static var wakeup: UInt64 { .max }
    static var https: UInt64 { .max - 1 }
    static var http: UInt64 { .max - 2 }
    static var admin: UInt64 { .max - 3 }

    static func connection(_ index: Int, _ generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(index)
    }
}
