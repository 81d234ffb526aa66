import Associations
import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration
import URISyntax

// Links are made, and checked as if they were.

extension LinkAPI {
    func create(_ call: Call) throws(Problem) -> APIResponse {
        try create(checked(call, LinkAPI.asWritten), call)
    }

    /// The link as the content of a request has it.
    func asWritten(_ json: JSONValue, _ values: [String]) throws(Problem) -> JSONValue { json }

    /// `If-None-Match: *` makes the request one that can be repeated.
    func createOnce(_ call: Call) throws(Problem) -> APIResponse {
        guard call.request.fields["if-none-match"] == "*" else {
            throw Problem(
                .preconditionRequired,
                "send If-None-Match: *; a link that exists is changed with PATCH")
        }
        let (name, slug) = (call.values[0], call.values[1])
        guard collection(name, call) != nil else { throw .notFound }
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(name, slug: slug)
        }
        guard existing == nil else {
            throw Problem(.linkExists, "\(name)/\(slug) is there")
        }
        return try create(checked(call, LinkAPI.atPath), call)
    }

    /// The same with the collection and the slug of the path.
    func atPath(_ written: JSONValue, _ values: [String]) throws(Problem) -> JSONValue {
        let (name, slug) = (values[0], values[1])
        let members = (written.members ?? []).map { ($0.key, $0.value.written) }
        for (key, value) in [("collection", name), ("slug", slug)] {
            guard let own = written[key]?.text, own != value else { continue }
            throw .invalid([
                PointedFault(
                    "/\(key)", .wrongValue,
                    "\(quoted(own)) differs from \(quoted(value)) of the path",
                    advice: "leave it out")
            ])
        }
        let all = members.filter { $0.0 != "collection" && $0.0 != "slug" }
        return try document(
            .object(
                all.map { (key: $0.0, value: $0.1) } + [
                    ("collection", .string(name)), ("slug", .string(slug)),
                ]))
    }

    func upsert(_ call: Call) throws(Problem) -> APIResponse {
        let name = call.values[0]
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(externalID: name)
        }
        let patch = try json(call)
        if let own = patch["externalId"]?.text, own != name {
            throw .invalid([
                PointedFault(
                    "/externalId", .wrongValue,
                    "\(quoted(own)) differs from \(quoted(name)) of the path",
                    advice: "leave it out")
            ])
        }
        if let existing, call.actor.mayUse(existing.collection) {
            return try change(existing, patch, expected: nil, call)
        }
        // Most requests of this kind change a link that is there, so it was not prepared.
        let members = (patch.members ?? []).filter { $0.key != "externalId" }
            .map { (key: $0.key, value: $0.value.written) }
        let named = try document(.object(members + [("externalId", .string(name))]))
        return try create(checked(named, call.actor, at: call.now), call)
    }

    private func create(_ made: CheckedLink, _ call: Call) throws(Problem) -> APIResponse {
        let link = try make(made.description.slug, made.collection, made.content, call)
        return APIResponse(
            201,
            json(
                of: link,
                warnings: warnings(made.description, made.collection, link.slug, call)),
            fields: [
                "Location": "/v1/links/\(link.id)", "ETag": link.entityTag,
                "Waymark-Generation": "\(link.generation)",
            ])
    }

    /// Makes a link that was checked.
    /// - Parameters:
    ///   - chosen: its slug; nil for one by chance.
    ///   - lengths: of slugs of letters and digits by chance, one for each attempt; nil for those of
    ///     the collection.
    func make(
        _ chosen: String?, lengths: [Int]? = nil, _ collection: ServedCollection,
        _ content: LinkContent, _ call: Call
    ) throws(Problem) -> StoredLink {
        try orProblem { () throws(StoreError) in
            try call.store.transaction { generation throws(StoreError) in
                let made = try make(
                    chosen, lengths: lengths, collection, content, as: nil, by: call.actor,
                    in: call.store, at: call.milliseconds, generation)
                if case .success(let link) = made { try add("create", nil, link, call) }
                return made
            }
        }.get()
    }

    /// Makes a link that was checked; only in a transaction.
    /// - Parameters:
    ///   - chosen: its slug; nil for one by chance.
    ///   - lengths: as above.
    ///   - known: what it was elsewhere; nil for a new link.
    ///   - actor: whose token decides what a conflict may name.
    ///   - milliseconds: since 1970.
    func make(
        _ chosen: String?, lengths: [Int]? = nil, _ collection: ServedCollection,
        _ content: LinkContent, as known: KnownLink?, by actor: Actor, in store: LinkStore,
        at milliseconds: Int,
        _ generation: Int
    ) throws(StoreError) -> Result<StoredLink, Problem> {
        if let id = known?.id, try store.link(id) != nil {
            return .failure(.invalid([fault(.idTaken, for: actor, in: store)]))
        }
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
                return .failure(.invalid([fault(conflict, for: actor, in: store)]))
            }
        }
        return .failure(
            Problem(
                .noFreeSlug,
                "\(Self.attemptsMax) slugs of \(collection.collection.length) characters were taken"
                    + (last.map { ": \(fault($0, for: actor, in: store).detail)" } ?? "")
                    + "; raise `length` of the collection"))
    }

    static let attemptsMax = 5

    /// Says what making the link would refuse, and what it would do; makes nothing.
    func check(_ call: Call) throws(Problem) -> APIResponse {
        do throws(Problem) {
            let checked = try checked(call, LinkAPI.asWritten)
            let (description, collection) = (checked.description, checked.collection)
            let slug =
                description.slug
                ?? String(
                    repeating: "x", count: collection.collection.length)
            let taken = try orProblem { () throws(StoreError) in
                try call.store.conflict(
                    collection.name.description, description.slug,
                    isExact: collection.collection.isExact, checked.content)
            }
            if let taken {
                throw .invalid([fault(taken, for: call.actor, in: call.store)])
            }
            let notes = warnings(description, collection, slug, call)
            return APIResponse(
                200,
                .object([
                    ("isValid", .boolean(true)), ("errors", .array([])),
                    ("warnings", .array(notes.map(\.json))),
                    ("url", .string(collection.url(slug))),
                    ("opens", .strings(collection.apps(opening: slug))),
                ]))
        } catch {
            guard [409, 422].contains(error.kind.status) else { throw error }
            return APIResponse(
                200,
                .object([
                    ("isValid", .boolean(false)),
                    ("errors", .array(error.listedErrors.map(\.json))),
                ]))
        }
    }
}
