import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import URISyntax

// Links are found, shown and listed.

extension LinkAPI {
    func show(_ call: Call) throws(Problem) -> APIResponse {
        show(try link(call), call)
    }

    /// The link that has a URL, or a slug of a collection, in any form that is answered with it.
    func find(_ call: Call) throws(Problem) -> APIResponse {
        let query = call.request.query
        let found: (ServedCollection, slug: String)?
        switch query.map(\.name).sorted() {
        case ["url"]: found = try find(query[0].value, call)
        case ["collection", "slug"]:
            let name = call.request.item("collection") ?? ""
            guard collection(name, call) != nil else {
                var problem = Problem.notFound
                problem.errors = [
                    PointedFault(
                        "", .unknownName, "there is no collection \(quoted(name))",
                        advice: advice(onCollection: name, for: call.actor))
                ]
                throw problem
            }
            found = collection(name, call).flatMap { collection in
                collection.slug(
                    foundBy: call.request.item("slug") ?? "", in: call.store.index
                ).map { (collection, $0) }
            }
        default:
            throw Problem(.query, "it has `url`, or `collection` and `slug`")
        }
        let link = try orProblem { () throws(StoreError) in
            try found.flatMap { found throws(StoreError) in
                try call.store.link(found.0.name.description, slug: found.slug)
            }
        }
        guard let link, call.actor.mayUse(link.collection) else { throw .notFound }
        return show(link, call)
    }

    /// Finds the link that browsers get for the URL.
    func find(
        _ text: String, _ call: Call
    ) throws(Problem) -> (ServedCollection, slug: String)? {
        do throws(LinkURLError) {
            return find(try LinkURL(text), in: call.store.index, of: call.actor)
        } catch {
            throw Problem(.query, "url is \(quoted(text)): \(error)")
        }
    }

    /// The same, in the store's index.
    func find(
        _ url: LinkURL, in index: LinkIndex, of actor: Actor
    ) -> (ServedCollection, slug: String)? {
        guard let site = sites.first(where: { $0.site.serves(url.requestedHost) }) else {
            return nil
        }
        var scratch = LinkScratch()
        scratch.index = index
        let decision = site.resolver.decide(url, for: Visitor(userAgent: ""), at: nil, &scratch)
        guard decision.stored != nil, let number = decision.link else { return nil }
        let name = site.site.collectionName(site.resolver.links[number])
        return collection(name.description, of: actor).map {
            ($0, String(decoding: scratch.storedSlug, as: UTF8.self))
        }
    }

    private func show(_ link: StoredLink, _ call: Call) -> APIResponse {
        let tag = link.entityTag
        // Conditions are for answers of 200 (RFC 9110 §13.2.1).
        if link.deleted != nil {
            return APIResponse(410, json(of: link), fields: ["ETag": tag])
        }
        if let field = call.request.fields["if-none-match"], field == "*" || field.namesWeakly(tag)
        {
            return APIResponse(304, fields: ["ETag": tag])
        }
        return APIResponse(200, json(of: link), fields: ["ETag": tag])
    }

    func list(_ call: Call) throws(Problem) -> APIResponse {
        var filter = LinkFilter()
        let request = call.request
        (filter.collection, filter.tag) = (request.item("collection"), request.item("tag"))
        filter.text = request.item("q")
        filter.isDisabled = request.item("state").map { $0 == "disabled" }
        filter.includesArchived = request.item("archived") == "true"
        filter.collections = call.actor.collections
        try checkCollection(filter.collection, for: call.actor, call.store)
        let place: LinkSearch.Place
        if let since = request.number("changed-since") {
            place = .change(try changePlace(call, since: since))
        } else {
            let last = request.item("after")
            place = .creation(last.flatMap { LinkID($0) })
            if let last, LinkID(last) == nil {
                throw Problem(.query, "after is \(quoted(last)), must be the id of a link")
            }
        }
        let search = LinkSearch(
            self, filter, limit: request.number("limit") ?? Self.listedUsual,
            request.query.filter { $0.name != "after" }, after: place)
        return try orProblem { () throws(StoreError) in try search.step(call.store) }
    }

    private static let listedUsual = 50
    static let listedMost = 200

    /// The link of the path; a token for other collections does not find it.
    func link(_ call: Call) throws(Problem) -> StoredLink {
        guard let id = LinkID(call.values[0]) else { throw .notFound }
        let link = try orProblem { () throws(StoreError) in try call.store.link(id) }
        guard let link, call.actor.mayUse(link.collection) else { throw .notFound }
        return link
    }
}

extension StoredLink {
    var entityTag: String { "\"\(generation)\"" }
}

extension String {
    /// True if a list of entity tags has this one (RFC 9110 §13.1.1); weak ones are never the same.
    func names(_ tag: String) -> Bool { tags.contains { $0.elementsEqual(tag.utf8) } }

    /// The same where weak ones are the same as strong ones (RFC 9110 §13.1.2).
    func namesWeakly(_ tag: String) -> Bool {
        tags.contains {
            ($0.starts(with: "W/".utf8) ? $0.dropFirst(2) : $0).elementsEqual(tag.utf8)
        }
    }

    private var tags: [Substring.UTF8View] {
        utf8.split(separator: UInt8(ascii: ",")).map { part in
            let text = part.drop { $0 == 0x20 || $0 == 0x09 }
            let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
            return text[..<(end.map { text.index(after: $0) } ?? text.startIndex)]
        }
    }
}
