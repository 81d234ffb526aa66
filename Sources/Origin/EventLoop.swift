import ClientAddress
import Memory
import SiteConfiguration
import Snapshots
import Sockets
import TLS

/// One thread's share of the origin: its listeners, its connections, and the wait for whatever
/// happens next. Everything in it was made on its thread and stays there; what it shares with
/// others is the published snapshot, the order to stop, and the health flag.
struct EventLoop: ~Copyable {
    var parts: LoopParts
    var connections: Slab<Connection>
    var wheel: TimerWheel
    var poller: Poller
    var listeners: Listeners
    /// The generation of the connection that came last.
    var generation: UInt32 = 0
    var accepting: Accepting
    var drainsUntil: Int?
    private var warm: WarmConnections
    private var waiting: WaitingConnections
    private let control: LoopControl
    private let others: [LoopControl]
    private let published: Published<Snapshot>
    private var expiresAt = 0
    private var patrol = Watchdog.Patrol()

    /// - Parameters:
    ///   - others: the controls of the other loops.
    ///   - limits: how many connections there is room for.
    init(
        _ listeners: Listeners, _ control: LoopControl, _ others: [LoopControl],
        _ published: Published<Snapshot>, _ parts: consuming LoopParts, _ limits: OriginLimits
    ) throws(SystemError) {
        let poller = try Poller(eventsPerTurnMax: parts.turn.settings.limits.eventsPerTurnMax)
        try control.wakeup.register(with: poller, token: Token.wakeup)
        var listeners = listeners
        try listeners.register(with: poller)
        let connectionsMax = limits.connectionsOfLoop(others.count + 1)
        self.control = control
        self.others = others
        self.published = published
        self.poller = poller
        accepting = Accepting(
            listeners: listeners.count, adminConnectionsMax: limits.adminConnectionsMax)
        self.listeners = listeners
        wheel = TimerWheel(capacity: connectionsMax, nowSeconds: parts.turn.milliseconds / 1000)
        connections = Slab(capacity: connectionsMax)
        waiting = WaitingConnections(capacity: connectionsMax)
        warm = WarmConnections(capacity: parts.turn.settings.limits.warmConnectionsMax)
        self.parts = parts
        self.parts.handledTokens = control.handledTokens
    }

    /// Runs until the order to stop has come and every connection has ended or run out of time.
    mutating func run() {
        while true {
            let count = poller.wait(milliseconds: waitMilliseconds)
            parts.refresh(published)
            handleAll(count)
            if !waiting.isEmpty { serveWaiting() }
            if parts.turn.milliseconds >= expiresAt { expireDue() }
            if accepting.isPaused { resumeAccepting() }
            parts.recorder.endTurn()
            control.watchdog?.arrive(&patrol, milliseconds: parts.turn.milliseconds)
            if isOver() { return }
        }
    }

    private var waitMilliseconds: Int {
        if !waiting.isEmpty || parts.turn.milliseconds >= expiresAt { return 0 }
        if drainsUntil != nil { return 50 }
        if let until = accepting.pausedUntil { return max(1, until - parts.turn.milliseconds) }
        let most = control.watchdog?.milliseconds ?? -1
        guard
            connections.count > 0 || parts.gate.hasReports || parts.visits.hasCounted
        else { return most }
        return most < 0 ? 1000 : min(most, 1000)
    }

    /// Handles the events of a turn, as far as it has time: the poller tells of the others again. Where there are many, those by which
    /// the origin is watched come first, and again at the end: however much is asked, probes are answered, and the watchdog is fed.
    private mutating func handleAll(_ count: Int) {
        let isBusy = count > busyEvents
        parts.turn.isBusy = isBusy
        if isBusy {
            for index in 0..<count where isWatch(poller.token(index)) {
                handle(poller.token(index))
            }
        }
        for index in 0..<count {
            let token = poller.token(index)
            if !isBusy || !isWatch(token) { handle(token) }
            if index & 3 == 3, parts.turn.isLong() { return handleWatch() }
        }
    }

    /// Handles the events by which the origin is watched, wherever they stand in the poller's queue. Each wait takes events from the front of
    /// it and puts them back at its end, so this many waits see them all.
    private mutating func handleWatch() {
        for _ in 0...connections.count / poller.capacity {
            let count = poller.wait(milliseconds: 0)
            for index in 0..<count where isWatch(poller.token(index)) {
                handle(poller.token(index))
            }
            guard count == poller.capacity else { return }
        }
    }

    /// Whether an event is of the loop itself, or of the admin listener and its connections.
    private func isWatch(_ token: UInt64) -> Bool {
        switch token {
        case Token.wakeup: true
        case Token.listeners: listeners.kind(Token.listenerIndex(token)) == .admin
        default: accepting.adminSlots.contains(Token.index(token))
        }
    }

    private mutating func handle(_ token: UInt64) {
        switch token {
        case Token.wakeup:
            control.wakeup.clear()
            for token in control.handledTokens.takeAll() { advanceHandled(token) }
        case Token.listeners: accept(Token.listenerIndex(token))
        default: advance(token)
        }
    }

    // MARK: Connections

    private mutating func advance(_ token: UInt64) {
        let index = Token.index(token)
        // An event may be left of a connection that was closed earlier in this turn.
        guard connections.contains(index),
            connections[index].generation == Token.generation(token)
        else { return }
        let interest = connections[index].advance(&parts)
        settle(index, was: interest)
    }

    /// Goes on with a connection whose handler has done something.
    private mutating func advanceHandled(_ token: UInt64) {
        let index = Token.index(token)
        guard connections.contains(index),
            connections[index].generation == Token.generation(token)
        else { return }
        let interest = connections[index].channel.interest
        connections[index].advanceHandled(&parts)
        settle(index, was: interest)
    }

    /// Goes on with some connections whose requests wait, after the events of a turn: what has just
    /// come does not wait for them.
    private mutating func serveWaiting() {
        parts.turn.isBusy = false
        for _ in 0..<parts.turn.settings.limits.sharesPerTurnMax {
            guard let index = waiting.takeFirst() else { return }
            connections[index].takeTurn(&parts)
            settle(index, was: .turn)
            guard !parts.turn.isLong(times: 2) else { return }
        }
    }

    /// Ends a connection's turn: brings poller, timers and the connections that wait in line with what it now waits for, or removes it.
    mutating func settle(_ index: Int, was interest: Channel.Interest) {
        parts.turn.share = Share()
        guard let end = connections[index].endTurn(&parts, hasRoom: !warm.isFull) else {
            return remove(index)
        }
        wheel.schedule(index, milliseconds: end.deadline)
        if end.isWarmed { warm.add(Token.connection(index, connections[index].generation)) }
        if end.interest == .turn { waiting.add(index) }
        guard end.interest != interest else { return }
        let token = Token.connection(index, connections[index].generation)
        connections[index].channel.change(on: poller, token: token)
    }

    mutating func remove(_ index: Int) {
        connections[index].recordEnd(&parts)
        if connections[index].listener == .admin { accepting.adminSlots.removeAll { $0 == index } }
        wheel.cancel(index)
        waiting.remove(index)
        _ = connections.remove(at: index)
    }

    /// Expires connections whose deadline has passed; once a second is often enough. What they have sent is answered, so that a turn
    /// can have no time for them all: then at least one ends, and the next turn begins at once.
    private mutating func expireDue() {
        let nowSeconds = parts.turn.milliseconds / 1000
        expiresAt = (nowSeconds + 1) * 1000
        while let index = wheel.takeDue(nowSeconds: nowSeconds) {
            let interest = connections[index].channel.interest
            if connections[index].deadline <= parts.turn.milliseconds {
                connections[index].expire(&parts)
            }
            settle(index, was: interest)
            guard !parts.turn.isLong(times: 2) else {
                expiresAt = nowSeconds * 1000
                break
            }
        }
        releaseIdleBuffers()
        parts.gate.expire(parts.turn)
    }

    /// Releases the TLS buffers of connections that had no request for a second.
    private mutating func releaseIdleBuffers() {
        var position = 0
        while position < warm.count {
            let index = Token.index(warm[position])
            if connections.contains(index),
                connections[index].generation == Token.generation(warm[position]),
                !connections[index].channel.releaseIdleBuffers(parts.turn.milliseconds)
            {
                position += 1
            } else {
                warm.remove(at: position)
            }
        }
    }

    // MARK: Stopping

    /// Goes through the stages of stopping as they are ordered; true at the end of the last.
    private mutating func isOver() -> Bool {
        let stage = control.stage
        guard stage != .serving else { return false }
        parts.turn.isDraining = true
        guard stage != .leaving else { return false }
        if drainsUntil == nil, stage == .stopping { beginDrain() }
        if stage == .stopping, parts.turn.milliseconds < drainsUntil ?? 0 {
            guard isIdle else { return false }
            if listeners.count > 0 { stopListening(except: nil) }
            guard connections.count == 0 else { return false }
        }
        cutOff()
        return true
    }

    /// Whether this loop may end: it has connections of the admin listener only, and if it is the
    /// one that listens for these, the other loops have ended.
    private var isIdle: Bool {
        connections.count == accepting.adminSlots.count
            && (listeners.count == 0 || others.allSatisfy(\.hasEnded))
    }

    /// From now on only the admin listener accepts: until the end it tells that the origin stops.
    private mutating func beginDrain() {
        drainsUntil = parts.turn.deadline(seconds: parts.turn.settings.limits.drainSeconds)
        parts.turn.isStopping = true
        stopListening(except: .admin)
    }

    /// Takes what the kernel has already accepted, stops listening, and lets every connection
    /// finish what it has begun.
    /// - Parameter kept: the listener that goes on.
    private mutating func stopListening(except kept: ListenerKind?) {
        for index in 0..<listeners.count
        where listeners.kind(index) != kept && !listeners.isInherited(index) {
            while acceptNext(index) {}
        }
        listeners.close(on: poller, except: kept)
        accepting.shortSince = .init(repeating: nil, count: listeners.count)
        for index in 0..<connections.capacity
        where connections.contains(index) && connections[index].listener != kept {
            let interest = connections[index].channel.interest
            connections[index].drain(&parts)
            settle(index, was: interest)
        }
    }

    private mutating func cutOff() {
        var (closed, requests) = (0, 0)
        for index in 0..<connections.capacity where connections.contains(index) {
            if connections[index].cutOff() { requests += 1 }
            if connections[index].listener != .admin { closed += 1 }
            connections[index].recordEnd(&parts)
        }
        parts.recorder.endTurn()
        parts.visits.handOverLast()
        parts.gate.reportAll()
        control.ended(closed: closed, cutOff: requests)
    }
}

/// So many events are handled in their order: whatever they ask takes little time.
private let busyEvents = 16

/// The tokens that tell a poller's events apart; of a connection its slot and its generation.
enum Token {
    static var wakeup: UInt64 { .max }
    static var listeners: ClosedRange<UInt64> { .max - 256 ... .max - 1 }

    static func listener(_ index: Int) -> UInt64 { listeners.upperBound - UInt64(index) }
    static func listenerIndex(_ token: UInt64) -> Int { Int(listeners.upperBound - token) }

    static func connection(_ index: Int, _ generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(index)
    }
    static func index(_ token: UInt64) -> Int { Int(token & 0xFFFF_FFFF) }
    static func generation(_ token: UInt64) -> UInt32 { UInt32(token >> 32) }
}
