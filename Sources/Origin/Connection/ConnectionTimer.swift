import Snapshots

/// The phase of one connection and its deadline.
struct ConnectionTimer {
    private(set) var phase = ConnectionPhase.opening
    /// The time at which the connection expires, in milliseconds of the monotonic clock.
    private(set) var deadline = 0
    /// The requests that had come when the deadline was set: each has its own time.
    private var requests = 0
    /// Bytes of content that had come, or bytes of the answer that were left, when the wait for
    /// progress began.
    private var progressMark = 0
    /// The time by which all content must have come, or enough of the answer have been taken.
    private var progressUntil = 0
    /// The deadline of the wait in which a head began that may turn out to be an empty line, which is
    /// no request (RFC 9112 §2.2); the distant future at other times.
    private var waitDeadline = Int.max
    /// Content without a limit may take any time, as long as it comes fast enough.
    var hasEndlessContent = false

    init(isOverLimit: Bool, _ turn: borrowing Turn) {
        deadline = turn.deadline(seconds: turn.settings.limits.handshakeSeconds)
        if isOverLimit { shorten(to: turn.settings.limits.overLimitSeconds, turn) }
    }

    /// Changes the phase.
    /// - Returns: whether a phase or a request has begun, so that `setDeadline` must follow. A byte
    ///   now and then moves no deadline: a slow client waits no longer than others.
    @inline(__always)
    mutating func apply(_ event: ConnectionPhase.Event, requests: Int) -> Bool {
        let before = phase
        advance(event)
        guard phase != before || requests != self.requests else { return false }
        let isWaiting = before == .opening || before == .idle
        if requests != self.requests || before != .head {
            waitDeadline = isWaiting && phase == .head ? deadline : .max
        }
        self.requests = requests
        return true
    }

    /// The connection lingers: its last answer was sent.
    mutating func finish(_ turn: borrowing Turn) {
        advance(.finished)
        deadline = turn.deadline(seconds: turn.settings.limits.lingerSeconds)
    }

    mutating func close() { advance(.ended) }

    @inline(__always)
    private mutating func advance(_ event: ConnectionPhase.Event) {
        guard let next = phase.next(event) else {
            preconditionFailure("\(event) cannot come in \(phase)")
        }
        phase = next
    }

    /// Leaves at most this number of seconds.
    mutating func shorten(to seconds: Int, _ turn: borrowing Turn) {
        deadline = min(deadline, turn.deadline(seconds: seconds))
    }

    /// Sets the deadline of the phase.
    /// - Parameters:
    ///   - isOverLimit: whether the connection is over a limit; it has little time for its only
    ///     request.
    ///   - progress: of `content` the bytes that have come, of `handling` the steps that the handler
    ///     has taken, of `writing` the bytes that the peer has not taken.
    @inline(__always)
    mutating func setDeadline(isOverLimit: Bool, progress: Int, _ turn: borrowing Turn) {
        let seconds: Int
        switch phase {
        case .opening where isOverLimit, .idle where isOverLimit, .head where isOverLimit: return
        case .content:
            progressUntil =
                hasEndlessContent
                ? .max : turn.deadline(seconds: turn.settings.limits.contentSeconds)
            return waitForContent(progress, turn)
        case .handling:
            progressMark = progress
            seconds = turn.settings.limits.handlerSeconds
        // Its turn comes, whatever the peer does.
        case .waiting: return deadline = .max
        case .writing: return waitForWriting(leaving: progress, turn)
        case .opening where turn.isStopping, .idle where turn.isStopping, .lingering, .closed:
            seconds = turn.settings.limits.lingerSeconds
        case .opening: return wait(turn.settings.limits.handshakeSeconds, turn)
        case .idle: return wait(turn.settings.limits.idleSeconds, turn)
        case .head: seconds = turn.settings.limits.headSeconds
        }
        deadline = turn.deadline(seconds: seconds)
    }

    /// Waits for a request; after an empty line, not longer than without it.
    private mutating func wait(_ seconds: Int, _ turn: borrowing Turn) {
        deadline = min(turn.deadline(seconds: seconds), waitDeadline)
    }

    // MARK: Progress

    /// Whether enough content has come, or enough of the answer was taken, for the peer to have
    /// more time, which it then has.
    /// - Parameter progress: as for `setDeadline`.
    mutating func extend(progress: Int, _ turn: borrowing Turn) -> Bool {
        let before = progressMark
        switch phase {
        case .content:
            waitForContent(progress, turn)
            let least =
                turn.settings.limits.contentBytesPerSecond * turn.settings.limits.contentRateSeconds
            return turn.milliseconds < progressUntil && progressMark - before >= max(1, least)
        case .writing:
            let least = turn.settings.limits.writeBytesPerSecond * turn.settings.limits.writeSeconds
            guard before - progress < max(1, least) else {
                waitForWriting(leaving: progress, turn)
                return true
            }
            checkNextTurn(turn)
            return turn.milliseconds < progressUntil
        case .handling:
            guard progress != before else { return false }
            progressMark = progress
            deadline = turn.deadline(seconds: turn.settings.limits.handlerSeconds)
            return true
        case .opening, .idle, .head, .waiting, .lingering, .closed: return false
        }
    }

    private mutating func waitForContent(_ bytes: Int, _ turn: borrowing Turn) {
        progressMark = bytes
        deadline = min(
            progressUntil, turn.deadline(seconds: turn.settings.limits.contentRateSeconds))
    }

    private mutating func waitForWriting(leaving bytes: Int, _ turn: borrowing Turn) {
        progressMark = bytes
        progressUntil = turn.deadline(seconds: turn.settings.limits.writeSeconds)
        checkNextTurn(turn)
    }

    /// At each turn of the wheel, so that a peer's time begins when it has taken enough, and not
    /// when that was last checked: a peer that stops would have twice its time.
    private mutating func checkNextTurn(_ turn: borrowing Turn) {
        deadline = min(progressUntil, turn.milliseconds + 1)
    }
}
