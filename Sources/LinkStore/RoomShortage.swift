/// A disk without room for a transaction. While it is nearly full, small changes succeed between large ones that are
/// refused, so that a success alone does not end it.
struct RoomShortage {
    /// The most pages that a refused transaction had.
    private var pages = 0
    /// The time of the last refusal.
    private var last: ContinuousClock.Instant

    init(pages: Int, at now: ContinuousClock.Instant) { (self.pages, last) = (pages, now) }

    /// Notes one more transaction that was refused.
    mutating func add(pages: Int, at now: ContinuousClock.Instant) {
        (self.pages, last) = (max(self.pages, pages), now)
    }

    /// Whether a transaction that has succeeded ends it: one that needed as much room, or one without a refusal for
    /// so long, in which nobody has wanted more.
    func isOver(afterWriting pages: Int, at now: ContinuousClock.Instant) -> Bool {
        pages >= self.pages || now - last >= Self.quietTime
    }

    static let quietTime = Duration.seconds(60)
}
