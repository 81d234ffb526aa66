internal import SQLite

extension SQLiteLinkRows {
    /// An index of the links with a note, because only they are searched one by one. It is made where it is missing, and kept by
    /// every version.
    static let noteIndex =
        "CREATE INDEX IF NOT EXISTS link_note ON link (uid, note) WHERE note IS NOT NULL"

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

    func notes(
        after last: LinkID?, limit: Int
    ) throws(StoreError) -> [(id: LinkID, note: String)] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                """
                SELECT uid, note FROM link
                WHERE note IS NOT NULL AND length(uid) = 16 AND uid > ? ORDER BY uid LIMIT ?
                """)
            defer { statement.reset() }
            try statement.begin([.blob(last?.bytes ?? []), .integer(limit)])
            var notes = [(id: LinkID, note: String)]()
            while try statement.step() {
                guard let id = LinkID(statement.bytes(0)) else { continue }
                notes.append((id, statement.text(1)))
            }
            return notes
        }
    }
}
