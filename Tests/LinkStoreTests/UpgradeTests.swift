import Foundation
import LinkIndex
@testable import LinkStore
import SQLite
import Testing

/// Stores of earlier versions go on being served.
@Suite struct UpgradeTests {
    private let directory = StoreDirectory()

    /// The tables as version 1 made them.
    private static let first = """
        CREATE TABLE store (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL)
          STRICT;
        INSERT INTO store VALUES (1, 0);
        CREATE TABLE collection (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE link (
          id INTEGER PRIMARY KEY, uid BLOB NOT NULL UNIQUE,
          collection INTEGER NOT NULL REFERENCES collection, slug TEXT NOT NULL,
          destination TEXT, details TEXT, tags TEXT, note TEXT,
          disabled INTEGER NOT NULL, archived INTEGER NOT NULL,
          starts INTEGER, ends INTEGER, external_id TEXT,
          created INTEGER NOT NULL, updated INTEGER NOT NULL, deleted INTEGER,
          generation INTEGER NOT NULL, UNIQUE (collection, slug)) STRICT;
        CREATE INDEX link_order ON link (collection, uid);
        CREATE INDEX link_generation ON link (generation);
        CREATE UNIQUE INDEX link_external ON link (external_id) WHERE external_id IS NOT NULL;
        CREATE TABLE alias (
          id INTEGER PRIMARY KEY, collection INTEGER NOT NULL REFERENCES collection,
          slug TEXT NOT NULL, link INTEGER NOT NULL REFERENCES link, UNIQUE (collection, slug))
          STRICT;
        CREATE INDEX alias_link ON alias (link);
        CREATE TABLE token (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
          ending TEXT NOT NULL, scopes TEXT NOT NULL, collections TEXT,
          created INTEGER NOT NULL, created_by TEXT NOT NULL, expires INTEGER, used INTEGER) STRICT;
        CREATE TABLE audit (
          id INTEGER PRIMARY KEY, time INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
          link BLOB, before TEXT, after TEXT) STRICT;
        CREATE TABLE idempotency (
          actor INTEGER NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, status INTEGER NOT NULL,
          fields TEXT NOT NULL, content TEXT NOT NULL, expires INTEGER NOT NULL,
          PRIMARY KEY (actor, key)) STRICT, WITHOUT ROWID;
        PRAGMA application_id = 1464683595; PRAGMA user_version = 1;
        """

    private static let rows = """
        INSERT INTO collection VALUES (1, 'short');
        INSERT INTO link (id, uid, collection, slug, destination, disabled, archived, created, updated,
          generation) VALUES (7, x'018BCFE568007000800000000000000A', 1, 'a',
          'https://www.example.com/', 0, 0, 100, 100, 1);
        UPDATE store SET generation = 1;
        INSERT INTO token (id, name, hash, ending, scopes, created, created_by)
          VALUES (3, 'kept', x'AA', 'abcd', 'links.read', 100, 'local');
        """

    private func store(_ more: String) throws -> LinkStore {
        try SQLiteDatabase(directory.database, .create).execute(Self.first + Self.rows + more)
        return try LinkStore(directory.database)
    }

    private func addToken(_ store: LinkStore) throws -> Int {
        try store.transaction { _ throws(StoreError) in
            let token = StoredToken(
                name: "new", ending: "wxyz", scopes: [.linksRead], collections: nil, created: 1,
                createdBy: "local", expires: nil)
            return try store.add(token, hash: [1, UInt8.random(in: 0...255)])
        }.id
    }

    @Test(
        arguments: [
            ("", 4),
            ("INSERT INTO idempotency VALUES (5, 'k', x'00', 201, '', '', 99999999999);", 6),
            ("INSERT INTO audit (time, actor, action) VALUES (1, 'local', 'remove token 8');", 9),
            // The name of a token is no number of one.
            ("INSERT INTO audit (time, actor, action) VALUES (1, 'local', 'token 77');", 4),
            ("DELETE FROM token;", 1),
        ])
    func numbersOfTokensBeginAfterAllThatWereUsed(more: String, number: Int) throws {
        let store = try store(more)
        #expect(try addToken(store) == number)
        #expect(try store.answer(actor: 5, key: "k", at: 1) == nil)
        #expect(try store.transaction { _ throws(StoreError) in try store.removeToken(number) })
        try store.close()
    }

    @Test func everythingOfAStoreIsThereAfterItsUpgrade() throws {
        do {
            let store = try store(
                """
                INSERT INTO idempotency VALUES (3, 'k', x'00', 201, '', 'kept', 99999999999);
                INSERT INTO audit (time, actor, action, link, after)
                  VALUES (1, 'local', 'create', x'018BCFE568007000800000000000000A', '{}');
                """)
            #expect(try store.tokens().map(\.name) == ["kept"])
            #expect(try store.answer(actor: 3, key: "k", at: 1)?.content == "kept")
            let link = try #require(try store.link("short", slug: "a"))
            #expect(
                try store.audit(of: link.id, before: nil, limit: 10).map(\.entry.action) == [
                    "create"
                ])
            let place = ChangePlace(generation: 0, id: nil)
            #expect(try store.changes(after: place, in: nil, limit: 10, rows: 10).links == [link])
            try store.close()
        }
        // Once is enough.
        let store = try LinkStore(directory.database)
        #expect(store.index.count == 1)
        #expect(try addToken(store) == 4)
    }

    @Test func aStoreOfVersion2GetsAHistory() throws {
        try SQLiteDatabase(directory.database, .create).execute(
            SQLiteLinkRows.schema + SQLiteLinkRows.additions + Self.rows
                + "PRAGMA application_id = 1464683595; PRAGMA user_version = 2;")
        var mark = ""
        do {
            let store = try LinkStore(directory.database)
            #expect(store.upgradedFrom == 2)
            #expect(try store.tokens().map(\.id) == [3])
            mark = try store.historyMark(at: 1)
            #expect(mark.utf8.count == 16)
            #expect(try store.historyMark(at: 0) == mark)
            // What changes no link is in no history.
            _ = try addToken(store)
            #expect(try store.historyMark(at: 9) == mark)
            try store.close()
        }
        let again = try LinkStore(directory.database)
        #expect(again.upgradedFrom == nil && again.index.generation == 1)
        #expect(try again.historyMark(at: 1) == mark)
    }

    @Test func aStoreOfVersion4KeepsItsPeople() throws {
        try SQLiteDatabase(directory.database, .create).execute(
            SQLiteLinkRows.schema + SQLiteLinkRows.additions + SQLiteLinkRows.history
                + SQLiteLinkRows.people + Self.rows
                    + """
                    INSERT INTO person VALUES (5, 'anna', 'editor', NULL, 100, 'local');
                    PRAGMA application_id = 1464683595; PRAGMA user_version = 4;
                    """)
        let store = try LinkStore(directory.database)
        #expect(store.upgradedFrom == 4)
        let anna = try #require(try store.person(named: "anna"))
        #expect(try anna.id == 5 && store.passkeys(of: anna).isEmpty)
    }

    @Test func anUpgradeOfVersion2ThatFailsLeavesTheStoreAsItWas() throws {
        try SQLiteDatabase(directory.database, .create).execute(
            SQLiteLinkRows.schema + SQLiteLinkRows.additions + Self.rows
                + "PRAGMA application_id = 1464683595; PRAGMA user_version = 2;"
                + "CREATE TABLE history (a);")
        #expect(throws: StoreError.self) { try LinkStore(directory.database) }
        let database = try SQLiteDatabase(directory.database, .readWrite)
        let statement = try database.prepare(
            "SELECT (SELECT count(*) FROM link), user_version FROM pragma_user_version")
        #expect(try statement.step())
        #expect((statement.integer(0), statement.integer(1)) == (1, 2))
    }

    @Test func anUpgradeThatFailsLeavesTheStoreAsItWas() throws {
        // A table of this name is in the way.
        #expect(throws: StoreError.self) { _ = try store("CREATE TABLE numbered (a);") }
        let database = try SQLiteDatabase(directory.database, .readWrite)
        let statement = try database.prepare(
            "SELECT (SELECT count(*) FROM token), user_version FROM pragma_user_version")
        #expect(try statement.step())
        #expect((statement.integer(0), statement.integer(1)) == (1, 1))
    }
}
