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
        case .latest(nil, let number, let limit, let bytesMax):
            try entries(
                Self.latest("id < $1", limit: "$2", bytesMax: "$3"),
                [.integer(number ?? .max), .integer(limit), .integer(bytesMax)])
        case .latest(let link?, let number, let limit, let bytesMax):
            try entries(
                Self.latest("id < $1 AND link = $2", limit: "$3", bytesMax: "$4"),
                [
                    .integer(number ?? .max), .blob(link.bytes), .integer(limit),
                    .integer(bytesMax),
                ])
        case .making(let link):
            try entries("WHERE first <= $1 ORDER BY first DESC LIMIT 1", [.blob(link.bytes)])
        case .next(let link, let number):
            try entries(
                "WHERE id > $1 AND link = $2 ORDER BY id LIMIT 1",
                [.integer(number), .blob(link.bytes)])
        }
    }

    /// The end of a statement for the latest entries. Those that are read have fewer bytes of links before them than `bytesMax`, so that the
    /// others are not in memory.
    private static func latest(_ condition: String, limit: String, bytesMax: String) -> String {
        let size = ["before", "after"].map { "coalesce(\(byteCount(of: $0)), 0)" }
            .joined(separator: " + ")
        return """
            WHERE \(condition) ORDER BY id DESC LIMIT (
              SELECT count(*) FROM (
                SELECT sum(size) OVER (ORDER BY id DESC) - size AS ahead FROM (
                  SELECT id, \(size) AS size FROM \(prefix)audit WHERE \(condition)
                  ORDER BY id DESC LIMIT \(limit)) sizes) sums
              WHERE ahead < \(bytesMax))
            """
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
