import Associations
import Diagnostics
import LinkStore
import SiteConfiguration

/// Makes the link that another system calls by a name, or changes it.
struct PutLinkByExternalID: Operation {
    static let route = APIRoute(
        "putLinkByExternalID", "PUT", "links/by-external-id/{externalId}", [.linksWrite],
        "Make the link that another system calls so, or change it", content: "LinkPatch",
        [
            Answer(200, "Link", .entityTag, .generation),
            Answer(201, "Link", .location, .entityTag, .generation),
        ], problems: .conflicts + [.linkDeleted, .noFreeSlug])

    let call: APICall
    private let name: String
    private let existing: StoredLink?
    private let patch: JSONValue

    init(call: APICall) throws(Problem) {
        let name = call.values[0]
        existing = try orProblem { () throws(StoreError) in try call.store.link(externalID: name) }
        patch = try call.json()
        if let own = patch["externalId"]?.text, own != name {
            throw .invalid([
                PointedFault(
                    "/externalId", .wrongValue,
                    "\(quoted(own)) differs from \(quoted(name)) of the path",
                    advice: "leave it out")
            ])
        }
        (self.call, self.name) = (call, name)
    }

    func answer() throws(Problem) -> APIResponse {
        if let existing, call.actor.mayUse(existing.collection) {
            return try call.change(existing, patch, expected: nil)
        }
        // Most requests of this kind change a link that is there, so it was not prepared.
        let members = (patch.members ?? []).filter { $0.key != "externalId" }
            .map { (key: $0.key, value: $0.value.written) }
        let named = try call.api.document(.object(members + [("externalId", .string(name))]))
        return try call.create(call.api.checked(named, call.actor, at: call.now))
    }
}
