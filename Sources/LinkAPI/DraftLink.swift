import Associations
import Diagnostics
package import JSONSyntax
package import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import URISyntax

/// A link that a request describes, and that no store has.
struct DraftLink {
    private let link: StoredLink
    private let collection: ServedCollection
    private let warnings: [PointedFault]

    /// A link that is to be made. Letters x stand for a slug that is chosen only then.
    init(_ checked: CheckedLink, in api: LinkAPI) {
        let length = checked.collection.collection.length
        let slug = checked.description.slug ?? String(repeating: "x", count: length)
        link = StoredLink(
            draft: checked.content, of: checked.collection.name.description, slug: slug)
        collection = checked.collection
        warnings = api.warnings(checked.description, checked.collection, slug)
    }

    /// A link of the store as it would be after a change.
    init(_ checked: CheckedLink, changing before: StoredLink, in api: LinkAPI) {
        link = StoredLink(draft: checked.content, of: before.collection, slug: before.slug)
        collection = checked.collection
        warnings = api.warnings(checked.description, checked.collection, before.slug)
    }

    /// The parameter that names the clients for whom it is explained.
    static let clients = Parameter(
        "as", .names(VisitorProfile.all.map(\.name)),
        "The clients, with commas between them; all by default.")

    /// Explains what it would do for each client: now, or at its beginning if that is still to come.
    func answer(_ call: APICall) throws(Problem) -> APIResponse {
        let (site, text) = (collection.site, collection.url(link.slug))
        guard let url = try? LinkURL(text) else { throw .notFound }
        let (index, time) = (LinkIndex.alone(link), max(call.now, link.content.from ?? 0))
        let names = call.request.names("as") ?? VisitorProfile.all.map(\.name)
        let explanations = names.map { name in
            let agent = VisitorProfile.userAgent(of: name) ?? ""
            let explanation = RequestExplanation(
                url, Visitor(userAgent: agent), site.site, site.router, site.resolver, at: time,
                stored: index)
            return JSONText.object([("as", .string(name))] + explanation.json)
        }
        return APIResponse(
            200,
            .object([
                ("url", .string(text)), ("at", .string(Timestamp(seconds: time).description)),
                ("link", .object(call.api.writable(link))),
                ("opens", .strings(collection.apps(opening: link.slug))),
                ("warnings", .array(warnings.map(\.json))),
                ("explanations", .array(explanations)),
            ]))
    }
}

extension LinkAPI {
    /// An index that has one link alone, from which the page of a draft is made; nil for what is no link.
    /// - Parameter draft: the link that the explanation of a draft has.
    package func index(ofDraft draft: JSONValue) -> LinkIndex? {
        let (description, _) = LinkDescription.read(draft)
        guard let description, let collection = description.collection, let slug = description.slug
        else { return nil }
        return .alone(StoredLink(draft: LinkContent(description), of: collection, slug: slug))
    }
}

extension StoredLink {
    fileprivate init(draft content: LinkContent, of collection: String, slug: String) {
        var random = SystemRandomNumberGenerator()
        self.init(
            id: LinkID(milliseconds: 0, random: &random), collection: collection, slug: slug,
            content: content, created: 0, updated: 0, generation: 0)
    }
}

extension LinkIndex {
    /// An index that has this link alone.
    fileprivate static func alone(_ link: StoredLink) -> LinkIndex {
        // The number 0 is that of a long link.
        let change = LinkChange(LinkRecord(link, row: 1, slug: link.slug))
        return LinkIndex().changed([change].compactMap(\.self), generation: 0)
    }
}
