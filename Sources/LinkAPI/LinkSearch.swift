import Diagnostics
import LinkIndex
import LinkStore
import URISyntax

/// A list of links that is being made. It looks at a part of the store at a time: a list of few among
/// a million would keep everybody waiting who makes or changes a link.
final class LinkSearch: Sendable {
    private let api: LinkAPI
    let filter: LinkFilter
    let limit: Int
    /// The items of the query.
    private let query: [(name: String, value: String)]
    /// After which it goes on.
    let place: Place
    /// Whether the answer says how many links the list has.
    let counts: Bool
    private let found: FoundLinks
    /// Whether no page was before this one.
    private let isFirstPage: Bool
    /// The search that finds candidates where the list is not full soon; nil where all rows are looked at.
    private let finder: IndexedSearch?

    /// A place in the order of a list.
    enum Place: Sendable {
        case creation(LinkID?)
        case change(ChangePlace)
    }

    init(
        _ api: LinkAPI, _ filter: LinkFilter, limit: Int, _ query: [(name: String, value: String)],
        after place: Place, counts: Bool = false
    ) {
        (self.api, self.filter, self.limit, self.query) = (api, filter, limit, query)
        (self.place, self.counts, found) = (place, counts, FoundLinks(limit))
        isFirstPage = if case .creation(nil) = place { true } else { false }
        finder = nil
    }

    /// The same list, which is looked for row by row as long as it can be full soon.
    init(_ search: LinkSearch, finder: IndexedSearch) {
        (api, filter, limit, query) = (search.api, search.filter, search.limit, search.query)
        (counts, isFirstPage) = (search.counts, search.isFirstPage)
        (place, found) = (search.place, search.found)
        self.finder = finder
    }

    /// The same list, as far as it was made.
    private init(_ before: LinkSearch, after place: Place, found: FoundLinks) {
        (api, filter, limit, query) = (before.api, before.filter, before.limit, before.query)
        (counts, isFirstPage) = (before.counts, before.isFirstPage)
        (self.place, self.found) = (place, found)
        finder = before.finder
    }

    /// Looks at the next part.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    func step(_ store: LinkStore) throws(StoreError) -> APIResponse {
        let (links, end): ([StoredLink], Place?)
        let left = found.left
        switch place {
        case .creation(let last):
            let part: LinkID?
            switch try finder?.next(after: last, store) ?? .rows {
            case .unknown: return later
            case .links(let ids, let last):
                var filter = filter
                filter.ids = ids
                part = last
                links =
                    ids.isEmpty
                    ? []
                    : try store.links(
                        filter, after: nil, limit: left.limit, bytesMax: left.bytesMax)
            case .rows:
                // Links that are named are found without a look at the others.
                let isOfNamed = filter.ids != nil
                part = isOfNamed ? nil : try store.link(filter, after: last, rows: partLinks)
                links = try store.links(
                    filter, after: last, upTo: part, limit: left.limit, bytesMax: left.bytesMax)
            }
            end = part.map { .creation($0) }
        case .change(let last):
            let part = try store.changes(
                after: last, in: collections, limit: left.limit, bytesMax: left.bytesMax,
                rows: partLinks)
            (links, end) = (part.links, part.last.map { .change($0) })
        }
        var all = found
        all.append(links)
        guard !all.isFull, let end else {
            return try counts ? count(all, store) : answer(all, store)
        }
        return LinkSearch(self, after: end, found: all).later
    }

    /// The next part, when others have used the store.
    var later: APIResponse {
        .unfinished { [self] store throws(Problem) in
            try orProblem { () throws(StoreError) in try step(store) }
        }
    }

    /// Of which the links are; nil for all.
    private var collections: [String]? {
        guard let name = filter.collection else { return filter.collections }
        return filter.collections?.contains(name) ?? true ? [name] : []
    }

    /// Counts the links of the list, of which those of the page are known.
    private func count(
        _ found: FoundLinks, _ store: LinkStore
    ) throws(StoreError) -> APIResponse {
        if isFirstPage, !found.isFull {
            return answer(found, LinkTally(count: found.links.count))
        }
        let known = isFirstPage ? found.links : []
        let count = LinkCount(filter, after: known.last?.id, counted: known.count)
        return try count.answer(store) { [self] tally in answer(found, tally) }
    }

    func answer(_ found: FoundLinks, _ store: LinkStore) throws(StoreError) -> APIResponse {
        switch place {
        case .creation: answer(found, nil)
        case .change: try answer(ofChanges: found, store)
        }
    }

    /// An answer in an order that is not that of changes.
    /// - Parameters:
    ///   - tally: how many there are in all; nil if that is not asked for.
    ///   - hasMore: whether there are further links, which are not among these.
    ///   - after: the place behind a link, as a query has it.
    func answer(
        _ found: FoundLinks, _ tally: LinkTally?, hasMore: Bool = false,
        after: (StoredLink) -> String = { $0.id.description }
    ) -> APIResponse {
        let links = found.links
        let written = BoundedList("links", links.prefix(limit)) { api.json(of: $0) }
        var others = [(key: String, value: JSONText)]()
        if let tally {
            // What the page shows is there, however early counting has ended.
            others = [
                ("count", .number(max(tally.count, links.count))),
                ("countIsExact", .boolean(tally.isExact)),
            ]
        }
        var response = written.response(others)
        if hasMore || found.isFull || links.count > written.count,
            let last = links.prefix(written.count).last
        {
            response.fields["Link"] = Self.next(
                query.filter { $0.name != "after" } + [("after", after(last))])
        }
        return response
    }

    private func answer(
        ofChanges found: FoundLinks, _ store: LinkStore
    ) throws(StoreError) -> APIResponse {
        let links = found.links
        let written = BoundedList("links", links.prefix(limit), api.jsonOfChange)
        let last = links.prefix(written.count).last
        // Everything before the next change has been shown. One that was not read may be of the same generation as the last.
        let next = links.dropFirst(written.count).first ?? (found.isFull ? last : nil)
        let generation = next.map { $0.generation - 1 } ?? store.index.generation
        var response = written.response([
            ("generation", .number(generation)),
            ("history", .string(try store.historyMark(at: generation))),
        ])
        response.fields = [
            "Waymark-Generation": "\(store.index.generation)",
            "Waymark-History": try store.historyMark(at: store.index.generation),
        ]
        if next != nil, let last {
            // It begins at the generation of the last link, so that a restore between two pages is noticed.
            let own = ["changed-since", "history", "after"]
            response.fields["Link"] = Self.next(
                query.filter { !own.contains($0.name) } + [
                    ("changed-since", "\(last.generation)"),
                    ("history", try store.historyMark(at: last.generation)),
                    ("after", "\(last.generation)-\(last.id)"),
                ])
        }
        return response
    }

    /// The field that leads to the next page.
    private static func next(_ items: [(name: String, value: String)]) -> String {
        let query = items.map { "\($0.name)=\($0.value.queryEscaped)" }.joined(separator: "&")
        return "</v1/links?\(query)>; rel=\"next\""
    }

    /// The links of a part. A search for a text reads all of each link.
    var partLinks: Int { filter.text == nil ? 10_000 : 1_000 }
}

extension LinkAPI {
    /// A link in the list of changes.
    fileprivate func jsonOfChange(_ link: StoredLink) -> JSONText {
        guard case .object(let members) = json(of: link) else { return .null }
        return .object(members + [("generation", .number(link.generation))])
    }
}
