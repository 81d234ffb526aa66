import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration

/// Shows the link that has a URL, or a slug of a collection, in any form that is answered with it.
struct FindLink: Operation {
    static let route = APIRoute(
        "findLink", "GET", "links:find", .reading,
        "Show the link of a URL or a slug",
        query: [
            Parameter("url", .text, "The URL, without other parameters."),
            Parameter("collection", .text, "The collection, with `slug`."),
            Parameter("slug", .text, "The slug, with `collection`."),
        ], condition: .hasChanged, .ofLink, problems: [.notFound])

    let call: APICall
    private let found: StoredLink?

    init(call: APICall) throws(Problem) {
        self.call = call
        switch call.request.query.map(\.name).sorted() {
        case ["url"]: found = try call.link(at: call.request.query[0].value)
        case ["collection", "slug"]:
            let name = call.request.item("collection") ?? ""
            guard let collection = call.collection(name) else {
                var problem = Problem.notFound
                problem.errors = [
                    PointedFault(
                        "", .unknownName, "there is no collection \(quoted(name))",
                        advice: call.api.advice(onCollection: name, for: call.actor))
                ]
                throw problem
            }
            found = try orProblem { () throws(StoreError) in
                try call.store.link(
                    name, foundBy: call.request.item("slug") ?? "",
                    isExact: collection.collection.isExact)
            }
        default: throw Problem(.query, "it has `url`, or `collection` and `slug`")
        }
    }

    func answer() throws(Problem) -> APIResponse { try call.show(call.allowed(found)) }
}

extension APICall {
    /// The link that browsers get for a URL; nil if there is none.
    func link(at text: String) throws(Problem) -> StoredLink? {
        let url: LinkURL
        do throws(LinkURLError) { url = try LinkURL(text) } catch {
            throw Problem(.query, "url is \(quoted(text)): \(error)")
        }
        return try orProblem { () throws(StoreError) in
            var found = api.served(at: url, in: store.index, for: actor)
            if found == nil, try store.refresh() {
                found = api.served(at: url, in: store.index, for: actor)
            }
            return try found.flatMap { found throws(StoreError) in
                try store.link(found.0.name.description, slug: found.slug)
            }
        }
    }

    /// A link that was found; a token for other collections does not find it.
    func allowed(_ link: StoredLink?) throws(Problem) -> StoredLink {
        guard let link, actor.mayUse(link.collection) else { throw .notFound }
        return link
    }
}

extension LinkAPI {
    /// The link that browsers get for a URL, by its collection and slug; nil if the index has none.
    func served(
        at url: LinkURL, in index: LinkIndex, for actor: Actor
    ) -> (ServedCollection, slug: String)? {
        guard let site = site(of: url.requestedHost) else { return nil }
        var scratch = LinkScratch()
        scratch.index = index
        let decision = site.resolver.decide(url, for: Visitor(userAgent: ""), at: nil, &scratch)
        guard decision.stored != nil, let number = decision.link else { return nil }
        let name = site.site.collectionName(site.resolver.links[number])
        return collection(name.description, of: actor).map {
            ($0, String(decoding: scratch.storedSlug, as: UTF8.self))
        }
    }
}
