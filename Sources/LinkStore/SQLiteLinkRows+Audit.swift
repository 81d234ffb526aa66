internal import SQLite

extension SQLiteLinkRows {
    func add(_ entry: AuditEntry) throws(StoreError) {
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

    private static let columns =
        "SELECT id, time, actor, action, link, before, after, first, last FROM audit"

    func entries(_ selection: AuditSelection) throws(StoreError) -> [LinkStore.NumberedEntry] {
        switch selection {
        case .latest(nil, let number, let limit):
            try entries(
                "WHERE id < ? ORDER BY id DESC LIMIT ?",
                [.integer(number ?? .max), .integer(limit)])
        case .latest(let link?, let number, let limit):
            try entries(
                "WHERE id < ? AND link = ? ORDER BY id DESC LIMIT ?",
                [.integer(number ?? .max), .blob(link.bytes), .integer(limit)])
        case .making(let link):
            try entries("WHERE first <= ? ORDER BY first DESC LIMIT 1", [.blob(link.bytes)])
        case .next(let link, let number):
            try entries(
                "WHERE id > ? AND link = ? ORDER BY id LIMIT 1",
                [.integer(number), .blob(link.bytes)])
        }
    }

    private func entries(
        _ condition: String, _ values: [SQLiteValue]
    ) throws(StoreError) -> [LinkStore.NumberedEntry] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared("\(Self.columns) \(condition)")
            defer { statement.reset() }
            try statement.begin(values)
            var entries = [LinkStore.NumberedEntry]()
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

extension SQLiteValue {
    fileprivate static func optional(_ id: LinkID?) -> SQLiteValue {
        id.map { .blob($0.bytes) } ?? .null
    }
}
