import LinkIndex
import LinkStore
import SiteConfiguration

/// A link that was checked and is to be made, under a slug of its own or one by chance.
struct LinkMaking {
    let api: LinkAPI
    let collection: ServedCollection
    let content: LinkContent
    /// Its slug; nil for one by chance.
    var chosen: String?
    /// Of slugs of letters and digits by chance, one for each attempt; nil for those of the
    /// collection.
    var lengths: [Int]?
    /// The link as it was elsewhere; nil for a new one.
    var known: KnownLink?

    static let attemptsMax = 5

    /// Makes it; only in a transaction.
    /// - Parameters:
    ///   - actor: whose token decides what a conflict may name.
    ///   - milliseconds: since 1970.
    func make(
        by actor: LinkAPI.Actor, in store: LinkStore, at milliseconds: Int, _ generation: Int
    ) throws(StoreError) -> Result<StoredLink, Problem> {
        if let id = known?.id, try store.link(id) != nil {
            return .failure(.invalid([api.fault(.idTaken, for: actor, in: store)]))
        }
        if let problem = api.lackOfRoom(store) { return .failure(problem) }
        var random = SystemRandomNumberGenerator()
        var last: LinkConflict?
        for attempt in 0..<Self.attemptsMax {
            let slug = chosen ?? collection.makeSlug(&random, lengths?[attempt])
            if chosen == nil, !collection.faults(ofSlug: slug).isEmpty { continue }
            let made = try store.create(
                known?.id ?? store.makeID(milliseconds: milliseconds, &random),
                collection.name.description, slug: slug, content,
                isExact: collection.collection.isExact,
                at: (known?.created ?? milliseconds / 1000, known?.updated ?? milliseconds / 1000),
                generation: generation)
            switch made {
            case .success(let link): return .success(link)
            case .failure(.slugTaken) where chosen == nil:
                last = .slugTaken(by: slug, isDeleted: false)
            case .failure(let conflict):
                return .failure(.invalid([api.fault(conflict, for: actor, in: store)]))
            }
        }
        return .failure(
            Problem(
                .noFreeSlug,
                "\(Self.attemptsMax) slugs of \(lengthWords) characters were taken"
                    + (last.map { ": \(api.fault($0, for: actor, in: store).detail)" } ?? "")
                    + (lengths == nil ? "; raise `length` of the collection" : "; ask again")))
    }

    /// The lengths that were tried.
    private var lengthWords: String {
        let tried = lengths ?? [collection.collection.length]
        let (least, most) = (tried.min() ?? 0, tried.max() ?? 0)
        return least == most ? "\(most)" : "\(least) to \(most)"
    }
}

extension LinkAPI {
    /// The reason for which nothing is added to the links of a store; nil while they have room. What is
    /// there can be changed, unless it becomes longer, and deleted.
    /// - Parameter growth: the bytes that a link would have more.
    func lackOfRoom(_ store: LinkStore, growth: Int = 1) -> Problem? {
        guard growth > 0, store.bytes >= linkBytesMax else { return nil }
        return Problem(
            .noRoom,
            "they have \(store.bytes) bytes, may have \(linkBytesMax): raise `link-bytes` under `limits`, "
                + "or delete links, which leave their slugs only")
    }
}

extension APICall {
    /// Makes a link, with its entry in the audit.
    func make(_ making: LinkMaking) throws(Problem) -> StoredLink {
        try transaction { generation throws(StoreError) in
            let made = try making.make(by: actor, in: store, at: milliseconds, generation)
            if case .success(let link) = made { try add("create", nil, link) }
            return made
        }.get()
    }

    /// The answer to a request that makes a link.
    func create(_ checked: CheckedLink) throws(Problem) -> APIResponse {
        let link = try make(
            LinkMaking(
                api: api, collection: checked.collection, content: checked.content,
                chosen: checked.description.slug))
        return APIResponse(
            201,
            api.json(
                of: link, warnings: api.warnings(checked.description, checked.collection, link.slug)
            ),
            fields: [
                "Location": "/v1/links/\(link.id)", "ETag": link.entityTag,
                "Waymark-Generation": "\(link.generation)",
            ])
    }
}
