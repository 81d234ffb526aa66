import ClientAddress
import Memory

/// The networks that ask for many different slugs of no link: a token bucket for each, in a table
/// of fixed size. A slug that is asked for again takes no token, because many people behind one
/// address scan the same misprint.
struct GuessTable: ~Copyable {
    private var entries: FixedArray<Entry>

    private struct Entry: BitwiseCopyable {
        var network = IPAddress(high: 0, low: 0)
        /// Thousandths of a token, at this time.
        var left = GuessTable.most
        var milliseconds = 0
        /// The hash of the slug that was asked for last.
        var slug: UInt64 = 0

        /// The thousandths that are left now.
        func left(_ now: Int) -> Int {
            min(GuessTable.most, left + max(0, now - milliseconds) * GuessTable.perSecond)
        }
    }

    /// - Parameter isUsed: false for a table that is never asked.
    init(isUsed: Bool) {
        entries = FixedArray(repeating: Entry(), count: isUsed ? Self.entriesMax : 0)
    }

    /// Notes a request for a slug that is of no link.
    /// - Parameters:
    ///   - slug: its hash.
    ///   - now: in milliseconds.
    /// - Returns: whether the network has asked for too many.
    mutating func note(_ network: IPAddress, slug: UInt64, at now: Int) -> Bool {
        guard entries.count > 0 else { return false }
        let index = place(network, now)
        var entry = entries[index]
        if entry.network != network { entry = Entry(network: network, milliseconds: now) }
        entry.left = entry.left(now)
        entry.milliseconds = now
        let isOver = entry.left < 1000
        if !isOver, slug != entry.slug { entry.left -= 1000 }
        entry.slug = slug
        entries[index] = entry
        return isOver
    }

    /// Whether the network has asked for too many.
    func isOver(_ network: IPAddress, at now: Int) -> Bool {
        guard entries.count > 0 else { return false }
        let entry = entries[place(network, now)]
        return entry.network == network && entry.left(now) < 1000
    }

    /// The place of a network: of the two that it can have, its own one, or that of the network
    /// which has asked for less.
    private func place(_ network: IPAddress, _ now: Int) -> Int {
        // With a seed of this process, so that nobody chooses networks that share their places.
        var hasher = Hasher()
        hasher.combine(network)
        let first = hasher.finalize() & (Self.entriesMax - 1)
        let second = first ^ 1
        if entries[first].network == network { return first }
        if entries[second].network == network { return second }
        return entries[first].left(now) >= entries[second].left(now) ? first : second
    }

    /// Different slugs that a network may ask for at once, in thousandths, and a second.
    private static let most = 60 * 1000
    private static let perSecond = 1
    private static let entriesMax = 1_024
}
