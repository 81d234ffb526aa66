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
    var isTooLarge = false
}

extension LinkStore {
    /// The properties of all links, as `updateColumns` has read them.
    package var columns: LinkColumns { known.columns }

    /// Whether there are more links than the columns are kept of.
    package var hasTooManyLinks: Bool { known.isTooLarge }

    /// The most links of which columns are kept: 36 MB.
    package static let columnsMax = 1_000_000

    /// Reads a part of what the columns lack.
    /// - Parameters:
    ///   - limit: at most so many links.
    ///   - campaign: of a link's destination; empty for none.
    /// - Returns: whether they lack nothing.
    package func updateColumns(
        limit: Int, campaign: (LinkFacts) -> String
    ) throws(StoreError) -> Bool {
        guard !known.isTooLarge else { return false }
        if known.lastRead == nil, known.place.generation == index.generation, known.place.isWhole,
            !isShared
        {
            return true
        }
        if known.place.generation > 0, try known.mark != historyMark(at: known.place.generation) {
            known = KnownColumns()
        }
        if let last = known.lastRead {
            if last == 0 {
                known.place = ChangePlace(generation: index.generation, id: nil)
                known.mark = try historyMark(at: index.generation)
            }
            let facts = try facts(after: last, limit: limit)
            for link in facts { known.columns.put(link, campaign: campaign(link)) }
            known.lastRead = facts.count < limit ? nil : facts.last?.number
            known.isTooLarge = known.columns.links.count > Self.columnsMax
            if known.isTooLarge { known.columns = LinkColumns() }
            return false
        }
        let end = index.generation
        let part = try rows.facts(changedAfter: known.place, upTo: end, limit: limit)
        for link in part.facts { known.columns.put(link, campaign: campaign(link)) }
        known.place = part.last ?? ChangePlace(generation: end, id: nil)
        known.mark = try historyMark(at: known.place.generation)
        return part.last == nil
    }
}
