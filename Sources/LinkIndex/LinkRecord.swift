/// A stored link as the index has it: what an answer needs, in few bytes.
///
/// The bytes are those of the collection, the state, the lengths, the number of the link, the ends
/// of its period where it has them, the slug, the destination, and the rest as JSON.
package struct LinkRecord: Hashable, Sendable {
    /// Of the collection (`CollectionName`).
    package var collection: UInt32
    /// The number of the link, which it keeps when its slug changes, and which its aliases have.
    package var id: UInt64
    package var slug: [UInt8]
    package var state: State
    /// Whether the slug is another name of a link.
    package var isAlias = false
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

    package static let slugBytesMax = 64
    package static let destinationBytesMax = 2_048
    package static let detailsBytesMax = 16_384

    /// The bytes of the index.
    package var bytes: [UInt8] {
        precondition(
            slug.count <= Self.slugBytesMax && destination.count <= Self.destinationBytesMax
                && details.count <= Self.detailsBytesMax)
        var result = [UInt8]()
        result.reserveCapacity(32 + slug.count + destination.count + details.count)
        result.append(UInt64(collection), bytes: 4)
        var flags = state.rawValue
        if from != nil { flags |= Flags.from }
        if until != nil { flags |= Flags.until }
        if isAlias { flags |= Flags.alias }
        if Self.changesRedirect(details) { flags |= Flags.changesRedirect }
        result.append(flags)
        result.append(UInt8(slug.count))
        result.append(UInt64(destination.count), bytes: 2)
        result.append(id, bytes: 6)
        for time in [from, until].compactMap(\.self) {
            result.append(UInt64(bitPattern: Int64(time)), bytes: 8)
        }
        return result + slug + destination + details
    }

    /// Whether details mention what can change a redirect: actions or campaign parameters. A title
    /// that has such a word in quotes costs only time.
    private static func changesRedirect(_ details: [UInt8]) -> Bool {
        guard !details.isEmpty else { return false }
        let texts = details.split(separator: UInt8(ascii: "\""))
        return texts.contains { $0.elementsEqual("web".utf8) || $0.elementsEqual("campaign".utf8) }
    }

    /// - Parameter bytes: of `bytes`.
    package init(_ bytes: [UInt8]) {
        let view = LinkRecordView(bytes.span)
        self.init(
            collection: view.collection, id: view.id, slug: Array(bytes[view.slug]),
            state: view.state, destination: Array(bytes[view.destination]),
            details: Array(bytes[view.details]))
        (isAlias, from, until) = (view.isAlias, view.from, view.until)
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
    package let isAlias: Bool
    /// Whether its details can change where people are led.
    package let changesRedirect: Bool
    package let from: Int?
    package let until: Int?
    package let slug: Range<Int>
    package let destination: Range<Int>
    package let details: Range<Int>

    /// - Parameter bytes: of `LinkRecord.bytes`.
    package init(_ bytes: Span<UInt8>) {
        collection = UInt32(truncatingIfNeeded: bytes.number(at: 0, bytes: 4))
        let flags = bytes[4]
        state = LinkRecord.State(rawValue: flags & Flags.state) ?? .disabled
        isAlias = flags & Flags.alias != 0
        changesRedirect = flags & Flags.changesRedirect != 0
        id = bytes.number(at: 8, bytes: 6)
        var position = 14
        func time(_ flag: UInt8) -> Int? {
            guard flags & flag != 0 else { return nil }
            defer { position += 8 }
            return Int(Int64(bitPattern: bytes.number(at: position, bytes: 8)))
        }
        from = time(Flags.from)
        until = time(Flags.until)
        slug = position..<position + Int(bytes[5])
        destination = slug.upperBound..<slug.upperBound + Int(bytes.number(at: 6, bytes: 2))
        details = destination.upperBound..<bytes.count
    }
}

extension [UInt8] {
    /// In little-endian order.
    fileprivate mutating func append(_ number: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
}

extension Span<UInt8> {
    fileprivate func number(at position: Int, bytes: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<bytes { number |= UInt64(self[position + index]) << UInt64(8 * index) }
        return number
    }
}
