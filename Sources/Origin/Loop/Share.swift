/// The time that one connection has for requests that have come together. Those that are left when
/// it is over wait until other connections had their turn (`WaitingConnections`).
///
/// A request that comes alone costs nothing: the clock is read before the second request, where
/// the share begins, and before the third. From then on it is read before each request, or before
/// each eighth as long as eight of them are quick.
struct Share {
    private var endsAt = 0
    /// The time at which the clock was read last, in microseconds; 0 if it was not read yet.
    private var readAt = 0
    /// The requests that may begin before the clock is read again.
    private var unread = 0

    /// Whether the clock must be read before the next request.
    @inline(__always)
    mutating func needsClock() -> Bool {
        guard unread > 0 else { return true }
        unread -= 1
        return false
    }

    /// Whether it is over.
    /// - Parameter length: of the share, in microseconds.
    mutating func isOver(at now: Int, length: Int) -> Bool {
        if readAt == 0 {
            endsAt = now + length
        } else if (now - readAt) * 8 < length {
            unread = 7
        }
        readAt = now
        return now >= endsAt
    }
}
