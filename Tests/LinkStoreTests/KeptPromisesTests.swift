import Foundation
import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import TestSupport
import Testing

@testable import LinkAPI
@testable import LinkStore
@testable import SharedStore

/// What nodes promise of a link, whatever somebody has set or made in their database.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `A link of another node` {
    private func fault(_ body: () throws -> Void) -> DatabaseFault? {
        do {
            try body()
            return nil
        } catch StoreError.database(_, let fault) {
            return fault
        } catch {
            return nil
        }
    }

    // MARK: Looking up

    @Test func `is found by its slug before the node has followed`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        let link = try create(one, "Spring", content("https://a.example/")).get()
        #expect(try other.link("short", slug: "Spring") == link)
        let next = try create(one, "Summer", content("https://a.example/"), 1).get()
        #expect(try other.link("short", foundBy: "SUMMER", isExact: false) == next)
        _ = try create(one, "Autumn", content("https://a.example/"), 2).get()
        #expect(
            try other.conflict("short", "autumn", isExact: false, LinkContent())
                == .slugTaken(by: "Autumn", isDeleted: false))
        // The nearest, which nobody has made.
        #expect(try other.link("short", slug: "spring") == nil)
        #expect(try other.link("short", foundBy: "AUTUMN", isExact: true) == nil)
        #expect(try other.conflict("short", "Winter", isExact: false, LinkContent()) == nil)
        // Nobody knows it while the database cannot be asked.
        try database.connect().execute("ALTER SCHEMA waymark RENAME TO gone", by: soon)
        #expect(fault { _ = try other.link("short", slug: "Winter") } == .isEmpty)
        #expect(other.index.count == 3)
    }

    @Test func `is found by a text of it, and as one that ends soon`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        var own = content("https://a.example/spring")
        own.until = 1_000
        let link = try create(one, "a", own).get()
        let api = LinkAPI(environment: "test", sites: [])
        var filter = LinkFilter()
        filter.text = "spring"
        let search = LinkSearch(api, filter, limit: 9, [], after: .creation(nil))
        var response = try #require(IndexedSearch(search)).step(other)
        while let rest = response.rest { response = rest.next(other) }
        #expect(String(decoding: response.content, as: UTF8.self).contains("\(link.id)"))
        _ = try create(one, "b", own, 1).get()
        var ending = EndingLinks(days: 1, from: 999)
        var ids = [LinkID]()
        while true {
            switch try ending.next(other) {
            case .none: continue
            case .some(let some): ids += some
            case .all, .end: return #expect(ids.count == 2)
            }
        }
    }

    // MARK: The disk

    @Test func `is on the disk when it is acknowledged, whatever the database has set`() throws {
        let database = try TestStores()
        try database.open().close()
        let server = try database.connect()
        // What a transaction has at its end.
        try server.execute(
            """
            CREATE TABLE public.seen (value text);
            CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              INSERT INTO public.seen SELECT current_setting('synchronous_commit'); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER see AFTER INSERT ON waymark.change DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION public.see()
            """, by: soon)
        let settings = [
            ("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"),
            ("remote_apply", "remote_apply"),
        ]
        for (number, (set, kept)) in settings.enumerated() {
            try server.execute(
                """
                ALTER DATABASE \(database.onServer.name) SET synchronous_commit = \(set);
                DELETE FROM public.seen
                """, by: soon)
            let store = try database.open()
            _ = try create(store, "s\(number)", content("https://a.example/"), number).get()
            let seen = try server.run("SELECT value FROM public.seen", by: soon).rows.map {
                $0.text(0)
            }
            #expect(seen == [kept], "\(set)")
            // The session of a pool goes to others, and keeps what it had.
            let rows = try #require(store.rows as? PostgreSQLLinkRows)
            #expect(
                try rows.run("SELECT current_setting('synchronous_commit')").first?.text(0) == set)
        }
    }

    // MARK: Triggers and rules

    /// Makes a link, changes it, deletes it, and gives and takes a token.
    private func work(_ store: LinkStore, _ number: Int) throws {
        let made = try create(store, "w\(number)", content("https://a.example/1"), number).get()
        _ = try store.transaction { generation throws(StoreError) in
            try store.update(made.id, expected: nil, at: 2, generation: generation) { _ in
                content("https://a.example/2")
            }
        }
        _ = try store.transaction { generation throws(StoreError) in
            try store.delete(made.id, expected: nil, at: 3, generation: generation)
        }
        let token = try store.transaction { _ throws(StoreError) in
            try store.add(
                StoredToken(
                    name: "ci", ending: "abcd", scopes: [.linksRead], collections: nil, created: 1,
                    createdBy: "me", expires: nil), hash: [UInt8(number)])
        }
        let isRemoved = try store.transaction { _ throws(StoreError) in
            try store.removeToken(token.id)
        }
        #expect(isRemoved)
    }

    @Test(arguments: [
        ("link", "INSERT"), ("link", "UPDATE"), ("slug", "INSERT"), ("change", "INSERT"),
        ("collection", "INSERT"), ("token", "INSERT"), ("token", "DELETE"),
    ])
    func `is refused where a trigger keeps it from being written`(
        _ table: String, _ event: String
    ) throws {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        try server.execute(
            """
            CREATE FUNCTION public.swallow() RETURNS trigger LANGUAGE plpgsql AS
              $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER swallow BEFORE \(event) ON waymark.\(table)
              FOR EACH ROW EXECUTE FUNCTION public.swallow()
            """, by: soon)
        let found = fault { try work(store, 1) }
        let refusal = DatabaseFault.refused(
            "a trigger on waymark.\(table) keeps rows from being written")
        #expect(found == (table == "collection" ? .isForeign : refusal))
        // A rule does the same, and so does its refusal.
        try server.execute(
            """
            DROP TRIGGER swallow ON waymark.\(table);
            CREATE RULE swallow AS ON \(event) TO waymark.\(table) DO INSTEAD NOTHING
            """, by: soon)
        guard case .refused? = fault({ try work(store, 2) }) else {
            return #expect(Bool(false), "\(String(describing: store.failure))")
        }
        // What was refused is not there, and everything is as before without the rule.
        try server.execute("DROP RULE swallow ON waymark.\(table)", by: soon)
        let other = try database.open()
        try work(store, 3)
        other.follow()
        #expect(store.failure == nil && other.index.count == store.index.count)
        #expect(try slugs(other) == slugs(store))
        // One that only looks is allowed.
        try server.execute(
            """
            CREATE TRIGGER look AFTER \(event) ON waymark.\(table)
              FOR EACH ROW EXECUTE FUNCTION public.swallow()
            """, by: soon)
        try work(store, 4)
    }

    private func slugs(_ store: LinkStore) throws -> [String] {
        var filter = LinkFilter()
        (filter.includesArchived, filter.includesDeleted) = (true, true)
        return try store.links(filter, after: nil, limit: 99).map { "\($0)" }
    }

    // MARK: Rows that somebody has changed

    @Test func `is refused where somebody has set the generation back`() throws {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        for number in 1...4 {
            _ = try create(store, "s\(number)", content("https://a.example/"), number).get()
        }
        try server.execute("UPDATE waymark.store SET generation = 2", by: soon)
        #expect(
            fault { _ = try create(store, "x", content("https://a.example/"), 9) }
                == .refused("its generation was set back: nodes have made the next one already"))
        try server.execute("UPDATE waymark.store SET generation = 4", by: soon)
        _ = try create(store, "x", content("https://a.example/"), 9).get()
        #expect(store.failure == nil && store.index.count == 5)
    }

    // MARK: Copies

    private var copy: StoreCopy { StoreCopy { (_, _) throws(StoreError) in } }

    @Test func `is copied again only if everything is the same`() throws {
        let (database, directory) = (try TestStores(), StoreDirectory())
        let (file, back) = (directory.database, directory.path + "/back.db")
        func change(_ body: (LinkStore) throws -> Void) throws {
            let store = try LinkStore(file)
            try body(store)
            try store.close()
        }
        try change { _ = try create($0, "a", content("https://a.example/")).get() }
        let place = try database.place()
        #expect(try !copy.copy(file, to: place).wasThere)
        #expect(try copy.copy(file, to: place).wasThere)
        #expect(try !copy.copy(place, to: back).wasThere)
        #expect(try copy.copy(place, to: back).wasThere)
        // A token is no change of a link.
        try change { store in
            _ = try store.transaction { _ throws(StoreError) in
                try store.add(
                    StoredToken(
                        name: "late", ending: "abcd", scopes: [.linksRead], collections: nil,
                        created: 1, createdBy: "me", expires: nil), hash: [1])
            }
        }
        let error = #expect(throws: StoreError.self) { try copy.copy(file, to: place) }
        #expect(
            error?.words.fact
                == "a copy with the same changes of links is there already, and has other tokens: 0, of 1"
        )
        #expect(try database.connect().run("SELECT 1 FROM waymark.token", by: soon).count == 0)
    }

    @Test func `is copied to where a node was started too early`() throws {
        let (database, directory) = (try TestStores(), StoreDirectory())
        do {
            let store = try LinkStore(directory.database)
            _ = try create(store, "a", content("https://a.example/")).get()
            try store.close()
        }
        let place = try database.place()
        // As it has counted the visitor whom it has told of no link.
        let piece = "INSERT INTO waymark.visit_piece VALUES ('early', 1, '\\x00')"
        try database.open().close()
        try database.connect().execute(
            "\(piece); UPDATE waymark.store SET last_link = 1", by: soon)
        #expect(throws: StoreError.self) { try copy.copy(directory.database, to: place) }
        try database.connect().execute("UPDATE waymark.store SET last_link = 0", by: soon)
        #expect(try !copy.copy(directory.database, to: place).wasThere)
    }
}
