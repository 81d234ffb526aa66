import Diagnostics
import LinkStore

/// Conditions on links whose visits are summed up.
struct VisitLinkFilter {
    let collection: String?
    /// An empty one is that of links without a tag, as in answers.
    let tag: String?
    /// An empty one is that of links without a campaign.
    let campaign: String?
    /// Only these; nil for all.
    let links: [LinkID]?
    /// Of the token; nil for all.
    let collections: [String]?

    /// The items of a query.
    static let parameters = [
        Parameter("collection", .text, "Only links of this collection."),
        Parameter(
            "tag", .text,
            "Only links that have this tag now; without a value, those that have none."),
        Parameter(
            "campaign", .text,
            "Only links whose destination has this utm_campaign now; without a value, those that have none."
        ),
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

    /// Whether a link is one of those that are counted.
    func has(_ link: LinkFacts) -> Bool {
        (collections?.contains(link.collection) ?? true)
            && (collection.map { $0 == link.collection } ?? true) && has(link.tags)
            && (campaign.map { link.campaignText.isScalarwise($0) } ?? true)
    }

    private func has(_ tags: [String]) -> Bool {
        guard let tag else { return true }
        return tag.isEmpty ? tags.isEmpty : tags.contains { $0.isScalarwise(tag) }
    }

    /// Whether links are counted, by the numbers of their texts.
    func choices(_ columns: LinkColumns) -> Choices {
        Choices(
            collections: columns.collectionTexts.texts.map { name in
                (collections?.contains(name) ?? true) && (collection.map { $0 == name } ?? true)
            },
            tags: columns.tagTexts.texts.map { has(linesOfTags($0)) },
            campaigns: columns.campaignTexts.texts.map { text in
                campaign.map { text.isScalarwise($0) } ?? true
            })
    }

    struct Choices {
        let collections, tags, campaigns: [Bool]

        /// Whether a link with these texts is counted.
        func has(_ link: (collection: Int, tags: Int, campaign: Int)) -> Bool {
            collections[link.collection] && tags[link.tags] && campaigns[link.campaign]
        }
    }
}
