internal import LinkIndex
internal import SQLite

extension SQLiteLinkRows {
    /// Makes an index of the links with a note, because only they are searched one by one. It is made where it is missing, and kept by
    /// every version. More notes than have room in SQLite's cache are put in order in a temporary file.
    func makeNoteIndex() throws(SQLiteError) {
        defer { try? database.execute("PRAGMA temp_store = MEMORY") }
        try database.execute(
            """
            PRAGMA temp_store = FILE;
            CREATE INDEX IF NOT EXISTS link_note ON link (uid, note) WHERE note IS NOT NULL
            """)
    }

    func ids(of numbers: [Int]) throws(StoreError) -> [LinkID] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared("SELECT uid FROM link WHERE id = ?")
            defer { statement.reset() }
            var ids = [LinkID]()
            for number in numbers {
                statement.reset()
                try statement.begin([.integer(number)])
                if try statement.step(), let id = LinkID(statement.bytes(0)) { ids.append(id) }
            }
            return ids
        }
    }

    func links(
        withNote text: [UInt8], after last: LinkID?, rows limit: Int, _ body: (LinkID) -> Void
    ) throws(StoreError) -> LinkID? {
        guard let sought = RecordSearch(text) else { return nil }
        return try sqlite { () throws(SQLiteError) in
            // Without an index, rows without a note count, too, so that each part has an end.
            let condition = noteFault == nil ? "note IS NOT NULL AND" : ""
            let statement = try prepared(
                """
                SELECT uid, note FROM link WHERE \(condition) length(uid) = 16 AND uid > ?
                ORDER BY uid LIMIT ?
                """)
            defer { statement.reset() }
            try statement.begin([.blob(last?.bytes ?? []), .integer(limit)])
            var (end, looked, note) = (LinkID?.none, 0, [UInt8]())
            while try statement.step() {
                looked += 1
                note.removeAll(keepingCapacity: true)
                statement.append(1, to: &note)
                let isFound = sought.isPart(of: note)
                // Of most rows, no identity is made.
                guard isFound || looked == limit, let id = LinkID(statement.bytes(0)) else {
                    continue
                }
                if isFound { body(id) }
                end = id
            }
            return looked == limit ? end : nil
        }
    }
}
