import JSONSyntax
import LinkStore

/// Makes the link that another system calls by a name, or changes it.
struct PutLinkByExternalID: Operation {
    static let route = APIRoute(
        "putLinkByExternalID", "PUT", "links/by-external-id/{externalId}", [.linksWrite],
        "Make or change the link with this external identifier", content: "LinkPatch",
        [
            Answer(200, "Link", .entityTag, .generation),
            Answer(201, "Link", .location, .entityTag, .generation),
        ], problems: .conflicts + [.linkDeleted, .noFreeSlug])

    let call: APICall
    private let name: String
    /// Nil also for a link of a collection that the token is not for.
    private let existing: StoredLink?
    private let patch: JSONValue

    init(call: APICall) throws(Problem) {
        let name = call.values[0]
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(externalID: name)
        }.flatMap { call.actor.mayUse($0.collection) ? $0 : nil }
        self.existing = existing
        patch = try existing == nil ? call.json() : call.patch()
        try patch.check("externalId", against: name)
        (self.call, self.name) = (call, name)
    }

    func answer() throws(Problem) -> APIResponse {
        if let existing { return try call.change(existing, patch, expected: nil) }
        // Most requests of this kind change a link that is there, so it was not prepared.
        let named = try call.api.document(patch, with: [(key: "externalId", value: name)])
        return try call.create(
            call.withConflict { () throws(Problem) in
                try call.api.checked(named, call.actor, at: call.now)
            })
    }
}
