import LinkStore

/// The links that a list has found for one answer. No more are read than it can have, because searches wait in memory for their turn.
struct FoundLinks: Sendable {
    private(set) var links = [StoredLink]()
    private var bytes = 0
    /// One more tells whether there is another page.
    private let most: Int

    /// - Parameter limit: at most so many are answered.
    init(_ limit: Int) { most = limit + 1 }

    /// The number of links, and the bytes of them, that are still read.
    var left: (limit: Int, bytesMax: Int) { (most - links.count, listBytesMax + 1 - bytes) }
    /// Whether reading has ended before the list.
    var isFull: Bool { links.count >= most || bytes > listBytesMax }

    mutating func append(_ more: [StoredLink]) {
        links += more
        bytes += more.reduce(0) { $0 + $1.byteCount }
    }
}
