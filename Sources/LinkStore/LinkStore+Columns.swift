private import LinkIndex

/// The columns of a store, and how far they have come.
struct KnownColumns {
    var columns = LinkColumns()
    /// The last link of the first reading; nil when that is over.
    var lastRead: Int? = 0
    /// Changes up to this place are in the columns.
    var place = ChangePlace(generation: 0, id: nil)
    /// The mark of the history at the generation of the place.
    var mark = ""
    /// The generation at which they had no room; nil if they have.
    var tooLargeAt: Int?
    let bytesMax: Int

    init(bytesMax: Int = Self.bytesMax) { self.bytesMax = bytesMax }

    /// A million links with few texts.
    static let bytesMax = 64 << 20
    /// The changes after which it is tried again whether they have room.
    static let changesOfTry = 100_000

    /// Begins anew.
    mutating func forget() { self = KnownColumns(bytesMax: bytesMax) }

    /// Forgets all if they have become too large. Texts that no link has any more are no reason not to begin anew.
    mutating func checkSize(at generation: Int) {
        guard columns.byteCount > bytesMax || columns.hasManyOldTexts else { return }
        let isFirstReading = lastRead != nil
        forget()
        if isFirstReading { tooLargeAt = generation }
    }
}

extension LinkStore {
    /// The properties of all links, as `updateColumns` has read them.
    package var columns: LinkColumns { known.columns }

    /// Whether the properties of all links have no room in memory.
    package var hasTooManyLinks: Bool {
        known.tooLargeAt.map { index.generation - $0 < KnownColumns.changesOfTry } ?? false
    }

    /// Reads a part of what the columns lack.
    /// - Parameters:
    ///   - limit: at most so many links.
    ///   - campaign: of a link's destination; empty for none.
    /// - Returns: whether they lack nothing.
    package func updateColumns(
        limit: Int, campaign: (LinkFacts) -> String
    ) throws(StoreError) -> Bool {
        if known.tooLargeAt != nil {
            guard !hasTooManyLinks else { return false }
            known.forget()
        }
        let isRead = known.lastRead == nil
        if isRead, !isShared, known.place == ChangePlace(generation: index.generation, id: nil) {
            return true
        }
        if known.place.generation > 0, try known.mark != historyMark(at: known.place.generation) {
            known.forget()
        }
        guard let last = known.lastRead else { return try readChanges(limit, campaign) }
        if last == 0 {
            known.place = ChangePlace(generation: index.generation, id: nil)
            known.mark = try historyMark(at: index.generation)
        }
        let facts = try facts(after: last, limit: limit)
        for link in facts { known.columns.put(link, campaign: campaign(link)) }
        known.checkSize(at: index.generation)
        guard known.tooLargeAt == nil else { return false }
        known.lastRead = facts.count < limit ? nil : facts.last?.number
        return false
    }

    private func readChanges(
        _ limit: Int, _ campaign: (LinkFacts) -> String
    ) throws(StoreError) -> Bool {
        let end = index.generation
        let part = try rows.facts(changedAfter: known.place, upTo: end, limit: limit)
        for link in part.facts { known.columns.put(link, campaign: campaign(link)) }
        known.place = part.last ?? ChangePlace(generation: end, id: nil)
        known.mark = try historyMark(at: known.place.generation)
        known.checkSize(at: end)
        return part.last == nil && known.lastRead == nil
    }
}
