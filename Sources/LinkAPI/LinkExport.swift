import Diagnostics
import LinkIndex
package import LinkStore

/// An export that was let in: its links, and their form.
package struct LinkExport: Sendable {
    private let api: LinkAPI
    private let filter: LinkFilter
    private let isTable: Bool
    private let actor: LinkAPI.Actor

    /// Reads the head of a request.
    init(_ api: LinkAPI, _ request: APIRequest, _ actor: LinkAPI.Actor) {
        (self.api, self.actor) = (api, actor)
        var filter = LinkFilter()
        filter.includesArchived = true
        filter.collections = actor.collections
        (filter.collection, filter.tag) = (request.item("collection"), request.item("tag"))
        filter.includesDeleted = request.item("deleted") == "true"
        let accepted = request.fields["accept"] ?? ""
        isTable =
            request.item("format").map { $0 == "csv" }
            ?? accepted.utf8.starts(with: "text/csv".utf8)
        self.filter = filter
    }

    /// The fields of the answer.
    /// - Parameter store: the store when the export begins.
    package func fields(_ store: LinkStore) throws(StoreError) -> [String] {
        let generation = store.index.generation
        return [
            isTable
                ? "Content-Type: text/csv; charset=utf-8" : "Content-Type: application/x-ndjson",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
            "Waymark-Generation: \(generation)",
            "Waymark-History: \(try store.historyMark(at: generation))",
        ]
    }

    /// The bytes before the links: the heading of a table.
    package var beginning: [UInt8] { isTable ? TableColumns.beginning : [] }

    /// The refusal of an export of a collection that does not exist; nil for others.
    package func refusal(_ store: LinkStore) -> APIResponse? {
        do throws(Problem) {
            try api.checkCollection(filter.collection, for: actor, store)
            return nil
        } catch {
            return error.response
        }
    }

    /// The links after this one, in the order of their ids.
    /// - Returns: the last that was looked at; nil if there are no more.
    package func links(
        after last: LinkID?, _ store: LinkStore, at now: Int
    ) throws(StoreError) -> (links: [StoredLink], last: LinkID?) {
        if last == nil { api.noteUse(of: actor, store, at: now) }
        let end = try store.link(filter, after: last, rows: Self.partLinks)
        let links = try store.links(
            filter, after: last, upTo: end, limit: Self.pageLinks, bytesMax: Self.pageBytesMax)
        let bytes = links.reduce(0) { $0 + $1.byteCount }
        let isWhole = links.count < Self.pageLinks && bytes < Self.pageBytesMax
        return (links, isWhole ? end : links.last?.id)
    }

    /// The links as an import takes them.
    package func content(of links: [StoredLink]) -> [UInt8] {
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
        return content
    }

    /// Other requests wait while a page is read.
    private static let pageLinks = 500
    private static let pageBytesMax = 262_144
    private static let partLinks = 2_000
}

extension LinkExport {
    static let route = APIRoute(
        "exportLinks", "GET", "export", .reading,
        "Export all links in a form that an import accepts",
        query: [
            Parameter("format", .choice(["ndjson", "csv"]), "The format; ndjson by default."),
            Parameter("collection", .text, "Only links of this collection."),
            Parameter(
                "tag", .text, "Only links with this tag; without a value, those without a tag."),
            Parameter("deleted", .flag, "Whether the export includes deleted links."),
        ], transfer: .export,
        [APIRoute.Answer(200, types: APIRoute.lines + ["text/csv"], .generation, .history)])
}
