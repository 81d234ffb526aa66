private import SQLite

/// An entry of the audit, which is only added to.
package struct AuditEntry: Sendable {
    /// Seconds since 1970.
    package var time: Int
    /// The name of the token.
    package var actor: String
    package var action: String
    package var link: LinkID?
    /// The link in JSON.
    package var before: String?
    package var after: String?
    /// The identities of the first and the last link that an import has made.
    package var made: (first: LinkID, last: LinkID)?

    package init(time: Int, actor: String, action: String, link: LinkID?) {
        (self.time, self.actor, self.action, self.link) = (time, actor, action, link)
    }
}

extension LinkStore {
    /// Adds an entry; only in a transaction.
    package func add(_ entry: AuditEntry) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                INSERT INTO audit (time, actor, action, link, before, after, first, last)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
            ).run(
                .integer(entry.time), .text(entry.actor), .text(entry.action),
                .optional(entry.link), .optional(entry.before), .optional(entry.after),
                .optional(entry.made?.first), .optional(entry.made?.last))
        }
    }

    package typealias NumberedEntry = (number: Int, entry: AuditEntry)

    private static let auditColumns =
        "SELECT id, time, actor, action, link, before, after, first, last FROM audit"

    /// The latest entries, the last one first.
    /// - Parameters:
    ///   - number: only those before it; each has its own.
    package func audit(before number: Int?, limit: Int) throws(StoreError) -> [NumberedEntry] {
        try entries(
            "\(Self.auditColumns) WHERE id < ? ORDER BY id DESC LIMIT ?",
            [.integer(number ?? .max), .integer(limit)])
    }

    /// The same of a link. The first one of a link that was made with others is theirs; what the link
    /// was then, the next entry says, or the link itself.
    package func audit(
        of link: LinkID, before number: Int?, limit: Int
    ) throws(StoreError) -> [NumberedEntry] {
        var found = try entries(
            "\(Self.auditColumns) WHERE id < ? AND link = ? ORDER BY id DESC LIMIT ?",
            [.integer(number ?? .max), .blob(link.bytes), .integer(limit)])
        let making = try entries(
            "\(Self.auditColumns) WHERE first <= ? ORDER BY first DESC LIMIT 1",
            [.blob(link.bytes)]
        ).first
        guard var making, let made = making.entry.made, !link.isBefore(made.first),
            !made.last.isBefore(link), making.number < number ?? .max, found.count < limit
        else { return found }
        let next = try entries(
            "\(Self.auditColumns) WHERE id > ? AND link = ? ORDER BY id LIMIT 1",
            [.integer(making.number), .blob(link.bytes)]
        ).first
        (making.entry.link, making.entry.after) = (link, next?.entry.before)
        let place = found.firstIndex { $0.number < making.number } ?? found.endIndex
        found.insert(making, at: place)
        return found
    }

    private func entries(
        _ sql: String, _ values: [SQLiteValue]
    ) throws(StoreError) -> [NumberedEntry] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            var entries = [NumberedEntry]()
            while try statement.step() {
                var entry = AuditEntry(
                    time: statement.integer(1), actor: statement.text(2),
                    action: statement.text(3), link: LinkID(statement.bytes(4)))
                entry.before = statement.optionalText(5)
                entry.after = statement.optionalText(6)
                if let first = LinkID(statement.bytes(7)), let last = LinkID(statement.bytes(8)) {
                    entry.made = (first, last)
                }
                entries.append((statement.integer(0), entry))
            }
            return entries
        }
    }
}

extension LinkID {
    fileprivate func isBefore(_ other: LinkID) -> Bool {
        bytes.lexicographicallyPrecedes(other.bytes)
    }
}

extension SQLiteValue {
    fileprivate static func optional(_ id: LinkID?) -> SQLiteValue {
        id.map { .blob($0.bytes) } ?? .null
    }
}
