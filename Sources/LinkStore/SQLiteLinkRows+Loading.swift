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
        let columns = """
            l.id, l.collection, l.destination, l.details, l.disabled, l.starts, l.ends, l.deleted,
            length(l.uid)
            """
        for (sql, isAlias) in [
            ("SELECT \(columns), l.slug FROM link l", false),
            ("SELECT \(columns), a.slug, l.slug FROM alias a JOIN link l ON l.id = a.link", true),
        ] {
            let rows = try database.prepare(sql)
            while try rows.step() {
                add(rows, of: collections[rows.integer(1)] ?? 0, isAlias: isAlias)
            }
        }
    }

    private mutating func add(_ row: SQLiteStatement, of collection: UInt32, isAlias: Bool) {
        var head = row.head(of: collection, isAlias: isAlias)
        var oddity: LinkOddity?
        if row.integer(8) != 16 {
            head.state = .disabled
            oddity = .identity
        }
        add(head, oddity, slug: { row.text(9) }) { part, bytes in
            switch part {
            case .slug: row.append(9, to: &bytes)
            case .destination: row.append(2, to: &bytes)
            case .details: row.append(3, to: &bytes)
            case .ownSlug: row.append(10, to: &bytes)
            }
        }
    }
}

extension SQLiteStatement {
    fileprivate func head(of collection: UInt32, isAlias: Bool) -> LinkRecordHead {
        var head = LinkRecordHead(
            collection: collection, id: UInt64(bitPattern: Int64(integer(0))))
        head.isAlias = isAlias
        guard isNull(7) else {
            head.state = .deleted
            return head
        }
        head.state = integer(4) == 0 ? .active : .disabled
        (head.from, head.until) = (optionalInteger(5), optionalInteger(6))
        return head
    }
}
