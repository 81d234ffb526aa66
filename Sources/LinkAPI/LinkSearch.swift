import Diagnostics
package import LinkStore
import URISyntax

/// A list of links that is being made. It looks at a part of the store at a time: a list of few among
/// a million would keep everybody waiting who makes or changes a link.
package final class LinkSearch: Sendable, Equatable {
    private let api: LinkAPI
    private let filter: LinkFilter
    private let limit: Int
    /// The items of the query that the next page has, too.
    private let query: [(name: String, value: String)]
    /// The last link that was looked at.
    private let last: LinkID?
    private let found: [StoredLink]

    init(
        _ api: LinkAPI, _ filter: LinkFilter, limit: Int, _ query: [(name: String, value: String)],
        after last: LinkID?, found: [StoredLink] = []
    ) {
        (self.api, self.filter, self.limit, self.query) = (api, filter, limit, query)
        (self.last, self.found) = (last, found)
    }

    package static func == (left: LinkSearch, right: LinkSearch) -> Bool { left === right }

    /// Looks at the next part.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    package func next(_ store: LinkStore) -> APIResponse {
        do throws(StoreError) {
            return try step(store)
        } catch {
            return .unavailable(error.words.fact)
        }
    }

    func step(_ store: LinkStore) throws(StoreError) -> APIResponse {
        let end = try store.link(filter, after: last, rows: Self.partLinks)
        let links =
            try found
            + store.links(filter, after: last, upTo: end, limit: limit + 1 - found.count)
        guard links.count <= limit, let end else { return answer(links) }
        var response = APIResponse(200)
        response.rest = LinkSearch(
            api, filter, limit: limit, query, after: end, found: links)
        return response
    }

    private func answer(_ links: [StoredLink]) -> APIResponse {
        let shown = links.prefix(limit)
        var response = APIResponse(
            200, .object([("links", .array(shown.map { api.json(of: $0) }))]))
        if links.count > limit, let end = shown.last {
            let items = query + [("after", end.id.description)]
            let query = items.map { "\($0.name)=\($0.value.queryEscaped)" }.joined(separator: "&")
            response.fields["Link"] = "</v1/links?\(query)>; rel=\"next\""
        }
        return response
    }

    private static let partLinks = 10_000
}
