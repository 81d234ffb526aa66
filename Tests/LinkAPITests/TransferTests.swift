import Foundation
import LinkAPI
import LinkIndex
import LinkStore
import Testing

extension TestAPI {
    /// Imports content in pieces of this size.
    /// - Returns: the lines of the answer; the problem if it is refused.
    func importing(
        _ content: String, _ query: [(name: String, value: String)] = [],
        type: String = "application/x-ndjson", pieceBytes: Int = 1 << 16, token: String = secret,
        isRepeated: Bool = false
    ) throws -> [[String: Any]] {
        try importing(
            bytes: Array(content.utf8), query, type: type, pieceBytes: pieceBytes, token: token,
            isRepeated: isRepeated)
    }

    /// - Parameters:
    ///   - isRepeated: whether all of it was done before in a transaction that was taken back.
    ///   - isSlow: whether each transaction takes too long.
    func importing(
        bytes: [UInt8], _ query: [(name: String, value: String)] = [], type: String,
        pieceBytes: Int = 1 << 16, token: String = secret, isRepeated: Bool = false,
        isSlow: Bool = false
    ) throws -> [[String: Any]] {
        let request = APIRequest(
            method: "POST", path: ["import"], query: query,
            fields: ["authorization": "Bearer \(token)", "content-type": type])
        let options: LinkImport
        switch api.admit(request, store, at: now * 1000, localSecret: Self.secret) {
        case .failure(let response): return [response.object]
        case .success(let admitted):
            guard case .import(let begun) = admitted.transfer else { return [] }
            options = begun
        }
        var (reader, lines, rest) = (
            ImportReader(options), [ImportedLine](), bytes[...]
        )
        func take(_ isEnd: Bool) {
            while let line = reader.next(isEnd: isEnd) {
                if line.endsImport { lines = [] }
                lines.append(options.read(line, at: now))
            }
        }
        while !rest.isEmpty {
            reader.add(Array(rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieceBytes)
            take(false)
        }
        take(true)
        let rehearsal = options.isRehearsal ? ImportRehearsal() : nil
        if isRepeated {
            #expect(throws: StoreError.refused) {
                try store.transaction { _ throws(StoreError) in
                    _ = api.apply(lines[...], of: options, store, at: now * 1000, rehearsal)
                    throw .refused
                }
            }
        }
        var (left, text, summary) = (lines[...], [UInt8](), ImportSummary())
        repeat {
            let applied = api.apply(left, of: options, store, at: now * 1000, rehearsal) { !isSlow }
            switch applied {
            case .failure(let response): return [response.object]
            case .success(let outcomes):
                summary.count(outcomes)
                text += options.report(outcomes)
                left = left.dropFirst(outcomes.count)
            }
        } while !left.isEmpty
        text += summary.line(isApplied: true, isComplete: true)
        return try text.split(separator: UInt8(ascii: "\n")).map {
            try #require(JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
    }

    func exported(_ query: [(name: String, value: String)] = []) throws -> String {
        let request = APIRequest(
            method: "GET", path: ["export"], query: query,
            fields: ["authorization": "Bearer \(Self.secret)"])
        let admitted = try api.admit(
            request, store, at: now * 1000, localSecret: Self.secret
        ).get()
        guard case .export(let export) = admitted.transfer else { return "" }
        var (text, last) = (export.beginning, LinkID?.none)
        while true {
            let page = try export.links(after: last, store, at: now * 1000)
            text += export.content(of: page.links)
            guard let end = page.last else { return String(decoding: text, as: UTF8.self) }
            last = end
        }
    }
}

func summary(_ lines: [[String: Any]]) -> [String: Any] {
    lines.last?["summary"] as? [String: Any] ?? [:]
}

func counts(_ lines: [[String: Any]]) -> [Int] {
    ["created", "changed", "unchanged", "refused"].map { summary(lines)[$0] as? Int ?? -1 }
}

func faults(_ line: [String: Any]) -> [String] {
    let problem = line["problem"] as? [String: Any]
    return (problem?["errors"] as? [[String: Any]] ?? []).map {
        "\($0["pointer"] ?? "") \($0["rule"] ?? "")"
    }
}

@Suite struct TransferTests {
    private static let lines = """
        {"collection": "short", "slug": "a", "destination": "https://www.example.com/a"}

        {"collection": "short", "slug": "b", "destination": "https://evil.example/", "tag": 1}
        {"collection": "short", "slug": "A", "destination": "https://www.example.com/A"}
        not json
        {"collection": "short", "destination": "https://www.example.com/", "externalId": "x"}
        {"collection": "exact", "slug": "A", "destination": "https://any.example/", "externalId": "x"}
        ["array"]
        """

    /// The time is looked at every 64 lines.
    @Test(
        "a transaction that takes long ends, unless all lines are one",
        arguments: [(false, false, 1), (true, false, 4), (true, true, 1)])
    func ends(_ isSlow: Bool, _ isAtomic: Bool, _ transactions: Int) throws {
        let api = try TestAPI()
        let before = api.store.index.generation
        let lines = (0..<200).map { number in
            #"{"collection": "short", "slug": "s\#(number)", "destination": "https://www.example.com/"}"#
        }
        let answer = try api.importing(
            bytes: Array(lines.joined(separator: "\n").utf8), [("atomic", "\(isAtomic)")],
            type: "application/x-ndjson", isSlow: isSlow)
        #expect(counts(answer) == [200, 0, 0, 0], "\(answer.last ?? [:])")
        #expect(api.store.index.generation - before == transactions)
    }

    @Test(
        "an import of links that exist names the mode that changes them",
        arguments: [("create", true), ("upsert", false)])
    func existing(_ mode: String, _ isRefused: Bool) throws {
        let api = try TestAPI()
        let line =
            #"{"collection":"short","slug":"spring","destination":"https://www.example.com/a"}"#
        _ = try api.importing(line)
        let answer = try api.importing(line, [("mode", mode)])
        let problem = answer.first?["problem"] as? [String: Any]
        let errors = (problem?["errors"] as? [[String: Any]])?.first
        #expect((errors != nil) == isRefused, "\(answer)")
        guard isRefused else { return }
        let advice = errors?["advice"] as? String
        #expect(advice?.contains("--mode upsert") == true, "\(answer)")
    }

    @Test(arguments: [1, 2, 7, 64, 65_536])
    func eachLineIsDoneOrRefusedByItself(pieceBytes: Int) throws {
        let api = try TestAPI()
        let answer = try api.importing(Self.lines, pieceBytes: pieceBytes)
        #expect(counts(answer) == [2, 0, 0, 5])
        #expect(answer.compactMap { $0["line"] as? Int } == [1, 3, 4, 5, 6, 7, 8])
        #expect(answer.compactMap { $0["status"] as? Int } == [201, 422, 409, 400, 201, 409, 422])
        #expect(faults(answer[1]) == ["/tag unknown-key", "/destination destination-not-allowed"])
        #expect(faults(answer[2]) == ["/slug slug-taken"])
        #expect(faults(answer[5]) == ["/externalId external-id-taken"])
        #expect(try api.store.link("short", slug: "a") != nil)
        #expect(try api.store.link("short", slug: "b") == nil)
    }

    @Test func anAtomicImportDoesAllOrNothing() throws {
        let api = try TestAPI()
        let refused = try api.importing(Self.lines, [("atomic", "true")])
        #expect(counts(refused) == [2, 0, 0, 5])
        #expect(api.store.index.count == 0)
        let good = Self.lines.split(separator: "\n")[0]
        #expect(counts(try api.importing(String(good), [("atomic", "true")])) == [1, 0, 0, 0])
        #expect(api.store.index.count == 1)
    }

    @Test func aRehearsalSaysTheSameAndWritesNothing() throws {
        let api = try TestAPI()
        let rehearsed = try api.importing(Self.lines, [("dry-run", "true")])
        #expect(api.store.index.count == 0)
        let done = try api.importing(Self.lines)
        #expect(
            rehearsed.map { $0["status"] as? Int } == done.map { $0["status"] as? Int })
        #expect(rehearsed.map(faults) == done.map(faults))
        #expect(rehearsed.allSatisfy { $0["id"] == nil })
    }

    @Test(arguments: ["create", "upsert"])
    func `a rehearsal knows the links that its earlier transactions would have made`(mode: String)
        throws
    {
        let api = try TestAPI()
        // More than one transaction writes.
        let data = String(repeating: "x", count: 16_000)
        var lines = (0..<300).map {
            #"{"collection": "short", "slug": "s\#($0)", "externalId": "n\#($0)", "#
                + #""destination": "https://www.example.com/", "app": {"data": {"k": "\#(data)"}}}"#
        }
        lines += [
            #"{"collection": "short", "slug": "S0", "destination": "https://www.example.com/2"}"#,
            #"{"externalId": "n1", "collection": "short", "destination": "https://www.example.com/2"}"#,
            #"{"collection": "short", "slug": "t", "aliases": ["s3"], "externalId": "t", "#
                + #""destination": "https://www.example.com/2"}"#,
            #"{"collection": "short", "slug": "u", "destination": "https://www.example.com/2"}"#,
        ]
        let text = lines.joined(separator: "\n")
        let rehearsed = try api.importing(text, [("dry-run", "true"), ("mode", mode)])
        #expect(api.store.index.count == 0)
        let done = try api.importing(text, [("mode", mode)])
        let expected = mode == "create" ? [409, 409, 409, 201] : [200, 200, 409, 201]
        for answer in [rehearsed, done] {
            #expect(answer.suffix(5).prefix(4).map { $0["status"] as? Int } == expected)
        }
        #expect(counts(rehearsed) == counts(done))
    }

    @Test func aRefusedLineOfARehearsalTakesNothing() throws {
        let api = try TestAPI()
        _ = try api.importing(
            #"{"collection": "exact", "slug": "a", "destination": "https://a.example/"}"#)
        let lines = """
            {"collection": "exact", "slug": "a", "externalId": "y", "destination": "https://a.example/"}
            {"collection": "exact", "slug": "b", "externalId": "y", "destination": "https://a.example/"}
            {"collection": "exact", "slug": "c", "externalId": "y", "destination": "https://a.example/"}
            {"collection": "exact", "slug": "c", "destination": "https://a.example/"}
            """
        let rehearsed = try api.importing(lines, [("dry-run", "true")])
        let done = try api.importing(lines)
        for answer in [rehearsed, done] {
            #expect(answer.compactMap { $0["status"] as? Int } == [409, 201, 409, 201])
        }
    }

    @Test func `a slug twice in one table is said to be so`() throws {
        let api = try TestAPI()
        _ = try api.importing(
            #"{"collection": "short", "slug": "old", "destination": "https://www.example.com/a"}"#)
        let lines = """
            {"collection": "short", "slug": "a", "destination": "https://www.example.com/a"}
            {"collection": "short", "slug": "A", "destination": "https://www.example.com/b"}
            {"collection": "short", "slug": "old", "destination": "https://www.example.com/b"}
            """
        let rehearsed = try api.importing(lines, [("dry-run", "true")])
        func said(_ line: Int) -> String {
            let problem = rehearsed[line]["problem"] as? [String: Any]
            return (problem?["errors"] as? [[String: Any]] ?? [])
                .flatMap { error in ["detail", "advice"].compactMap { error[$0] as? String } }
                .joined(separator: "; ")
        }
        #expect(said(1) == #"line 1 has the slug "A", too; keep the row that is right"#)
        // The nearest: a link that was there before.
        #expect(said(2).contains("is taken") && said(2).contains("upsert"), "\(rehearsed)")
    }

    @Test(arguments: [true, false])
    func `a slug twice in one table is said to be so, also when it is imported`(
        isRehearsed: Bool
    ) throws {
        let api = try TestAPI()
        _ = try api.importing(
            #"{"collection": "short", "slug": "old", "destination": "https://www.example.com/a"}"#)
        let table = """
            collection,slug,destination
            short,a,https://www.example.com/a
            short,A,https://www.example.com/b
            short,old,https://www.example.com/b
            short,old,https://www.example.com/c
            """
        let answer = try api.importing(
            table, isRehearsed ? [("dry-run", "true")] : [], type: "text/csv")
        let advice = answer.map { line in
            let problem = line["problem"] as? [String: Any]
            return (problem?["errors"] as? [[String: Any]])?.first?["advice"] as? String ?? ""
        }
        #expect(advice[0] == "" && advice[1] == "keep the row that is right", "\(answer)")
        // The nearest: a link that was there before.
        #expect(advice[2...3].allSatisfy { $0.contains("mode=upsert") }, "\(answer)")
    }

    private static let rich = """
        {"collection": "short", "slug": "full", "destination": "https://www.example.com/x?a=1,2",
         "page": {"title": "A; \\"b\\", c", "description": "Two\\nlines", "links": []},
         "web": {"ios": "landing", "android": "store"}, "campaign": {"utm": false},
         "app": {"path": "/x", "data": {"coupon": ["A1", 2, null]}, "minVersion": "2.1"},
         "tags": ["mail", "two words"], "note": "é", "externalId": "crm-1",
         "from": "2027-01-01T00:00:00Z", "until": "2027-04-01T00:00:00Z",
         "after": "https://www.example.com/over", "state": "disabled", "archived": true}
        """.replacingOccurrences(of: "\n ", with: " ").replacingOccurrences(
            of: #", "links": []"#, with: "")

    @Test(arguments: ["ndjson", "csv"])
    func anExportIsImportedAsItWas(format: String) throws {
        let api = try TestAPI()
        let type = format == "csv" ? "text/csv" : "application/x-ndjson"
        let made = try api.importing(
            Self.rich + "\n"
                + #"{"collection": "exact", "slug": "P", "destination": "https://p.example/"}"#)
        #expect(counts(made) == [2, 0, 0, 0], "\(made)")
        let id = try #require(made[1]["id"] as? String)
        #expect(api.ask("POST", "links/\(id)/aliases", #"{"slug": "Q"}"#).status == 201)
        let exported = try api.exported([("format", format)])

        let again = try api.importing(exported, [("mode", "upsert")], type: type)
        #expect(counts(again) == [0, 0, 2, 0], "\(again)")
        #expect(counts(try api.importing(exported, type: type)) == [0, 0, 0, 2])

        let other = try TestAPI()
        other.now += 1000
        #expect(counts(try other.importing(exported, type: type)) == [2, 0, 0, 0])
        #expect(try other.exported([("format", format)]) == exported)
    }

    @Test(arguments: ["ndjson", "csv"])
    func slugsOfDeletedLinksStayTakenElsewhere(format: String) throws {
        let api = try TestAPI()
        let type = format == "csv" ? "text/csv" : "application/x-ndjson"
        let made = try api.importing(
            #"{"collection": "short", "slug": "old", "destination": "https://www.example.com/"}"#)
        let id = try #require(made[0]["id"] as? String)
        #expect(api.ask("POST", "links/\(id)/aliases", #"{"slug": "older"}"#).status == 201)
        let query = [(name: "format", value: format), ("deleted", "true")]
        #expect(api.ask("DELETE", "links/\(id)", ["if-match": "*"]).status == 204)
        let exported = try api.exported(query)
        #expect(try !api.exported([("format", format)]).contains(id))

        let other = try TestAPI()
        other.now += 100_000
        let copied = try other.importing(exported, type: type)
        #expect(counts(copied) == [1, 0, 0, 0], "\(copied)")
        #expect(try other.exported(query) == exported)
        #expect(other.ask("GET", "links/\(id)").status == 410)
        for slug in ["old", "older", "OLD"] {
            let taken = try other.importing(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"}"#
            )
            #expect(faults(taken[0]) == ["/slug slug-taken"], "\(taken)")
        }
        let upsert = [(name: "mode", value: "upsert")]
        #expect(counts(try other.importing(exported, upsert, type: type)) == [0, 0, 1, 0])
        #expect(counts(try other.importing(exported, type: type)) == [0, 0, 0, 1])

        // A link that lives here is not deleted by a line.
        let third = try TestAPI()
        let living = try third.importing(
            #"{"id": "\#(id)", "collection": "short", "slug": "old", "destination": "https://www.example.com/"}"#
        )
        #expect(counts(living) == [1, 0, 0, 0], "\(living)")
        let refused = try third.importing(exported, upsert, type: type)
        #expect(faults(refused[0]) == ["/deleted wrong-value"], "\(refused)")
        #expect(try third.store.link("short", slug: "old")?.deleted == nil)
        // A link that is not deleted can say so.
        let alive =
            #"{"collection": "short", "slug": "a", "deleted": null, "destination": "https://www.example.com/"}"#
        #expect(counts(try third.importing(alive)) == [1, 0, 0, 0])
        let rehearsed = try TestAPI().importing(exported, [("dry-run", "true")], type: type)
        #expect(counts(rehearsed) == [1, 0, 0, 0], "\(rehearsed)")
        // Its slugs are nobody's any more, so who may only make links cannot take them so.
        for (scopes, status) in [
            (["links.create"], 403), (["links.create", "links.delete"], 201),
            (["links.write"], 201),
        ] {
            let fourth = try TestAPI()
            let token = fourth.token(scopes)
            let buried = try fourth.importing(exported, type: type, token: token)
            #expect(buried[0]["status"] as? Int == status, "\(scopes): \(buried)")
        }
        let nameless = try third.importing(
            #"{"collection": "short", "deleted": "2027-01-01T00:00:00Z"}"#)
        #expect(faults(nameless[0]) == [" missing-key"], "\(nameless)")
    }

    @Test func anUpsertChangesOnlyWhatItNames() throws {
        let api = try TestAPI()
        _ = try api.importing(Self.rich)
        let table = "collection,slug,destination\nshort,full,https://www.example.com/new\n"
        let answer = try api.importing(table, [("mode", "upsert")], type: "text/csv")
        #expect(counts(answer) == [0, 1, 0, 0], "\(answer)")
        let link = try #require(try api.store.link("short", slug: "full"))
        #expect(link.content.destination == "https://www.example.com/new")
        #expect(link.content.note == "é")
        let cleared = try api.importing(
            #"{"externalId": "crm-1", "note": null}"#, [("mode", "upsert")])
        #expect(counts(cleared) == [0, 1, 0, 0], "\(cleared)")
        #expect(try api.store.link("short", slug: "full")?.content.note == nil)
    }

    @Test func aTokenImportsOnlyWhatItMay() throws {
        let api = try TestAPI()
        func token(_ scopes: String, _ more: String = "") -> String {
            api.ask("POST", "tokens", #"{"name": "t", "scopes": [\#(scopes)]\#(more)}"#)["token"]
        }
        let create = token(#""links.create""#, #", "collections": ["short"]"#)
        let line =
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#
        let other =
            #"{"collection": "exact", "slug": "a", "destination": "https://www.example.com/"}"#
        #expect(counts(try api.importing(line + "\n" + other, token: create)) == [1, 0, 0, 1])
        let upsert = try api.importing(line, [("mode", "upsert")], token: create)
        #expect(upsert[0]["status"] as? Int == 403)
        let write = token(#""links.write""#, #", "collections": ["exact"]"#)
        let changed = try api.importing(
            #"{"collection": "short", "slug": "a", "note": "x"}"#, [("mode", "upsert")],
            token: write)
        #expect(counts(changed) == [0, 0, 0, 1])
        #expect(try api.store.link("short", slug: "a")?.content.note == nil)
        // Nothing tells whether a link of others is there.
        let problems = try ["a", "none"].map { slug in
            let line = #"{"collection": "short", "slug": "\#(slug)", "note": "x"}"#
            let answer = try api.importing(line, [("mode", "upsert")], token: write)[0]
            return answer["problem"] as? [String: Any]
        }
        for member in ["type", "status", "detail"] {
            let texts = problems.map { "\($0?[member] ?? "")" }
            #expect(texts[0] == texts[1] && !texts[0].isEmpty, "\(problems)")
        }
        #expect(try api.importing(line, token: token(#""stats.read""#))[0]["status"] as? Int == 403)
    }

    @Test(arguments: [
        ("mode", "replace", 400), ("atomic", "yes", 400), ("colection", "short", 400),
        ("collection", "none", 400), ("report", "some", 400),
    ])
    func aWrongQueryIsRefused(name: String, value: String, status: Int) throws {
        let api = try TestAPI()
        #expect(try api.importing("", [(name, value)])[0]["status"] as? Int == status)
    }

    @Test func theContentIsLinesOrATable() throws {
        let api = try TestAPI()
        #expect(try api.importing("{}", type: "application/json")[0]["status"] as? Int == 415)
        for type in ["text/csv; charset=utf-8", "application/x-ndjson"] {
            for content in ["", "\n", " \r\n\n", "\u{FEFF}"]
            where type.hasPrefix("text") || content != "\u{FEFF}" {
                let nothing = try api.importing(content, type: type)
                #expect(counts(nothing) == [0, 0, 0, 1] && nothing[0]["status"] as? Int == 422)
                #expect(faults(nothing[0]) == [" nothing-to-import"])
            }
        }
    }

    /// What is empty because of a slip would pass for a backup.
    @Test func aCollectionThatDoesNotExistIsNotEmpty() throws {
        let api = try TestAPI()
        let made = api.ask(
            "POST", "tokens",
            #"{"name": "t", "scopes": ["links.read"], "collections": ["short"]}"#)
        for (name, token, status) in [
            ("short", TestAPI.secret, 200), ("exact", TestAPI.secret, 200),
            ("shrt", TestAPI.secret, 400), ("short", made["token"], 200),
            ("exact", made["token"], 400),
        ] {
            let listed = api.ask("GET", "links?collection=\(name)", token: token)
            #expect(listed.status == status, "\(name): \(listed.text)")
            let request = APIRequest(
                method: "GET", path: ["export"], query: [("collection", name)],
                fields: ["authorization": "Bearer \(token)"])
            let admitted = try api.api.admit(
                request, api.store, at: api.now * 1000, localSecret: TestAPI.secret
            ).get()
            guard case .export(let export)? = admitted.transfer else {
                Issue.record("no export")
                continue
            }
            #expect((export.refusal(api.store)?.status ?? 200) == status)
            guard status == 400 else { continue }
            #expect(listed["detail"].contains("collection is \"\(name)\": the "))
        }
        // The links of a collection that the configuration has no more are still there.
        try api.store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            let made = try api.store.create(
                api.store.makeID(milliseconds: 1_800_000_000_000, &random), "former", slug: "a",
                LinkContent(), isExact: false, at: (0, 0), generation: generation)
            #expect(throws: Never.self) { try made.get() }
        }
        #expect(api.ask("GET", "links?collection=former").status == 200)
        #expect(api.ask("GET", "links?collection=former", token: made["token"]).status == 400)
    }

    @Test(arguments: [
        ("[\n", "application/x-ndjson", "a list of JSON"),
        (#"[{"slug": "a"}]"#, "application/x-ndjson", "a list of JSON"),
        ("{\n  \"slug\": \"a\"\n}\n", "application/x-ndjson", "the first link begins"),
        ("\n {\n  \"slug\": \"a\"\n}\n", "application/x-ndjson", "the first link begins"),
        (#"{"slug": "a", "note": "b"}"#, "text/csv", "the content is JSON"),
        ("\u{FEFF}\n[{\"slug\": \"a\"}]", "text/csv", "the content is JSON"),
    ])
    func otherJSONIsNamedOnce(content: String, type: String, fact: String) throws {
        let answer = try TestAPI().importing(content, type: type)
        #expect(counts(answer) == [0, 0, 0, 1] && answer.count == 2, "\(answer)")
        let problem = answer[0]["problem"] as? [String: Any]
        let errors = problem?["errors"] as? [[String: Any]] ?? []
        #expect((errors.first?["detail"] as? String)?.contains(fact) == true, "\(answer)")
    }

    @Test func aLineThatIsTooLongIsRefusedAndTheNextOneIsRead() throws {
        let api = try TestAPI()
        let long = String(repeating: "x", count: 70_000)
        let line =
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#
        for pieceBytes in [1_000, 65_536, 1 << 20] {
            let answer = try api.importing(
                long + "\n" + line, [("dry-run", "true")], pieceBytes: pieceBytes)
            #expect(answer.compactMap { $0["status"] as? Int } == [413, 201])
            #expect(answer[1]["line"] as? Int == 2)
        }
    }
}
