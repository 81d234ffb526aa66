// Requests that came earlier, and were not answered yet.

extension Connection {
    /// Goes on with the requests that had to wait until other connections had their turn.
    mutating func takeTurn(_ loop: inout LoopParts) {
        channel.release()
        answerPending(&loop)
    }

    /// Lets the requests that are left wait, if this connection has had its share of the loop's
    /// time. Those that watch the origin never wait for others.
    /// - Returns: whether they wait.
    @inline(never)
    mutating func yieldTurn(_ turn: inout Turn) -> Bool {
        guard listener != .admin, turn.isShareOver() else { return false }
        channel.hold(for: .turn)
        return true
    }

    /// Answers what had come before, and ends the connection if that is all that will come.
    mutating func answerPending(_ loop: inout LoopParts) {
        let isAll = closing.isInputEnded
        takePending(&loop.input)
        answerAll(&loop)
        if isAll, !channel.isBlocked { endOfInput(&loop.wire, &loop.turn) }
        settle(&loop.turn)
    }
}
