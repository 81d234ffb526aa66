private import SQLite

/// A token as it is stored, with which a program uses the API: without its secret.
package struct StoredToken: Equatable, Sendable {
    package var id: Int
    package var name: String
    /// The last characters of the secret, by which people recognize it.
    package var ending: String
    package var scopes: Set<TokenScope>
    /// The collections that it is for; nil for all.
    package var collections: [String]?
    /// Seconds since 1970.
    package var created: Int
    package var createdBy: String
    package var expires: Int?
    /// The day on which it was last used.
    package var used: Int?

    package init(
        name: String, ending: String, scopes: Set<TokenScope>, collections: [String]?,
        created: Int, createdBy: String, expires: Int?
    ) {
        id = 0
        (self.name, self.ending, self.scopes) = (name, ending, scopes)
        (self.collections, self.created) = (collections, created)
        (self.createdBy, self.expires) = (createdBy, expires)
    }
}

/// A right that a token gives.
package enum TokenScope: String, CaseIterable, Sendable {
    case linksRead = "links.read"
    case linksCreate = "links.create"
    case linksWrite = "links.write"
    case linksDelete = "links.delete"
    case statsRead = "stats.read"
    case auditRead = "audit.read"
    /// Everything, and tokens.
    case admin
}

/// The answer to a request that can be repeated.
package struct RepeatedAnswer: Equatable, Sendable {
    /// The SHA-256 of what the request asked.
    package let request: [UInt8]
    package let status: Int
    package let fields: String
    package let content: String

    package init(request: [UInt8], status: Int, fields: String, content: String) {
        (self.request, self.status) = (request, status)
        (self.fields, self.content) = (fields, content)
    }
}

extension LinkStore {
    // MARK: Tokens

    /// Stores a token; only in a transaction.
    /// - Parameter hash: the SHA-256 of its secret.
    package func add(_ token: StoredToken, hash: [UInt8]) throws(StoreError) -> StoredToken {
        var token = token
        tokenChanges += 1
        token.id = try sqlite { () throws(SQLiteError) in
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
        return token
    }

    /// All tokens, in the order in which they were made.
    package func tokens() throws(StoreError) -> [StoredToken] {
        try tokensByHash().map(\.token)
    }

    /// All tokens with the SHA-256 of their secrets, in the order in which they were made.
    package func tokensByHash() throws(StoreError) -> [(hash: [UInt8], token: StoredToken)] {
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

    /// Removes a token, and the answers that are kept for it; only in a transaction.
    /// - Returns: whether there was one.
    package func removeToken(_ id: Int) throws(StoreError) -> Bool {
        tokenChanges += 1
        return try sqlite { () throws(SQLiteError) in
            try prepared("DELETE FROM token WHERE id = ?").run(.integer(id))
            guard database.changes > 0 else { return false }
            try prepared("DELETE FROM idempotency WHERE actor = ?").run(.integer(id))
            return true
        }
    }

    /// Notes the day on which a token was used; only in a transaction.
    package func noteUse(of id: Int, day: Int) throws(StoreError) {
        tokenChanges += 1
        try sqlite { () throws(SQLiteError) in
            try prepared("UPDATE token SET used = ? WHERE id = ?").run(.integer(day), .integer(id))
        }
    }

    // MARK: Repeated requests

    /// The answer that a request with this key got before.
    package func answer(
        actor: Int, key: String, at now: Int
    ) throws(StoreError) -> RepeatedAnswer? {
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

    /// Keeps an answer, and forgets those whose time is over; only in a transaction. An actor has
    /// room for so many answers and bytes; what is kept beyond that takes the place of its oldest.
    package func keep(
        _ answer: RepeatedAnswer, actor: Int, key: String, until end: Int, at now: Int
    ) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            if now >= keptAnswers.nextRemoval {
                try prepared("DELETE FROM idempotency WHERE expires <= ?").run(.integer(now))
                keptAnswers = KeptAnswers()
                keptAnswers.nextRemoval = now + Self.removalSeconds
            }
            if keptAnswers.actors[actor] == nil {
                keptAnswers.actors[actor] = try countKeptAnswers(of: actor)
            }
            try prepared("INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?)").run(
                .integer(actor), .text(key), .blob(answer.request), .integer(answer.status),
                .text(answer.fields), .text(answer.content), .integer(end))
            let bytes = answer.content.utf8.count + answer.fields.utf8.count + key.utf8.count
            keptAnswers.actors[actor]?.answers += 1
            keptAnswers.actors[actor]?.bytes += bytes
            if keptAnswers.actors[actor]?.isOver == true { try removeOldAnswers(of: actor) }
        }
    }

    /// Removes the oldest quarter of an actor's answers, so that few requests pay for this.
    private func removeOldAnswers(of actor: Int) throws(SQLiteError) {
        let count = (keptAnswers.actors[actor]?.answers ?? 0) / 4 + 1
        try prepared(
            """
            DELETE FROM idempotency WHERE actor = ?1 AND key IN
              (SELECT key FROM idempotency WHERE actor = ?1 ORDER BY expires LIMIT ?2)
            """
        ).run(.integer(actor), .integer(count))
        keptAnswers.actors[actor] = try countKeptAnswers(of: actor)
    }

    private func countKeptAnswers(of actor: Int) throws(SQLiteError) -> KeptAnswers.Count {
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

    /// The time between two searches for answers whose time is over.
    private static let removalSeconds = 3_600
}

/// Counts and sizes of the answers that are kept for each actor. A transaction that fails may leave one
/// too large, until it is counted again.
struct KeptAnswers {
    struct Count {
        var answers = 0
        var bytes = 0

        var isOver: Bool { answers > KeptAnswers.answersMax || bytes > KeptAnswers.bytesMax }
    }

    var actors = [Int: Count]()
    /// Seconds since 1970.
    var nextRemoval = 0

    static let answersMax = 50_000
    static let bytesMax = 32 * 1_048_576
}
