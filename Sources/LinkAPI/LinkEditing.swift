import Diagnostics
import JSONSyntax
import LinkStore
import SiteConfiguration

// A link that is there is changed, with an entry in the audit.

extension APICall {
    /// The link of the path, which was not deleted.
    func editedLink() throws(Problem) -> StoredLink {
        let link = try link()
        guard link.deleted == nil else { throw Problem(.linkDeleted, "its slug stays taken") }
        return link
    }

    /// The generation that the editor has seen; nil for any.
    func expectedGeneration(of link: StoredLink) throws(Problem) -> Int? {
        guard let field = request.fields["if-match"] else {
            throw Problem(
                .preconditionRequired,
                "send If-Match with the ETag of the link that you have seen: \(link.entityTag)")
        }
        guard field != "*" else { return nil }
        guard field.names(link.entityTag) else { throw Self.changed(link) }
        return link.generation
    }

    /// Edits a link in one transaction with its entry in the audit.
    func edit(
        _ link: StoredLink, _ action: String, _ body: (Int) throws(StoreError) -> LinkEdit
    ) throws(Problem) -> StoredLink {
        let edit = try transaction { generation throws(StoreError) in
            let edit = try body(generation)
            if case .done(let after) = edit { try add(action, link, after) }
            return edit
        }
        switch edit {
        case .done(let link), .unchanged(let link): return link
        case .missing: throw .notFound
        case .changed(let link): throw Self.changed(link)
        case .conflict(let conflict): throw .invalid([api.fault(conflict, for: actor, in: store)])
        }
    }

    private static func changed(_ link: StoredLink) -> Problem {
        var problem = Problem(
            .changedMeanwhile,
            "it is of generation \(link.generation) now; read it again, and decide again")
        problem.fields["ETag"] = link.entityTag
        return problem
    }

    /// Changes a link that may be changed.
    /// - Parameters:
    ///   - patch: a merge patch (RFC 7396).
    ///   - expected: the generation that the editor has seen; nil for any.
    func change(
        _ link: StoredLink, _ patch: JSONValue, expected: Int?
    ) throws(Problem) -> APIResponse {
        guard let merged = try mergedLink(patch, link) else {
            var response = APIResponse(200)
            response.merging = link
            return response
        }
        let growth = merged.content.indexedBytes - link.content.indexedBytes
        if let problem = api.lackOfRoom(store, growth: growth) { throw problem }
        let after = try edit(link, "change") { generation throws(StoreError) in
            try store.update(link.id, expected: expected, at: now, generation: generation) { _ in
                merged.content
            }
        }
        return APIResponse(
            200,
            api.json(
                of: after, warnings: api.warnings(merged.description, merged.collection, after.slug)
            ),
            fields: [
                "ETag": after.entityTag, "Waymark-Generation": "\(after.generation)",
            ])
    }

    /// Adds an entry to the audit.
    func add(_ action: String, _ before: StoredLink?, _ after: StoredLink) throws(StoreError) {
        try store.add(api.entry(action, before, after, by: actor, at: now))
    }
}

extension LinkAPI {
    /// A link with a merge patch applied, checked.
    func merged(
        _ patch: JSONValue, _ link: StoredLink, _ actor: Actor, at now: Int,
        depth: MergeDepth = .change
    ) throws(Problem) -> CheckedLink {
        if let fault = try faultOfMarks(patch, changing: link) { throw .invalid([fault]) }
        let (description, found) = try read(
            document(merge(patch, into: writable(link), depth), takesMarks: true))
        var faults = found.filter { !link.content.has($0.pointer, of: description) }
        let served = self.collection(link.collection, of: actor)
        func compared(_ slug: String) -> [UInt8] { served?.compared(slug) ?? Array(slug.utf8) }
        if let slug = description.slug, compared(slug) != compared(link.slug) {
            let isAlias = link.aliases.contains { compared($0) == compared(slug) }
            faults.append(
                PointedFault(
                    "/slug", .wrongValue,
                    isAlias
                        ? "\(quoted(slug)) is an alias of the link \(quoted(link.slug))"
                        : "a slug does not change, because people have it",
                    advice: isAlias
                        ? "write \(quoted(link.slug))"
                        : "add another: `waymark links alias`, or POST "
                            + "/v1/links/\(link.id)/aliases"))
        }
        if let name = description.collection, name != link.collection {
            faults.append(
                PointedFault(
                    "/collection", .wrongValue, "a link does not change its collection",
                    advice: "make a link in the other one"))
        }
        let (collection, content) = try check(
            description, faults, actor, at: now, for: .changing(link))
        return CheckedLink(description: description, collection: collection, content: content)
    }

    /// The reason for which a link cannot have so many aliases; empty if it can.
    static func faults(ofAliases count: Int, at pointer: String) -> [PointedFault] {
        guard count > LinkDescription.aliasesMax else { return [] }
        return [
            PointedFault(
                pointer, .tooMany,
                "the link would have \(count) aliases, may have \(LinkDescription.aliasesMax)",
                advice: "make a link of its own")
        ]
    }

    /// The entry of the audit for a change of a link.
    func entry(
        _ action: String, _ before: StoredLink?, _ after: StoredLink, by actor: Actor, at now: Int
    ) -> AuditEntry {
        var entry = AuditEntry(time: now, actor: actor.name, action: action, link: after.id)
        entry.before = before.map { json(of: $0).compact }
        entry.after = after.deleted == nil ? json(of: after).compact : nil
        return entry
    }
}
