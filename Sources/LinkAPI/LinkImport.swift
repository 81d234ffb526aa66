import Diagnostics
import JSONSyntax
private import LinkIndex
import LinkStore
import SiteConfiguration
import URISyntax

// Many links in one request. Its content is read on a thread of its own, and what was read is
// written by the store's thread, some thousand lines in each transaction.

/// An import that was let in, with its options.
package struct LinkImport: Sendable {
    let api: LinkAPI
    let actor: LinkAPI.Actor
    let form: Form
    /// True if a link that exists is changed; else its line is refused.
    let changesExisting: Bool
    /// True if nothing is written.
    package let isRehearsal: Bool
    /// True if one refused line leaves everything as it was.
    package let isAtomic: Bool
    /// Of lines that name none.
    let collection: String?
    /// Not nil if the table is an export of Firebase Dynamic Links.
    let firebase: FirebaseExport?
    /// Not nil if the table is one of another service.
    let foreign: ForeignTable?
    /// The time zone of times of a table that name none; nil for UTC.
    let zone: ZoneRules?
    /// True if only refused lines are reported.
    let reportsRefusedOnly: Bool
    /// The room that the answer still has to explain refused lines.
    let explanations: ExplanationBudget
    /// The room that the answer still has for warnings. Lines without room are counted.
    let warningRoom = ExplanationBudget(lines: ExplanationBudget.linesMax)
    let missingFiles = MissingFiles()
    /// Nil for lines of JSON, which are done one after the other like requests.
    let rows: TableRows?
    /// The form of the console that it is of; nil for others.
    let handled: HandledForm?

    /// The form of the content.
    enum Form: Sendable { case lines, table }

    /// The most bytes of content of an atomic import, which is kept until its end.
    package static let atomicBytesMax = 16 * 1_048_576
    static let lineBytesMax = 65_536
    /// The most faults of a line that are kept until it is reported, with thousands of others.
    static let lineFaultsMax = 10
    /// The most lines of an atomic import, and aliases in them: a line that was read is larger than its text,
    /// and others wait until each slug has its row.
    package static let atomicSlugsMax = 100_000
    /// Behind so many refused lines, the rest of an atomic import is not looked at.
    package static let atomicRefusedMax = 1_000
    /// The bytes of links and of their entries in the audit after which a transaction ends: a short line
    /// can change a large link. An atomic import has a limit of its own.
    static let writtenBytesMax = 4 * 1_048_576
    /// A transaction waits for the disk once, and other requests wait for it.
    package static let batchLinesMax = 10_000
    /// Lines wait in memory until there are enough of them.
    package static let batchBytesMax = 16 * 1_048_576
}

/// A line of an import, read and checked as far as this needs no store.
package struct ImportedLine: Sendable {
    package let number: Int
    let link: Result<ImportedLink, Problem>
    /// Notes on what of the line is not kept.
    var notes = [PointedFault]()
    /// The place in the line at which it is refused, in characters from 1.
    var column: Int?
    /// Nil for a line of JSON.
    var heading: TableHeading?

    /// The line itself, and its aliases.
    package var slugCount: Int {
        guard case .success(let link) = link else { return 1 }
        return 1 + link.aliases.count
    }

    /// True if the line is refused whatever is in the store.
    package func isRefused(by options: LinkImport) -> Bool {
        guard case .success(let link) = link, !options.changesExisting else {
            if case .failure = link { return true }
            return false
        }
        if case .failure = link.new { return true }
        return false
    }
}

final class ImportedLink: Sendable {
    /// The members that a link can be made with.
    let json: JSONValue
    let known: KnownLink?
    /// The URL of the link where it was exported.
    let url: String?
    let aliases: [String]
    /// A new link of the line; its faults if it could not be one.
    let new: Result<NewLink, Problem>
    let collection: String?
    let slug: String?
    let externalID: String?
    /// Not nil for a link that was deleted where it was exported, in seconds since 1970.
    let deleted: Int?

    init(
        json: JSONValue, known: KnownLink?, aliases: [String], new: Result<NewLink, Problem>,
        collection: String?, _ description: LinkDescription, url: String? = nil,
        deleted: Int? = nil
    ) {
        (self.json, self.known, self.aliases, self.new) = (json, known, aliases, new)
        (self.url, self.deleted) = (url, deleted)
        self.collection = collection
        (slug, externalID) = (description.slug, description.externalID)
    }
}

struct NewLink: Sendable {
    let collection: ServedCollection
    let content: LinkContent
}

/// The outcome of a line.
package struct ImportedOutcome: Sendable {
    let number: Int
    let result: Result<(kind: Kind, link: StoredLink?), Problem>
    /// Notes on what of the line is not kept.
    var notes = [PointedFault]()
    /// The place in the line at which it is refused, in characters from 1.
    var column: Int?
    /// Nil for a line of JSON.
    var heading: TableHeading?
    /// Of the store behind it.
    var generation = 0

    enum Kind: String, Sendable { case created, changed, unchanged }

    package var isRefused: Bool { if case .failure = result { true } else { false } }
}

// MARK: - Reading

extension LinkImport {
    /// Reads a line, and checks what needs no store.
    /// - Parameter now: seconds since 1970.
    package func read(_ line: RawLine, at now: Int) -> ImportedLine {
        var heading: TableHeading?
        if case .cells(_, let own) = line.content { heading = own }
        var notes = line.notes
        let link: Result<ImportedLink, Problem>
        do throws(Problem) {
            link = .success(try read(json(line, &notes), at: now, &notes))
        } catch {
            // The heading of a table has a limit of its own.
            if case .refused = line.content {
                link = .failure(error)
            } else {
                link = .failure(error.keeping(Self.lineFaultsMax))
            }
        }
        return ImportedLine(
            number: line.number, link: link, notes: notes, column: line.column, heading: heading)
    }

    private func json(_ line: RawLine, _ notes: inout [PointedFault]) throws(Problem) -> JSONValue {
        switch line.content {
        case .refused(let problem): throw problem
        case .json(let bytes): return try api.json(bytes, takesMarks: true)
        case .cells(let cells, let heading):
            guard let firebase else {
                let json = try heading.json(cells, in: zone, &notes)
                return cells.contains(where: \.hasTooManyMarks)
                    ? try api.document(json, takesMarks: true)
                    : try api.document(LinkDescription.typed(json))
            }
            let row = try firebase.row(cells, heading)
            notes += row.notes
            return try api.document(row.json)
        }
    }
}

extension LinkImport {
    /// Members of an exported link that say what it was, or what follows from others.
    static let informative = [
        "id", "url", "opens", "warnings", "created", "updated", "aliases", "visits",
        "generation",
    ]

    private func read(
        _ json: JSONValue, at now: Int, _ notes: inout [PointedFault]
    ) throws(Problem) -> ImportedLink {
        if let fault = json.faultOfMarks { return try readMarked(json, fault, at: now, &notes) }
        guard let members = json.members else {
            throw .invalid([
                PointedFault("", .wrongValue, "a link is a JSON object, not \(json.kind)")
            ])
        }
        if let deleted = json["deleted"], deleted.kind != "null" {
            return try readTombstone(json, at: now, &notes)
        }
        var own = json
        let lacksCollection = collection != nil && json["collection"] == nil
        if lacksCollection || members.contains(where: { Self.informative.contains($0.key) }) {
            var kept = members.filter { !Self.informative.contains($0.key) }
                .map { (key: $0.key, value: $0.value.written) }
            if lacksCollection, let collection { kept.append(("collection", .string(collection))) }
            own = try api.document(.object(kept))
        }
        let known = try readKnown(json, at: now, &notes)
        let (description, found) = try api.read(own)
        if changesExisting, description.slug == nil, description.externalID == nil, known?.id == nil
        {
            throw .invalid([
                PointedFault(
                    "", .missingKey,
                    "the line has no slug, externalId or id by which its link would be found again",
                    advice:
                        "give it an `externalId`, or make such links with mode=create (--mode create)"
                )
            ])
        }
        let name = description.collection ?? onlyCollection
        let served = name.flatMap { api.collection($0, of: actor) }
        notes += served?.missingFiles(of: description, missingFiles) ?? []
        notes += served?.oddEscapes(in: description).map(\.fault) ?? []
        let (aliases, faults) = readAliases(json, of: description.slug, served)
        let new: Result<NewLink, Problem>
        do throws(Problem) {
            let (collection, content) = try api.check(
                description, found + faults, actor, at: now, for: .importing(known))
            new = .success(NewLink(collection: collection, content: content))
        } catch {
            // An alias that is none is no alias of a link that exists either.
            guard faults.isEmpty else { throw error }
            new = .failure(error.keeping(Self.lineFaultsMax))
        }
        return ImportedLink(
            json: own, known: known, aliases: aliases, new: new, collection: name, description,
            url: json["url"]?.text)
    }

    /// The collection of lines that name none, if the token is for one only.
    var onlyCollection: String? {
        let allowed = api.collections.filter { actor.mayUse($0.name.description) }
        return allowed.count == 1 ? allowed[0].name.description : nil
    }

    /// Other slugs of an exported link, checked like its own.
    func readAliases(
        _ json: JSONValue, of slug: String?, _ collection: ServedCollection?
    ) -> ([String], [PointedFault]) {
        let (aliases, found) = LinkDescription.readAliases(json)
        var faults = found.map(PointedFault.init)
        guard faults.isEmpty, let collection else { return (aliases, faults) }
        var taken = Set([slug].compactMap { $0.map(collection.compared) })
        for (index, alias) in aliases.enumerated() {
            let pointer = "/aliases/\(index)"
            faults += collection.faults(ofSlug: alias, at: pointer)
            if !taken.insert(collection.compared(alias)).inserted {
                faults.append(
                    PointedFault(
                        pointer, .slugTaken, "\(quoted(alias)) is a slug of the link already",
                        advice: "leave it out"))
            }
        }
        return (aliases, faults)
    }
}

// MARK: - Reporting

extension ImportedOutcome {
    /// The notes that are shown: those on the link where it came from matter only to a new one.
    var shownNotes: [PointedFault] {
        if case .success(let done) = result, done.kind == .created { return notes }
        return notes.filter { $0.pointer != "/created" && $0.pointer != "/updated" }
    }
}

extension PointedFault {
    /// The fault with the heading of the table's column that it is in.
    fileprivate func shown(in heading: TableHeading?) -> PointedFault {
        guard let name = heading?.name(at: pointer) else { return self }
        var fault = self
        fault.heading = name
        return fault
    }
}

extension LinkImport {
    /// The lines of the answer on these lines of the request.
    package func report(_ outcomes: [ImportedOutcome]) -> [UInt8] {
        var text = [UInt8]()
        for outcome in outcomes {
            let notes = JSONText.array(
                outcome.shownNotes.map { $0.shown(in: outcome.heading).json })
            let hasRoom =
                !outcome.shownNotes.isEmpty
                && (outcome.isRefused || warningRoom.take(bytes: notes.compact.utf8.count))
            let warnings: [(key: String, value: JSONText)] = hasRoom ? [("warnings", notes)] : []
            switch outcome.result {
            case .success(let done):
                guard !reportsRefusedOnly || hasRoom else { continue }
                var members: [(key: String, value: JSONText)] = [
                    ("line", .number(outcome.number)),
                    ("status", .number(done.kind == .created ? 201 : 200)),
                    ("outcome", .string(done.kind.rawValue)),
                ]
                if let link = done.link {
                    if !isRehearsal { members.append(("id", .string(link.id.description))) }
                    if let collection = api.collection(link.collection, of: actor) {
                        members.append(("url", .string(collection.url(link.slug))))
                    }
                }
                text += JSONText.object(members + warnings).compact.utf8
            case .failure(var problem):
                problem.errors = problem.errors.map { $0.shown(in: outcome.heading) }
                var members: [(key: String, value: JSONText)] = [("line", .number(outcome.number))]
                if let column = outcome.column { members.append(("column", .number(column))) }
                members += [
                    ("status", .number(problem.kind.status)), ("outcome", .string("refused")),
                    ("problem", problem.json),
                ]
                let line = JSONText.object(members + warnings).compact.utf8
                guard explanations.take(bytes: line.count) else { continue }
                text += line
            }
            text.append(0x0A)
        }
        return text
    }
}
