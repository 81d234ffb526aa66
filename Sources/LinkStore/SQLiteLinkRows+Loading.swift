internal import LinkIndex
internal import SQLite

extension SQLiteLinkRows {
    func load(_ loading: inout LinkLoading) throws(StoreError) -> LoadedRows {
        try checkTables()
        let generation = try sqlite { () throws(SQLiteError) in
            try number("SELECT generation FROM store")
        }
        guard 0..<Self.generationsEnd ~= generation else {
            throw .isDamaged(path: path, "its generation is \(generation)")
        }
        var lastID: LinkID?
        try sqlite { () throws(SQLiteError) in
            try loading.read(database)
            let last = try database.prepare(
                "SELECT uid FROM link WHERE length(uid) = 16 ORDER BY uid DESC LIMIT 1")
            lastID = try last.step() ? LinkID(last.bytes(0)) : nil
            // Its cache has read every page.
            try database.execute("PRAGMA shrink_memory")
        }
        return LoadedRows(generation: generation, lastID: lastID)
    }

    private func checkTables() throws(StoreError) {
        for name in Self.tables {
            let count = try sqlite { () throws(SQLiteError) in
                try number("SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'")
            }
            if count == 0 { throw .isDamaged(path: path, "its table \(name) is missing") }
        }
    }

    /// No store has so many changes.
    private static let generationsEnd = 1 << 53
}

extension LinkLoading {
    /// Reads the links of a database.
    mutating func read(_ database: SQLiteDatabase) throws(SQLiteError) {
        var collections = [Int: UInt32]()
        let rows = try database.prepare("SELECT id, name FROM collection")
        while try rows.step() {
            let name = CollectionName(rows.text(1))
            collections[rows.integer(0)] = name.number
            add(name)
        }
        let columns =
            "l.id, l.collection, l.destination, l.details, l.disabled, l.starts, l.ends, l.deleted"
        for sql in [
            "SELECT \(columns), l.slug, NULL, length(l.uid) FROM link l",
            """
            SELECT \(columns), a.slug, l.slug, length(l.uid)
            FROM alias a JOIN link l ON l.id = a.link
            """,
        ] {
            let rows = try database.prepare(sql)
            while try rows.step() {
                add(
                    rows, of: collections[rows.integer(1)] ?? 0,
                    rows.integer(10) == 16 ? nil : .identity)
            }
        }
    }
}
