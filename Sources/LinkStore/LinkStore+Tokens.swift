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
        token.id = try rows.add(token, hash: hash)
        return token
    }

    /// All tokens, in the order in which they were made.
    package func tokens() throws(StoreError) -> [StoredToken] { try tokensByHash().map(\.token) }

    /// All tokens with the SHA-256 of their secrets, in the order in which they were made.
    package func tokensByHash() throws(StoreError) -> [(hash: [UInt8], token: StoredToken)] {
        try rows.tokensByHash()
    }

    /// Removes a token, and the answers that are kept for it; only in a transaction.
    /// - Returns: whether there was one.
    package func removeToken(_ id: Int) throws(StoreError) -> Bool {
        tokenChanges += 1
        return try rows.removeToken(id)
    }

    /// Notes the day on which a token was used; only in a transaction.
    package func noteUse(of id: Int, day: Int) throws(StoreError) {
        tokenChanges += 1
        try rows.noteUse(of: id, day: day)
    }

    // MARK: Repeated requests

    /// The answer that a request with this key got before.
    package func answer(
        actor: Int, key: String, at now: Int
    ) throws(StoreError) -> RepeatedAnswer? {
        try rows.answer(actor: actor, key: key, at: now)
    }

    /// Keeps an answer, and forgets those whose time is over; only in a transaction. An actor has
    /// room for so many answers and bytes; what is kept beyond that takes the place of its oldest.
    package func keep(
        _ answer: RepeatedAnswer, actor: Int, key: String, until end: Int, at now: Int
    ) throws(StoreError) {
        if now >= keptAnswers.nextRemoval {
            try rows.removeAnswers(expiredAt: now)
            keptAnswers = KeptAnswers()
            keptAnswers.nextRemoval = now + Self.removalSeconds
        }
        if keptAnswers.actors[actor] == nil {
            keptAnswers.actors[actor] = try rows.countAnswers(of: actor)
        }
        try rows.keep(answer, actor: actor, key: key, until: end)
        let bytes = answer.content.utf8.count + answer.fields.utf8.count + key.utf8.count
        keptAnswers.actors[actor]?.answers += 1
        keptAnswers.actors[actor]?.bytes += bytes
        guard let count = keptAnswers.actors[actor], count.isOver else { return }
        // The oldest quarter, so that few requests pay for this.
        try rows.removeAnswers(of: actor, count: count.answers / 4 + 1)
        keptAnswers.actors[actor] = try rows.countAnswers(of: actor)
    }

    /// The time between two searches for answers whose time is over.
    private static let removalSeconds = 3_600
}

/// Counts and sizes of the answers that are kept for each actor. A transaction that fails may leave one
/// too large, until it is counted again.
package struct KeptAnswers {
    /// Those of one actor.
    package struct Count {
        var answers: Int
        var bytes: Int

        package init(answers: Int = 0, bytes: Int = 0) {
            (self.answers, self.bytes) = (answers, bytes)
        }

        var isOver: Bool { answers > KeptAnswers.answersMax || bytes > KeptAnswers.bytesMax }
    }

    var actors = [Int: Count]()
    /// Seconds since 1970.
    var nextRemoval = 0

    static let answersMax = 50_000
    static let bytesMax = 32 * 1_048_576
}
