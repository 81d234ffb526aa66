import JSONSyntax
import LinkStore

/// Draws the QR codes of several links on pages. The answer has a `drawing`, which the caller makes beside the store's
/// thread.
struct DrawLinks: Operation {
    static let route = APIRoute(
        "drawLinks", "GET", "links:qr", .reading,
        "Draw the QR codes of links on pages of A4, as a PDF for print",
        query: [
            Parameter("id", .links(LinkFilter.idsMax), "The links, in this order; required."),
            Parameter.side(
                of: "each code", CodeSheet.millimetres,
                "40 by default, or more if needed. Below each are its address and, in Latin letters, its title."
            ),
        ], [Answer(200, types: ["application/pdf"])], problems: [.notFound, .urlTooLong])

    let call: APICall
    private let entries: [CodeSheet.Entry]

    init(call: APICall) throws(Problem) {
        self.call = call
        guard let ids = call.request.links("id"), !ids.isEmpty else {
            throw Problem(.query, "id is missing: name links, with commas between their ids")
        }
        var filter = LinkFilter()
        (filter.ids, filter.collections) = (ids, call.actor.collections)
        (filter.includesArchived, filter.includesDeleted) = (true, true)
        let links = try orProblem { () throws(StoreError) in
            try call.store.links(filter, after: nil, limit: ids.count)
        }
        let known = Dictionary(links.map { ($0.id, $0) }) { one, _ in one }
        var entries = [CodeSheet.Entry]()
        for id in ids {
            guard let link = known[id] else { throw .notFound }
            let collection = try call.collection(of: link)
            entries.append(
                CodeSheet.Entry(url: collection.url(link.slug), title: Self.title(of: link)))
        }
        self.entries = entries
    }

    func answer() throws(Problem) -> APIResponse {
        APIResponse(.sheet(CodeSheet(entries: entries, millimetres: call.request.number("mm"))))
    }

    private static func title(of link: StoredLink) -> String? {
        guard let details = link.content.details else { return nil }
        return JSONDocument(Array(details.utf8), file: "").root?["page"]?["title"]?.text
    }
}
