import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration

/// Says what a URL of the served sites does for a client, step by step, whether or not a link has it.
struct ExplainURL: Operation {
    static let route = APIRoute(
        "explainURL", "GET", "explain", .reading,
        "Say what a URL, also one of the configuration, does for a client, step by step",
        query: [
            Parameter("url", .text, "The URL; required."), ExplainLink.client,
        ], [Answer(200, "Explanation")], problems: [.notFound])

    let call: APICall
    private let url: LinkURL
    private let site: APISite

    init(call: APICall) throws(Problem) {
        self.call = call
        let text = call.request.item("url") ?? ""
        do throws(LinkURLError) {
            url = try LinkURL(text)
        } catch {
            throw Problem(.query, "url is \(quoted(text)): \(error)")
        }
        guard let site = call.api.site(of: url.requestedHost) else {
            var problem = Problem.notFound
            problem.detail = "\(quoted(url.requestedHost)) is no host of a site that is served here"
            throw problem
        }
        self.site = site
    }

    func answer() throws(Problem) -> APIResponse {
        let name = call.request.item("as") ?? ExplainLink.usual
        var explanation = explanation(for: name)
        if explanation.decision?.reason == .unknownSlug,
            try orProblem({ () throws(StoreError) in try call.store.refresh() })
        {
            explanation = self.explanation(for: name)
        }
        // A token for other collections finds nothing in this one.
        if let key = explanation.link,
            let link = site.site.collections.first(where: { $0.key == key }),
            !call.actor.mayUse(site.site.collectionName(link).description)
        {
            throw .notFound
        }
        return APIResponse(
            200,
            .object(
                [
                    ("url", .string(call.request.item("url") ?? "")), ("as", .string(name)),
                    ("opens", .strings(site.resolver.identifiers(opening: url))),
                ] + explanation.json))
    }

    private func explanation(for client: String) -> RequestExplanation {
        RequestExplanation(
            url, Visitor(userAgent: VisitorProfile.userAgent(of: client) ?? ""), site.site,
            site.router, site.resolver, at: call.now, stored: call.store.index)
    }
}
