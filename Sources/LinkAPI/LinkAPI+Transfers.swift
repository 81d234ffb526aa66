import Diagnostics
import LinkIndex
package import LinkStore
import SiteConfiguration
import Synchronization
import URISyntax

// Imports and exports: what the store's thread does for them.

extension LinkAPI {
    /// An operation whose content or answer is longer than a buffer.
    package enum Transfer: Sendable { case `import`, export }

    // MARK: Import

    /// Writes lines; on the store's thread. Each line is done or refused by itself, unless the
    /// import is atomic. A failure of the store takes back all of them.
    package func apply(
        _ lines: [ImportedLine], of options: LinkImport, _ store: LinkStore, at milliseconds: Int,
        _ rehearsal: ImportRehearsal?
    ) -> Result<[ImportedOutcome], APIResponse> {
        noteUse(of: options.actor, store, at: milliseconds)
        var outcomes = [ImportedOutcome]()
        outcomes.reserveCapacity(lines.count)
        do throws(StoreError) {
            try store.transaction { generation throws(StoreError) in
                var writer = ImportWriter(
                    options: options, store: store, milliseconds: milliseconds,
                    generation: generation, rehearsal: rehearsal)
                for line in lines {
                    outcomes.append(
                        ImportedOutcome(
                            number: line.number, result: try writer.write(line),
                            notes: line.notes, column: line.column, heading: line.heading))
                }
                if options.isAtomic, outcomes.contains(where: \.isRefused) { throw .refused }
                try writer.addEntry(lines)
                if rehearsal != nil { throw .refused }
            }
        } catch .refused {
            // The store is as it was.
        } catch {
            return .failure(.unavailable(error.words.fact))
        }
        if let last = outcomes.indices.last { outcomes[last].generation = store.index.generation }
        return .success(outcomes)
    }
}

extension LinkImport {
    /// What the head of a request asks for.
    init(_ api: LinkAPI, _ request: APIRequest, _ actor: LinkAPI.Actor) throws(Problem) {
        let type = (request.fields["content-type"] ?? "").utf8
            .prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        switch String(decoding: type, as: UTF8.self).lowercased() {
        case "application/x-ndjson", "application/jsonl", "application/ndjson": form = .lines
        case "text/csv": form = .table
        default:
            throw Problem(
                .contentType,
                "Content-Type is \(quoted(request.fields["content-type"] ?? "")), must be "
                    + "application/x-ndjson or text/csv")
        }
        if request.fields["idempotency-key"] != nil {
            throw Problem(.idempotencyKey, "an import with mode=upsert can be repeated without it")
        }
        collection = request.item("collection")
        if let collection, api.collection(collection, of: actor) == nil {
            let known = api.collections.map(\.name.description).filter(actor.mayUse)
            throw Problem(
                .query,
                "collection is \(quoted(collection)): \(listed(known, as: "collection"))")
        }
        changesExisting = request.item("mode") == "upsert"
        if changesExisting, !actor.may(.linksWrite) {
            throw Problem(
                .scopeMissing,
                "mode=upsert changes links: the token \(quoted(actor.name)) has not the scope "
                    + TokenScope.linksWrite.rawValue)
        }
        firebase = try Self.firebase(request, actor, api, form)
        (self.api, self.actor) = (api, actor)
        isRehearsal = request.item("dry-run") == "true"
        isAtomic = request.item("atomic") == "true"
        reportsRefusedOnly = request.item("report") == "refused"
        let length = request.fields["content-length"].flatMap { Int($0) } ?? 0
        if isAtomic, length > Self.atomicBytesMax { throw .tooLarge(Self.atomicBytesMax) }
        explanations = ExplanationBudget(
            lines: isAtomic ? Self.atomicRefusedMax : ExplanationBudget.linesMax)
    }
}

extension LinkImport {
    private static func firebase(
        _ request: APIRequest, _ actor: LinkAPI.Actor, _ api: LinkAPI, _ form: Form
    ) throws(Problem) -> FirebaseExport? {
        guard request.item("format") == "firebase" else { return nil }
        guard form == .table else {
            throw Problem(.contentType, "an export of Firebase is a table: text/csv")
        }
        let name = request.item("collection")
        let allowed = api.collections.filter { actor.mayUse($0.name.description) }
        guard
            let collection = name == nil && allowed.count == 1
                ? allowed[0] : allowed.first(where: { $0.name.description == name })
        else {
            throw Problem(
                .query, "format=firebase needs collection=, which the export's links are made in")
        }
        guard collection.collection.isExact else {
            throw Problem(
                .query,
                "letter case does not distinguish slugs of the collection "
                    + "\(quoted(collection.name.description)), but short links of Firebase: "
                    + "add `case: exact` to its `stored`")
        }
        return FirebaseExport(
            collection: collection, domain: request.item("domain").map { $0.lowercased() })
    }
}

/// What the lines of a rehearsed import would have taken: nothing of them is in the store.
package final class ImportRehearsal: Sendable {
    private let taken = Mutex((slugs: Set<[UInt8]>(), names: Set<[UInt8]>()))

    package init() {}

    enum Taken { case slug(Int), name }

    /// Takes all of them, or none.
    /// - Returns: the first that was not free.
    func take(slugs: [String], name: String?) -> Taken? {
        let (slugs, name) = (slugs.map { Array($0.utf8) }, name.map { Array($0.utf8) })
        return taken.withLock { taken in
            if let index = slugs.firstIndex(where: taken.slugs.contains) { return .slug(index) }
            if let name, taken.names.contains(name) { return .name }
            taken.slugs.formUnion(slugs)
            if let name { taken.names.insert(name) }
            return nil
        }
    }
}

/// Writes lines in one transaction.
private struct ImportWriter {
    let options: LinkImport
    let store: LinkStore
    let milliseconds: Int
    let generation: Int
    let rehearsal: ImportRehearsal?
    private var counts = [ImportedOutcome.Kind: Int]()
    /// The first and the last link that was made, of those with new identities.
    private var made: (first: LinkID, last: LinkID)?
    /// The entries of single links, which come after that of all lines.
    private var entries = [AuditEntry]()

    init(
        options: LinkImport, store: LinkStore, milliseconds: Int, generation: Int,
        rehearsal: ImportRehearsal?
    ) {
        (self.options, self.store, self.milliseconds) = (options, store, milliseconds)
        (self.generation, self.rehearsal) = (generation, rehearsal)
    }

    private var api: LinkAPI { options.api }
    private var now: Int { milliseconds / 1000 }

    typealias Outcome = Result<(kind: ImportedOutcome.Kind, link: StoredLink?), Problem>

    mutating func write(_ line: ImportedLine) throws(StoreError) -> Outcome {
        let outcome: Outcome
        switch line.link {
        case .failure(let problem): return .failure(problem)
        case .success(let link):
            if let firebase = options.firebase, let slug = link.slug,
                !firebase.isFirst(slug)
            {
                return .failure(
                    .invalid([
                        PointedFault(
                            "/slug", .slugTaken,
                            "an earlier row has the short link \(quoted(slug))",
                            advice: "keep the row that is right")
                    ]))
            }
            let before =
                options.changesExisting && link.deleted == nil ? try existing(link) : nil
            outcome =
                if let deleted = link.deleted {
                    try bury(link, at: deleted)
                } else if let before {
                    try change(before, link)
                } else {
                    try make(link)
                }
            if case .success(let done) = outcome { note(done, link, before) }
        }
        return outcome
    }

    /// For the audit: each change, and what was made. Links with new identities have one entry for all,
    /// because their identities follow one another.
    private mutating func note(
        _ done: (kind: ImportedOutcome.Kind, link: StoredLink?), _ line: ImportedLink,
        _ before: StoredLink?
    ) {
        counts[done.kind, default: 0] += 1
        guard rehearsal == nil, let link = done.link, done.kind != .unchanged else { return }
        if let before {
            entries.append(api.entry("change", before, link, by: options.actor, at: now))
        } else if line.known?.id != nil {
            entries.append(api.entry("import", nil, link, by: options.actor, at: now))
        } else {
            made = (made?.first ?? link.id, link.id)
        }
    }

    /// The link that the line is about: by another system's name for it, by its slug, or by its id.
    private func existing(_ link: ImportedLink) throws(StoreError) -> StoredLink? {
        if let name = link.externalID, let found = try store.link(externalID: name) {
            return found
        }
        if let collection = link.collection, let slug = link.slug {
            return try store.link(collection, slug: slug).flatMap { $0.deleted == nil ? $0 : nil }
        }
        guard let id = link.known?.id, link.slug == nil else { return nil }
        return try store.link(id)
    }

    private func change(
        _ existing: StoredLink, _ link: ImportedLink
    ) throws(StoreError) -> Outcome {
        guard options.actor.mayUse(existing.collection), existing.deleted == nil else {
            return .failure(.notFound)
        }
        if let fault = try aliasFault(link, of: existing) { return .failure(.invalid([fault])) }
        if case .success(let new) = link.new, new.content == existing.content,
            link.slug == existing.slug
        {
            return try addAliases(of: link, to: existing, .unchanged)
        }
        let content: LinkContent
        do throws(Problem) {
            content = try api.merged(link.json, existing, options.actor, at: now).2
        } catch {
            return .failure(error)
        }
        let edit = try store.update(existing.id, expected: nil, at: now, generation: generation) {
            _ in content
        }
        switch edit {
        case .done(let after): return try addAliases(of: link, to: after, .changed)
        case .unchanged(let after): return try addAliases(of: link, to: after, .unchanged)
        case .conflict(let conflict):
            return .failure(.invalid([api.fault(conflict, for: options.actor, in: store)]))
        case .missing, .changed: return .failure(.notFound)
        }
    }

    private func make(_ link: ImportedLink) throws(StoreError) -> Outcome {
        let new: NewLink
        switch link.new {
        case .failure(let problem): return .failure(problem)
        case .success(let checked): new = checked
        }
        if let id = link.known?.id, try store.link(id) != nil {
            // Its slug would be another one, else it would exist.
            let taken = try store.conflict(
                new.collection.name.description, link.slug,
                isExact: new.collection.collection.isExact, new.content)
            return .failure(
                .invalid([api.fault(taken ?? .idTaken, for: options.actor, in: store)]))
        }
        if let fault = try aliasFault(link, in: new.collection) {
            return .failure(.invalid([fault]))
        }
        let made = try api.make(
            link.slug, new.collection, new.content, as: link.known, by: options.actor, in: store,
            at: milliseconds, generation)
        switch made {
        case .failure(let problem):
            return .failure(options.changesExisting ? problem : problem.advisingUpsert)
        case .success(let made):
            // What is refused takes nothing.
            if let rehearsal, let fault = rehearse(link, new, rehearsal) {
                return .failure(.invalid([fault]))
            }
            return try addAliases(
                of: link, to: made, .created, shows: rehearsal == nil || link.slug != nil)
        }
    }

    /// A link that was deleted elsewhere is deleted here, too: its slugs stay taken.
    private func bury(_ link: ImportedLink, at deleted: Int) throws(StoreError) -> Outcome {
        var found = try link.known?.id.flatMap { id throws(StoreError) in try store.link(id) }
        if found == nil, case .success(let new) = link.new, let slug = link.slug {
            found = try store.link(new.collection.name.description, slug: slug)
        }
        if let found, options.actor.mayUse(found.collection) {
            guard options.changesExisting, found.slug == link.slug else { return try make(link) }
            guard found.deleted == nil else { return .success((.unchanged, nil)) }
            return .failure(
                .invalid([
                    PointedFault(
                        "/deleted", .wrongValue,
                        "the link was deleted where it was exported, and here it is not",
                        advice: "delete it with DELETE /v1/links/\(found.id), or leave the line out"
                    )
                ]))
        }
        let made = try make(link)
        guard case .success(let done) = made, let new = done.link else { return made }
        let edit = try store.delete(new.id, expected: nil, at: deleted, generation: generation)
        guard case .done(let after) = edit else { return .failure(.notFound) }
        return .success((.created, after))
    }

    /// What a line of an earlier transaction has taken, whose links are not in the store.
    private func rehearse(
        _ link: ImportedLink, _ new: NewLink, _ rehearsal: ImportRehearsal
    ) -> PointedFault? {
        let isExact = new.collection.collection.isExact
        let slugs = ((link.slug.map { [$0] } ?? []) + link.aliases).map { slug in
            "\(new.collection.name)/\(isExact ? slug : slug.lowercased())"
        }
        switch rehearsal.take(slugs: slugs, name: link.externalID) {
        case .slug(let index):
            let slug = link.slug.map { [$0] + link.aliases } ?? link.aliases
            return api.fault(
                .slugTaken(by: slug[index], isDeleted: false), for: options.actor, in: store)
        case .name:
            return PointedFault("/externalId", .externalIDTaken, "an earlier line has it")
        case nil: return nil
        }
    }

    /// The aliases of a line that its link does not have.
    private func aliases(
        _ line: ImportedLink, besides link: StoredLink, in collection: ServedCollection
    ) -> [String] {
        let own = Set(([link.slug] + link.aliases).map(collection.compared))
        return line.aliases.filter { !own.contains(collection.compared($0)) }
    }

    /// Why a line's aliases cannot be added to a link that exists.
    private func aliasFault(
        _ line: ImportedLink, of link: StoredLink
    ) throws(StoreError) -> PointedFault? {
        guard !line.aliases.isEmpty,
            let collection = api.collection(link.collection, of: options.actor)
        else { return nil }
        let added = aliases(line, besides: link, in: collection)
        let count = link.aliases.count + added.count
        if let fault = LinkAPI.faults(ofAliases: count, at: "/aliases").first { return fault }
        return try aliasFault(line, in: collection, added)
    }

    /// Why aliases cannot be given to a link, whose line is refused then: a code that is printed
    /// with one would lead elsewhere.
    private func aliasFault(
        _ line: ImportedLink, in collection: ServedCollection, _ added: [String]? = nil
    ) throws(StoreError) -> PointedFault? {
        for alias in added ?? line.aliases {
            let taken = try store.conflict(
                collection.name.description, alias, isExact: collection.collection.isExact,
                LinkContent())
            guard let taken else { continue }
            let index = line.aliases.firstIndex(of: alias) ?? 0
            let fault = api.fault(taken, for: options.actor, in: store)
            return PointedFault(
                "/aliases/\(index)", fault.rule, fault.detail,
                advice: "leave it out, or import the link that has it without it")
        }
        return nil
    }

    /// Adds the aliases of a line, which are free.
    /// - Parameter shows: whether the outcome has the link.
    private func addAliases(
        of line: ImportedLink, to link: StoredLink, _ kind: ImportedOutcome.Kind, shows: Bool = true
    ) throws(StoreError) -> Outcome {
        var (result, kind) = (link, kind)
        if !line.aliases.isEmpty,
            let collection = api.collection(link.collection, of: options.actor)
        {
            let added = aliases(line, besides: link, in: collection)
            if !added.isEmpty {
                let edit = try store.addAliases(
                    added, to: link.id, isExact: collection.collection.isExact, at: now,
                    generation: generation)
                switch edit {
                case .done(let after), .unchanged(let after): result = after
                case .conflict(let conflict):
                    return .failure(.invalid([api.fault(conflict, for: options.actor, in: store)]))
                case .missing, .changed: return .failure(.notFound)
                }
                if kind == .unchanged { kind = .changed }
            }
        }
        return .success((kind, shows ? result : nil))
    }

    /// One entry of the audit for the lines.
    func addEntry(_ lines: [ImportedLine]) throws(StoreError) {
        guard rehearsal == nil, let first = lines.first, let last = lines.last, !counts.isEmpty
        else { return }
        var entry = AuditEntry(
            time: now, actor: options.actor.name, action: "import", link: nil)
        entry.made = made
        entry.after =
            JSONText.object(
                [("lines", .string("\(first.number)-\(last.number)"))]
                    + [ImportedOutcome.Kind.created, .changed].compactMap { kind in
                        counts[kind].map { (kind.rawValue, .number($0)) }
                    }
            ).compact
        guard counts[.created] != nil || counts[.changed] != nil else { return }
        for entry in [entry] + entries { try store.add(entry) }
    }
}
