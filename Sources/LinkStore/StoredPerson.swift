/// A person who may sign in to the console.
package struct StoredPerson: Equatable, Sendable {
    /// A random number above 0, by which rows refer to the person. It is never given to another one.
    package var id: Int
    /// By which everybody knows them, the audit too.
    package var name: String
    package var role: PersonRole
    /// The collections that the role is for; nil for all.
    package var collections: [String]?
    /// Seconds since 1970.
    package var created: Int
    package var createdBy: String

    package init(
        name: String, role: PersonRole, collections: [String]?, created: Int, createdBy: String,
        id: Int = .random(in: 1...Self.idMax)
    ) {
        (self.id, self.name, self.role) = (id, name, role)
        (self.collections, self.created, self.createdBy) = (collections, created, createdBy)
    }

    /// Whether the person was made by a sign-in at a provider: `createdBy` is then its URL.
    package var isOfProvider: Bool { Self.isProvider(createdBy) }

    /// Whether this is the name of a provider, and not of a person or a token, who cannot be called like a URL.
    package static func isProvider(_ name: String) -> Bool {
        let begin = String(decoding: name.utf8.prefix(8), as: UTF8.self).lowercased()
        return ["https://", "http://"].contains { begin.utf8.starts(with: $0.utf8) }
    }

    /// The number by which the answers to their repeated requests are kept: below 0, as no token's is. Another program may have
    /// written any number.
    package var actor: Int { Self.actor(of: id) }
    /// The same of a person's number.
    package static func actor(of id: Int) -> Int { 0 &- id }

    /// As much as a number of JSON can have.
    package static let idMax = 1 << 53 - 1
}

/// The rights of a person in the console.
package enum PersonRole: String, CaseIterable, Sendable {
    case viewer, editor, admin

    /// The scopes that a token with the same rights has.
    package var scopes: Set<TokenScope> {
        switch self {
        case .viewer: [.linksRead, .statsRead, .auditRead]
        case .editor:
            [.linksRead, .linksCreate, .linksWrite, .linksDelete, .statsRead, .auditRead]
        case .admin: [.admin]
        }
    }
}

/// The time in which a person who has signed in may use the console.
package struct StoredSession: Equatable, Sendable {
    package var person: StoredPerson
    /// Seconds since 1970.
    package var began: Int
    /// The time of the last use that was noted.
    package var used: Int

    package init(person: StoredPerson, began: Int, used: Int) {
        (self.person, self.began, self.used) = (person, began, used)
    }

    /// Whether it has ended by itself.
    package func hasEnded(at now: Int) -> Bool { Self.hasEnded(began: began, used: used, at: now) }

    static func hasEnded(began: Int, used: Int, at now: Int) -> Bool {
        // Another program may have written any time.
        used <= now - idleSeconds || began <= now - secondsMax
    }

    /// It ends so long after its last use, and so long after its beginning.
    package static let idleSeconds = 1_800
    package static let secondsMax = 43_200
    /// A use is noted so long after the one before, because each note is a transaction.
    static let noteSeconds = 60
}

/// The sessions of a person that have not ended.
package struct PersonUse: Equatable, Sendable {
    package var sessions = 0
    /// The time of the last use that was noted; nil if there is no session.
    package var seen: Int?

    package init() {}
}
