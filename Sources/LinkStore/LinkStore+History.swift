internal import SQLite

extension LinkStore {
    /// The mark of the history that a generation is of, in hexadecimal digits.
    ///
    /// A process that changes the store begins a part of the history, with a mark of random bits, by its first
    /// change. A store that was set back, however that was done, has another mark for each generation that it
    /// reaches again. The generations before the copy was made keep theirs.
    package func historyMark(at generation: Int) throws(StoreError) -> String {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                """
                SELECT lower(hex(mark)) FROM history WHERE generation <= ?
                ORDER BY generation DESC LIMIT 1
                """)
            defer { statement.reset() }
            try statement.begin([.integer(generation)])
            return try statement.step() ? statement.text(0) : ""
        }
    }

    /// Begins a part of the history; only in a transaction.
    func beginHistory(at generation: Int) throws(SQLiteError) {
        try prepared("INSERT OR REPLACE INTO history VALUES (?, randomblob(8))").run(
            .integer(generation))
    }
}
