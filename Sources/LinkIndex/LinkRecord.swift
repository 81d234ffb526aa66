private import Memory

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
    /// another program has given the link a slug that no record can have.
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
    package var bytes: [UInt8] {
        var result = [UInt8]()
        result.reserveCapacity(32 + slug.count + destination.count + details.count)
        _ = LinkRecordHead(self).write(to: &result) { part, bytes in
            switch part {
            case .slug: bytes += slug
            case .destination: bytes += destination
            case .details: bytes += details
            case .ownSlug: bytes += ownSlug ?? []
            }
        }
        return result
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

/// What a record has besides its texts.
package struct LinkRecordHead: Sendable {
    package var collection: UInt32
    package var id: UInt64
    package var state = LinkRecord.State.active
    /// Whether the slug is an alias, so that the link's own slug is a text of the record, too.
    package var isAlias = false
    /// Seconds since 1970.
    package var from: Int?
    package var until: Int?

    package init(collection: UInt32, id: UInt64) { (self.collection, self.id) = (collection, id) }

    init(_ record: LinkRecord) {
        self.init(collection: record.collection, id: record.id)
        (state, isAlias) = (record.state, record.ownSlug != nil)
        (from, until) = (record.from, record.until)
    }

    /// The texts of a record, in their order. Only that of an alias has the link's own slug.
    package enum Part: Sendable { case slug, destination, details, ownSlug }

    /// Appends the bytes of a record. An odd one is written as disabled and without its texts, so
    /// that its slug stays taken, and not at all if its slug is what is odd.
    /// - Parameter append: appends a text.
    /// - Returns: the range of the slug, and what is odd.
    func write(
        to bytes: inout [UInt8], _ append: (Part, inout [UInt8]) -> Void
    ) -> (slug: Range<Int>?, oddity: LinkOddity?) {
        let start = bytes.count
        bytes.append(UInt64(collection), bytes: 4)
        // The flags and the lengths follow from the texts.
        bytes.append(0, bytes: 4)
        bytes.append(id, bytes: 6)
        if let from { bytes.append(UInt64(bitPattern: Int64(from)), bytes: 8) }
        if let until { bytes.append(UInt64(bitPattern: Int64(until)), bytes: 8) }
        let slug = bytes.count
        append(.slug, &bytes)
        let destination = bytes.count
        append(.destination, &bytes)
        let details = bytes.count
        append(.details, &bytes)
        let oddity = LinkOddity(
            id, bytes, slug: slug..<destination, destination: destination..<details)
        if let oddity {
            let name = Array(bytes[slug..<destination])
            bytes.removeLast(bytes.count - start)
            if case .slugBytes = oddity { return (nil, oddity) }
            var odd = LinkRecordHead(collection: collection, id: 0)
            odd.state = state == .deleted ? .deleted : .disabled
            let written = odd.write(to: &bytes) { if $0 == .slug { $1 += name } }
            return (written.slug, oddity)
        }
        var flags = state.rawValue
        if from != nil { flags |= Flags.from }
        if until != nil { flags |= Flags.until }
        if isAlias { flags |= Flags.alias }
        if Self.changesRedirect(bytes[details...]) { flags |= Flags.changesRedirect }
        bytes[start + 4] = flags
        bytes[start + 5] = UInt8(destination - slug)
        bytes[start + 6] = UInt8(truncatingIfNeeded: details - destination)
        bytes[start + 7] = UInt8(truncatingIfNeeded: (details - destination) >> 8)
        if isAlias { Self.appendOwnSlug(to: &bytes, append) }
        return (slug..<destination, nil)
    }

    private static func appendOwnSlug(
        to bytes: inout [UInt8], _ append: (Part, inout [UInt8]) -> Void
    ) {
        let start = bytes.count
        append(.ownSlug, &bytes)
        if bytes.count - start > LinkRecord.slugBytesMax { bytes.removeLast(bytes.count - start) }
        bytes.append(UInt8(bytes.count - start))
    }

    /// Whether details mention what can change a redirect: actions or campaign parameters. A title
    /// that has such a word in quotes costs only time.
    private static func changesRedirect(_ details: ArraySlice<UInt8>) -> Bool {
        var rest = details
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[(quote + 1)...]
            if rest.starts(with: "web\"".utf8) || rest.starts(with: "campaign\"".utf8) {
                return true
            }
        }
        return false
    }
}

enum Flags {
    static let state: UInt8 = 3
    static let from: UInt8 = 4
    static let until: UInt8 = 8
    static let alias: UInt8 = 16
    static let changesRedirect: UInt8 = 32
}

/// The parts of a record, by their ranges in its bytes.
package struct LinkRecordView: Sendable {
    package let collection: UInt32
    package let id: UInt64
    package let state: LinkRecord.State
    /// The link's own slug, if the record is of an alias.
    package let ownSlug: Range<Int>?
    /// Whether its details can change where people are led.
    package let changesRedirect: Bool
    package let from: Int?
    package let until: Int?
    package let slug: Range<Int>
    package let destination: Range<Int>
    package let details: Range<Int>

    /// Where the slug is, if the record is of a collection: all that a search needs.
    static func slug(in bytes: Span<UInt8>, of collection: UInt32) -> Range<Int>? {
        let head = bytes.word(at: 0)
        guard UInt32(truncatingIfNeeded: head) == collection else { return nil }
        let flags = UInt8(truncatingIfNeeded: head >> 32)
        let times = (flags & Flags.from == 0 ? 0 : 8) + (flags & Flags.until == 0 ? 0 : 8)
        let start = 14 + times
        return start..<start + Int(truncatingIfNeeded: head >> 40 & 0xFF)
    }

    /// - Parameter bytes: of `LinkRecord.bytes`.
    package init(_ bytes: Span<UInt8>) {
        let head = bytes.word(at: 0)
        collection = UInt32(truncatingIfNeeded: head)
        let flags = UInt8(truncatingIfNeeded: head >> 32)
        state = LinkRecord.State(rawValue: flags & Flags.state) ?? .disabled
        changesRedirect = flags & Flags.changesRedirect != 0
        // Its number has six bytes.
        id = bytes.word(at: 6) >> 16
        var position = 14
        func time(_ flag: UInt8) -> Int? {
            guard flags & flag != 0 else { return nil }
            defer { position += 8 }
            return Int(Int64(bitPattern: bytes.word(at: position)))
        }
        from = time(Flags.from)
        until = time(Flags.until)
        slug = position..<position + Int(truncatingIfNeeded: head >> 40 & 0xFF)
        destination = slug.upperBound..<slug.upperBound + Int(truncatingIfNeeded: head >> 48)
        var end = bytes.count
        if flags & Flags.alias != 0 {
            let length = end - 1
            end = length - Int(bytes[length])
            ownSlug = end..<length
        } else {
            ownSlug = nil
        }
        details = destination.upperBound..<end
    }
}

extension [UInt8] {
    /// In little-endian order.
    fileprivate mutating func append(_ number: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
}
