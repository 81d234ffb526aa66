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
    private let found: [StoredLink]
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
        (self.place, self.counts, found) = (place, counts, [])
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
    private init(_ before: LinkSearch, after place: Place, found: [StoredLink]) {
        (api, filter, limit, query) = (before.api, before.filter, before.limit, before.query)
        (counts, isFirstPage) = (before.counts, before.isFirstPage)
        (self.place, self.found) = (place, found)
        finder = before.finder
    }

    /// Looks at the next part.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    func step(_ store: LinkStore) throws(StoreError) -> APIResponse {
        let (links, end): ([StoredLink], Place?)
        // One more tells whether there is another page.
        let wanted = limit + 1 - found.count
        switch place {
        case .creation(let last):
            let part: LinkID?
            switch try finder?.next(after: last, store) ?? .rows {
            case .unknown: return later
            case .links(let ids, let last):
                var filter = filter
                filter.ids = ids
                part = last
                links = ids.isEmpty ? [] : try store.links(filter, after: nil, limit: wanted)
            case .rows:
                // Links that are named are found without a look at the others.
                let isOfNamed = filter.ids != nil
                part = isOfNamed ? nil : try store.link(filter, after: last, rows: partLinks)
                links = try store.links(filter, after: last, upTo: part, limit: wanted)
            }
            end = part.map { .creation($0) }
        case .change(let last):
            let part = try store.changes(
                after: last, in: collections, limit: wanted, rows: partLinks)
            (links, end) = (part.links, part.last.map { .change($0) })
        }
        let all = found + links
        let bytes = all.reduce(0) { $0 + $1.byteCount }
        guard all.count <= limit, bytes <= listBytesMax, let end else {
            return try counts
                ? count(all, isWhole: end == nil && all.count <= limit, store)
                : answer(all, store)
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
        _ links: [StoredLink], isWhole: Bool, _ store: LinkStore
    ) throws(StoreError) -> APIResponse {
        if isFirstPage, isWhole {
            return answer(links, LinkTally(count: links.count)) { $0.id.description }
        }
        let known = isFirstPage ? links : []
        let count = LinkCount(filter, after: known.last?.id, counted: known.count)
        return try count.answer(store) { [self] tally in answer(links, tally) { $0.id.description }
        }
    }

    /// - Parameter links: those of the list, and one more if there are further ones.
    func answer(_ links: [StoredLink], _ store: LinkStore) throws(StoreError) -> APIResponse {
        switch place {
        case .creation: answer(links) { $0.id.description }
        case .change: try answer(ofChanges: links, store)
        }
    }

    /// An answer in an order that is not that of changes.
    /// - Parameters:
    ///   - tally: how many there are in all; nil if that is not asked for.
    ///   - hasMore: whether there are further links, which are not among these.
    ///   - after: the place behind a link, as a query has it.
    func answer(
        _ links: [StoredLink], _ tally: LinkTally? = nil, hasMore: Bool = false,
        after: (StoredLink) -> String
    ) -> APIResponse {
        let written = boundedList(links.prefix(limit)) { api.json(of: $0) }
        var members: [(key: String, value: JSONText)] = [("links", .array(written))]
        if let tally {
            // What the page shows is there, however early counting has ended.
            members += [
                ("count", .number(max(tally.count, links.count))),
                ("countIsExact", .boolean(tally.isExact)),
            ]
        }
        var response = APIResponse(200, .object(members))
        if hasMore || links.count > written.count, let last = links.prefix(written.count).last {
            response.fields["Link"] = Self.next(
                query.filter { $0.name != "after" } + [("after", after(last))])
        }
        return response
    }

    private func answer(
        ofChanges links: [StoredLink], _ store: LinkStore
    ) throws(StoreError) -> APIResponse {
        let written = boundedList(links.prefix(limit), api.jsonOfChange)
        // Everything before the next change has been shown.
        let generation =
            links.count > written.count
            ? links[written.count].generation - 1 : store.index.generation
        let mark = try store.historyMark(at: generation)
        var response = APIResponse(
            200,
            .object([
                ("links", .array(written)), ("generation", .number(generation)),
                ("history", .string(mark)),
            ]),
            fields: [
                "Waymark-Generation": "\(store.index.generation)",
                "Waymark-History": try store.historyMark(at: store.index.generation),
            ])
        if links.count > written.count, let last = links.prefix(written.count).last {
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

/// The beginning of a list that an answer has, in JSON: an answer waits in memory for its client.
/// - Returns: at least the first element, and no more after so many bytes.
func boundedList<Element>(
    _ elements: some Sequence<Element>, _ json: (Element) -> JSONText
) -> [JSONText] {
    var (written, bytes) = ([JSONText](), 0)
    for element in elements {
        let next = json(element)
        bytes += next.compact.utf8.count
        guard written.isEmpty || bytes <= listBytesMax else { break }
        written.append(next)
    }
    return written
}

/// The most bytes of the elements of a list in one answer, unless it has only one.
let listBytesMax = 262_144

extension LinkAPI {
    /// A link in the list of changes.
    fileprivate func jsonOfChange(_ link: StoredLink) -> JSONText {
        guard case .object(let members) = json(of: link) else { return .null }
        return .object(members + [("generation", .number(link.generation))])
    }
}
