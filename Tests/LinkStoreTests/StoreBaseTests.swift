import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// A node that goes on from what it knew before it was started.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `A base of a store` {
    private let away = StoreError.database(place: "x", .away("it is not there"))

    /// The records that a store answers.
    private func records(_ store: LinkStore) -> Set<LinkRecord> {
        var all = Set<LinkRecord>()
        store.index.forEach { bytes in all.insert(LinkRecord(bytes.indices.map { bytes[$0] })) }
        return all
    }

    private func delete(_ link: StoredLink, at store: LinkStore) throws {
        _ = try store.transaction { generation throws(StoreError) in
            try store.delete(link.id, expected: nil, at: 9, generation: generation)
        }
    }

    @Test func `is followed by what others have changed meanwhile`() throws {
        let database = try TestStores()
        let other = try database.open()
        let kept = try create(other, "kept", content("https://a.example/"), 1).get()
        let gone = try create(other, "gone", content("https://a.example/"), 2).get()
        let before = try database.open()
        let base = try #require(before.base)
        try delete(gone, at: other)
        try create(other, "new", content("https://a.example/new"), 3)
        let store = try LinkStore(database.place(), base, because: away)
        // Nothing was asked yet.
        #expect(store.failure == away && records(store) == records(before))
        #expect(store.identity == other.identity && store.names == before.names)
        let changes = store.tokenChanges
        #expect(store.follow() && store.failure == nil && store.takeSetback() == nil)
        #expect(store.tokenChanges > changes)
        #expect(try records(store) == records(database.open()))
        #expect(record(store, "gone")?.state == .deleted && record(store, "new") != nil)
        #expect(try store.link(kept.id) == kept)
        // It makes links, with numbers and identities after all others.
        let last = try #require(try other.link("short", slug: "new"))
        let made = try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try store.create(
                store.makeID(milliseconds: 1, &random), "short", slug: "more", LinkContent(),
                isExact: false, at: (1, 1), generation: generation)
        }.get()
        #expect(last.id.isBefore(made.id) && made.generation == 5)
        #expect(try store.number(of: made.id) == 4)
        // A change is the first thing that some nodes do.
        let hasty = try LinkStore(database.place(), base, because: away)
        try create(hasty, "hasty", LinkContent(), 4)
        #expect(record(hasty, "more") != nil && hasty.base?.version.generation == 6)
    }

    /// Somebody has changed the file.
    @Test func `leaves numbers for new links, whatever it says`() throws {
        let database = try TestStores()
        let known = try #require(try database.open().base)
        let base = StoreBase(
            index: known.index, names: [], lastID: nil, lastRow: .max, identity: known.identity,
            history: known.history)
        let store = try LinkStore(database.place(), base, because: away)
        let made = try create(store, "a", LinkContent()).get()
        #expect(try store.number(of: made.id) == LinkLoading.skippedMax + 1)
    }

    @Test func `of a history that went back is replaced`() throws {
        let database = try TestStores()
        let (one, server) = (try database.open(), try database.connect())
        for (number, slug) in ["a", "b", "c"].enumerated() {
            try create(one, slug, LinkContent(), number)
        }
        let base = try #require(one.base)
        // As after a restore of an earlier state, in which as many changes were made.
        try server.execute(
            """
            UPDATE waymark.link SET slug = 'd' WHERE slug = 'c';
            UPDATE waymark.slug SET slug = 'd' WHERE slug = 'c';
            UPDATE waymark.change SET mark = '\\x01' WHERE generation = 3
            """, by: soon)
        let store = try LinkStore(database.place(), base, because: away)
        #expect(record(store, "c") != nil)
        #expect(store.follow())
        let setback = store.takeSetback()
        #expect(setback?.from == 3 && setback?.to == 3)
        #expect(record(store, "c") == nil && record(store, "d") != nil)
        #expect(try records(store) == records(database.open()))
        #expect(store.base?.version != base.version)
    }

    @Test func `is none where it could not be known again`() throws {
        let database = try TestStores()
        let store = try database.open()
        // An empty store has no mark, and everything is news to it.
        #expect(store.base?.version.generation == 0 && store.base?.history.mark == nil)
        try create(store, "a", LinkContent())
        #expect(store.base?.history.mark?.count == 8 && store.base?.history.system != nil)
        try database.connect().execute("DELETE FROM waymark.change", by: soon)
        #expect(try database.open().base == nil)
        #expect(try TestStores(.sqlite).open().base == nil)
    }

    /// The database was made anew, for a restore, and the node was started before that.
    @Test func `makes no tables in an empty database, and is missing from another node's`() throws {
        let database = try TestStores()
        let (one, server) = (try database.open(), try database.connect())
        try create(one, "a", LinkContent())
        let base = try #require(one.base)
        try server.execute("ALTER SCHEMA waymark RENAME TO kept", by: soon)
        #expect(throws: StoreError.database(place: one.path, .isEmpty)) {
            try LinkStore(database.place(), seen: base.history)
        }
        #expect(
            try server.run("SELECT 1 FROM pg_namespace WHERE nspname = 'waymark'", by: soon).count
                == 0)
        // A new node, which knows nothing of the one before.
        let other = try database.open()
        #expect(other.hasHadNoLink && base.hasHadLinks && !base.isOf(other) && base.isOf(one))
    }

    @Test func `tells of slugs that a store of its generation lacks`() throws {
        let (database, directory) = (try TestStores(), StoreDirectory())
        let store = try database.open()
        for (number, slug) in ["a", "b"].enumerated() {
            try create(store, slug, LinkContent(), number)
        }
        let file = BaseFile("\(directory.path)/links.base", of: try database.place().database)
        #expect(file.slugs(missingIn: store) == nil)
        _ = try file.write(try #require(store.base), asOf: 1) { true }
        #expect(file.slugs(missingIn: store) == nil)
        let server = try database.connect()
        try server.execute("DELETE FROM waymark.slug WHERE slug = 'a'", by: soon)
        #expect(try file.slugs(missingIn: database.open()) == 2)
        try server.execute("TRUNCATE waymark.link CASCADE", by: soon)
        let empty = try database.open()
        #expect(file.slugs(missingIn: empty) == 2 && empty.index.count == 0)
        // A later generation is another matter.
        try create(empty, "c", LinkContent(), 3)
        #expect(try file.slugs(missingIn: database.open()) == nil)
    }

    /// A primary that was given up while the node was away.
    @Test func `keeps a server out that is older than one before the start`() throws {
        let database = try TestStores()
        let history = try #require(try database.open().base?.history)
        let seen = KnownHistory(
            mark: history.mark, system: history.system, timeline: try #require(history.timeline) + 1
        )
        #expect(throws: StoreError.self) { try LinkStore(database.place(), seen: seen) }
        #expect(try LinkStore(database.place(), seen: history).failure == nil)
        // Another system has timelines of its own.
        let other = KnownHistory(mark: nil, system: 1, timeline: 9)
        #expect(try LinkStore(database.place(), seen: other).failure == nil)
    }
}
