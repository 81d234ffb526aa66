internal import LinkIndex

extension LinkStore {
    /// The link with this identity, also if it was deleted.
    package func link(_ id: LinkID) throws(StoreError) -> StoredLink? {
        try rows.link(.id(id))?.link
    }

    /// The number of a link, which the index and visits have; nil if there is no such link.
    package func number(of id: LinkID) throws(StoreError) -> Int? { try rows.link(.id(id))?.row }

    /// Whether a link of this collection was ever made.
    package func hasCollection(_ name: String) throws(StoreError) -> Bool {
        try rows.hasCollection(name)
    }

    package func link(externalID: String) throws(StoreError) -> StoredLink? {
        try rows.link(.externalID(externalID))?.link
    }

    /// Reads what other nodes have committed, where memory has no answer to a question; a transaction has read it.
    /// - Returns: whether there was anything.
    package func refresh() throws(StoreError) -> Bool {
        guard isShared, !rows.isInTransaction, isFresh != true else { return false }
        let before = index
        guard follow(isPoll: false) else { throw failure ?? .refused }
        if isFresh != nil { isFresh = true }
        return index !== before
    }

    /// The link that has this very slug, also as an alias.
    package func link(_ collection: String, slug: String) throws(StoreError) -> StoredLink? {
        if let known = try knownLink(collection, slug: slug) { return known }
        return try refresh() ? knownLink(collection, slug: slug) : nil
    }

    /// The same, as far as memory has it.
    private func knownLink(
        _ collection: String, slug: String
    ) throws(StoreError) -> StoredLink? {
        let number = CollectionName(collection).number
        let bytes = Array(slug.utf8)
        if index.find(number, bytes.span, isExact: true, &lookup) {
            let row = Int(LinkRecordView(lookup.record.span).id)
            return try rows.link(.row(row))?.link
        }
        // What the open transaction has added is not in the index yet.
        let isAdded = [true, false].contains { written[SlugKey(number, bytes, isExact: $0)] != nil }
        guard isAdded else { return nil }
        return try rows.link(.slug(collection: collection, slug))?.link
    }

    /// The link that a slug finds, also as an alias, where letter case may not matter.
    package func link(
        _ collection: String, foundBy slug: String, isExact: Bool
    ) throws(StoreError) -> StoredLink? {
        if let known = try knownLink(collection, foundBy: slug, isExact) { return known }
        return try refresh() ? knownLink(collection, foundBy: slug, isExact) : nil
    }

    private func knownLink(
        _ collection: String, foundBy slug: String, _ isExact: Bool
    ) throws(StoreError) -> StoredLink? {
        if let found = try knownLink(collection, slug: slug) { return found }
        guard !isExact else { return nil }
        let (number, bytes) = (CollectionName(collection).number, Array(slug.utf8))
        if index.find(number, bytes.span, isExact: false, &lookup) {
            let row = Int(LinkRecordView(lookup.record.span).id)
            return try rows.link(.row(row))?.link
        }
        let added = written[SlugKey(number, bytes, isExact: false)]
        return try added.flatMap { own throws(StoreError) in
            try knownLink(collection, slug: own)
        }
    }

    /// Links in the order in which they were made or in its reverse, without deleted ones.
    /// - Parameters:
    ///   - last: the link after which they begin.
    ///   - end: the last link that is looked at; nil for that of the store.
    ///   - limit: at most so many.
    ///   - bytesMax: none is read after so many bytes of links (`StoredLink.byteCount`).
    package func links(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID? = nil, limit: Int,
        bytesMax: Int = .max
    ) throws(StoreError) -> [StoredLink] {
        try rows.links(filter, after: last, upTo: end, limit: limit, bytesMax: bytesMax)
            .map(\.link)
    }

    /// The link that is so many after this one, whether or not the filter has it; nil if there are
    /// fewer. Whoever looks for few among many looks at a part of them at a time, because nobody can
    /// change a link meanwhile.
    package func link(
        _ filter: LinkFilter, after last: LinkID?, rows: Int
    ) throws(StoreError) -> LinkID? {
        try self.rows.link(filter, after: last, rows: rows)
    }

    /// Links in the order of their last changes, also deleted and archived ones.
    /// - Parameters:
    ///   - place: after which they begin.
    ///   - collections: only those of these; nil for all.
    ///   - limit: at most so many.
    ///   - bytesMax: none is read after so many bytes of links (`StoredLink.byteCount`).
    ///   - rows: at most so many are looked at.
    /// - Returns: the links, and the place of the last that was looked at; nil at the end.
    package func changes(
        after place: ChangePlace, in collections: [String]?, limit: Int, bytesMax: Int = .max,
        rows most: Int
    ) throws(StoreError) -> (links: [StoredLink], last: ChangePlace?) {
        try self.rows.changes(
            after: place, upTo: index.generation, in: collections, limit: limit,
            bytesMax: bytesMax, rows: most)
    }

    /// The mark of the history that a generation is of, in hexadecimal digits.
    ///
    /// A process that changes the store begins a part of the history, with a mark of random bits, by its first
    /// change. A store that was set back, however that was done, has another mark for each generation that it
    /// reaches again. The generations before the copy was made keep theirs.
    package func historyMark(at generation: Int) throws(StoreError) -> String {
        try rows.historyMark(at: generation)
    }
}

/// A place in the order of changes.
package struct ChangePlace: Hashable, Sendable {
    package let generation: Int
    /// The last link of the generation that is before the place; nil if all of them are.
    package let id: LinkID?

    package init(generation: Int, id: LinkID?) { (self.generation, self.id) = (generation, id) }

    /// The bytes of the identity; without one, more than those of any.
    package var idBytes: [UInt8] { id?.bytes ?? [UInt8](repeating: 0xFF, count: 17) }

    /// Whether a link comes behind it.
    package func isBefore(_ link: StoredLink) -> Bool {
        generation != link.generation
            ? generation < link.generation : idBytes.lexicographicallyPrecedes(link.id.bytes)
    }
}

/// Conditions that the links of a list meet.
package struct LinkFilter: Equatable, Sendable {
    package var collection: String?
    /// Only these, at most `idsMax`; nil for all.
    package var ids: [LinkID]?
    /// Of these collections only; nil for all.
    package var collections: [String]?
    /// Only those with this tag; an empty one is that of links without a tag.
    package var tag: String?
    package var isDisabled: Bool?
    package var includesArchived = false
    /// Whether only archived links are wanted.
    package var isOfArchive = false
    package var includesDeleted = false
    /// True for the order from the last link that was made to the first.
    package var isNewestFirst = false
    /// A part of what people read of a link, in either letter case.
    package var text: String?

    package init() {}

    /// Whether only links without a tag are wanted.
    package var isUntagged: Bool { tag?.isEmpty == true }

    /// The most links that are named at once.
    package static let idsMax = 100
}
