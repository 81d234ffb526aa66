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
            contentUntil = bench.deadline(seconds: bench.limits.contentSeconds)
            beginContentWait(&bench)
        case .writing: beginWriteWait(&bench)
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
            return bench.milliseconds < contentUntil && progressMark - before >= max(1, least)
        }
        beginWriteWait(&bench)
        let least = limits.writeBytesPerSecond * limits.writeSeconds
        return before - progressMark >= max(1, least)
    }

    private mutating func beginContentWait(_ bench: inout Bench) {
        progressMark = content?.takenBytes ?? 0
        deadline = min(
            contentUntil, bench.deadline(seconds: bench.limits.contentRateSeconds))
    }

    /// What the kernel holds is not taken yet: it may hold megabytes for a peer that reads nothing.
    private mutating func beginWriteWait(_ bench: inout Bench) {
        progressMark =
            unsent.count - unsentStart + (body?.range.count ?? 0) + socket.untakenBytes
        deadline = bench.deadline(seconds: bench.limits.writeSeconds)
    }
}
