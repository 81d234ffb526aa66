internal import LinkIndex
internal import SQLite

/// A store that is made of what is in memory, where the file behind it can no longer be trusted.
///
/// Slugs, destinations and everything else that answers are in memory. The rest of a link (its
/// identity, notes, tags and times) comes from its row, if that can be read and has the same content; a link
/// without such a row gets another identity. Tokens, the audit, kept answers and people are copied if
/// their tables can be read. Links that are not answered are left out.
struct StoreSalvage {
    private let store: LinkStore
    private let rows: SQLiteLinkRows
    private let target: SQLiteDatabase
    private let path: String
    /// For what no row has.
    private var identities: LinkID?

    /// - Parameter path: of an empty file.
    init(_ store: LinkStore, _ rows: SQLiteLinkRows, to path: String) throws(StoreError) {
        (self.store, self.rows, self.path) = (store, rows, path)
        identities = store.lastID
        do throws(SQLiteError) {
            target = try SQLiteDatabase(path, .readWrite)
            // It is synchronized when it is complete.
            try target.execute(
                """
                PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN;
                \(SQLiteLinkRows.allTables)
                CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), bytes BLOB NOT NULL)
                  STRICT;
                PRAGMA application_id = \(StoreKind.links.applicationID);
                PRAGMA user_version = \(StoreKind.links.schemaVersion);
                UPDATE store SET generation = \(store.index.generation);
                """)
            try target.prepare("INSERT INTO identity VALUES (1, ?)").run(.blob(store.identity))
            for name in store.names.values {
                try target.prepare("INSERT INTO collection (id, name) VALUES (?, ?)")
                    .run(.integer(Int(name.number)), .text(name.description))
            }
            try writeLinks()
            try target.execute("COMMIT")
        } catch {
            throw StoreError(error, path: path)
        }
        copyTables()
    }

    private mutating func writeLinks() throws(SQLiteError) {
        // Aliases refer to links that are there.
        for isAlias in [false, true] {
            var failure: SQLiteError?
            store.index.forEach { bytes in
                guard failure == nil, (LinkRecordView(bytes).ownSlug != nil) == isAlias else {
                    return
                }
                var copy = [UInt8]()
                for index in bytes.indices { copy.append(bytes[index]) }
                let record = LinkRecord(copy)
                guard record.id > 0, store.names[record.collection] != nil else { return }
                do throws(SQLiteError) {
                    if isAlias { try writeAlias(record) } else { try write(record) }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }

    private func writeAlias(_ record: LinkRecord) throws(SQLiteError) {
        try target.prepare(
            "INSERT INTO alias (collection, slug, link) SELECT collection, ?, id FROM link WHERE id = ?"
        ).run(.text(String(decoding: record.slug, as: UTF8.self)), .integer(Int(record.id)))
    }

    private mutating func write(_ record: LinkRecord) throws(SQLiteError) {
        var link = row(of: record) ?? anew(record)
        do throws(SQLiteError) {
            try insert(link, Int(record.id))
        } catch {
            guard error.kind == .constraint else { throw error }
            // Another row of a damaged file has its identity.
            link = anew(record)
            try insert(link, Int(record.id))
        }
    }

    /// The link as its row has it; nil if that cannot be read, or is not what is answered.
    private func row(of record: LinkRecord) -> StoredLink? {
        let values = [SQLiteValue.integer(Int(record.id))]
        guard
            let link = try? rows.rowAlone("\(SQLiteLinkRows.selection) WHERE l.id = ?", values),
            LinkRecord(link, row: Int(record.id), slug: link.slug).bytes == record.bytes
        else { return nil }
        return link
    }

    private mutating func anew(_ record: LinkRecord) -> StoredLink {
        var random = SystemRandomNumberGenerator()
        let id = identities?.successor ?? LinkID(milliseconds: 0, random: &random)
        identities = id
        func text(_ bytes: [UInt8]) -> String? {
            bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
        var content = LinkContent()
        (content.destination, content.details) = (text(record.destination), text(record.details))
        (content.from, content.until) = (record.from, record.until)
        content.isDisabled = record.state == .disabled
        let now = id.milliseconds / 1000
        return StoredLink(
            id: id, collection: store.names[record.collection]?.description ?? "",
            slug: text(record.slug) ?? "", content: content, created: now, updated: now,
            generation: store.index.generation, deleted: record.state == .deleted ? now : nil)
    }

    private func insert(_ link: StoredLink, _ row: Int) throws(SQLiteError) {
        try target.prepare(SQLiteLinkRows.insertion).run(
            SQLiteLinkRows.values(
                link, row, collection: Int(CollectionName(link.collection).number)))
    }

    /// Copies tokens, the audit, kept answers and people, each table as a whole, if it can be read.
    private func copyTables() {
        let source = rows.database
        guard (try? source.prepare("ATTACH DATABASE ? AS copy").run(.text(path))) != nil else {
            return
        }
        for table in ["token", "audit", "idempotency", "person", "passkey"] {
            try? source.execute("INSERT OR IGNORE INTO copy.\(table) SELECT * FROM main.\(table)")
        }
        try? source.execute(
            """
            UPDATE copy.sqlite_sequence SET seq = max(seq, ifnull((SELECT max(seq) FROM
              main.sqlite_sequence WHERE name = 'token'), 0)) WHERE name = 'token'
            """)
        try? source.execute("DETACH DATABASE copy")
    }
}
