import HTTPMessages
import Memory
import Sockets
import TLS

// What the context has gathered, encrypted where need be, and what the socket did not take.

extension Connection {
    /// Encrypts the context's output and sends what the transport holds, or the output itself.
    mutating func flush(_ context: inout LoopContext) {
        if phase != .closed { flushOutput(&context) }
        if context.log.draftCount > 0 { settleDrafts(&context) }
    }

    private mutating func flushOutput(_ context: inout LoopContext) {
        if tls != nil {
            encryptOutput(&context)
            // TLS's close_notify goes out with the last answer.
            if isEnding, !isBlocked, phase != .closed { tls?.close(over: &context.transport) }
            sendOutgoing(&context)
        } else if !context.output.isEmpty {
            send(context.output.storage, 0..<context.output.count)
            context.output.removeAll()
        }
        if isEnding, !isBlocked, phase != .lingering, phase != .closed {
            closeGracefully(&context)
        }
    }

    mutating func encryptOutput(_ context: inout LoopContext) {
        guard tls != nil, !context.output.isEmpty else { return }
        let isWritten =
            tls?.write(context.output.storage, 0..<context.output.count, over: &context.transport)
            ?? false
        context.output.removeAll()
        if !isWritten { (phase, abortReason) = (.closed, .error) }
    }

    mutating func sendOutgoing(_ context: inout LoopContext) {
        let count = context.transport.outgoingCount
        guard count > 0 else { return }
        send(context.transport.outgoing, 0..<count)
        context.transport.removeOutgoing()
    }

    /// Sends bytes, and keeps what the socket does not take.
    mutating func send(_ bytes: [UInt8], _ range: Range<Int>) {
        handedBytes &+= range.count
        guard unsentStart == unsent.count else { return keepUnsent(bytes[range]) }
        switch socket.send(bytes, range) {
        case .moved(let count) where count == range.count: return
        case .moved(let count): keepUnsent(bytes[range.dropFirst(count)])
        case .blocked: keepUnsent(bytes[range])
        case .ended, .lost:
            phase = .closed
            keepUnsent(bytes[range])
        }
        isBlocked = true
    }

    /// Without memory for it the connection ends.
    private mutating func keepUnsent(_ bytes: ArraySlice<UInt8>) {
        guard hasFreeMemory(bytes: 2 * (unsent.count + bytes.count)) else {
            handedBytes &-= bytes.count
            (phase, abortReason) = (.closed, .error)
            return
        }
        unsent += bytes
    }

    /// True when nothing is left of what the socket did not take.
    mutating func sendUnsent(_ context: inout LoopContext) -> Bool {
        guard unsentStart < unsent.count else { return true }
        switch socket.send(unsent, unsentStart..<unsent.count) {
        case .moved(let count): unsentStart += count
        case .blocked: break
        case .ended, .lost: phase = .closed
        }
        guard unsentStart == unsent.count else { return false }
        unsent = []
        unsentStart = 0
        return true
    }

    /// Ends a turn of the TLS session: OpenSSL keeps its buffers for a connection that is asked
    /// often, and gives them back for any other. True when this one begins to keep them.
    mutating func keepOrReleaseBuffers(_ milliseconds: Int, hasRoom: Bool) -> Bool {
        guard tls != nil else { return false }
        let before = lastTurn
        lastTurn = milliseconds
        guard !isWarm else { return false }
        isWarm = hasRoom && requests > 1 && milliseconds - before < warmMilliseconds
        if !isWarm { tls?.releaseBuffers() }
        return isWarm
    }

    /// Gives the buffers back after a second without a turn; true when it did.
    mutating func releaseIdleBuffers(_ milliseconds: Int) -> Bool {
        guard milliseconds - lastTurn >= warmMilliseconds else { return false }
        isWarm = false
        tls?.releaseBuffers()
        return true
    }

    /// Writes pieces of a long body until the socket is full or others should have their turn.
    /// True when nothing is left of it.
    mutating func continueBody(_ context: inout LoopContext) -> Bool {
        guard let (bytes, whole) = body else { return true }
        var range = whole
        if tls == nil, !context.output.isEmpty {
            send(context.output.storage, 0..<context.output.count)
            context.output.removeAll()
        }
        let last = range.lowerBound + context.limits.bodyBytesPerTurnMax
        isBlocked = !unsent.isEmpty
        while !range.isEmpty, !isBlocked, range.lowerBound < last, phase != .closed {
            let piece = range.prefix(context.limits.writeBytesMax)
            if tls == nil {
                send(bytes, piece)
            } else if tls?.write(bytes, piece, over: &context.transport) == true {
                sendOutgoing(&context)
            } else {
                (phase, abortReason) = (.closed, .error)
                break
            }
            range = piece.upperBound..<range.upperBound
        }
        guard range.isEmpty else {
            body = (bytes, range)
            isBlocked = true
            return false
        }
        body = nil
        return !isBlocked
    }
}

/// Turns that follow one another so soon are those of a busy connection.
private let warmMilliseconds = 1000
