import Associations
import Diagnostics
import LinkStore
import SiteConfiguration
import URISyntax

// Links are changed and deleted, and get other slugs.

extension LinkAPI {
    func change(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        guard link.deleted == nil else { throw Self.gone(link) }
        let expected = try expected(link, call)
        return try change(link, json(call), expected: expected, call)
    }

    /// Changes a link that may be changed.
    /// - Parameters:
    ///   - patch: a merge patch (RFC 7396).
    ///   - expected: the generation that the editor has seen; nil for any.
    func change(
        _ link: StoredLink, _ patch: JSONValue, expected: Int?, _ call: Call
    ) throws(Problem) -> APIResponse {
        guard let merged = try merged(patch, link, call) else {
            var response = APIResponse(200)
            response.merging = link
            return response
        }
        let edit = try orProblem { () throws(StoreError) in
            try call.store.transaction { generation throws(StoreError) in
                let edit = try call.store.update(
                    link.id, expected: expected, at: call.now, generation: generation
                ) { _ in merged.content }
                if case .done(let after) = edit { try add("change", link, after, call) }
                return edit
            }
        }
        let after = try result(of: edit, call)
        return APIResponse(
            200,
            json(
                of: after,
                warnings: warnings(merged.description, merged.collection, after.slug, call)),
            fields: [
                "ETag": after.entityTag, "Waymark-Generation": "\(after.generation)",
            ])
    }

    /// A link with a merge patch applied, checked.
    func merged(
        _ patch: JSONValue, _ link: StoredLink, _ actor: Actor, at now: Int,
        depth: MergeDepth = MergeDepth()
    ) throws(Problem) -> CheckedLink {
        let (description, found) = try read(
            document(merge(patch, into: writable(link), depth)))
        var faults = found
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
}
