internal import LinkStore
internal import PostgreSQL

extension PostgreSQLLinkRows {
    func add(_ token: StoredToken, hash: [UInt8]) throws(StoreError) -> Int {
        let number = try change(
            """
            UPDATE waymark.store SET tokens = tokens + 1,
              last_token = greatest(last_token, (SELECT max(id) FROM waymark.token)) + 1
            RETURNING last_token
            """
        ).first?.integer(0)
        guard let number else { throw error(.isForeign) }
        try write(
            """
            INSERT INTO waymark.token (id, name, hash, ending, scopes, collections, created,
              created_by, expires) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, .integer(number), .text(token.name), .blob(hash), .text(token.ending),
            .text(token.scopes.map(\.rawValue).sorted().joined(separator: " ")),
            .optional(token.collections?.joined(separator: " ")), .integer(token.created),
            .text(token.createdBy), .optional(token.expires))
        return number
    }

    func tokensByHash() throws(StoreError) -> [(hash: [UInt8], token: StoredToken)] {
        let result = try run(
            """
            SELECT id, name, ending, scopes, collections, created, created_by, expires, used, hash
            FROM waymark.token ORDER BY id
            """)
        func words(_ text: String) -> [String] {
            text.utf8.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
        }
        return result.rows.map { row in
            var token = StoredToken(
                name: row.text(1), ending: row.text(2),
                scopes: Set(words(row.text(3)).compactMap(TokenScope.init)),
                collections: row.optionalText(4).map(words), created: row.integer(5),
                createdBy: row.text(6), expires: row.optionalInteger(7))
            (token.id, token.used) = (row.integer(0), row.optionalInteger(8))
            return (row.bytes(9), token)
        }
    }

    func removeToken(_ id: Int) throws(StoreError) -> Bool {
        let found = try run("SELECT 1 FROM waymark.token WHERE id = $1", .integer(id))
        guard found.count > 0 else { return false }
        try remove(from: "token", where: "id = $1", .integer(id))
        try remove(from: "idempotency", where: "actor = $1", .integer(id))
        try noteTokens()
        return true
    }

    func noteUse(of id: Int, day: Int) throws(StoreError) {
        try write(
            anyRows: "UPDATE waymark.token SET used = $1 WHERE id = $2", .integer(day), .integer(id)
        )
        try noteTokens()
    }

    /// Lets all nodes read the tokens again.
    private func noteTokens() throws(StoreError) {
        try write("UPDATE waymark.store SET tokens = tokens + 1")
    }

    // MARK: Repeated requests

    func answer(actor: Int, key: String, at now: Int) throws(StoreError) -> RepeatedAnswer? {
        let result = try run(
            """
            SELECT request, status, fields, content FROM waymark.idempotency
            WHERE actor = $1 AND key = $2 AND expires > $3
            """, .integer(actor), .text(key), .integer(now))
        return result.first.map { row in
            RepeatedAnswer(
                request: row.bytes(0), status: row.integer(1), fields: row.text(2),
                content: row.text(3))
        }
    }

    func keep(
        _ answer: RepeatedAnswer, actor: Int, key: String, until end: Int
    ) throws(StoreError) {
        try write(
            """
            INSERT INTO waymark.idempotency (actor, key, request, status, fields, content, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (actor, key) DO UPDATE SET
              request = $3, status = $4, fields = $5, content = $6, expires = $7
            """, .integer(actor), .text(key), .blob(answer.request), .integer(answer.status),
            .text(answer.fields), .text(answer.content), .integer(end))
    }

    func removeAnswers(expiredAt now: Int) throws(StoreError) {
        try remove(from: "idempotency", where: "expires <= $1", .integer(now))
    }

    func removeAnswers(of actor: Int, count: Int) throws(StoreError) {
        try write(
            anyRows: """
                DELETE FROM waymark.idempotency WHERE actor = $1 AND key IN
                  (SELECT key FROM waymark.idempotency WHERE actor = $1 ORDER BY expires LIMIT $2)
                """, .integer(actor), .integer(count))
    }

    func countAnswers(of actor: Int) throws(StoreError) -> KeptAnswers.Count {
        let result = try run(
            """
            SELECT count(*), coalesce(sum(octet_length(content) + octet_length(fields)
              + octet_length(key)), 0)::bigint FROM waymark.idempotency WHERE actor = $1
            """, .integer(actor))
        guard let row = result.first else { return KeptAnswers.Count() }
        return KeptAnswers.Count(answers: row.integer(0), bytes: row.integer(1))
    }
}
