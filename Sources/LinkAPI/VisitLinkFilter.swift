import Diagnostics
import LinkStore

/// Conditions on links whose visits are summed up.
struct VisitLinkFilter {
    let collection: String?
    let tag: String?
    let campaign: String?
    /// Only these; nil for all.
    let links: [LinkID]?
    /// Of the token; nil for all.
    let collections: [String]?

    /// The items of a query.
    static let parameters = [
        Parameter("collection", .text, "Only links of this collection."),
        Parameter("tag", .text, "Only links that have this tag now."),
        Parameter(
            "campaign", .text, "Only links whose destination has this utm_campaign now."),
        Parameter("link", .links(LinkFilter.idsMax), "Only these links."),
    ]

    init(_ call: APICall) throws(Problem) {
        collection = call.request.item("collection")
        (tag, campaign) = (call.request.item("tag"), call.request.item("campaign"))
        links = call.request.links("link")
        collections = call.actor.collections
        try call.api.checkCollection(collection, for: call.actor, call.store)
    }

    var isOfAll: Bool {
        collection == nil && tag == nil && campaign == nil && links == nil && collections == nil
    }

    /// Facts of links after a number, in the order of their numbers, and whether there may be more.
    func facts(
        _ store: LinkStore, after number: Int, limit: Int
    ) throws(StoreError) -> (facts: [LinkFacts], hasMore: Bool) {
        // Of few links, not all of the store is looked at.
        if let links { return (try store.facts(of: links), false) }
        let facts = try store.facts(after: number, limit: limit)
        return (facts, facts.count == limit)
    }

    func has(_ link: LinkFacts) -> Bool {
        (collections?.contains(link.collection) ?? true)
            && (collection.map { $0 == link.collection } ?? true)
            && (tag.map { tag in link.tags.contains { $0.isScalarwise(tag) } } ?? true)
            && (campaign.map { link.campaign?.isScalarwise($0) == true } ?? true)
    }
}
