import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import URISyntax

// Links: shown, listed, made, changed and deleted.

extension LinkAPI {
    // MARK: Reading

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
            found = collection(call.request.item("collection") ?? "", call).flatMap { collection in
                var scratch = LinkLookup()
                let slug = Array((call.request.item("slug") ?? "").utf8)
                let isFound = call.store.index.find(
                    collection.name.number, slug.span, isExact: collection.collection.isExact,
                    &scratch)
                guard isFound else { return nil }
                return (
                    collection,
                    String(decoding: LinkRecord(scratch.record).slug, as: UTF8.self)
                )
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

    /// What browsers get for the URL decides which link is meant.
    func find(
        _ text: String, _ call: Call
    ) throws(Problem) -> (ServedCollection, slug: String)? {
        let url: LinkURL
        do throws(LinkURLError) { url = try LinkURL(text) } catch {
            throw Problem(.query, "url is \(quoted(text)): \(error)")
        }
        guard let site = sites.first(where: { $0.site.serves(url.requestedHost) }) else {
            return nil
        }
        var scratch = LinkScratch()
        scratch.index = call.store.index
        let decision = site.resolver.decide(url, for: Visitor(userAgent: ""), at: nil, &scratch)
        guard decision.stored != nil, let number = decision.link else { return nil }
        let name = site.site.collectionName(site.resolver.links[number])
        return collection(name.description, call).map {
            ($0, String(decoding: scratch.storedSlug, as: UTF8.self))
        }
    }

    private func show(_ link: StoredLink, _ call: Call) -> APIResponse {
        let tag = link.entityTag
        // Conditions are for answers of 200 (RFC 9110 §13.2.1).
        if link.deleted != nil {
            return APIResponse(410, json(of: link), fields: ["ETag": tag])
        }
        if let field = call.request.fields["if-none-match"], field == "*" || field.names(tag) {
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

    // MARK: Making

    func create(_ call: Call) throws(Problem) -> APIResponse {
        let (description, faults) = try read(json(call))
        return try create(description, faults, call)
    }

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
        let written = try json(call)
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
        let (description, faults) = try read(
            document(
                .object(
                    all.map { (key: $0.0, value: $0.1) } + [
                        ("collection", .string(name)), ("slug", .string(slug)),
                    ])))
        return try create(description, faults, call)
    }

    func upsert(_ call: Call) throws(Problem) -> APIResponse {
        let name = call.values[0]
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(externalID: name)
        }
        var patch = try json(call)
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
        let members = (patch.members ?? []).filter { $0.key != "externalId" }
            .map { (key: $0.key, value: $0.value.written) }
        patch = try document(.object(members + [("externalId", .string(name))]))
        let (description, faults) = try read(patch)
        return try create(description, faults, call)
    }

    private func create(
        _ description: LinkDescription, _ faults: [PointedFault], _ call: Call
    ) throws(Problem) -> APIResponse {
        let (collection, content) = try check(description, faults, call.actor, at: call.now)
        let link = try make(description.slug, collection, content, call)
        return APIResponse(
            201, json(of: link, warnings: warnings(description, collection, link.slug, call)),
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
            let (description, faults) = try read(json(call))
            let (collection, content) = try check(description, faults, call.actor, at: call.now)
            let slug =
                description.slug
                ?? String(
                    repeating: "x", count: collection.collection.length)
            let taken = try orProblem { () throws(StoreError) in
                try call.store.conflict(
                    collection.name.description, description.slug,
                    isExact: collection.collection.isExact, content)
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

    // MARK: Changing

    func change(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        guard link.deleted == nil else { throw Self.gone(link) }
        let expected = try expected(link, call)
        return try change(link, json(call), expected: expected, call)
    }

    /// - Parameter patch: a merge patch (RFC 7396).
    private func change(
        _ link: StoredLink, _ patch: JSONValue, expected: Int?, _ call: Call
    ) throws(Problem) -> APIResponse {
        let (description, collection, content) = try merged(patch, link, call.actor, at: call.now)
        let edit = try orProblem { () throws(StoreError) in
            try call.store.transaction { generation throws(StoreError) in
                let edit = try call.store.update(
                    link.id, expected: expected, at: call.now, generation: generation
                ) { _ in content }
                if case .done(let after) = edit { try add("change", link, after, call) }
                return edit
            }
        }
        let after = try result(of: edit, call)
        return APIResponse(
            200,
            json(of: after, warnings: warnings(description, collection, after.slug, call)),
            fields: [
                "ETag": after.entityTag, "Waymark-Generation": "\(after.generation)",
            ])
    }

    /// A link with a merge patch applied, checked.
    func merged(
        _ patch: JSONValue, _ link: StoredLink, _ actor: Actor, at now: Int
    ) throws(Problem) -> (LinkDescription, ServedCollection, LinkContent) {
        let (description, found) = try read(document(merge(patch, into: writable(link))))
        var faults = found
        if let slug = description.slug, slug != link.slug {
            faults.append(
                PointedFault(
                    "/slug", .wrongValue, "a slug does not change, because people have it",
                    advice: "add another: POST /v1/links/\(link.id)/aliases"))
        }
        if let name = description.collection, name != link.collection {
            faults.append(
                PointedFault(
                    "/collection", .wrongValue, "a link does not change its collection",
                    advice: "make a link in the other one"))
        }
        let (collection, content) = try check(
            description, faults, actor, at: now, for: .changing(link))
        return (description, collection, content)
    }

    func delete(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        guard link.deleted == nil else { throw Self.gone(link) }
        let expected = try expected(link, call)
        let edit = try orProblem { () throws(StoreError) in
            try call.store.transaction { generation throws(StoreError) in
                let edit = try call.store.delete(
                    link.id, expected: expected, at: call.now, generation: generation)
                if case .done(let after) = edit { try add("delete", link, after, call) }
                return edit
            }
        }
        let after = try result(of: edit, call)
        return APIResponse(204, fields: ["Waymark-Generation": "\(after.generation)"])
    }

    func addAlias(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        guard link.deleted == nil else { throw Self.gone(link) }
        guard let collection = collection(link.collection, call) else { throw .notFound }
        let (read, found) = try LinkDescription.readAlias(json(call))
        guard let slug = read, found.isEmpty else { throw .invalid(found.map(PointedFault.init)) }
        var faults = collection.faults(ofSlug: slug)
        faults += Self.faults(ofAliases: link.aliases.count + 1, at: "")
        guard faults.isEmpty else { throw .invalid(faults) }
        let edit = try orProblem { () throws(StoreError) in
            try call.store.transaction { generation throws(StoreError) in
                let edit = try call.store.addAliases(
                    [slug], to: link.id, isExact: collection.collection.isExact, at: call.now,
                    generation: generation)
                if case .done(let after) = edit { try add("alias", link, after, call) }
                return edit
            }
        }
        let after = try result(of: edit, call)
        return APIResponse(201, json(of: after), fields: ["ETag": after.entityTag])
    }

    /// Why a link cannot have so many aliases.
    static func faults(ofAliases count: Int, at pointer: String) -> [PointedFault] {
        guard count > LinkDescription.aliasesMax else { return [] }
        return [
            PointedFault(
                pointer, .tooMany,
                "the link would have \(count) aliases, may have \(LinkDescription.aliasesMax)",
                advice: "make a link of its own")
        ]
    }

    private func result(of edit: LinkEdit, _ call: Call) throws(Problem) -> StoredLink {
        switch edit {
        case .done(let link), .unchanged(let link): return link
        case .missing: throw .notFound
        case .changed(let link): throw Self.changed(link)
        case .conflict(let conflict):
            throw .invalid([fault(conflict, for: call.actor, in: call.store)])
        }
    }

    private static func changed(_ link: StoredLink) -> Problem {
        var problem = Problem(
            .changedMeanwhile,
            "it is of generation \(link.generation) now; read it again, and decide again")
        problem.fields["ETag"] = link.entityTag
        return problem
    }

    private static func gone(_ link: StoredLink) -> Problem {
        Problem(.linkDeleted, "its slug stays taken")
    }

    /// The generation that the editor has seen.
    private func expected(_ link: StoredLink, _ call: Call) throws(Problem) -> Int? {
        guard let field = call.request.fields["if-match"] else {
            throw Problem(
                .preconditionRequired,
                "send If-Match with the ETag of the link that you have seen: \(link.entityTag)")
        }
        guard field != "*" else { return nil }
        guard field.names(link.entityTag) else { throw Self.changed(link) }
        return link.generation
    }

    // MARK: Entries of the audit

    func add(
        _ action: String, _ before: StoredLink?, _ after: StoredLink, _ call: Call
    ) throws(StoreError) {
        try call.store.add(entry(action, before, after, by: call.actor, at: call.now))
    }

    func entry(
        _ action: String, _ before: StoredLink?, _ after: StoredLink, by actor: Actor, at now: Int
    ) -> AuditEntry {
        var entry = AuditEntry(time: now, actor: actor.name, action: action, link: after.id)
        entry.before = before.map { json(of: $0).compact }
        entry.after = after.deleted == nil ? json(of: after).compact : nil
        return entry
    }

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
    /// Whether a list of entity tags has this one (RFC 9110 §13.1.1); weak ones are never the same.
    func names(_ tag: String) -> Bool {
        utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let text = part.drop { $0 == 0x20 || $0 == 0x09 }
            let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
            return end.map { text[...$0].elementsEqual(tag.utf8) } ?? false
        }
    }
}
