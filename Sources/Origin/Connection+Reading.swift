import HTTPMessages
import Memory
import Sockets
import TLS

// What the socket gives, decrypted where need be, until it gives no more.

extension Connection {
    enum Received { case nothing, some, more, ended }

    /// Fills the bench's input with what was left over and what has come.
    mutating func receive(_ bench: inout Bench) -> Received {
        if awaitsProxyHeader { return receiveProxyHeader(&bench) }
        if pending.isEmpty, content == nil { began = bench.microseconds }
        takePending(&bench)
        guard tls != nil else { return receivePlain(&bench) }
        bench.received.removeAll()
        let transfer = socket.receive(into: &bench.received.storage, bench.received.free)
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return decrypt(0..<count, &bench)
    }

    /// Begins the bench's input with what was left over.
    func takePending(_ bench: inout Bench) {
        bench.input.removeAll()
        if !pending.isEmpty { bench.input.append(pending, 0..<pending.count) }
    }

    mutating func receivePlain(_ bench: inout Bench) -> Received {
        let most = bench.limits.receiveBytesMax
        let transfer = socket.receive(into: &bench.input.storage, bench.input.free.prefix(most))
        guard case .moved(let count) = transfer else { return ended(transfer) }
        bench.input.grow(by: count)
        return count == most ? .more : .some
    }

    /// Throws away what comes after the last answer, undecrypted.
    mutating func discard(_ bench: inout Bench) -> Received {
        bench.received.removeAll()
        let transfer = socket.receive(into: &bench.received.storage, bench.received.free)
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return count == bench.limits.receiveBytesMax ? .more : .some
    }

    mutating func ended(_ transfer: Transfer) -> Received {
        switch transfer {
        case .blocked, .moved: return .nothing
        case .ended: return .ended
        case .lost:
            phase = .closed
            return .nothing
        }
    }

    /// Hands what was received to the TLS session; its plaintext goes to the bench's input.
    mutating func decrypt(_ range: Range<Int>, _ bench: inout Bench) -> Received {
        let room = bench.input.free
        guard
            let reading = tls?.read(
                bench.received.storage, range, into: &bench.input.storage, room,
                over: &bench.transport)
        else { return .nothing }
        bench.input.grow(by: reading.filled)
        if !isHandshaken { noteHandshakeEnd(&bench) }
        switch reading.state {
        case .needsInput:
            return range.upperBound == bench.limits.receiveBytesMax ? .more : .some
        case .closed: return .ended
        case .full, .failed:
            // Full cannot be: the input has room for more than one read can decrypt to.
            sendOutgoing(&bench)
            handshakeError = .refused
            phase = .closed
            return .nothing
        case .exhausted:
            sendOutgoing(&bench)
            endWithoutMemory(&bench)
            return .nothing
        }
    }

    mutating func endOfInput(_ bench: inout Bench) {
        guard phase != .closed else { return }
        // The peer may wait for the answers to what it has sent (a half-close).
        if isBlocked {
            hasEnded = true
        } else {
            if phase != .lingering { sayGoodbye(&bench) }
            // The goodbye, too, waits for room.
            if !isBlocked { phase = .closed }
        }
    }
}
