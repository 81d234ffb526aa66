/// A stored link as the index has it: what an answer needs, in few bytes.
///
/// The bytes are those of the collection, the state, the lengths, the number of the link, the ends
/// of its period where it has them, the slug, the destination, and the rest as JSON; for an alias
/// also the link's own slug and its length.
package struct LinkRecord: Hashable, Sendable {
    /// Of the collection (`CollectionName`).
    package var collection: UInt32
    /// The number of the link, which it keeps when its slug changes, and which its aliases have.
    package var id: UInt64
    package var slug: [UInt8]
    package var state: State
    /// The link's own slug where `slug` is an alias; nil where it is the link's own. It is empty where
    /// another program has given the link a slug that no record can have. The index has nothing else
    /// of an alias: what a link has is there once, however many slugs it has.
    package var ownSlug: [UInt8]?
    /// Seconds since 1970.
    package var from: Int?
    package var until: Int?
    /// A URL of visible ASCII characters; empty for a link that leads nowhere on the web.
    package var destination: [UInt8]
    /// A JSON object of what the link has besides; empty if it has nothing.
    package var details: [UInt8]

    /// Whether a link is answered.
    package enum State: UInt8, Sendable {
        case active
        /// Answered as if it did not exist.
        case disabled
        /// Deleted: its slug is not given to another link, and browsers get 410.
        case deleted
    }

    package init(
        collection: UInt32, id: UInt64, slug: [UInt8], state: State = .active,
        destination: [UInt8] = [], details: [UInt8] = []
    ) {
        (self.collection, self.id, self.slug, self.state) = (collection, id, slug, state)
        (self.destination, self.details) = (destination, details)
    }

    /// A record has six bytes for it.
    package static let idMax: UInt64 = 1 << 48 - 1
    package static let slugBytesMax = 64
    package static let destinationBytesMax = 2_048
    package static let detailsBytesMax = 16_384

    /// The bytes of the index; of an odd record, those of one that is not answered, and none without
    /// a slug by which it could be found.
    package var bytes: [UInt8] { written.bytes }

    /// The same with what is odd about it.
    var written: (bytes: [UInt8], oddity: LinkOddity?) {
        var result = [UInt8]()
        result.reserveCapacity(32 + slug.count + destination.count + details.count)
        let oddity = LinkRecordHead(self).write(to: &result) { part, bytes in
            switch part {
            case .slug: bytes += slug
            case .destination: bytes += destination
            case .details: bytes += details
            case .ownSlug: bytes += ownSlug ?? []
            }
        }.oddity
        return (result, oddity)
    }

    /// - Parameter bytes: of `bytes`.
    package init(_ bytes: [UInt8]) {
        let view = LinkRecordView(bytes.span)
        self.init(
            collection: view.collection, id: view.id, slug: Array(bytes[view.slug]),
            state: view.state, destination: Array(bytes[view.destination]),
            details: Array(bytes[view.details]))
        ownSlug = view.ownSlug.map { Array(bytes[$0]) }
        (from, until) = (view.from, view.until)
    }
}

enum Flags {
    static let state: UInt8 = 3
    static let from: UInt8 = 4
    static let until: UInt8 = 8
    static let alias: UInt8 = 16
    static let changesRedirect: UInt8 = 32
}

extension [UInt8] {
    /// In little-endian order.
    mutating func append(_ number: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
}
