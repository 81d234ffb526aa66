import JSONSyntax
import LinkStore

/// Says what a link would do after a change; changes nothing.
struct ExplainChange: Operation {
    static let route = APIRoute(
        "explainChange", "POST", "links/{id}/explain", [.linksWrite],
        "Say what a link would do for clients after a change (RFC 7396); change nothing",
        query: [DraftLink.clients], content: "LinkPatch", isReading: true,
        [Answer(200, "Draft")], problems: [.linkDeleted, .externalIDTaken])

    let call: APICall
    private let link: StoredLink
    private let patch: JSONValue

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.editedLink()
        patch = try call.patch()
    }

    func answer() throws(Problem) -> APIResponse {
        guard let merged = try call.mergedLink(patch, link) else {
            var response = APIResponse(200)
            response.merging = link
            return response
        }
        let taken = try orProblem { () throws(StoreError) in
            try call.store.conflict(of: merged.content.externalID, besides: link.id)
        }
        if let taken { throw .invalid([call.api.fault(taken, for: call.actor, in: call.store)]) }
        return try DraftLink(merged, changing: link, in: call.api).answer(call)
    }
}
