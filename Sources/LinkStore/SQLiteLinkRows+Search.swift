internal import SQLite

// The search for a text. The table `letters` knows in which links each three letters stand, so that a search for few links looks
// at those and not at a million. It is made of the links; nothing else needs it, and a copy of the store goes without.
// Triggers cannot keep it: SQLite takes that for unsafe before version 3.41 (`trusted_schema`).

extension SQLiteLinkRows {
    /// The texts of a link in which people search, with line ends between them. Details that are no JSON have none.
    /// - Parameter link: the name of the row.
    static func searched(_ link: String) -> String {
        let page = ["title", "description"].map { member in
            "iif(json_valid(\(link).details), json_extract(\(link).details, '$.page.\(member)'), '')"
        }
        return (["slug", "destination", "note"].map { "\(link).\($0)" } + page).map {
            "ifnull(\($0), '')"
        }.joined(separator: " || char(10) || ")
    }

    // MARK: The table

    /// Makes the table unless it is that of the links as they are: after a program before, another one, or a copy. Where it
    /// cannot be made, as by an SQLite without FTS5 or on a full disk, searches read every link.
    func prepareLetters() {
        let isWhole = try? number(
            """
            SELECT count(*) FROM lettered WHERE generation = (SELECT generation FROM store)
              AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'letters')
            """)
        hasLetters = isWhole == 1
        guard !hasLetters else { return }
        do {
            // It keeps no texts and no places in them: what it finds is looked at all the same.
            try database.execute(
                """
                BEGIN IMMEDIATE;
                DROP TABLE IF EXISTS letters; DROP TABLE IF EXISTS lettered;
                CREATE VIRTUAL TABLE letters USING fts5(
                  text, content = '', columnsize = 0, detail = none, tokenize = 'trigram');
                INSERT INTO letters (rowid, text) SELECT id, \(Self.searched("link")) FROM link;
                CREATE TABLE lettered (generation INTEGER NOT NULL) STRICT;
                INSERT INTO lettered SELECT generation FROM store;
                COMMIT
                """)
            hasLetters = true
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
        }
        file.noteWritten()
    }

    /// Adds the letters of a row that was written. Those that it had before stay: what is found is looked at all the same, and FTS5 takes
    /// a row for damaged whose letters, which are to be taken away, are not those that another program has left.
    func addLetters(of row: Int) throws(SQLiteError) {
        guard hasLetters else { return }
        try prepared("INSERT INTO letters (rowid, text) VALUES (?, ?)").run(
            .integer(row), .text(searched(row)))
    }

    /// The texts of a row. They are no part of the statement that changes the table: one that reads another table, too, writes
    /// what is kept of all rows before it, which costs ten times as much.
    private func searched(_ row: Int) throws(SQLiteError) -> String {
        let statement = try prepared("SELECT \(Self.searched("link")) FROM link WHERE id = ?")
        defer { statement.reset() }
        try statement.begin([.integer(row)])
        return try statement.step() ? statement.text(0) : ""
    }

    /// Notes that the table is that of a generation; only in the transaction that makes it.
    func noteLetters(_ generation: Int) throws(SQLiteError) {
        guard hasLetters else { return }
        try prepared("UPDATE lettered SET generation = ?").run(.integer(generation))
    }

    // MARK: The search

    /// What the table is asked for a text, if it narrows a search to few links; nil if every link has to be read.
    func letters(of text: String?) throws(StoreError) -> String? {
        guard hasLetters, let words = text.flatMap(Self.letters) else { return nil }
        let count = try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                """
                SELECT count(*) FROM
                  (SELECT 1 FROM letters WHERE letters MATCH ? LIMIT \(Self.fewLinks + 1))
                """)
            defer { statement.reset() }
            try statement.begin([.text(words)])
            return try statement.step() ? statement.integer(0) : 0
        }
        return count <= Self.fewLinks ? words : nil
    }

    /// So many are looked at in one step, as in a search that reads every link.
    static let fewLinks = 1_000
    /// More say no more, and each costs time.
    private static let lettersMax = 64

    /// The groups of three letters that each text has in which this one is; nil if there are none. Those of ASCII alone, whose
    /// letter case SQLite folds as the search does.
    static func letters(_ text: String) -> String? {
        let runs = text.utf8.split { !(0x20..<0x7F ~= $0) }
        guard let run = runs.max(by: { $0.count < $1.count }), run.count >= 3 else { return nil }
        let bytes = Array(run.prefix(lettersMax + 2))
        return (0..<bytes.count - 2).map { place in
            let three = bytes[place..<place + 3].flatMap {
                $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0]
            }
            return "\"\(String(decoding: three, as: UTF8.self))\""
        }.joined(separator: " AND ")
    }
}
