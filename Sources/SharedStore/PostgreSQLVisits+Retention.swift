internal import LinkStore
internal import PostgreSQL
internal import Visits

// The day by which old visits are deleted, which all nodes share.

extension PostgreSQLVisits {
    /// The day of the database's clock, which is that of all nodes, unless it has jumped ahead. What a wrong clock deletes is gone for
    /// good, so a day counts that this machine's clock says, too. A crash of the database may have lost the keys, so that they are
    /// added, too.
    func retentionDay(_ day: Int, after milliseconds: Int) throws(StoreError) -> Int {
        try database.checkWritable()
        let keys = addingKeys()
        return try database.repeating { connection, deadline throws(PostgreSQLError) in
            defer { connection.rollBack() }
            let results = try connection.begin([keys, Self.lock, Self.selection], by: deadline)
            guard let row = results[2].first else { return 0 }
            let (said, now, step) = (row.time(0), row.time(1), RetentionClock.stepDays)
            let before = RetentionClock(
                day: row.isNull(2) ? nil : row.time(2), doubted: row.isNull(3) ? nil : row.time(3),
                seenMilliseconds: row.time(4))
            var clock = before
            if day - step...day + step ~= said {
                // All nodes ask: what has passed is the time since any of them has.
                clock.see(
                    said, after: min(milliseconds, now - row.time(5)),
                    lastCounted: row.isNull(6) ? nil : row.time(6))
            }
            let changes = clock == before ? [] : [Self.writing(clock, at: now)]
            try connection.commit(changes, by: deadline)
            return clock.today(min(said, day + step))
        }
    }

    private static let lock = PostgreSQLStatement(
        "LOCK TABLE waymark.visit_clock IN SHARE ROW EXCLUSIVE MODE")

    /// The database's clock, in days and in milliseconds since 1970, and the row of the table; without a day in it, the last day
    /// of which something is counted.
    private static let selection = PostgreSQLStatement(
        """
        SELECT t.now / 86400000, t.now, c.day, c.doubted, c.seen, c.asked,
          CASE WHEN c.day IS NULL THEN greatest(
            (SELECT max(hour) / 24 FROM waymark.visit_hour WHERE link = 0),
            (SELECT max(day) FROM waymark.visit_day WHERE link = 0)) END
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) t
        LEFT JOIN waymark.visit_clock c ON true
        """)

    private static func writing(_ clock: RetentionClock, at now: Int) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            INSERT INTO waymark.visit_clock (day, doubted, seen, asked) VALUES ($1, $2, $3, $4)
            ON CONFLICT (one) DO UPDATE SET day = excluded.day, doubted = excluded.doubted,
              seen = excluded.seen, asked = excluded.asked
            """, .optional(clock.day), .optional(clock.doubted), .integer(clock.seenMilliseconds),
            .integer(now))
    }
}

extension PostgreSQLRow {
    /// A number with which one can calculate, whatever another program has written; 0 for null.
    fileprivate func time(_ column: Int) -> Int { min(max(integer(column), 0), 1 << 48) }
}
