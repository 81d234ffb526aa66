import LinkIndex
import LinkStore

/// The links that end in a period, as the index in memory has them: a look at all rows would cost as much for a few.
struct EndingLinks: Sendable {
    /// The links that are to be looked at next.
    enum Next {
        /// None yet.
        case none
        /// All of the store: the index has not all of them, or very many end in the period.
        case all
        case some([LinkID])
        /// There are no further ones.
        case end
    }

    /// In seconds since 1970.
    let period: Range<Int>
    private var index: LinkIndex?
    private var part = 0
    private var numbers = Set<UInt64>()
    /// Those that are still to be looked at; nil before they are known.
    private var ids: ArraySlice<LinkID>?

    /// - Parameter now: seconds since 1970.
    init(days: Int, from now: Int) { period = now + 1..<now + 1 + days * 86_400 }

    func has(_ link: LinkKeys) -> Bool { link.until.map(period.contains) ?? false }

    private static let partsAtOnce = 16
    /// Of more, rows are looked at in their order.
    private static let numbersMax = 50_000

    /// Goes on.
    mutating func next(_ store: LinkStore) throws(StoreError) -> Next {
        if let rest = ids {
            let some = rest.prefix(LinkFilter.idsMax)
            ids = rest.dropFirst(LinkFilter.idsMax)
            return some.isEmpty ? .end : .some(Array(some))
        }
        let odd = store.oddRows
        guard !odd.areTooMany, odd.areAll || !numbers.contains(0),
            numbers.count <= Self.numbersMax
        else { return .all }
        if self.index == nil { _ = try store.refresh() }
        let index = self.index ?? store.index
        self.index = index
        guard part < index.partCount else {
            // Rows that no record can have say themselves when they end.
            numbers.remove(0)
            let all = numbers.map { Int($0) } + odd.rows
            (ids, numbers) = (try store.ids(of: all)[...], [])
            return .none
        }
        let end = min(part + Self.partsAtOnce, index.partCount)
        var found = numbers
        numbers = []
        for part in part..<end {
            index.forEachLink(inPart: part, endingIn: period) { number in
                if found.count <= Self.numbersMax { found.insert(number) }
            }
        }
        (part, numbers) = (end, found)
        return .none
    }
}
