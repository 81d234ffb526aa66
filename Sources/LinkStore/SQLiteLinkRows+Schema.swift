// The tables of the store.

extension SQLiteLinkRows {
    /// A commit is on the disk before it is acknowledged. With a cache of 64 MiB, an import of a million links was not
    /// faster than with one of 16.
    static let settings = """
        PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384; PRAGMA synchronous = FULL;
        """

    /// Those that each version has.
    static let tables = [
        "store", "collection", "link", "alias", "token", "audit", "idempotency",
    ]

    /// Of version 1.
    static let schema = """
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
        """

    /// The tables that version 2 has besides. The number of a token is never used again, so that nobody inherits
    /// the answers that are kept for it: numbers begin after all that were ever used. An entry of the audit
    /// can be of all links that an import has made, whose identities are between two others.
    static let additions = """
        CREATE TABLE numbered (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
          ending TEXT NOT NULL, scopes TEXT NOT NULL, collections TEXT,
          created INTEGER NOT NULL, created_by TEXT NOT NULL, expires INTEGER, used INTEGER) STRICT;
        INSERT INTO numbered SELECT * FROM token;
        DELETE FROM sqlite_sequence WHERE name = 'numbered';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'numbered', max(
          ifnull((SELECT max(id) FROM token), 0),
          ifnull((SELECT max(actor) FROM idempotency), 0),
          ifnull((SELECT max(CAST(substr(action, 14) AS INTEGER)) FROM audit
                  WHERE action GLOB 'remove token [0-9]*'), 0));
        DROP TABLE token;
        ALTER TABLE numbered RENAME TO token;
        DELETE FROM idempotency WHERE actor <> 0 AND actor NOT IN (SELECT id FROM token);
        ALTER TABLE audit ADD COLUMN first BLOB;
        ALTER TABLE audit ADD COLUMN last BLOB;
        CREATE INDEX audit_link ON audit (link) WHERE link IS NOT NULL;
        CREATE INDEX audit_first ON audit (first) WHERE first IS NOT NULL;
        DROP INDEX link_generation;
        CREATE INDEX link_generation ON link (generation, uid);
        """

    /// The table that version 3 has besides: the generations at which parts of the history begin, with their
    /// marks.
    static let history = """
        CREATE TABLE history (generation INTEGER PRIMARY KEY, mark BLOB NOT NULL) STRICT;
        INSERT INTO history VALUES (0, randomblob(8));
        """

    static let allTables = schema + additions + history + people + passkeys

    /// Makes the tables of a version before into those of this one.
    static func upgrade(_ version: Int) -> String {
        (version < 2 ? additions : "") + (version < 3 ? history : "")
            + (version < 4 ? people : "") + passkeys
    }
}
