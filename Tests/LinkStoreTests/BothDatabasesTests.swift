import Foundation
import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import SQLite
import Sockets
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// A database of a test, which can be opened again and, on a server, by several nodes.
final class TestStores {
    enum Kind: Sendable { case sqlite, postgresql }

    /// Those that are installed.
    static let kinds: [Kind] = TestServer.isInstalled ? [.sqlite, .postgresql] : [.sqlite]

    private let directory = StoreDirectory()
    private let kind: Kind
    private let shared: TestDatabase?

    /// - Parameter server: nil for the one that tests share.
    init(_ kind: Kind = .postgresql, on server: TestServer? = nil) throws {
        self.kind = kind
        shared = kind == .postgresql ? try TestDatabase(on: server) : nil
    }

    /// The database on the server.
    var onServer: TestDatabase { get throws { try #require(shared) } }

    func open() throws -> LinkStore {
        switch kind {
        case .sqlite: try LinkStore(directory.database)
        case .postgresql: try LinkStore(place())
        }
    }

    /// The place of the database for a node.
    func place(
        node: String = "test", password: String = TestServer.password
    ) throws -> PostgreSQLPlace {
        try onServer.place(node: node, password: password)
    }

    /// A session of an operator.
    func connect() throws -> PostgreSQLConnection { try onServer.connect() }

    /// Writes as another program does.
    /// - Parameter sql: in which `@` stands before the name of each table.
    func write(_ sql: String, into store: LinkStore) throws {
        switch kind {
        case .sqlite:
            let rows = try #require(store.rows as? SQLiteLinkRows)
            try rows.database.execute(sql.replacing("@", with: ""))
            rows.file.noteWritten()
        case .postgresql: try connect().execute(sql.replacing("@", with: "waymark."), by: soon)
        }
    }

    /// Takes the people away from a store, so that reading them fails.
    func losePeople(of store: LinkStore) throws {
        switch kind {
        case .sqlite:
            let rows = try #require(store.rows as? SQLiteLinkRows)
            // Without the table, the file would be damaged, and nothing more would be written.
            try rows.database.execute(
                """
                ALTER TABLE person RENAME TO lost;
                CREATE VIEW person AS SELECT * FROM lost WHERE json('no JSON') IS NULL
                """)
            rows.file.noteWritten()
        case .postgresql:
            try connect().execute("ALTER TABLE waymark.person RENAME TO lost", by: soon)
        }
    }
}

/// What a store does, whichever database has its rows.
@Suite(.serialized) struct `Stores of both databases` {
    @Test(arguments: TestStores.kinds) func aLinkIsInTheIndexAndInTheFileWhenItsTransactionEnds(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        var all = content("https://www.example.com/spring?x=1")
        all.details = #"{"page":{"title":"Spring sale"}}"#
        all.tags = ["mail", "spring sale"]
        (all.note, all.from, all.until, all.externalID) = ("a note", 10, 20, "ext-1")
        let made: StoredLink
        do {
            let store = try database.open()
            made = try create(store, "h7mtx3k9qz", all).get()
            #expect(made.generation == 1)
            #expect(record(store, "h7mtx3k9qz")?.destination == Array(all.destination!.utf8))
            #expect(try store.link(made.id) == made)
        }
        let store = try database.open()
        #expect(try store.link(made.id) == made)
        #expect(try store.link(externalID: "ext-1") == made)
        #expect(try store.link("short", slug: "h7mtx3k9qz") == made)
        #expect(try store.link("short", slug: "H7mtx3k9qz") == nil)
        let found = record(store, "h7mtx3k9qz")
        #expect(found?.from == 10 && found?.until == 20)
        #expect(found?.details == Array(all.details!.utf8))
    }

    @Test(
        arguments: TestStores.kinds,
        [
            // Slugs in the store and in the same transaction, the new one, letter case, the other.
            (["Ab"], [], "Ab", false, "Ab"), (["Ab"], [], "aB", false, "Ab"),
            (["Ab"], [], "aB", true, nil), (["Ab"], [], "Abc", false, nil),
            ([], ["Ab"], "aB", false, "Ab"), ([], ["Ab"], "aB", true, nil),
            ([], ["Ab"], "Ab", true, "Ab"),
        ] as [([String], [String], String, Bool, String?)])
    func aSlugIsTakenOnce(
        _ kind: TestStores.Kind,
        _ row: (before: [String], same: [String], slug: String, isExact: Bool, other: String?)
    ) throws {
        let (before, same, slug, isExact, other) = row
        let database = try TestStores(kind)
        let store = try database.open()
        for slug in before {
            try create(store, slug, content("https://a.example/"), isExact: isExact)
        }
        let result = try store.transaction { generation throws(StoreError) in
            for other in same {
                _ = try store.create(
                    id(1), "short", slug: other, LinkContent(), isExact: isExact, at: (1, 1),
                    generation: generation)
            }
            return try store.create(
                id(2), "short", slug: slug, LinkContent(), isExact: isExact, at: (1, 1),
                generation: generation)
        }
        switch result {
        case .success: #expect(other == nil)
        case .failure(let conflict):
            #expect(other.map { .slugTaken(by: $0, isDeleted: false) } == conflict)
        }
        let elsewhere = try store.transaction { generation throws(StoreError) in
            try store.create(
                id(3), "other", slug: slug, LinkContent(), isExact: isExact, at: (1, 1),
                generation: generation)
        }
        #expect((try? elsewhere.get()) != nil)
    }

    @Test(arguments: TestStores.kinds) func ofTwoEditorsOfOneGenerationOneWins(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let link = try create(store, "a", content("https://a.example/1")).get()
        func edit(_ destination: String, expected: Int?) throws -> LinkEdit {
            try store.transaction { generation throws(StoreError) in
                try store.update(link.id, expected: expected, at: 200, generation: generation) {
                    var content = $0.content
                    content.destination = destination
                    return content
                }
            }
        }
        guard case .done(let second) = try edit("https://a.example/2", expected: link.generation)
        else { return #expect(Bool(false)) }
        #expect(second.generation > link.generation && second.updated == 200)
        #expect(try edit("https://a.example/3", expected: link.generation) == .changed(second))
        #expect(record(store, "a")?.destination == Array("https://a.example/2".utf8))
        // The same content again changes nothing, and so takes no generation.
        #expect(try edit("https://a.example/2", expected: nil) == .unchanged(second))
        #expect(store.index.generation == second.generation)
    }

    @Test(arguments: TestStores.kinds) func anAliasKnowsItsLinkAfterReading(_ kind: TestStores.Kind)
        throws
    {
        let database = try TestStores(kind)
        do {
            let store = try database.open()
            let link = try create(store, "a", content("https://a.example/")).get()
            _ = try store.transaction { generation throws(StoreError) in
                try store.addAliases(
                    ["b", "c"], to: link.id, isExact: false, at: 2, generation: generation)
            }
        }
        let store = try database.open()
        for alias in ["b", "c"] { #expect(record(store, alias)?.ownSlug == Array("a".utf8)) }
        #expect(record(store, "a") != nil && record(store, "a")?.ownSlug == nil)
        #expect(record(store, "c")?.destination == Array("https://a.example/".utf8))
    }

    /// PostgreSQL refuses U+0000 in each text, also in one that is looked for.
    @Test(arguments: TestStores.kinds) func whatCanBeInNoRowIsNotFound(_ kind: TestStores.Kind)
        throws
    {
        let database = try TestStores(kind)
        let store = try database.open()
        try create(store, "a", content("https://a.example/"))
        for text in ["\0", "a\0b", "\u{1}"] {
            #expect(try store.link(externalID: text) == nil)
            for isExact in [true, false] {
                #expect(try store.link("short", foundBy: text, isExact: isExact) == nil)
                #expect(try store.link(text, foundBy: "a", isExact: isExact) == nil)
            }
            for key in [\LinkFilter.collection, \.tag, \.text] {
                var filter = LinkFilter()
                filter[keyPath: key] = text
                #expect(try store.links(filter, after: nil, limit: 9).isEmpty)
            }
            var filter = LinkFilter()
            filter.collection = text
            #expect(try store.link(filter, after: nil, rows: 1) == nil)
            #expect(try !store.hasCollection(text))
        }
        #expect(store.failure == nil)
        #expect(try store.link("short", foundBy: "a", isExact: true) != nil)
    }

    @Test(arguments: TestStores.kinds) func theNewestLinksCanComeFirst(_ kind: TestStores.Kind)
        throws
    {
        let database = try TestStores(kind)
        let store = try database.open()
        let slugs = ["a", "b", "c", "d", "e"]
        for (number, slug) in slugs.enumerated() {
            try create(store, slug, content("https://a.example/"), number)
        }
        for isReverse in [false, true] {
            var filter = LinkFilter()
            filter.isNewestFirst = isReverse
            let all = try store.links(filter, after: nil, limit: 9)
            #expect(all.map(\.slug) == (isReverse ? slugs.reversed() : slugs))
            // A part that ends with the third, and what comes after the second.
            #expect(try store.link(filter, after: nil, rows: 3) == all[2].id)
            #expect(try store.link(filter, after: all[1].id, rows: 2) == all[3].id)
            #expect(try store.link(filter, after: all[3].id, rows: 2) == nil)
            #expect(try store.links(filter, after: nil, upTo: all[2].id, limit: 9).count == 3)
            let rest = try store.links(filter, after: all[1].id, limit: 2)
            #expect(rest == Array(all[2...3]))
        }
    }

    @Test(arguments: TestStores.kinds) func aDeletedLinkKeepsItsSlugs(_ kind: TestStores.Kind)
        throws
    {
        let database = try TestStores(kind)
        let store = try database.open()
        let link = try create(store, "a", content("https://a.example/")).get()
        let alias = try store.transaction { generation throws(StoreError) in
            try store.addAliases(["b"], to: link.id, isExact: false, at: 2, generation: generation)
        }
        guard case .done(let named) = alias else { return #expect(Bool(false)) }
        #expect(named.aliases == ["b"])
        #expect(record(store, "b")?.ownSlug == Array("a".utf8))
        #expect(record(store, "a") != nil && record(store, "a")?.ownSlug == nil)
        #expect(record(store, "b")?.destination == record(store, "a")?.destination)
        let deleted = try store.transaction { generation throws(StoreError) in
            try store.delete(link.id, expected: nil, at: 3, generation: generation)
        }
        guard case .done(let gone) = deleted else { return #expect(Bool(false)) }
        #expect(gone.deleted == 3 && gone.content == LinkContent())
        for slug in ["a", "b"] {
            #expect(record(store, slug)?.state == .deleted)
            #expect(
                try create(store, slug, LinkContent())
                    == .failure(.slugTaken(by: slug, isDeleted: true)))
        }
        let again = try store.transaction { generation throws(StoreError) in
            try store.delete(link.id, expected: nil, at: 4, generation: generation)
        }
        #expect(again == .missing)
        #expect(try store.links(LinkFilter(), after: nil, limit: 10).isEmpty)
    }

    @Test(arguments: TestStores.kinds) func aTransactionThatFailsChangesNothing(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        try create(store, "a", LinkContent())
        let generation = store.index.generation
        #expect(throws: StoreError.isFull) {
            try store.transaction { generation throws(StoreError) in
                _ = try store.create(
                    id(5), "short", slug: "b", LinkContent(), isExact: false, at: (1, 1),
                    generation: generation)
                throw StoreError.isFull
            }
        }
        #expect(record(store, "b") == nil && store.index.generation == generation)
        #expect(try store.link("short", slug: "b") == nil)
        #expect((try? create(store, "b", LinkContent()).get()) != nil)
    }

    @Test(arguments: TestStores.kinds)
    func `a transaction fails with a read that fails, also where nobody heeds that`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        try database.losePeople(of: store)
        #expect(throws: StoreError.self) {
            try store.transaction { generation throws(StoreError) in
                _ = try? store.people()
                _ = try store.create(
                    id(1), "short", slug: "a", LinkContent(), isExact: false, at: (1, 1),
                    generation: generation)
            }
        }
        #expect(try record(store, "a") == nil && store.link("short", slug: "a") == nil)
        #expect(throws: StoreError.self) {
            try store.transaction { _ throws(StoreError) in _ = try? store.people() }
        }
        try create(store, "a", LinkContent())
        #expect(record(store, "a") != nil && store.failure == nil)
    }

    @Test(arguments: TestStores.kinds)
    func `of requests that are made together, none is answered after a read that fails`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        try database.losePeople(of: store)
        var begun = [String]()
        func make(_ slug: String) -> () -> Void {
            {
                begun.append(slug)
                _ = try? create(store, slug, LinkContent())
            }
        }
        let reading = {
            begun.append("people")
            _ = try? store.people()
        }
        #expect(store.join([make("a"), reading, make("b")]) == .undone)
        #expect(begun == ["a", "people"] && store.index.count == 0)
        // Also where nothing would be committed.
        #expect(store.join([reading, reading]) == .undone)
        #expect(begun == ["a", "people", "people"])
        for work in [make("a"), reading, make("b")] { work() }
        #expect(record(store, "a") != nil && record(store, "b") != nil && store.failure == nil)
        #expect(store.join([make("c"), make("d")]) == .done)
        #expect(store.index.count == 4)
    }

    @Test(arguments: TestStores.kinds) func linksAreListedInTheirOrderByPages(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        for number in 0..<25 {
            var content = content("https://www.example.com/\(number)")
            content.tags = number % 2 == 0 ? ["even", "all"] : ["all"]
            if number == 7 { content.tags = [] }
            content.isDisabled = number == 3
            content.isArchived = number == 4
            try create(store, "s\(number)", content, number)
        }
        var (seen, last) = ([String](), LinkID?.none)
        while true {
            let page = try store.links(LinkFilter(), after: last, limit: 10)
            guard let end = page.last else { break }
            seen += page.map(\.slug)
            last = end.id
        }
        #expect(seen == (0..<25).filter { $0 != 4 }.map { "s\($0)" })
        func count(_ edit: (inout LinkFilter) -> Void) throws -> Int {
            var filter = LinkFilter()
            edit(&filter)
            return try store.links(filter, after: nil, limit: 100).count
        }
        #expect(try count { $0.includesArchived = true } == 25)
        #expect(try count { $0.isOfArchive = true } == 1)
        #expect(try count { $0.tag = "even" } == 12)
        #expect(try count { $0.tag = "eve" } == 0)
        // An empty tag is that of links without one.
        #expect(try count { $0.tag = "" } == 1)
        #expect(try count { $0.isDisabled = true } == 1)
        #expect(try count { $0.text = "EXAMPLE.com/7" } == 1)
        #expect(try count { $0.text = "OTHER" } == 0)
        let ninth = try #require(try store.link("short", slug: "s9"))
        let alias = try store.transaction { generation throws(StoreError) in
            try store.addAliases(
                ["another"], to: ninth.id, isExact: true, at: 1, generation: generation)
        }
        guard case .done = alias else { return #expect(Bool(false)) }
        for text in ["OTHER", "öther"] {
            #expect(try count { $0.text = text } == (text == "OTHER" ? 1 : 0))
        }
        #expect(try count { $0.collection = "other" } == 0)
    }

    @Test(arguments: TestStores.kinds) func aStoreIsLookedAtInParts(_ kind: TestStores.Kind) throws
    {
        let database = try TestStores(kind)
        let store = try database.open()
        for number in 0..<25 {
            try create(store, "s\(number)", content("https://www.example.com/\(number)"), number)
        }
        let all = try store.links(LinkFilter(), after: nil, limit: 100)
        var (filter, other) = (LinkFilter(), LinkFilter())
        filter.text = "/24"
        other.collection = "other"
        #expect(try store.link(filter, after: nil, rows: 10) == all[9].id)
        #expect(try store.link(filter, after: all[9].id, rows: 10) == all[19].id)
        #expect(try store.link(filter, after: all[19].id, rows: 5) == all[24].id)
        #expect(try store.link(filter, after: all[19].id, rows: 6) == nil)
        #expect(try store.link(other, after: nil, rows: 1) == nil)
        #expect(
            try store.links(filter, after: all[9].id, upTo: all[19].id, limit: 10).isEmpty)
        #expect(try store.links(filter, after: all[19].id, limit: 10).map(\.id) == [all[24].id])
    }

    /// What one token may have kept is bounded, whatever it asks for.
    @Test(arguments: TestStores.kinds, [(50_002, 10), (40, 1 << 20)])
    func answersThatAreKeptHaveABudget(
        _ kind: TestStores.Kind, _ row: (count: Int, bytes: Int)
    ) throws {
        let (count, bytes) = row
        let database = try TestStores(kind)
        let store = try database.open()
        let content = String(repeating: "x", count: bytes)
        func keep(_ key: String, actor: Int, at now: Int) throws(StoreError) {
            let answer = RepeatedAnswer(request: [1], status: 201, fields: "", content: content)
            try store.transaction { _ throws(StoreError) in
                try store.keep(answer, actor: actor, key: key, until: now + 86_400, at: now)
            }
        }
        func isKept(_ key: String, actor: Int, at now: Int) throws -> Bool {
            try store.answer(actor: actor, key: key, at: now) != nil
        }
        try keep("0", actor: 2, at: 0)
        try store.transaction { _ throws(StoreError) in
            for number in 0..<count { try keep("\(number)", actor: 1, at: number / 1_000) }
        }
        // The newest are kept, the oldest are not, and nobody else's is touched.
        #expect(try isKept("\(count - 1)", actor: 1, at: 100))
        #expect(try isKept("\(count / 2)", actor: 1, at: 100))
        #expect(try !isKept("0", actor: 1, at: 100))
        #expect(try isKept("0", actor: 2, at: 100))
        #expect(try !isKept("0", actor: 2, at: 86_400))
    }
}
