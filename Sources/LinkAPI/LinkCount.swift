import LinkStore

/// The number of links of a list, on all its pages.
struct LinkTally: Equatable, Sendable {
    let count: Int
    /// Whether there are no further ones.
    var isExact = true
}

/// The links of a list as they are counted, a part of the store at a time. Counting ends early: behind so many links as people read
/// as a number, and where few links of very many meet the filter, as those would be looked at for each page.
struct LinkCount: Sendable {
    private enum Source {
        /// All rows after this link.
        case rows(LinkID?)
        /// The only links that can be of the list.
        case some(ArraySlice<LinkID>)
    }

    private let filter: LinkFilter
    /// At most so many rows are looked at.
    var rowsMax: Int
    private var source: Source
    private var count: Int
    private var looked = 0

    /// No more links are counted.
    static let most = 1_000
    /// About 20 ms.
    private static let usualRowsMax = 100_000
    /// The same in a search for a text, which reads all of each link.
    private static let searchedRowsMax = 4_000

    /// - Parameters:
    ///   - last: the link after which there are those that were not counted yet.
    ///   - counted: those up to it.
    init(_ filter: LinkFilter, after last: LinkID?, counted: Int) {
        (self.filter, source, count) = (filter, .rows(last), counted)
        rowsMax = Self.rowsMax(of: filter)
    }

    /// - Parameter ids: of the only links that can be of the list.
    init(_ filter: LinkFilter, among ids: [LinkID]) {
        (self.filter, source, count) = (filter, .some(ids[...]), 0)
        rowsMax = Self.rowsMax(of: filter)
    }

    private static func rowsMax(of filter: LinkFilter) -> Int {
        filter.text == nil ? usualRowsMax : searchedRowsMax
    }

    /// Counts the next part.
    /// - Parameter body: makes the answer of how many there are.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    func answer(
        _ store: LinkStore, _ body: @escaping @Sendable (LinkTally) -> APIResponse
    ) throws(StoreError) -> APIResponse {
        var next = self
        if let tally = try next.look(store) { return body(tally) }
        return .unfinished { [next] store throws(Problem) in
            try orProblem { () throws(StoreError) in try next.answer(store, body) }
        }
    }

    /// - Returns: how many there are; nil until that is known.
    private mutating func look(_ store: LinkStore) throws(StoreError) -> LinkTally? {
        let isOver: Bool
        switch source {
        case .rows(let last): isOver = try look(store, after: last)
        case .some(let ids): isOver = try look(store, at: ids)
        }
        if count > Self.most { return LinkTally(count: Self.most, isExact: false) }
        if isOver { return LinkTally(count: count) }
        return looked >= rowsMax ? LinkTally(count: count, isExact: false) : nil
    }

    /// - Returns: whether there are no further links.
    private mutating func look(_ store: LinkStore, after last: LinkID?) throws(StoreError) -> Bool {
        // Of a list that has most links, the first part is enough.
        let rows = looked == 0 || filter.text != nil ? 2 * Self.most : 10 * Self.most
        let end = filter.ids == nil ? try store.link(filter, after: last, rows: rows) : nil
        var found = 0
        try store.forEachLink(filter, after: last, upTo: end) { _ in found += 1 }
        count += found
        looked += rows
        source = .rows(end)
        return end == nil
    }

    /// - Returns: whether there are no further links.
    private mutating func look(
        _ store: LinkStore, at ids: ArraySlice<LinkID>
    ) throws(StoreError) -> Bool {
        var (filter, rest, found) = (filter, ids, 0)
        for _ in 0..<Self.most / LinkFilter.idsMax where !rest.isEmpty {
            filter.ids = Array(rest.prefix(LinkFilter.idsMax))
            rest = rest.dropFirst(LinkFilter.idsMax)
            try store.forEachLink(filter, after: nil, upTo: nil) { _ in found += 1 }
        }
        count += found
        looked += Self.most
        source = .some(rest)
        return rest.isEmpty
    }
}
