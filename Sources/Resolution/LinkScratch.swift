import Associations
package import LinkIndex

/// The memory of one decision. If it is kept, a redirect allocates nothing.
package struct LinkScratch: Sendable {
    var match = MatchScratch()
    var apps = MatchScratch()
    /// The URL that the visitor is led to.
    package var location = [UInt8]()
    /// The stored links; nil if nothing is looked up.
    package var index: LinkIndex?
    /// Whether nothing is looked up for the client, which guesses: it gets the answer of an unknown
    /// slug.
    package var isGuesser = false
    /// Whether the last decision was about a slug that is unknown to strangers.
    package var isMiss = false
    var lookup = LinkLookup()
    /// The details of the long link that was decided last, besides its destination, as JSON.
    package var longDetails = [UInt8]()

    package init() {}

    /// The slug of the stored link that was found last.
    package var storedSlug: ArraySlice<UInt8> { lookup.slug }

    /// The stored link that was found last.
    package var record: LinkRecord? { lookup.found }

    /// Finds the link of a collection whose slug has this range in the texts of the stars.
    mutating func findStored(_ collection: UInt32, _ slug: Range<Int>, isExact: Bool) -> Bool {
        let text = match.starText
        return findStored(collection, text.span.extracting(slug), isExact: isExact)
    }

    /// Takes the destination of the stored link that was found last, if it is active at any time and
    /// has nothing that could lead somebody elsewhere.
    /// - Returns: the link's number.
    mutating func takeDestination() -> UInt64? {
        let record = LinkRecordView(lookup.record.span)
        guard case .active = record.state, record.from == nil, record.until == nil,
            !record.changesRedirect, !record.destination.isEmpty
        else { return nil }
        lookup.copy(record.destination, into: &location)
        return record.id
    }

    /// Finds the link of a collection with this slug.
    mutating func findStored(_ collection: UInt32, _ slug: Span<UInt8>, isExact: Bool) -> Bool {
        index?.find(collection, slug, isExact: isExact, &lookup) ?? false
    }
}
