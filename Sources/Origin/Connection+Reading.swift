import HTTPMessages
import Memory
import Sockets
import TLS

// What the socket gives, decrypted where need be, until it gives no more.

extension Connection {
    enum Received { case nothing, some, more, ended }

    /// Fills the bench's input with what was left over and what has come.
    mutating func receive(_ bench: inout Bench) -> Received {
        if pending.isEmpty, content == nil { began = bench.microseconds }
        bench.input.removeAll()
        bench.input.append(pending, 0..<pending.count)
        guard tls != nil else { return receivePlain(&bench) }
        bench.received.removeAll()
        var transfer = Transfer.blocked
        _ = bench.received.fill { target, room in
            transfer = socket.receive(into: &target, room)
            if case .moved(let count) = transfer { return count }
            return 0
        }
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return decrypt(count, &bench)
    }

    mutating func receivePlain(_ bench: inout Bench) -> Received {
        var transfer = Transfer.blocked
        let most = bench.limits.receiveBytesMax
        _ = bench.input.fill { target, room in
            transfer = socket.receive(
                into: &target, room.lowerBound..<min(room.upperBound, room.lowerBound + most))
            if case .moved(let count) = transfer { return count }
            return 0
        }
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return count == most ? .more : .some
    }

    /// Throws away what comes after the last answer, undecrypted.
    mutating func discard(_ bench: inout Bench) -> Received {
        bench.received.removeAll()
        var transfer = Transfer.blocked
        _ = bench.received.fill { target, room in
            transfer = socket.receive(into: &target, room)
            return 0
        }
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
    mutating func decrypt(_ count: Int, _ bench: inout Bench) -> Received {
        var state = TLSReading.State.needsInput
        _ = bench.input.fill { target, room in
            guard
                let reading = tls?.read(
                    bench.received.storage, 0..<count, into: &target, room, over: &bench.transport)
            else { return 0 }
            state = reading.state
            return reading.filled
        }
        switch state {
        case .needsInput:
            return count == bench.limits.receiveBytesMax ? .more : .some
        case .closed: return .ended
        case .full, .failed:
            // Full cannot be: the input has room for more than one read can decrypt to.
            sendOutgoing(&bench)
            phase = .closed
            return .nothing
        }
    }

    mutating func endOfInput(_ bench: inout Bench) {
        guard phase != .closed else { return }
        // The peer may wait for the answers to what it has sent (a half-close).
        if interest == .writing {
            isEnding = true
        } else {
            if phase != .lingering { sayGoodbye(&bench) }
            phase = .closed
        }
    }
}
