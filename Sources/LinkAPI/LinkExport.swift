import Diagnostics
import LinkIndex
package import LinkStore

/// What an export was asked for, by somebody who may.
package struct LinkExport: Sendable {
    private let api: LinkAPI
    private let filter: LinkFilter
    private let isTable: Bool
    /// Of the store when it began.
    package let generation: Int

    init(_ api: LinkAPI, _ call: LinkAPI.Call) throws(Problem) {
        self.api = api
        var filter = LinkFilter()
        let request = call.request
        filter.includesArchived = true
        filter.collections = call.actor.collections
        (filter.collection, filter.tag) = (request.item("collection"), request.item("tag"))
        filter.includesDeleted = request.item("deleted") == "true"
        let accepted = request.fields["accept"] ?? ""
        isTable =
            request.item("format").map { $0 == "csv" }
            ?? accepted.utf8.starts(with: "text/csv".utf8)
        self.filter = filter
        generation = call.store.index.generation
    }

    /// The fields of the answer.
    package var fields: [String] {
        [
            isTable
                ? "Content-Type: text/csv; charset=utf-8" : "Content-Type: application/x-ndjson",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
            "Waymark-Generation: \(generation)",
        ]
    }

    /// What comes before the links.
    package var beginning: [UInt8] { isTable ? TableColumns.beginning : [] }

    /// The links after this one, in the order of their ids.
    /// - Returns: the last that was looked at; nil if there are no more.
    package func page(
        after last: LinkID?, _ store: LinkStore
    ) -> Result<(content: [UInt8], last: LinkID?), APIResponse> {
        let (links, end): ([StoredLink], LinkID?)
        do throws(StoreError) {
            end = try store.link(filter, after: last, rows: Self.partLinks)
            links = try store.links(filter, after: last, upTo: end, limit: Self.pageLinks)
        } catch {
            return .failure(.unavailable(error.words.fact))
        }
        var content = [UInt8]()
        for link in links {
            let json = api.json(of: link)
            if isTable {
                content += TableColumns.line(of: json).utf8
            } else {
                content += json.compact.utf8
                content.append(0x0A)
            }
        }
        return .success((content, links.count == Self.pageLinks ? links.last?.id : end))
    }

    /// Other requests wait while a page is read.
    private static let pageLinks = 500
    private static let partLinks = 2_000
}
