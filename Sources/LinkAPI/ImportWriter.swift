import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration

/// The lines of an import that are written in one transaction, and what its audit says of them.
struct ImportWriter {
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
    /// The number of the line that is written.
    private var number = 0
    /// The bytes of the links of all lines so far, and of their entries.
    private(set) var bytes = 0
    /// The bytes of the links that lines have changed, and of all entries: a short line can change a large link.
    private(set) var heldBytes = 0

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
        number = line.number
        switch line.link {
        case .failure(let problem): return .failure(problem)
        case .success(let link):
            if let firebase = options.firebase, let slug = link.slug,
                !firebase.isFirst(slug, in: number)
            {
                return .failure(
                    .invalid([
                        PointedFault(
                            "/slug", .slugTaken,
                            "an earlier row has the short link \(quoted(slug))",
                            advice: "keep the row that is right")
                    ]))
            }
            let before = options.changesExisting && link.deleted == nil ? try existing(link) : nil
            if let fault = try options.contradiction(in: link, before, store)
                ?? options.rows?.repetition(of: before, in: line)
            {
                return .failure(.invalid([fault]))
            }
            outcome =
                if let deleted = link.deleted {
                    try bury(link, at: deleted)
                } else if let before {
                    try change(before, link, line.heading?.mergeDepth ?? .line)
                } else {
                    try make(link)
                }
            if case .success(let done) = outcome {
                note(done, link, before)
                options.rows?.note(done.link ?? before, line)
            }
        }
        // A report names the link, and has nothing of its content.
        return outcome.map { ($0.kind, $0.link?.withoutContent) }
    }

    /// For the audit: each change, and what was made. Links with new identities have one entry for all,
    /// because their identities follow one another.
    private mutating func note(
        _ done: (kind: ImportedOutcome.Kind, link: StoredLink?), _ line: ImportedLink,
        _ before: StoredLink?
    ) {
        counts[done.kind, default: 0] += 1
        if let link = done.link {
            bytes += link.byteCount + Self.linkBytes * (1 + link.aliases.count)
            if before != nil {
                heldBytes += link.content.tags.reduce(link.byteCount) { $0 + $1.utf8.count }
            }
        }
        guard rehearsal == nil, let link = done.link, done.kind != .unchanged else { return }
        if let before {
            add(api.entry("change", before, link, by: options.actor, at: now))
        } else if line.known?.id != nil {
            add(api.entry("import", nil, link, by: options.actor, at: now))
        } else {
            made = (made?.first ?? link.id, link.id)
        }
    }

    private mutating func add(_ entry: AuditEntry) {
        let written = (entry.before?.utf8.count ?? 0) + (entry.after?.utf8.count ?? 0)
        (bytes, heldBytes) = (bytes + written, heldBytes + written)
        entries.append(entry)
    }

    /// The bytes of a slug with its row, about.
    private static let linkBytes = 100

    /// The link that the line is about: by another system's name for it, by its slug, or by its id.
    private func existing(_ link: ImportedLink) throws(StoreError) -> StoredLink? {
        // What is in a collection of others is not said: its lines are refused alike.
        if let collection = link.collection, !options.actor.mayUse(collection) { return nil }
        if let name = link.externalID, let found = try store.link(externalID: name) { return found }
        if let collection = link.collection, let slug = link.slug {
            let served = api.collection(collection, of: options.actor)
            let found = try store.link(
                collection, foundBy: slug, isExact: served?.collection.isExact ?? true)
            return found.flatMap { $0.deleted == nil ? $0 : nil }
        }
        guard let id = link.known?.id, link.slug == nil else { return nil }
        return try store.link(id)
    }

    private func change(
        _ existing: StoredLink, _ link: ImportedLink, _ depth: MergeDepth
    ) throws(StoreError) -> Outcome {
        guard options.actor.mayUse(existing.collection), existing.deleted == nil else {
            return .failure(.notFound)
        }
        if let fault = try aliasFault(link, of: existing) { return .failure(.invalid([fault])) }
        if addsAliases(link, to: existing), let problem = api.lackOfRoom(store) {
            return .failure(problem)
        }
        if case .success(let new) = link.new, new.content == existing.content,
            link.slug == existing.slug
        {
            return try addAliases(of: link, to: existing, .unchanged)
        }
        let content: LinkContent
        do throws(Problem) {
            content = try api.merged(
                link.json, existing, options.actor, at: now, depth: depth
            ).content
        } catch {
            return .failure(error)
        }
        let growth = content.indexedBytes - existing.content.indexedBytes
        if let problem = api.lackOfRoom(store, growth: growth) { return .failure(problem) }
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
        if let id = link.known?.id, let other = try store.link(id) {
            // Its slug would be another one, else it would exist.
            let taken = try store.conflict(
                new.collection.name.description, link.slug,
                isExact: new.collection.collection.isExact, new.content)
            return .failure(
                .invalid([
                    taken.map { api.fault($0, for: options.actor, in: store) }
                        ?? api.fault(idOf: other)
                ]))
        }
        if let fault = try aliasFault(link, in: new.collection) ?? futureFault(link) {
            return .failure(.invalid([fault]))
        }
        let made = try LinkMaking(
            api: api, collection: new.collection, content: new.content, chosen: link.slug,
            known: link.known
        ).make(by: options.actor, in: store, at: milliseconds, generation)
        switch made {
        case .failure(let problem):
            if let fault = try repetition(of: link, new) { return .failure(.invalid([fault])) }
            return .failure(options.changesExisting ? problem : problem.advisingUpsert)
        case .success(let made):
            // What is refused takes nothing.
            if let rehearsal, let taken = take(link, new, rehearsal) {
                // An earlier transaction would have made the link. A second row of a table is refused.
                let isOfLink = taken == .name || taken == .slug(0) && link.slug != nil
                if options.changesExisting, options.rows == nil, link.deleted == nil, isOfLink {
                    return .success((.changed, nil))
                }
                return .failure(.invalid([try fault(taken, link, new)]))
            }
            return try addAliases(
                of: link, to: made, .created, shows: rehearsal == nil || link.slug != nil)
        }
    }

    /// The fault of a line whose id says that its link will be made: it would come after all later ones, and
    /// their ids would follow it.
    private func futureFault(_ link: ImportedLink) -> PointedFault? {
        guard let id = link.known?.id, id.milliseconds > milliseconds + Self.aheadMilliseconds
        else { return nil }
        return PointedFault(
            "/id", .wrongValue, "\(quoted("\(id)")) is an id of the future",
            advice:
                "leave `id` out, so that the link gets one of its own; another system's name is "
                + "`externalId`")
    }

    /// The clock of the origin that exported a link may be ahead by this much.
    private static let aheadMilliseconds = 86_400_000

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
                        advice: "delete the link \(found.id) here, too, or leave the line out")
                ]))
        }
        let made = try make(link)
        guard case .success(let done) = made, let new = done.link else { return made }
        let edit = try store.delete(new.id, expected: nil, at: deleted, generation: generation)
        guard case .done(let after) = edit else { return .failure(.notFound) }
        return .success((.created, after))
    }

    /// Takes the slugs and the name of a line, unless one of an earlier transaction, whose links are not in
    /// the store, has taken one of them.
    private func take(
        _ link: ImportedLink, _ new: NewLink, _ rehearsal: ImportRehearsal
    ) -> ImportRehearsal.Taken? {
        let slugs = ((link.slug.map { [$0] } ?? []) + link.aliases).map { place(of: $0, in: new) }
        return rehearsal.take(slugs: slugs, name: link.externalID, line: number)
    }

    /// A slug with its collection, as a rehearsal knows it.
    private func place(of slug: String, in new: NewLink) -> String {
        let isExact = new.collection.collection.isExact
        return "\(new.collection.name)/\(isExact ? slug : slug.lowercased())"
    }

    /// The fault of a line whose slug an earlier line of the same table has, so that nobody is advised to change the link of that
    /// line.
    private func repetition(
        of link: ImportedLink, _ new: NewLink
    ) throws(StoreError) -> PointedFault? {
        guard let slug = link.slug else { return nil }
        let (collection, rows) = (new.collection, options.rows)
        let line =
            if let rehearsal {
                rehearsal.line(of: place(of: slug, in: new))
            } else {
                rows?.line(
                    of: try store.link(
                        collection.name.description, foundBy: slug,
                        isExact: collection.collection.isExact))
            }
        guard let line, line != number else { return nil }
        return PointedFault(
            "/slug", .slugTaken, "line \(line) has the slug \(quoted(slug)), too",
            advice: "keep the row that is right")
    }

    private func fault(
        _ taken: ImportRehearsal.Taken, _ link: ImportedLink, _ new: NewLink
    ) throws(StoreError) -> PointedFault {
        switch taken {
        case .slug(0) where link.slug != nil:
            return try repetition(of: link, new)
                ?? api.fault(
                    .slugTaken(by: link.slug ?? "", isDeleted: false), for: options.actor, in: store
                )
        case .slug(let index):
            let slug = link.slug.map { [$0] + link.aliases } ?? link.aliases
            return api.fault(
                .slugTaken(by: slug[index], isDeleted: false), for: options.actor, in: store)
        case .name:
            return PointedFault("/externalId", .externalIDTaken, "an earlier line has it")
        }
    }

    /// The aliases of a line that its link does not have.
    private func aliases(
        _ line: ImportedLink, besides link: StoredLink, in collection: ServedCollection
    ) -> [String] {
        let own = Set(([link.slug] + link.aliases).map(collection.compared))
        return line.aliases.filter { !own.contains(collection.compared($0)) }
    }

    private func addsAliases(_ line: ImportedLink, to link: StoredLink) -> Bool {
        guard !line.aliases.isEmpty,
            let collection = api.collection(link.collection, of: options.actor)
        else { return false }
        return !aliases(line, besides: link, in: collection).isEmpty
    }

    /// The reason for which a line's aliases cannot be added to a link that exists; nil if they can.
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

    /// The reason for which aliases cannot be given to a link, whose line is refused then: a code that is printed
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
                // A new link is as old as it was where it was exported.
                let edit = try store.addAliases(
                    added, to: link.id, isExact: collection.collection.isExact,
                    at: kind == .created ? link.updated : now, generation: generation)
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
    func addEntry(_ lines: ArraySlice<ImportedLine>) throws(StoreError) {
        guard rehearsal == nil, let first = lines.first, let last = lines.last, !counts.isEmpty
        else { return }
        var entry = AuditEntry(time: now, actor: options.actor.name, action: "import", link: nil)
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
        try options.handled?.note(store, options.actor, at: now)
    }
}

extension StoredLink {
    fileprivate var withoutContent: StoredLink {
        var link = self
        (link.content, link.aliases) = (LinkContent(), [])
        return link
    }
}
