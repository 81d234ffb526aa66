import ClientAddress
import Memory
import SiteConfiguration
import Sockets
import TLS

/// One thread's share of the origin: its listeners, its connections, and the wait for whatever
/// happens next. Everything in it was made on its thread and stays there; what it shares with
/// others is the published snapshot, the order to stop, and the health flag.
struct EventLoop: ~Copyable {
    private var bench: Bench
    private var connections: Slab<Connection>
    private var wheel: TimerWheel
    private var warm: WarmConnections
    private var poller: Poller
    private var listeners: Listeners
    private let control: LoopControl
    private let published: Published<Snapshot>
    private var generation: UInt32 = 0
    /// Whether the listeners are waited for; not while there is no room for connections.
    private var isAccepting = true
    private var acceptsAgainAt = Int.max
    private var expiresAt = 0
    private var drainsUntil: Int?
    private var patrol = Watchdog.Patrol()

    init(
        _ listeners: Listeners, _ control: LoopControl,
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
        warm = WarmConnections(capacity: bench.limits.warmConnectionsMax)
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
            control.watchdog?.arrive(&patrol, milliseconds: bench.milliseconds)
            if isOver() { return }
        }
    }

    private var waitMilliseconds: Int {
        if drainsUntil != nil { return 50 }
        let most = control.watchdog?.milliseconds ?? -1
        guard connections.count > 0 || !isAccepting else { return most }
        return most < 0 ? 1000 : min(most, 1000)
    }

    private mutating func handle(_ event: Poller.Event) {
        switch event.token {
        case Token.wakeup: control.wakeup.clear()
        case Token.listeners: accept(Token.listenerIndex(event.token))
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
        let wasBlocked = connections[index].isBlocked
        if wasBlocked {
            connections[index].writable(&bench)
        } else {
            connections[index].readable(&bench)
        }
        settle(index, wasBlocked: wasBlocked)
    }

    /// Brings poller and timers in line with what the connection now waits for, or ends it.
    private mutating func settle(_ index: Int, wasBlocked: Bool) {
        guard connections[index].phase != .closed else {
            connections[index].tellEnd(&bench)
            wheel.cancel(index)
            _ = connections.remove(at: index)
            return
        }
        countPhase(index)
        wheel.schedule(index, milliseconds: connections[index].deadline)
        if connections[index].rest(bench.milliseconds, hasRoom: !warm.isFull) {
            warm.add(Token.connection(index, connections[index].generation))
        }
        let isBlocked = connections[index].isBlocked
        guard isBlocked != wasBlocked else { return }
        poller.change(
            connections[index].socket.descriptor, to: isBlocked ? .writing : .reading,
            token: Token.connection(index, connections[index].generation))
    }

    private mutating func countPhase(_ index: Int) {
        let (before, now) = (connections[index].countedPhase, connections[index].phase)
        guard before != now else { return }
        connections[index].countedPhase = now
        bench.counters?.countPhase(before, now)
    }

    /// Looks after those whose time may have come; a new second is soon enough.
    private mutating func expireDue() {
        guard bench.milliseconds >= expiresAt else { return }
        let nowSeconds = bench.milliseconds / 1000
        expiresAt = (nowSeconds + 1) * 1000
        while let index = wheel.takeDue(nowSeconds: nowSeconds) {
            let wasBlocked = connections[index].isBlocked
            if connections[index].deadline <= bench.milliseconds {
                connections[index].expire(&bench)
            }
            settle(index, wasBlocked: wasBlocked)
        }
        coolDown()
    }

    /// Takes the buffers from connections that were not asked for a second.
    private mutating func coolDown() {
        var place = 0
        while place < warm.count {
            let index = Int(warm[place] & 0xFFFF_FFFF)
            if connections.contains(index),
                connections[index].generation == UInt32(warm[place] >> 32),
                !connections[index].coolDown(bench.milliseconds)
            {
                place += 1
            } else {
                warm.remove(at: place)
            }
        }
    }

    // MARK: Accepting

    private mutating func accept(_ index: Int) {
        for _ in 0..<bench.limits.acceptsPerTurnMax {
            guard acceptNext(index) else { return }
        }
    }

    /// False when nothing waits at the listener any more, or when there is no room for it.
    private mutating func acceptNext(_ index: Int) -> Bool {
        do {
            guard !connections.isFull else {
                pauseAccepting()
                return false
            }
            guard let socket = try listeners.accept(index) else { return false }
            try add(socket, listeners.kind(index))
            return true
        } catch {
            pauseAccepting()
            return false
        }
    }

    private mutating func add(
        _ socket: consuming Socket, _ kind: ListenerKind
    ) throws(SystemError) {
        generation &+= 1
        bench.counters?.countAccepted(kind)
        guard isWelcome(socket.peer, kind) else { return }
        guard let connection = try? Connection(socket, kind, generation: generation, &bench) else {
            bench.counters?.countRejected(.memory)
            return
        }
        bench.counters?.countPhase(nil, .opening)
        let index = connections.insert(connection)
        try poller.add(
            connections[index].socket.descriptor, .reading,
            token: Token.connection(index, generation))
        wheel.schedule(index, milliseconds: connections[index].deadline)
    }

    /// Where the PROXY protocol is spoken, nobody else may say whose connection this is.
    private func isWelcome(_ peer: PeerAddress, _ kind: ListenerKind) -> Bool {
        guard bench.proxies.expectsProxyHeader, kind != .admin,
            !bench.proxies.trusted.contain(IPAddress(high: peer.high, low: peer.low))
        else { return true }
        bench.counters?.countRejected(.untrustedPeer)
        return false
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

    /// Goes through the stages of stopping as they are ordered; true at the end of the last.
    private mutating func isOver() -> Bool {
        let stage = control.stage
        guard stage != .serving else { return false }
        bench.isDraining = true
        guard stage == .stopping else { return false }
        if drainsUntil == nil { beginDrain() }
        guard connections.count == 0 || bench.milliseconds >= drainsUntil ?? 0 else { return false }
        cutOff()
        return true
    }

    /// Takes what the kernel has already accepted, stops listening, and lets every connection
    /// finish what it has begun.
    private mutating func beginDrain() {
        for index in 0..<listeners.count where !listeners.isInherited(index) {
            while acceptNext(index) {}
        }
        drainsUntil = bench.deadline(seconds: bench.limits.drainSeconds)
        bench.isStopping = true
        listeners.unregister(from: poller)
        listeners.close()
        for index in 0..<connections.capacity where connections.contains(index) {
            let wasBlocked = connections[index].isBlocked
            connections[index].drain(&bench)
            settle(index, wasBlocked: wasBlocked)
        }
    }

    private mutating func cutOff() {
        var count = 0
        for index in 0..<connections.capacity where connections.contains(index) {
            if connections[index].cutOff() { count += 1 }
            connections[index].tellEnd(&bench)
        }
        bench.log.endTurn()
        control.ended(cutOff: count)
    }
}

/// What a poller's events are told apart by: a place and a generation for connections.
enum Token {
    static var wakeup: UInt64 { .max }
    static var listeners: ClosedRange<UInt64> { .max - 256 ... .max - 1 }

    static func listener(_ index: Int) -> UInt64 { listeners.upperBound - UInt64(index) }
    static func listenerIndex(_ token: UInt64) -> Int { Int(listeners.upperBound - token) }

    static func connection(_ index: Int, _ generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(index)
    }
}
