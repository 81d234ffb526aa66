import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// Changes of several requests in one transaction.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Changes that are made together` {
    @discardableResult
    private func make(
        _ slug: String, at store: LinkStore
    ) throws(StoreError) -> Result<StoredLink, LinkConflict> {
        try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try store.create(
                store.makeID(milliseconds: 1_700_000_000_000, &random), "short", slug: slug,
                content("https://a.example/"), isExact: false, at: (1, 1), generation: generation)
        }
    }

    private func change(_ id: LinkID, at store: LinkStore) throws(StoreError) -> LinkEdit {
        try store.transaction { generation throws(StoreError) in
            try store.update(id, expected: nil, at: 2, generation: generation) { before in
                content("\(before.content.destination ?? "")x")
            }
        }
    }

    /// Ends all connections to a database, and lets nobody connect.
    private func cut(_ database: TestStores) throws {
        let (server, name) = (try TestServer.shared.get().connect(), try database.onServer.name)
        try server.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", by: soon)
        _ = try server.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1",
            .text(name), by: soon)
    }

    private func count(_ database: TestStores, _ table: String) throws -> Int {
        try database.connect().run("SELECT 1 FROM waymark.\(table)", by: soon).count
    }

    @Test func `many of them are one transaction, and each is answered for itself`() throws {
        let database = try TestStores()
        let (store, other) = (try database.open(), try database.open())
        try make("taken", at: store)
        var answers = [Result<StoredLink, LinkConflict>?]()
        let slugs = (0..<20).map { "s\($0)" } + ["taken", "s3"]
        let outcome = store.join(
            slugs.map { slug in { answers.append(try? make(slug, at: store)) } })
        #expect(outcome == .done && answers.count == slugs.count)
        #expect(answers.prefix(20).allSatisfy { (try? $0?.get())?.generation == 2 })
        for (answer, slug) in zip(answers.suffix(2), ["taken", "s3"]) {
            #expect(answer == .failure(.slugTaken(by: slug, isDeleted: false)))
        }
        #expect(try count(database, "change") == 2 && count(database, "link") == 21)
        other.follow()
        #expect(store.index.count == 21 && other.index.count == 21 && store.index.generation == 2)
        #expect(store.failure == nil)
        // Each of its own has a generation again.
        #expect(try make("last", at: store).get().generation == 3)
    }

    @Test func `what takes too long is left for another transaction`() throws {
        let database = try TestStores()
        let store = try database.open()
        var begun = 0
        let outcome = store.join(
            (0..<5).map { number in
                {
                    begun += 1
                    _ = try? make("t\(number)", at: store)
                }
            }, while: { begun < 2 })
        #expect(outcome == .done && begun == 2 && store.index.count == 2)
        let late = store.join([{ begun += 1 }], while: { false })
        #expect(late == .done && begun == 3)
    }

    @Test func `two changes of one link are never of one generation`() throws {
        let database = try TestStores()
        let store = try database.open()
        let (link, second) = (
            try make("a", at: store).get(), try make("b", at: store).get()
        )
        var answers = [LinkEdit?]()
        func change(_ ids: [LinkID]) -> JoinedChanges.Outcome {
            answers = []
            return store.join(
                ids.map { id in { answers.append(try? self.change(id, at: store)) } })
        }
        #expect(change([link.id, second.id, link.id]) == .undone)
        #expect(try store.link(link.id) == link && store.index.generation == 2)
        #expect(store.failure == nil)
        #expect(change([link.id, second.id]) == .done)
        #expect(answers.count == 2 && store.index.generation == 3)
        #expect(try store.link(link.id)?.content.destination == "https://a.example/x")
        // One request may change a link twice, which is answered once.
        #expect(
            store.join([
                {
                    _ = try? self.change(link.id, at: store)
                    _ = try? self.change(link.id, at: store)
                }, { _ = try? self.change(second.id, at: store) },
            ]) == .done)
        #expect(try store.link(link.id)?.content.destination == "https://a.example/xxx")
    }

    @Test func `one that the database refuses takes the others with it, and nothing is left`()
        throws
    {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        try make("a", at: store)
        try server.execute(
            """
            CREATE FUNCTION waymark.refuse() RETURNS trigger LANGUAGE plpgsql AS
              'BEGIN IF NEW.slug = ''bad'' THEN RAISE ''bad''; END IF; RETURN NEW; END';
            CREATE TRIGGER refuse BEFORE INSERT ON waymark.link FOR EACH ROW
              EXECUTE FUNCTION waymark.refuse()
            """, by: soon)
        let slugs = ["b", "bad", "c"]
        let outcome = store.join(slugs.map { slug in { _ = try? make(slug, at: store) } })
        #expect(outcome == .undone)
        #expect(try count(database, "link") == 1 && store.index.count == 1)
        for slug in slugs { _ = try? make(slug, at: store) }
        #expect(try count(database, "link") == 3 && store.index.count == 3)
    }

    @Test func `where nobody knows whether they were made, none is tried again`() throws {
        let database = try TestStores()
        var place = try database.place()
        place.limits.statementMilliseconds = 500
        place.lookUpMilliseconds = 500
        let store = try LinkStore(place)
        try make("first", at: store)
        let outcome = store.join([
            { _ = try? make("a", at: store) },
            {
                _ = try? make("b", at: store)
                // Nobody can connect any more, and the end has no answer.
                try? cut(database)
            },
        ])
        guard case .unknown(.database(_, .away)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(store.failure != nil && store.index.count == 1)
    }

    @Test func `where the database is away, nothing is begun, and all are told at once`() throws {
        let server = try TestServer()
        var place = try TestStores(on: server).place()
        place.limits.statementMilliseconds = 300
        let store = try LinkStore(place)
        try make("first", at: store)
        var calls = 0
        let outcome = server.whileStopped {
            store.join([{ calls += 1 }, { calls += 1 }])
        }
        guard case .unknown(.database(_, .away)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(calls == 0 && store.failure != nil)
    }
}
