/// A shortage of room on the disk. While a disk is nearly full, small changes succeed between large ones that are
/// refused, so that a success alone does not end the shortage.
struct RoomShortage {
    /// The number of pages of the largest transaction that was refused.
    let pages: Int
    /// The time of the last refusal.
    let last: ContinuousClock.Instant

    /// Whether a transaction that has succeeded ends the shortage: it was as large as the refused ones, or nothing was
    /// refused for a while before it.
    func isOver(afterWriting pages: Int, at now: ContinuousClock.Instant) -> Bool {
        pages >= self.pages || now - last >= Self.quietTime
    }

    static let quietTime = Duration.seconds(60)
}
