import HTTPMessages
import Sockets

// How long a connection is waited for, and how much it must do in that time.

extension Connection {
    /// Whether it is one too many: its first request is answered, and it is closed.
    var isGuest: Bool { position.standing != .regular }

    /// A guest has little time.
    mutating func hurry(_ context: inout LoopContext) {
        deadline = min(deadline, context.deadline(seconds: context.limits.guestSeconds))
    }

    /// Sets the time of the phase that has begun.
    mutating func beginWait(_ context: inout LoopContext) {
        switch phase {
        case .opening where isGuest, .idle where isGuest, .head where isGuest: break
        case .content:
            progressUntil = context.deadline(seconds: context.limits.contentSeconds)
            beginContentWait(&context)
        case .writing: beginWriteWait(leaving: untakenAnswerBytes, &context)
        case .opening where context.isStopping, .idle where context.isStopping, .lingering, .closed:
            deadline = context.deadline(seconds: context.limits.lingerSeconds)
        case .opening: deadline = context.deadline(seconds: context.limits.handshakeSeconds)
        case .idle: deadline = context.deadline(seconds: context.limits.idleSeconds)
        case .head: deadline = context.deadline(seconds: context.limits.headSeconds)
        }
    }

    /// Whether so much has come, or was taken, that the peer may have more time, which it then has.
    mutating func keepsPace(_ context: inout LoopContext) -> Bool {
        let (before, limits) = (progressMark, context.limits)
        if phase == .content {
            beginContentWait(&context)
            let least = limits.contentBytesPerSecond * limits.contentRateSeconds
            return context.milliseconds < progressUntil && progressMark - before >= max(1, least)
        }
        let least = limits.writeBytesPerSecond * limits.writeSeconds
        let left = untakenAnswerBytes
        guard before - left < max(1, least) else {
            beginWriteWait(leaving: left, &context)
            return true
        }
        lookAgain(&context)
        return context.milliseconds < progressUntil
    }

    private mutating func beginContentWait(_ context: inout LoopContext) {
        progressMark = content?.takenBytes ?? 0
        deadline = min(
            progressUntil, context.deadline(seconds: context.limits.contentRateSeconds))
    }

    /// What is left of the answer. What the kernel holds is not taken yet: it may hold megabytes
    /// for a peer that reads nothing.
    private var untakenAnswerBytes: Int {
        unsent.count - unsentStart + (body?.range.count ?? 0) + socket.untakenBytes
    }

    private mutating func beginWriteWait(leaving left: Int, _ context: inout LoopContext) {
        progressMark = left
        progressUntil = context.deadline(seconds: context.limits.writeSeconds)
        lookAgain(&context)
    }

    /// At each turn of the wheel, so that a peer's time begins when it has taken enough, and not
    /// when it was last looked at: a peer that stops would have twice its time.
    private mutating func lookAgain(_ context: inout LoopContext) {
        deadline = min(progressUntil, context.milliseconds + 1)
    }
}
