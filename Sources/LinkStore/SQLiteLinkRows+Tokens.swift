internal import SQLite

extension SQLiteLinkRows {
    func add(_ token: StoredToken, hash: [UInt8]) throws(StoreError) -> Int {
        try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                INSERT INTO token (name, hash, ending, scopes, collections, created, created_by,
                  expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
            ).run(
                .text(token.name), .blob(hash), .text(token.ending),
                .text(token.scopes.map(\.rawValue).sorted().joined(separator: " ")),
                .optional(token.collections?.joined(separator: " ")), .integer(token.created),
                .text(token.createdBy), .optional(token.expires))
            return Int(database.lastRowID)
        }
    }

    func tokensByHash() throws(StoreError) -> [(hash: [UInt8], token: StoredToken)] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                """
                SELECT id, name, ending, scopes, collections, created, created_by, expires, used,
                  hash FROM token ORDER BY id
                """)
            defer { statement.reset() }
            try statement.begin([])
            var tokens = [(hash: [UInt8], token: StoredToken)]()
            while try statement.step() {
                func words(_ text: String) -> [String] {
                    text.utf8.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
                }
                var token = StoredToken(
                    name: statement.text(1), ending: statement.text(2),
                    scopes: Set(words(statement.text(3)).compactMap(TokenScope.init)),
                    collections: statement.optionalText(4).map(words),
                    created: statement.integer(5), createdBy: statement.text(6),
                    expires: statement.optionalInteger(7))
                (token.id, token.used) = (statement.integer(0), statement.optionalInteger(8))
                tokens.append((statement.bytes(9), token))
            }
            return tokens
        }
    }

    func removeToken(_ id: Int) throws(StoreError) -> Bool {
        try sqlite { () throws(SQLiteError) in
            try prepared("DELETE FROM token WHERE id = ?").run(.integer(id))
            guard database.changes > 0 else { return false }
            try prepared("DELETE FROM idempotency WHERE actor = ?").run(.integer(id))
            return true
        }
    }

    func noteUse(of id: Int, day: Int) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try prepared("UPDATE token SET used = ? WHERE id = ?").run(.integer(day), .integer(id))
        }
    }

    // MARK: Repeated requests

    func answer(actor: Int, key: String, at now: Int) throws(StoreError) -> RepeatedAnswer? {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                """
                SELECT request, status, fields, content FROM idempotency
                WHERE actor = ? AND key = ? AND expires > ?
                """)
            defer { statement.reset() }
            try statement.begin([.integer(actor), .text(key), .integer(now)])
            guard try statement.step() else { return nil }
            return RepeatedAnswer(
                request: statement.bytes(0), status: statement.integer(1),
                fields: statement.text(2), content: statement.text(3))
        }
    }

    func keep(
        _ answer: RepeatedAnswer, actor: Int, key: String, until end: Int
    ) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try prepared("INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?)").run(
                .integer(actor), .text(key), .blob(answer.request), .integer(answer.status),
                .text(answer.fields), .text(answer.content), .integer(end))
        }
    }

    func removeAnswers(expiredAt now: Int) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try prepared("DELETE FROM idempotency WHERE expires <= ?").run(.integer(now))
        }
    }

    func removeAnswers(of actor: Int, count: Int) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                DELETE FROM idempotency WHERE actor = ?1 AND key IN
                  (SELECT key FROM idempotency WHERE actor = ?1 ORDER BY expires LIMIT ?2)
                """
            ).run(.integer(actor), .integer(count))
        }
    }

    func countAnswers(of actor: Int) throws(StoreError) -> KeptAnswers.Count {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                """
                SELECT count(*), ifnull(sum(length(CAST(content AS BLOB)) + length(CAST(fields AS BLOB))
                  + length(CAST(key AS BLOB))), 0) FROM idempotency WHERE actor = ?
                """)
            defer { statement.reset() }
            try statement.begin([.integer(actor)])
            guard try statement.step() else { return KeptAnswers.Count() }
            return KeptAnswers.Count(answers: statement.integer(0), bytes: statement.integer(1))
        }
    }
}
