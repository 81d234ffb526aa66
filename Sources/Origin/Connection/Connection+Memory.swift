// What a connection holds until its next turn.

extension Connection {
    /// Takes the memory by which what is unfinished has grown. Where there is not so much, the
    /// connection ends: it was let in for less, and many that grow together would end the process.
    @inline(__always)
    mutating func holdMemory(_ loop: inout LoopParts) {
        let before = heldBytes
        heldBytes = pending.count + channel.heldBytes + exchange.heldBytes + records.heldBytes
        guard heldBytes > before, listener != .admin,
            !loop.gate.holdMemory(bytes: heldBytes - before, loop.turn)
        else { return }
        endForMemory(&loop)
    }

    @inline(never)
    private mutating func endForMemory(_ loop: inout LoopParts) {
        noteMemoryShortage(&loop.recorder, &loop.gate, &loop.turn)
        channel.resetWhenClosed()
        abort(.error)
    }
}
