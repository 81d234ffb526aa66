import Diagnostics
import JSONSyntax
import LinkStore
import SiteConfiguration
import URISyntax

/// Lists what was changed, the last first.
struct ListChanges: Operation {
    static let route = APIRoute(
        "listChanges", "GET", "audit", [.auditRead],
        "List changes, the latest first",
        query: [
            Parameter(
                "link", .link,
                "Only changes of this link; required with a token for some collections."),
            Parameter("before", .number(0...Int.max), "Only changes before this number."),
        ], [Answer(200, "ChangeList", .next)], problems: [.collectionNotAllowed, .notFound])

    let call: APICall
    private let link: LinkID?
    private let before: Int?

    init(call: APICall) throws(Problem) {
        self.call = call
        link = call.request.item("link").flatMap { LinkID($0) }
        before = call.request.number("before")
        guard call.actor.collections != nil else { return }
        guard let link else {
            throw Problem(
                .collectionNotAllowed,
                "the token \(quoted(call.actor.name)) is for some collections; ask for the "
                    + "changes of each link, with link=ID")
        }
        let shown = try orProblem { () throws(StoreError) in try call.store.link(link) }
        guard let shown, call.actor.mayUse(shown.collection) else { throw .notFound }
    }

    func answer() throws(Problem) -> APIResponse {
        let entries = try orProblem { () throws(StoreError) in
            let (most, bytesMax) = (Self.most, listBytesMax + 1)
            guard let link else {
                return try call.store.audit(before: before, limit: most, bytesMax: bytesMax)
            }
            return try call.store.audit(of: link, before: before, limit: most, bytesMax: bytesMax)
        }
        let shown = try link.flatMap { link throws(Problem) in
            try orProblem { () throws(StoreError) in try call.store.link(link) }
        }
        let written = BoundedList("entries", entries) { number, entry in
            .object([
                ("number", .number(number)),
                ("time", .string(Timestamp(seconds: entry.time).description)),
                ("actor", .string(entry.actor)), ("action", .string(entry.action)),
                ("link", .orNull(entry.link?.description)),
                ("before", Self.written(entry.before)),
                (
                    "after",
                    // What a link was made with that was never changed since.
                    entry.made != nil && entry.after == nil
                        ? shown.map { call.api.json(of: $0) } ?? .null : Self.written(entry.after)
                ),
            ])
        }
        var response = written.response()
        let bytes = entries.reduce(0) { $0 + $1.entry.byteCount }
        if entries.count == Self.most || bytes > listBytesMax || written.count < entries.count,
            let last = entries.prefix(written.count).last
        {
            response.fields["Link"] =
                "</v1/audit?before=\(last.number)\(link.map { "&link=\($0)" } ?? "")>; rel=\"next\""
        }
        return response
    }

    private static let most = 100

    private static func written(_ text: String?) -> JSONText {
        text.flatMap { JSONDocument(Array($0.utf8), file: "").root?.written } ?? .null
    }
}
