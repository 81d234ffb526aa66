import HTTPMessages
import Memory
import Sockets
import TLS

// What the socket gives, decrypted where need be, until it gives no more.

extension Connection {
    enum Received { case nothing, some, more, ended }

    /// Fills the context's input with what was left over and what has come.
    mutating func receive(_ context: inout LoopContext) -> Received {
        if awaitsProxyHeader { return receiveProxyHeader(&context) }
        receivedMicroseconds = context.microseconds
        if pending.isEmpty, content == nil { beganMicroseconds = receivedMicroseconds }
        takePending(&context)
        guard tls != nil else { return receivePlain(&context) }
        context.received.removeAll()
        let transfer = socket.receive(into: &context.received.storage, context.received.free)
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return decrypt(0..<count, &context)
    }

    /// Begins the context's input with what was left over.
    func takePending(_ context: inout LoopContext) {
        context.input.removeAll()
        if !pending.isEmpty { context.input.append(pending, 0..<pending.count) }
    }

    mutating func receivePlain(_ context: inout LoopContext) -> Received {
        let most = context.limits.receiveBytesMax
        let transfer = socket.receive(into: &context.input.storage, context.input.free.prefix(most))
        guard case .moved(let count) = transfer else { return ended(transfer) }
        context.input.grow(by: count)
        return count == most ? .more : .some
    }

    /// Throws away what comes after the last answer, undecrypted.
    mutating func discard(_ context: inout LoopContext) -> Received {
        context.received.removeAll()
        let transfer = socket.receive(into: &context.received.storage, context.received.free)
        guard case .moved(let count) = transfer else { return ended(transfer) }
        return count == context.limits.receiveBytesMax ? .more : .some
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

    /// Hands what was received to the TLS session; its plaintext goes to the context's input.
    mutating func decrypt(_ range: Range<Int>, _ context: inout LoopContext) -> Received {
        if !isHandshaken, let received = takePlain(range, &context) { return received }
        let room = context.input.free
        guard
            let reading = tls?.read(
                context.received.storage, range, into: &context.input.storage, room,
                over: &context.transport)
        else { return .nothing }
        context.input.grow(by: reading.filled)
        if !isHandshaken { noteHandshakeEnd(&context) }
        switch reading.state {
        case .needsInput:
            return range.upperBound == context.limits.receiveBytesMax ? .more : .some
        case .closed: return .ended
        case .full:
            // It cannot be: the input has room for more than one read can decrypt to.
            phase = .closed
            return .nothing
        case .failed(let failure):
            sendOutgoing(&context)
            handshakeError = HandshakeError(failure)
            phase = .closed
            return .nothing
        case .exhausted:
            sendOutgoing(&context)
            endWithoutMemory(&context)
            return .nothing
        }
    }

    mutating func endOfInput(_ context: inout LoopContext) {
        guard phase != .closed else { return }
        // The peer may wait for the answers to what it has sent (a half-close).
        if isBlocked {
            hasEnded = true
        } else {
            if phase != .lingering { closeGracefully(&context) }
            // What TLS says at the end (close_notify) waits for room in the socket, too.
            if !isBlocked { phase = .closed }
        }
    }
}
