import Associations
import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration
import Synchronization
import URISyntax

// Many links in one request. Its content is read on a thread of its own, and what was read is
// written by the store's thread, some thousand lines in each transaction.

/// What an import was asked to do, by somebody who may.
package struct LinkImport: Sendable {
    let api: LinkAPI
    let actor: LinkAPI.Actor
    let form: Form
    /// Whether a link that exists is changed; else its line is refused.
    let changesExisting: Bool
    /// Whether nothing is written.
    package let isRehearsal: Bool
    /// Whether one refused line leaves everything as it was.
    package let isAtomic: Bool
    /// Of lines that name none.
    let collection: String?
    /// Not nil if the table is an export of Firebase Dynamic Links.
    let firebase: FirebaseExport?
    /// Whether only refused lines are reported.
    let reportsRefusedOnly: Bool
    /// What of the answer can still explain refused lines.
    let explanations: ExplanationBudget

    /// The form of the content.
    enum Form: Sendable { case lines, table }

    /// The most bytes of content of an atomic import, which is kept until its end.
    package static let atomicBytesMax = 16 * 1_048_576
    static let lineBytesMax = 65_536
    /// The most lines of an atomic import: a line that was read is larger than its text.
    package static let atomicLinesMax = 100_000
    /// Behind so many refused lines, the rest of an atomic import is not looked at.
    package static let atomicRefusedMax = 1_000
    /// A transaction waits for the disk once, and other requests wait for it.
    package static let batchLinesMax = 10_000
}

/// How many refused lines an answer explains, so that it is not longer than the content by far. The
/// others are counted.
final class ExplanationBudget: Sendable {
    private let left: Mutex<(lines: Int, bytes: Int)>

    init(lines: Int) { left = Mutex((lines, Self.bytesMax)) }

    /// Whether an explanation of this size is given.
    func take(bytes: Int) -> Bool {
        left.withLock { left in
            guard left.lines > 0, left.bytes > 0 else { return false }
            left = (left.lines - 1, left.bytes - bytes)
            return true
        }
    }

    static let linesMax = 10_000
    private static let bytesMax = 4 * 1_048_576
}

/// A line of an import as it came.
package struct RawLine: Sendable {
    let number: Int
    let content: Content

    enum Content: Sendable {
        case json([UInt8])
        case cells([String], titles: [String])
        case tooLong
    }
}

/// A line of an import, read and checked as far as this needs no store.
package struct ImportedLine: Sendable {
    package let number: Int
    let link: Result<ImportedLink, Problem>
    /// What of the line is not kept.
    var notes = [PointedFault]()

    /// Whether it is refused whatever is in the store.
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
    let aliases: [String]
    /// A new link of the line; its faults if it could not be one.
    let new: Result<NewLink, Problem>
    let collection: String?
    let slug: String?
    let externalID: String?

    init(
        json: JSONValue, known: KnownLink?, aliases: [String], new: Result<NewLink, Problem>,
        collection: String?, _ description: LinkDescription
    ) {
        (self.json, self.known, self.aliases, self.new) = (json, known, aliases, new)
        self.collection = collection
        (slug, externalID) = (description.slug, description.externalID)
    }
}

struct NewLink: Sendable {
    let collection: ServedCollection
    let content: LinkContent
}

/// What an exported link was where it came from.
struct KnownLink: Sendable {
    var id: LinkID?
    var created: Int?
    var updated: Int?
}

/// What became of a line.
package struct ImportedOutcome: Sendable {
    let number: Int
    let result: Result<(kind: Kind, link: StoredLink?), Problem>
    /// What of the line is not kept.
    var notes = [PointedFault]()
    /// Of the store behind it.
    var generation = 0

    enum Kind: String, Sendable { case created, changed, unchanged }

    package var isRefused: Bool { if case .failure = result { true } else { false } }
}

// MARK: - Reading

/// Splits the content of an import into lines.
package struct ImportReader: Sendable {
    private let form: LinkImport.Form
    private let isFirebase: Bool
    private var table = CSVReader(recordBytesMax: LinkImport.lineBytesMax)
    private var titles: [String]?
    private var bytes = [UInt8]()
    private var position = 0
    private var number = 0
    private var isSkipping = false

    package init(_ options: LinkImport) {
        (form, isFirebase) = (options.form, options.firebase != nil)
    }

    /// Takes the bytes that come next.
    package mutating func add(_ more: [UInt8]) {
        guard form == .lines else { return table.add(more) }
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes += more
    }

    /// The next line; nil if its end has not come yet.
    /// - Parameter isEnd: whether no more bytes come.
    package mutating func next(isEnd: Bool) -> RawLine? {
        switch form {
        case .lines: nextLine(isEnd)
        case .table: nextRecord(isEnd)
        }
    }

    private mutating func nextLine(_ isEnd: Bool) -> RawLine? {
        while true {
            let rest = bytes[position...]
            let end = rest.firstIndex(of: 0x0A)
            guard end != nil || isEnd || rest.count > LinkImport.lineBytesMax else { return nil }
            if isSkipping {
                position = end.map { $0 + 1 } ?? bytes.count
                isSkipping = end == nil
                if isSkipping { return nil }
                continue
            }
            guard !rest.isEmpty else { return nil }
            number += 1
            let line = rest[..<(end ?? bytes.count)]
            position = end.map { $0 + 1 } ?? bytes.count
            guard line.count <= LinkImport.lineBytesMax else {
                isSkipping = end == nil
                return RawLine(number: number, content: .tooLong)
            }
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            return RawLine(number: number, content: .json(Array(line)))
        }
    }

    private mutating func nextRecord(_ isEnd: Bool) -> RawLine? {
        while true {
            let record: CSVReader.Record
            do throws(CSVReader.TooLong) {
                guard let next = try table.next(isEnd: isEnd) else { return nil }
                record = next
            } catch {
                return RawLine(number: error.line, content: .tooLong)
            }
            // Without titles, the first line says so for all.
            guard record.cells.contains(where: { !$0.isEmpty }), titles?.isEmpty != true else {
                continue
            }
            guard let titles else {
                let isRow = readTitles(record.cells)
                if !isRow { continue }
                return RawLine(
                    number: record.line, content: .cells(record.cells, titles: titles ?? []))
            }
            return RawLine(number: record.line, content: .cells(record.cells, titles: titles))
        }
    }
}

extension ImportReader {
    /// - Returns: whether the line is a link already.
    private mutating func readTitles(_ cells: [String]) -> Bool {
        guard isFirebase else {
            titles = cells.map { TableColumns.name($0) }
            return false
        }
        let found = FirebaseExport.titles(cells)
        titles = found?.keys ?? []
        return found?.isRow ?? true
    }
}

extension LinkImport {
    /// Reads a line, and checks what needs no store.
    /// - Parameter now: seconds since 1970.
    package func read(_ line: RawLine, at now: Int) -> ImportedLine {
        var notes = [PointedFault]()
        do throws(Problem) {
            let json: JSONValue
            switch line.content {
            case .json(let bytes): json = try api.json(bytes)
            case .cells(let cells, let titles):
                if let firebase {
                    let row = try firebase.row(cells, titles)
                    notes = row.notes
                    json = try api.document(row.json)
                } else {
                    json = try api.document(TableColumns.json(cells, titles))
                }
            case .tooLong:
                throw Problem(.lineTooLong, "it has more than \(Self.lineBytesMax) bytes")
            }
            return ImportedLine(
                number: line.number, link: .success(try read(json, at: now)), notes: notes)
        } catch {
            return ImportedLine(number: line.number, link: .failure(error), notes: notes)
        }
    }
}

extension LinkImport {
    /// Members of an exported link that say what it was, or what follows from others.
    private static let informative = [
        "id", "url", "opens", "warnings", "created", "updated", "aliases", "visits",
        "generation",
    ]

    private func read(_ json: JSONValue, at now: Int) throws(Problem) -> ImportedLink {
        guard let members = json.members else {
            throw .invalid([
                PointedFault("", .wrongValue, "a link is a JSON object, not \(json.kind)")
            ])
        }
        if json["deleted"] != nil {
            throw Problem(.invalidContent, "the link was deleted where it was exported")
        }
        var own = json
        let lacksCollection = collection != nil && json["collection"] == nil
        if lacksCollection || members.contains(where: { Self.informative.contains($0.key) }) {
            var kept = members.filter { !Self.informative.contains($0.key) }
                .map { (key: $0.key, value: $0.value.written) }
            if lacksCollection, let collection { kept.append(("collection", .string(collection))) }
            own = try api.document(.object(kept))
        }
        let known = try readKnown(json)
        let (description, found) = try api.read(own)
        if changesExisting, description.slug == nil, description.externalID == nil, known?.id == nil
        {
            throw .invalid([
                PointedFault(
                    "", .missingKey,
                    "the line has no slug, externalId or id by which its link would be found again",
                    advice: "give it an `externalId`, or make such links with mode=create")
            ])
        }
        let allowed = api.collections.filter { actor.mayUse($0.name.description) }
        let name =
            description.collection ?? (allowed.count == 1 ? allowed[0].name.description : nil)
        let (aliases, faults) = readAliases(
            json, of: description.slug, name.flatMap { api.collection($0, of: actor) })
        let new: Result<NewLink, Problem>
        do throws(Problem) {
            let (collection, content) = try api.check(
                description, found + faults, actor, at: now, for: .importing(known))
            new = .success(NewLink(collection: collection, content: content))
        } catch {
            // An alias that is none is no alias of a link that exists either.
            guard faults.isEmpty else { throw error }
            new = .failure(error)
        }
        return ImportedLink(
            json: own, known: known, aliases: aliases, new: new, collection: name, description)
    }

    /// Other slugs of an exported link, checked like its own.
    private func readAliases(
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

    /// Nil for a line that is no exported link.
    private func readKnown(_ json: JSONValue) throws(Problem) -> KnownLink? {
        guard ["id", "created", "updated"].contains(where: { json[$0] != nil }) else { return nil }
        var (known, faults) = (KnownLink(), [PointedFault]())
        if let text = json["id"]?.text {
            known.id = LinkID(text)
            if known.id == nil {
                faults.append(
                    PointedFault(
                        "/id", .wrongValue, "\(quoted(text)) is not the id of a link",
                        advice: "leave `id` out; another system's name is `externalId`"))
            }
        }
        func time(_ key: String) -> Int? {
            guard let text = json[key]?.text else { return nil }
            let time = try? Timestamp(text)
            if time == nil {
                faults.append(
                    PointedFault(
                        "/\(key)", .wrongValue, "\(quoted(text)) is no time with its zone",
                        advice: "write 2027-01-01T00:00:00Z, or leave it out"))
            }
            return time?.seconds
        }
        (known.created, known.updated) = (time("created"), time("updated"))
        guard faults.isEmpty else { throw .invalid(faults) }
        return known
    }
}

// MARK: - Reporting

extension LinkImport {
    /// The lines of the answer on these lines of the request.
    package func report(_ outcomes: [ImportedOutcome]) -> [UInt8] {
        var text = [UInt8]()
        for outcome in outcomes {
            let warnings: [(key: String, value: JSONText)] =
                outcome.notes.isEmpty
                ? [] : [("warnings", .array(outcome.notes.map(\.json)))]
            switch outcome.result {
            case .success(let done):
                guard !reportsRefusedOnly || !outcome.notes.isEmpty else { continue }
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
            case .failure(let problem):
                let line = JSONText.object(
                    [
                        ("line", .number(outcome.number)),
                        ("status", .number(problem.kind.status)),
                        ("outcome", .string("refused")), ("problem", problem.json),
                    ] + warnings
                ).compact.utf8
                guard explanations.take(bytes: line.count) else { continue }
                text += line
            }
            text.append(0x0A)
        }
        return text
    }
}

/// The sums of an import, its last line.
package struct ImportSummary: Sendable {
    private var counts = [ImportedOutcome.Kind: Int]()
    package private(set) var refused = 0
    /// Why it ended before its content did.
    package var problem: APIResponse?
    private var generation = 0

    package init() {}

    package mutating func count(_ outcomes: [ImportedOutcome]) {
        if let last = outcomes.last { generation = last.generation }
        for outcome in outcomes {
            switch outcome.result {
            case .success(let done): counts[done.kind, default: 0] += 1
            case .failure: refused += 1
            }
        }
    }

    /// - Parameters:
    ///   - isApplied: whether what it did stays.
    ///   - isComplete: whether all of the content was read.
    package func line(isApplied: Bool, isComplete: Bool) -> [UInt8] {
        func count(_ kind: ImportedOutcome.Kind) -> JSONText { .number(counts[kind] ?? 0) }
        let lines = counts.values.reduce(refused, +)
        let summary = JSONText.object([
            ("lines", .number(lines)), ("created", count(.created)), ("changed", count(.changed)),
            ("unchanged", count(.unchanged)), ("refused", .number(refused)),
            ("applied", .boolean(isApplied)), ("complete", .boolean(isComplete)),
            ("generation", .number(generation)),
        ])
        return Array((JSONText.object([("summary", summary)]).compact + "\n").utf8)
    }
}
