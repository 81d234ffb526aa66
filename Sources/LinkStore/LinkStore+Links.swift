private import Diagnostics
internal import LinkIndex

/// A reason for which a link is not made or changed, besides failures of the store.
package enum LinkConflict: Error, Equatable, Sendable {
    /// The slug is taken by another link; by one that was deleted, or in another letter case.
    case slugTaken(by: String, isDeleted: Bool)
    case externalIDTaken(by: LinkID)
    case idTaken
}

/// The result of an edit or a deletion.
package enum LinkEdit: Equatable, Sendable {
    case done(StoredLink)
    /// The link is so already.
    case unchanged(StoredLink)
    case missing
    /// The link was changed since the expected generation.
    case changed(StoredLink)
    case conflict(LinkConflict)
}

extension LinkStore {
    // MARK: Writing

    /// Makes a link; only in a transaction.
    /// - Parameters:
    ///   - isExact: whether letter case distinguishes slugs of the collection.
    ///   - times: seconds since 1970.
    package func create(
        _ id: LinkID, _ collection: String, slug: String, _ content: LinkContent,
        isExact: Bool, at times: (created: Int, updated: Int), generation: Int
    ) throws(StoreError) -> Result<StoredLink, LinkConflict> {
        if let conflict = try conflict(collection, slug, isExact: isExact, content) {
            return .failure(conflict)
        }
        let link = StoredLink(
            id: id, collection: collection, slug: slug, content: content, created: times.created,
            updated: times.updated, generation: generation)
        let number = try number(of: collection)
        let row = makeRow()
        try noteChange(of: row)
        try rows.insert((row, link), collection: number)
        note(id)
        noteSlug(slug, of: link, row, isExact: isExact)
        return .success(link)
    }

    /// Gives a link other content; only in a transaction.
    /// - Parameter expected: the generation that the editor has seen; nil for any.
    package func update(
        _ id: LinkID, expected: Int?, at now: Int, generation: Int,
        _ edit: (StoredLink) -> LinkContent
    ) throws(StoreError) -> LinkEdit {
        guard let (row, before) = try rows.link(.id(id)),
            before.deleted == nil
        else { return .missing }
        if let expected, expected != before.generation { return .changed(before) }
        var link = before
        link.content = edit(before)
        if !link.content.externalID.isScalarwise(before.content.externalID),
            let conflict = try conflict(of: link.content.externalID, besides: id)
        {
            return .conflict(conflict)
        }
        guard link.content != before.content else { return .unchanged(before) }
        (link.updated, link.generation) = (now, generation)
        try noteChange(of: row)
        try rows.update((row, link))
        growth += max(0, link.content.indexedBytes - before.content.indexedBytes)
        noteSlug(of: link, row)
        return .done(link)
    }

    /// Deletes a link; only in a transaction. Its slugs stay taken.
    package func delete(
        _ id: LinkID, expected: Int?, at now: Int, generation: Int
    ) throws(StoreError) -> LinkEdit {
        guard let (row, before) = try rows.link(.id(id)),
            before.deleted == nil
        else { return .missing }
        if let expected, expected != before.generation { return .changed(before) }
        var link = before
        (link.content, link.deleted, link.updated) = (LinkContent(), now, now)
        link.generation = generation
        try noteChange(of: row)
        try rows.update((row, link))
        noteSlugs([link.slug] + link.aliases, of: link, row)
        return .done(link)
    }

    /// Gives a link other slugs, all or none of them; only in a transaction. The cost of each of
    /// them does not depend on how many there are.
    package func addAliases(
        _ slugs: [String], to id: LinkID, isExact: Bool, at now: Int, generation: Int
    ) throws(StoreError) -> LinkEdit {
        guard let (row, before) = try rows.link(.id(id)),
            before.deleted == nil
        else { return .missing }
        for slug in slugs {
            let conflict = try conflict(before.collection, slug, isExact: isExact, LinkContent())
            if let conflict { return .conflict(conflict) }
        }
        let number = try number(of: before.collection)
        var link = before
        (link.updated, link.generation) = (now, generation)
        try noteChange(of: row)
        try rows.insertAliases(slugs, of: (row, link), collection: number)
        noteSlug(of: link, row)
        link.aliases += slugs
        for slug in slugs {
            noteSlug(slug, of: link, row, isExact: isExact)
        }
        return .done(link)
    }

    /// A slug that the open transaction adds.
    private func noteSlug(_ slug: String, of link: StoredLink, _ row: Int, isExact: Bool) {
        let record = LinkRecord(link, row: row, slug: slug)
        written[SlugKey(record.collection, record.slug, isExact: isExact)] = slug
        let others = record.ownSlug?.count ?? link.content.indexedBytes
        growth += record.slug.count + others + Self.recordBytes
        if let change = LinkChange(record) { note(change) }
    }

    /// The bytes of a record besides those of its texts, with its place in the index, about.
    private static let recordBytes = 32

    /// The record of its own slug is all that changes of a link in the index, unless it can have none:
    /// then its aliases have everything.
    private func noteSlug(of link: StoredLink, _ row: Int) {
        if !note(link.slug, of: link, row) { noteSlugs(link.aliases, of: link, row) }
    }

    private func noteSlugs(_ slugs: [String], of link: StoredLink, _ row: Int) {
        for slug in slugs { _ = note(slug, of: link, row) }
    }

    /// - Returns: whether the index can have the slug.
    private func note(_ slug: String, of link: StoredLink, _ row: Int) -> Bool {
        guard let change = LinkChange(LinkRecord(link, row: row, slug: slug)) else { return false }
        note(change)
        return true
    }

    private func number(of collection: String) throws(StoreError) -> Int {
        let number = try rows.number(ofCollection: collection)
        noteName(collection)
        return number
    }

    // MARK: Conflicts

    /// The reason for which a link of this slug and content cannot be made; nil if it can.
    /// - Parameter slug: nil for one that is chosen by chance.
    package func conflict(
        _ collection: String, _ slug: String?, isExact: Bool, _ content: LinkContent
    ) throws(StoreError) -> LinkConflict? {
        if let slug {
            if let taken = taken(collection, slug, isExact: isExact) { return taken }
            if try refresh(), let taken = taken(collection, slug, isExact: isExact) { return taken }
        }
        return try conflict(of: content.externalID, besides: nil)
    }

    /// The index has what was committed, and `written` what this transaction adds.
    private func taken(_ collection: String, _ slug: String, isExact: Bool) -> LinkConflict? {
        let bytes = Array(slug.utf8)
        let number = CollectionName(collection).number
        if index.find(number, bytes.span, isExact: isExact, &lookup) {
            let record = lookup.record
            return .slugTaken(
                by: String(decoding: lookup.slug, as: UTF8.self),
                isDeleted: LinkRecordView(record.span).state == .deleted)
        }
        return written[SlugKey(number, bytes, isExact: isExact)].map {
            .slugTaken(by: $0, isDeleted: false)
        }
    }

    /// The other link that has the external identifier.
    /// - Parameter id: the link that may have it.
    package func conflict(
        of externalID: String?, besides id: LinkID?
    ) throws(StoreError) -> LinkConflict? {
        guard let externalID, let other = try link(externalID: externalID), other.id != id else {
            return nil
        }
        return .externalIDTaken(by: other.id)
    }
}

/// A slug as a collection compares it.
struct SlugKey: Hashable {
    private let collection: UInt32
    private let bytes: [UInt8]

    init(_ collection: UInt32, _ slug: [UInt8], isExact: Bool) {
        self.collection = collection
        bytes = isExact ? slug : slug.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }
}
