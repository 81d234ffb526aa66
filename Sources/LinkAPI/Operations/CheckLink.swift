import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration

/// Says what making a link would refuse, and what it would do; makes nothing.
struct CheckLink: Operation {
    static let route = APIRoute(
        "checkLink", "POST", "links:check", .making + [.linksRead],
        "Check a link without making it: list errors and warnings", content: "NewLink",
        isReading: true, describe: CreateLink.asWritten,
        [Answer(200, "Check")],
        problems: [.collectionNotAllowed])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        do throws(Problem) {
            return try valid(call.checkedLink(CreateLink.asWritten))
        } catch {
            guard [409, 422].contains(error.kind.status) else { throw error }
            let errors = error.listedErrors + [error.unlistedErrors].compactMap(\.self)
            return APIResponse(
                200,
                .object([
                    ("isValid", .boolean(false)), ("errors", .array(errors.map(\.json))),
                ]))
        }
    }

    private func valid(_ link: CheckedLink) throws(Problem) -> APIResponse {
        let (description, collection) = (link.description, link.collection)
        let slug = description.slug ?? String(repeating: "x", count: collection.collection.length)
        let taken = try orProblem { () throws(StoreError) in
            try call.store.conflict(
                collection.name.description, description.slug,
                isExact: collection.collection.isExact, link.content)
        }
        if let taken { throw .invalid([call.api.fault(taken, for: call.actor, in: call.store)]) }
        return APIResponse(
            200,
            .object([
                ("isValid", .boolean(true)), ("errors", .array([])),
                ("warnings", .array(call.api.warnings(description, collection, slug).map(\.json))),
                ("url", .string(collection.url(slug))),
                ("opens", .strings(collection.apps(opening: slug))),
            ]))
    }
}
