import HTTPMessages
import Sockets

// How long a connection is waited for, and how much it must do in that time.

extension Connection {
    /// Whether it is one too many: its first request is answered, and it is closed.
    var isGuest: Bool { place.standing != .welcome }

    /// A guest has little time.
    mutating func hurry(_ bench: inout Bench) {
        deadline = min(deadline, bench.deadline(seconds: bench.limits.guestSeconds))
    }

    /// Sets the time of the phase that has begun.
    mutating func beginWait(_ bench: inout Bench) {
        switch phase {
        case .opening where isGuest, .idle where isGuest, .head where isGuest: break
        case .content:
            progressUntil = bench.deadline(seconds: bench.limits.contentSeconds)
            beginContentWait(&bench)
        case .writing: beginWriteWait(leaving: untaken, &bench)
        case .opening where bench.isStopping, .idle where bench.isStopping, .lingering, .closed:
            deadline = bench.deadline(seconds: bench.limits.lingerSeconds)
        case .opening: deadline = bench.deadline(seconds: bench.limits.handshakeSeconds)
        case .idle: deadline = bench.deadline(seconds: bench.limits.idleSeconds)
        case .head: deadline = bench.deadline(seconds: bench.limits.headSeconds)
        }
    }

    /// Whether so much has come, or was taken, that the peer may have more time, which it then has.
    mutating func keepsPace(_ bench: inout Bench) -> Bool {
        let (before, limits) = (progressMark, bench.limits)
        if phase == .content {
            beginContentWait(&bench)
            let least = limits.contentBytesPerSecond * limits.contentRateSeconds
            return bench.milliseconds < progressUntil && progressMark - before >= max(1, least)
        }
        let least = limits.writeBytesPerSecond * limits.writeSeconds
        let left = untaken
        guard before - left < max(1, least) else {
            beginWriteWait(leaving: left, &bench)
            return true
        }
        lookAgain(&bench)
        return bench.milliseconds < progressUntil
    }

    private mutating func beginContentWait(_ bench: inout Bench) {
        progressMark = content?.takenBytes ?? 0
        deadline = min(
            progressUntil, bench.deadline(seconds: bench.limits.contentRateSeconds))
    }

    /// What is left of the answer. What the kernel holds is not taken yet: it may hold megabytes
    /// for a peer that reads nothing.
    private var untaken: Int {
        unsent.count - unsentStart + (body?.range.count ?? 0) + socket.untakenBytes
    }

    private mutating func beginWriteWait(leaving left: Int, _ bench: inout Bench) {
        progressMark = left
        progressUntil = bench.deadline(seconds: bench.limits.writeSeconds)
        lookAgain(&bench)
    }

    /// At each turn of the wheel, so that a peer's time begins when it has taken enough, and not
    /// when it was last looked at: a peer that stops would have twice its time.
    private mutating func lookAgain(_ bench: inout Bench) {
        deadline = min(progressUntil, bench.milliseconds + 1)
    }
}
