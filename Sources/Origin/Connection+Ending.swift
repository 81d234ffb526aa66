import Sockets
import TLS

// How a connection ends: with its last answer, in favour of another one, or because the origin
// stops.
extension Connection {
    /// Says that nothing more will be sent, and waits a little for the peer to see it.
    mutating func closeGracefully(_ context: inout LoopContext) {
        isEnding = true
        tls?.close(over: &context.transport)
        sendOutgoing(&context)
        guard !isBlocked, phase != .closed else { return }
        socket.finishSending()
        phase = .lingering
        deadline = context.deadline(seconds: context.limits.lingerSeconds)
        pending = []
    }

    /// Nothing more can be done for it.
    mutating func endWithoutMemory(_ context: inout LoopContext) {
        (phase, abortReason) = (.closed, .error)
        context.counters?.countRejected(.memory)
        context.note(.memory, turnedAway: 1)
    }

    /// Answers what has already come, then ends the connection unless a request is under way. A
    /// client that has not asked anything yet connected a moment ago, and is about to.
    mutating func drain(_ context: inout LoopContext) {
        if !isBlocked { readable(&context) }
        switch phase {
        case .idle where requests > 0:
            closeGracefully(&context)
            settle(&context)
        case .idle, .opening:
            deadline = min(deadline, context.deadline(seconds: context.limits.lingerSeconds))
        case .head, .content, .writing, .lingering, .closed: break
        }
    }

    /// Whether nobody waits for it: it has asked nothing for a second.
    func isSpare(_ context: inout LoopContext) -> Bool {
        phase == .idle && listener != .admin
            && deadline - context.milliseconds < (context.limits.idleSeconds - 1) * 1000
    }

    /// Less for a connection that would be missed less: first come those that have their last
    /// answer, then those that are idle, that are silent or slow to ask, and that are slow to read;
    /// of each kind first the one that has been so for the longest time.
    var missedness: (kind: Int, since: Int) {
        let rank =
            switch phase {
            case .closed, .lingering: 0
            case .idle: 1
            case .opening, .head, .content: 2
            case .writing: 3
            }
        return (rank, deadline)
    }

    /// Ends an idle connection in favour of another, unless a request has just come.
    mutating func retire(_ context: inout LoopContext) {
        readable(&context)
        guard phase == .idle else { return }
        closeGracefully(&context)
        settle(&context)
    }

    /// The time to stop is over: whatever is under way ends with a reset.
    /// - Returns: whether a request was.
    mutating func cutOff() -> Bool {
        switch phase {
        case .head, .content, .writing:
            socket.resetWhenClosed()
            abortReason = .stop
            return true
        case .opening, .idle, .lingering, .closed: return false
        }
    }
}
