extension LinkRows {
    /// The values of a token: its name, hash, ending, scopes and collections, when and by whom it was made, and
    /// its end.
    package static func values(_ token: StoredToken, hash: [UInt8]) -> [Value] {
        [
            .text(token.name), .blob(hash), .text(token.ending),
            .text(token.scopes.map(\.rawValue).sorted().joined(separator: " ")),
            .optional(token.collections?.joined(separator: " ")), .integer(token.created),
            .text(token.createdBy), .optional(token.expires),
        ]
    }

    func tokensByHash() throws(StoreError) -> [(hash: [UInt8], token: StoredToken)] {
        try read(
            """
            SELECT id, name, ending, scopes, collections, created, created_by, expires, used, hash
            FROM \(Self.prefix)token ORDER BY id
            """, []
        ) { row in
            var token = StoredToken(
                name: row.text(1), ending: row.text(2),
                scopes: Set(parts(of: row.text(3), at: " ").compactMap(TokenScope.init)),
                collections: row.optionalText(4).map { parts(of: $0, at: " ") },
                created: row.integer(5), createdBy: row.text(6), expires: row.optionalInteger(7))
            (token.id, token.used) = (row.integer(0), row.optionalInteger(8))
            return (row.bytes(9), token)
        }
    }

    /// Removes a token with the answers that are kept for it.
    /// - Returns: whether there was one.
    func removeToken(_ id: Int) throws(StoreError) -> Bool {
        let found = try read(
            "SELECT id FROM \(Self.prefix)token WHERE id = $1", [.integer(id)]
        ) { $0.integer(0) }
        guard !found.isEmpty else { return false }
        try remove(from: "token", where: "id = $1", [.integer(id)])
        try remove(from: "idempotency", where: "actor = $1", [.integer(id)])
        try noteTokens()
        return true
    }

    func noteUse(of id: Int, day: Int) throws(StoreError) {
        try write(
            anyRows: "UPDATE \(Self.prefix)token SET used = $1 WHERE id = $2",
            [.integer(day), .integer(id)])
        try noteTokens()
    }

    // MARK: Repeated requests

    func answer(actor: Int, key: String, at now: Int) throws(StoreError) -> RepeatedAnswer? {
        try read(
            """
            SELECT request, status, fields, content FROM \(Self.prefix)idempotency
            WHERE actor = $1 AND key = $2 AND expires > $3
            """, [.integer(actor), .text(key), .integer(now)]
        ) { row in
            RepeatedAnswer(
                request: row.bytes(0), status: row.integer(1), fields: row.text(2),
                content: row.text(3))
        }.first
    }

    func keep(
        _ answer: RepeatedAnswer, actor: Int, key: String, until end: Int
    ) throws(StoreError) {
        try write(
            """
            INSERT INTO \(Self.prefix)idempotency
              (actor, key, request, status, fields, content, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (actor, key) DO UPDATE SET
              request = $3, status = $4, fields = $5, content = $6, expires = $7
            """,
            [
                .integer(actor), .text(key), .blob(answer.request), .integer(answer.status),
                .text(answer.fields), .text(answer.content), .integer(end),
            ])
    }

    func removeAnswers(expiredAt now: Int) throws(StoreError) {
        try remove(from: "idempotency", where: "expires <= $1", [.integer(now)])
    }

    /// Removes so many answers of an actor, the oldest first.
    func removeAnswers(of actor: Int, count: Int) throws(StoreError) {
        try write(
            anyRows: """
                DELETE FROM \(Self.prefix)idempotency WHERE actor = $1 AND key IN
                  (SELECT key FROM \(Self.prefix)idempotency WHERE actor = $1 ORDER BY expires LIMIT $2)
                """, [.integer(actor), .integer(count)])
    }

    func countAnswers(of actor: Int) throws(StoreError) -> KeptAnswers.Count {
        let bytes = ["content", "fields", "key"].map(Self.byteCount).joined(separator: " + ")
        return try read(
            "SELECT count(*), coalesce(sum(\(bytes)), 0) FROM \(Self.prefix)idempotency WHERE actor = $1",
            [.integer(actor)]
        ) { KeptAnswers.Count(answers: $0.integer(0), bytes: $0.integer(1)) }.first
            ?? KeptAnswers.Count()
    }
}
