extension LinkRows {
    func add(_ entry: AuditEntry) throws(StoreError) {
        try write(
            """
            INSERT INTO \(Self.prefix)audit (time, actor, action, link, before, after, first, last)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .integer(entry.time), .text(entry.actor), .text(entry.action),
                .optional(entry.link), .optional(entry.before), .optional(entry.after),
                .optional(entry.made?.first), .optional(entry.made?.last),
            ])
    }

    func entries(_ selection: AuditSelection) throws(StoreError) -> [LinkStore.NumberedEntry] {
        switch selection {
        case .latest(nil, let number, let limit):
            try entries(
                "WHERE id < $1 ORDER BY id DESC LIMIT $2",
                [.integer(number ?? .max), .integer(limit)])
        case .latest(let link?, let number, let limit):
            try entries(
                "WHERE id < $1 AND link = $2 ORDER BY id DESC LIMIT $3",
                [.integer(number ?? .max), .blob(link.bytes), .integer(limit)])
        case .making(let link):
            try entries("WHERE first <= $1 ORDER BY first DESC LIMIT 1", [.blob(link.bytes)])
        case .next(let link, let number):
            try entries(
                "WHERE id > $1 AND link = $2 ORDER BY id LIMIT 1",
                [.integer(number), .blob(link.bytes)])
        }
    }

    private func entries(
        _ condition: String, _ values: [Value]
    ) throws(StoreError) -> [LinkStore.NumberedEntry] {
        try read(
            """
            SELECT id, time, actor, action, link, before, after, first, last
            FROM \(Self.prefix)audit \(condition)
            """, values
        ) { row in
            var entry = AuditEntry(
                time: row.integer(1), actor: row.text(2), action: row.text(3),
                link: LinkID(row.bytes(4)))
            (entry.before, entry.after) = (row.optionalText(5), row.optionalText(6))
            if let first = LinkID(row.bytes(7)), let last = LinkID(row.bytes(8)) {
                entry.made = (first, last)
            }
            return (row.integer(0), entry)
        }
    }
}
