import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution

/// Says what a link does for a client, step by step.
struct ExplainLink: Operation {
    static let route = APIRoute(
        "explainLink", "GET", "links/{id}/explain", .reading,
        "Say what a link does for a client, step by step",
        query: [client], [Answer(200, "Explanation")])

    /// The item of a query that names the client.
    static let client = Parameter(
        "as", .choice(VisitorProfile.all.map(\.name)), "The client; \(usual) by default.")
    static let usual = "desktop-chrome"

    let call: APICall
    private let link: StoredLink
    private let collection: ServedCollection
    private let url: LinkURL

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.link()
        collection = try call.collection(of: link)
        guard let url = try? LinkURL(collection.url(link.slug)) else { throw .notFound }
        self.url = url
        // The explanation is that of memory, which another node's change may not have reached yet.
        if link.generation > call.store.index.generation {
            _ = try orProblem { () throws(StoreError) in try call.store.refresh() }
        }
    }

    func answer() throws(Problem) -> APIResponse {
        let name = call.request.item("as") ?? Self.usual
        let agent = VisitorProfile.userAgent(of: name) ?? ""
        let site = collection.site
        let explanation = RequestExplanation(
            url, Visitor(userAgent: agent), site.site, site.router, site.resolver, at: call.now,
            stored: call.store.index)
        return APIResponse(
            200,
            .object(
                [
                    ("url", .string(collection.url(link.slug))), ("as", .string(name)),
                    ("opens", .strings(collection.apps(opening: link.slug))),
                ] + explanation.json))
    }
}
