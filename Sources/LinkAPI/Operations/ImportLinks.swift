import Diagnostics
import LinkIndex
package import LinkStore
import SiteConfiguration
import URISyntax

extension LinkImport {
    static let route = APIRoute(
        "importLinks", "POST", "import", .making, "Make or change many links",
        query: [
            Parameter(
                "mode", .choice(["create", "upsert"]),
                "Whether a line changes a link that exists; by default it is refused."),
            Parameter("dry-run", .flag, "Whether nothing is written."),
            Parameter("atomic", .flag, "Whether one refused line leaves everything as it was."),
            Parameter("collection", .text, "The collection of lines that name none."),
            Parameter(
                "format", .choice(["firebase"] + ForeignService.all.map(\.name)),
                "The service that has exported the table."),
            Parameter(
                "columns", .text,
                "The members that columns of the table are: Theirs=ours, with commas between them. #3 is the "
                    + "third column, whatever its heading is."),
            Parameter(
                "domain", .host,
                "With format or columns: the domain of the short links that are taken; by default that of "
                    + "the first row, and for firebase that of the collection."),
            Parameter(
                "zone", .text,
                "The time zone of times of a table that name none, such as Europe/Berlin; UTC by default."
            ),
            Parameter(
                "report", .choice(["all", "refused"]),
                "The lines of the answer; all by default. The last one has the sums: `refused` and `warned` also count "
                    + "the lines that are refused, or taken with warnings, for which the answer has no room."
            ),
        ],
        transfer: .import, [200, 408, 422, 503].map { APIRoute.Answer($0, types: APIRoute.lines) },
        problems: [.contentType, .contentTooLarge, .idempotencyKey])
}

extension LinkAPI {
    /// Writes lines; on the store's thread. Each line is done or refused by itself, unless the
    /// import is atomic. A failure of the store takes back all of them. Nothing else than the store is changed in a
    /// way that would make the same lines come out otherwise, so they can be written again.
    /// - Parameters:
    ///   - goesOn: called now and then; false ends the transaction of an import that is not atomic.
    ///   - hasRoom: called with the bytes of changed links and entries so far, and with those of the index that are copied;
    ///     false ends the transaction, with which an atomic import fails.
    /// - Returns: what became of the first lines: of all in an atomic import, else of as many as one
    ///   transaction may write.
    package func apply(
        _ lines: ArraySlice<ImportedLine>, of options: LinkImport, _ store: LinkStore,
        at milliseconds: Int, _ rehearsal: ImportRehearsal?, goesOn: () -> Bool = { true },
        hasRoom: (_ bytes: Int, _ copiedBytes: Int) -> Bool = { _, _ in true }
    ) -> Result<[ImportedOutcome], APIResponse> {
        noteUse(of: options.actor, store, at: milliseconds)
        var outcomes = [ImportedOutcome]()
        outcomes.reserveCapacity(lines.count)
        var isTooLarge = false
        var refusal: Problem?
        do throws(StoreError) {
            try store.transaction { generation throws(StoreError) in
                refusal = try options.handled?.refusal(
                    store, options.actor, at: milliseconds / 1_000)
                if refusal != nil { throw .refused }
                outcomes.removeAll(keepingCapacity: true)
                var writer = ImportWriter(
                    options: options, store: store, milliseconds: milliseconds,
                    generation: generation, rehearsal: rehearsal)
                for line in lines {
                    outcomes.append(
                        ImportedOutcome(
                            number: line.number, result: try writer.write(line),
                            notes: line.notes, column: line.column, heading: line.heading))
                    let isDue = outcomes.count % 64 == 0 && !goesOn()
                    let copied = rehearsal == nil ? store.copiedBytes : 0
                    let lacksRoom = !hasRoom(writer.heldBytes, copied)
                    if options.isAtomic {
                        isTooLarge = writer.bytes > atomicWrittenBytesMax
                        if lacksRoom { refusal = .busy("there is no memory for an import now") }
                        if isTooLarge || lacksRoom { throw .refused }
                    } else if isDue || lacksRoom || writer.bytes > LinkImport.writtenBytesMax {
                        break
                    }
                }
                if options.isAtomic, outcomes.contains(where: \.isRefused) { throw .refused }
                try writer.addEntry(lines.prefix(outcomes.count))
                if rehearsal != nil { throw .refused }
            }
        } catch .refused {
            // The store is as it was.
        } catch {
            return .failure(.unavailable(error.words.fact))
        }
        if let refusal { return .failure(refusal.response) }
        if isTooLarge {
            return .failure(
                .tooMuch(behind: outcomes.last?.number ?? 0, bytesMax: atomicWrittenBytesMax))
        }
        if let last = outcomes.indices.last { outcomes[last].generation = store.index.generation }
        return .success(outcomes)
    }
}

extension LinkImport {
    /// Reads the head of a request.
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
            throw api.unknownCollection(collection, for: actor)
        }
        changesExisting = request.item("mode") == "upsert"
        if changesExisting, !actor.may(.linksWrite) {
            throw Problem(
                .scopeMissing,
                "mode=upsert (--mode upsert) changes links: the token \(quoted(actor.name)) has not the scope "
                    + TokenScope.linksWrite.rawValue)
        }
        firebase = try Self.firebase(request, actor, api, form)
        zone = try Self.zone(request, api, form)
        foreign = try Self.foreign(request, form, zone)
        rows = form == .table && firebase == nil ? TableRows() : nil
        (self.api, self.actor, handled) = (api, actor, HandledForm(request))
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
    private static func zone(
        _ request: APIRequest, _ api: LinkAPI, _ form: Form
    ) throws(Problem) -> ZoneRules? {
        guard let name = request.item("zone") else { return nil }
        guard form == .table, request.item("format") != "firebase" else {
            throw Problem(
                .query,
                "zone is for a table whose times may name none: lines of JSON and exports of Firebase have theirs"
            )
        }
        return name == "UTC" ? nil : try VisitZone.rules(name, api)
    }

    private static func firebase(
        _ request: APIRequest, _ actor: LinkAPI.Actor, _ api: LinkAPI, _ form: Form
    ) throws(Problem) -> FirebaseExport? {
        guard request.item("format") == "firebase" else { return nil }
        guard request.item("columns") == nil else {
            throw Problem(
                .query, "the columns of an export of Firebase are known: leave columns out")
        }
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
                .query,
                "format=firebase needs collection= (--collection), which the export's links are "
                    + "made in")
        }
        guard collection.collection.isExact else {
            throw Problem(
                .query,
                "letter case does not distinguish slugs of the collection "
                    + "\(quoted(collection.name.description)), but short links of Firebase: "
                    + "add `case: exact` to its `stored`")
        }
        return FirebaseExport(
            collection: collection, of: api, domain: request.item("domain").map { $0.lowercased() })
    }

    private static func foreign(
        _ request: APIRequest, _ form: Form, _ zone: ZoneRules?
    ) throws(Problem) -> ForeignTable? {
        let (name, columns) = (request.item("format"), request.item("columns"))
        guard name != "firebase" else { return nil }
        let domain = request.item("domain")?.lowercased()
        guard name != nil || columns != nil else {
            guard domain == nil else {
                throw Problem(
                    .query,
                    "domain is for a table of another service: format= (--from) or columns= "
                        + "(--columns) says which")
            }
            return nil
        }
        guard form == .table else {
            throw Problem(.contentType, "what another service has exported is a table: text/csv")
        }
        return try ForeignTable(
            name.flatMap(ForeignService.named), columns: columns, host: domain, zone: zone)
    }
}
