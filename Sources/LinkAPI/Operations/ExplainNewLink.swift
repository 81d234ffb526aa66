import LinkIndex
import LinkStore
import SiteConfiguration

/// Says what a link would do that is not made yet; makes nothing.
struct ExplainNewLink: Operation {
    static let route = APIRoute(
        "explainNewLink", "POST", "links:explain", .making,
        "Say what a link would do for clients, step by step; make nothing",
        query: [DraftLink.clients], content: "NewLink", isReading: true,
        describe: CreateLink.asWritten, [Answer(200, "Draft")],
        problems: [.collectionNotAllowed, .slugTaken, .externalIDTaken])

    let call: APICall
    private let link: CheckedLink

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.checkedLink(CreateLink.asWritten)
    }

    func answer() throws(Problem) -> APIResponse {
        let taken = try orProblem { () throws(StoreError) in
            try call.store.conflict(
                link.collection.name.description, link.description.slug,
                isExact: link.collection.collection.isExact, link.content)
        }
        if let taken { throw .invalid([call.api.fault(taken, for: call.actor, in: call.store)]) }
        return try DraftLink(link, in: call.api).answer(call)
    }
}
