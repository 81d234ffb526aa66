import Answering
import ClientAddress
import Memory
import SiteConfiguration
import Snapshots
import Sockets
import TLS

// New connections, as far as there is room for them.

/// The state of a loop's listeners.
struct Accepting: ~Copyable {
    /// Until then the poller does not watch the listeners, because nothing could be accepted.
    var pausedUntil: Int?
    /// By listener: since when connections have waited there that could not be accepted.
    var shortSince: [Int?]
    let adminConnectionsMax: Int
    /// The slots of connections to the admin listener.
    var adminSlots = [Int]()
    /// The slot at which the last search for idle connections ended; the next goes on from there.
    var idleSearchSlot = 0

    var isPaused: Bool { pausedUntil != nil }

    init(listeners: Int, adminConnectionsMax: Int) {
        shortSince = .init(repeating: nil, count: listeners)
        self.adminConnectionsMax = adminConnectionsMax
    }
}

extension EventLoop {
    mutating func accept(_ index: Int) {
        for _ in 0..<parts.turn.settings.limits.acceptsPerTurnMax {
            guard acceptNext(index) else { return }
        }
    }

    /// False when no connection waits at the listener any more, or the next one has to go on
    /// waiting.
    mutating func acceptNext(_ index: Int) -> Bool {
        let kind = listeners.kind(index)
        guard kind == .admin || hasRoom else {
            handleShortage(.connections, at: index)
            return false
        }
        guard kind == .admin || parts.gate.takeMemory(bytes: connectionBytes, parts.turn) else {
            handleShortage(.memory, at: index)
            return false
        }
        do {
            guard let socket = try listeners.accept(index) else {
                accepting.shortSince[index] = nil
                return false
            }
            admit(socket, kind)
            return true
        } catch {
            if kind == .admin, error.isOutOfDescriptors, parts.gate.reserve.release(),
                let socket = try? listeners.accept(index)
            {
                admit(socket, kind)
            }
            handleShortage(error.isOutOfDescriptors ? .descriptors : .memory, at: index)
            return false
        }
    }

    /// Room for the admin listener's connections is kept free.
    private var hasRoom: Bool {
        connections.count - accepting.adminSlots.count
            < connections.capacity - accepting.adminConnectionsMax
            && parts.gate.hasRoom
    }

    // MARK: One connection

    private mutating func admit(_ socket: consuming Socket, _ kind: ListenerKind) {
        parts.recorder.counters?.countAccepted(kind)
        let ticket: Admission.Ticket
        switch decide(socket.peer, kind) {
        case .admitted(let admitted): ticket = admitted
        case .refused(let reason):
            parts.recorder.counters?.countRejected(reason)
            return socket.resetWhenClosed()
        }
        if ticket.limit == .connections { retireIdle(atMost: 1) }
        generation &+= 1
        guard
            let connection = try? Connection(socket, kind, ticket, generation: generation, &parts)
        else {
            parts.gate.leave(ticket)
            return fail()
        }
        let index = connections.insert(connection)
        connections[index].slot = UInt32(index)
        if kind == .admin {
            accepting.adminSlots.append(index)
        } else {
            parts.recorder.counters?.countPhase(nil, .opening)
        }
        do {
            try connections[index].channel.add(
                to: poller, token: Token.connection(index, generation))
            wheel.schedule(index, milliseconds: connections[index].deadline)
        } catch {
            remove(index)
            fail()
        }
    }

    private mutating func fail() {
        parts.recorder.counters?.countRejected(.memory)
        parts.gate.report(.memory, turnedAway: 1, parts.turn)
    }

    private mutating func decide(_ peer: PeerAddress, _ kind: ListenerKind) -> Admission.Outcome {
        guard kind != .admin else {
            makeAdminRoom()
            return .admitted(.init())
        }
        let address = IPAddress(high: peer.high, low: peer.low)
        let isTrusted = parts.turn.settings.proxies.trusted.contain(address)
        guard parts.turn.settings.proxies.expectsProxyHeader else {
            // A proxy's connections are those of many, which it does not tell apart here.
            return parts.gate.enter(isTrusted ? nil : address, parts.turn)
        }
        // Where the PROXY protocol is spoken, only its header may say whose connection this is.
        if isTrusted { return parts.gate.enter(nil, parts.turn) }
        parts.gate.report(.untrusted, from: address, parts.turn)
        return .refused(.untrustedPeer)
    }

    // MARK: No room

    /// Closes the connection to the admin listener that is missed least where there are as many as
    /// may be: a health check must not wait for clients that send nothing.
    private mutating func makeAdminRoom() {
        guard accepting.adminSlots.count >= accepting.adminConnectionsMax else { return }
        if let index = leastMissedAdmin, !connections[index].channel.isBlocked {
            // It may have asked something that was not read yet.
            connections[index].readable(&parts)
            settle(index, was: .reading)
        }
        guard accepting.adminSlots.count >= accepting.adminConnectionsMax,
            let index = leastMissedAdmin
        else { return }
        parts.recorder.counters?.countAdminClosed()
        remove(index)
    }

    private var leastMissedAdmin: Int? {
        accepting.adminSlots.min { connections[$0].importance < connections[$1].importance }
    }

    /// Leaves connections in the kernel's queue for up to `patienceMilliseconds`, and resets them
    /// after that.
    private mutating func handleShortage(_ shortage: Shortage, at index: Int) {
        let since = accepting.shortSince[index] ?? parts.turn.milliseconds
        accepting.shortSince[index] = since
        parts.gate.report(shortage, turnedAway: 0, parts.turn)
        // Only a few: there may be room again soon.
        retireIdle(atMost: max(1, connections.count / 16))
        if parts.turn.milliseconds - since >= patienceMilliseconds { turnAway(shortage, at: index) }
        pauseAccepting(keepingAdmin: shortage == .connections)
    }

    private mutating func turnAway(_ shortage: Shortage, at index: Int) {
        _ = parts.gate.reserve.release()
        var count = 0
        while count < turnedAwayAtOnceMax, let socket = try? listeners.accept(index) {
            socket.resetWhenClosed()
            parts.recorder.counters?.countAccepted(listeners.kind(index))
            parts.recorder.counters?.countRejected(shortage.rejection)
            count += 1
        }
        parts.gate.reserve.restore()
        parts.gate.report(shortage, turnedAway: count, parts.turn)
    }

    /// Closes connections that are idle, in favour of those that wait.
    private mutating func retireIdle(atMost most: Int) {
        var retired = 0
        for _ in 0..<min(connections.capacity, lookedAtMax) where retired < most {
            accepting.idleSearchSlot = (accepting.idleSearchSlot + 1) % connections.capacity
            let index = accepting.idleSearchSlot
            guard connections.contains(index), connections[index].isSpare(parts.turn) else {
                continue
            }
            connections[index].retire(&parts)
            settle(index, was: .reading)
            retired += 1
        }
    }

    private mutating func pauseAccepting(keepingAdmin: Bool) {
        guard !accepting.isPaused else { return }
        accepting.pausedUntil = parts.turn.milliseconds + pauseMilliseconds
        listeners.unregister(from: poller, keepingAdmin: keepingAdmin)
    }

    mutating func resumeAccepting() {
        guard let until = accepting.pausedUntil, parts.turn.milliseconds >= until else { return }
        accepting.pausedUntil = nil
        parts.gate.reserve.restore()
        do {
            try listeners.register(with: poller)
        } catch {
            pauseAccepting(keepingAdmin: false)
        }
    }
}

/// The time that connections wait in the kernel's queue before they are refused.
private let patienceMilliseconds = 1000
/// The time for which listeners are left alone when nothing can be accepted.
private let pauseMilliseconds = 100
/// Connections that are reset in one turn, so that the loop gets on to its other work.
private let turnedAwayAtOnceMax = 256
/// The memory that must be free for another connection: a handshake's and a request's buffers, and
/// as much again for the connections that are there.
private let connectionBytes = 98_304
/// Slots that one search for idle connections looks at.
private let lookedAtMax = 1024
