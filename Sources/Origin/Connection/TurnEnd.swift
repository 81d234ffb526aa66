/// The state of a connection whose turn is over, as its loop must know it.
struct TurnEnd {
    /// In milliseconds of the monotonic clock.
    let deadline: Int
    /// The event that it waits for.
    let interest: Channel.Interest
    /// Whether it keeps its buffers from now on.
    let isWarmed: Bool
}
