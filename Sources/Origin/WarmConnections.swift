import Memory

/// The TLS connections that keep OpenSSL's buffers between two turns, because they are asked
/// again and again: taking two buffers and giving them back would be a good part of the work of an
/// answer. All others give them back after each turn, and so do these after a second without one,
/// so that an idle connection holds little.
struct WarmConnections: ~Copyable {
    /// The poller's tokens of these connections.
    private var tokens: FixedArray<UInt64>
    private(set) var count = 0

    /// - Parameter capacity: bounds what their buffers may fill, about 34 KiB for each.
    init(capacity: Int) { tokens = FixedArray(repeating: 0, count: capacity) }

    var isFull: Bool { count == tokens.count }

    mutating func add(_ token: UInt64) {
        tokens[count] = token
        count += 1
    }

    subscript(index: Int) -> UInt64 { tokens[index] }

    /// Takes one out; the last one gets its place.
    mutating func remove(at index: Int) {
        count -= 1
        tokens[index] = tokens[count]
    }
}
