import LinkStore
import SiteConfiguration

/// Gives a link another slug.
struct AddAlias: Operation {
    static let route = APIRoute(
        "addAlias", "POST", "links/{id}/aliases", [.linksWrite], "Give a link another slug",
        content: "NewAlias", [Answer(201, "Link", .entityTag, .generation)],
        problems: [.slugTaken, .linkDeleted, .noRoom])

    let call: APICall
    private let link: StoredLink
    private let collection: ServedCollection
    private let slug: String

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.editedLink()
        collection = try call.collection(of: link)
        let (read, found) = try LinkDescription.readAlias(call.json())
        guard let slug = read, found.isEmpty else { throw .invalid(found.map(PointedFault.init)) }
        self.slug = slug
        if let problem = call.api.lackOfRoom(call.store) { throw problem }
        let faults =
            collection.faults(ofSlug: slug)
            + LinkAPI.faults(ofAliases: link.aliases.count + 1, at: "")
        guard faults.isEmpty else { throw .invalid(faults) }
    }

    func answer() throws(Problem) -> APIResponse {
        let after = try call.edit(link, "alias") { generation throws(StoreError) in
            try call.store.addAliases(
                [slug], to: link.id, isExact: collection.collection.isExact, at: call.now,
                generation: generation)
        }
        return APIResponse(
            201, call.api.json(of: after),
            fields: ["ETag": after.entityTag, "Waymark-Generation": "\(after.generation)"])
    }
}
