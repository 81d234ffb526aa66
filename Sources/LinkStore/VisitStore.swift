internal import SQLite
package import Visits

/// What is known of visits, in an SQLite database beside the store of links: hours for 90 days, days
/// for 25 months. A commit survives a crash of the process; a power cut takes what was not
/// checkpointed.
package final class VisitStore {
    private let file: StoreFile

    /// Opens the file at `path`, or creates it.
    /// - Throws: why it cannot be used. A file that is something else, or damaged, is left as it is.
    package init(_ path: String) throws(StoreError) {
        file = try StoreFile(path, .visits, settings: Self.settings, schema: Self.schema)
    }

    package var path: String { file.path }

    /// Checkpoints what is left, so that the file alone has everything.
    package func close() throws(StoreError) { try file.close() }

    /// Deleted salts are overwritten.
    private static let settings = """
        PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -16384;
        """

    /// The link 0 is all links together. An hour's rows become a day's when they are 90 days old.
    private static let schema = """
        CREATE TABLE hour (
          link INTEGER NOT NULL, hour INTEGER NOT NULL, class INTEGER NOT NULL,
          outcome INTEGER NOT NULL, platform INTEGER NOT NULL, count INTEGER NOT NULL,
          PRIMARY KEY (link, hour, class, outcome, platform)) STRICT, WITHOUT ROWID;
        CREATE TABLE day (
          link INTEGER NOT NULL, day INTEGER NOT NULL, class INTEGER NOT NULL,
          outcome INTEGER NOT NULL, platform INTEGER NOT NULL, count INTEGER NOT NULL,
          PRIMARY KEY (link, day, class, outcome, platform)) STRICT, WITHOUT ROWID;
        CREATE TABLE referrer (
          link INTEGER NOT NULL, day INTEGER NOT NULL, host TEXT NOT NULL, count INTEGER NOT NULL,
          PRIMARY KEY (link, day, host)) STRICT, WITHOUT ROWID;
        CREATE TABLE visitor (
          link INTEGER NOT NULL, day INTEGER NOT NULL, count INTEGER NOT NULL, sketch BLOB,
          PRIMARY KEY (link, day)) STRICT, WITHOUT ROWID;
        CREATE INDEX visitor_sketch ON visitor (day) WHERE sketch IS NOT NULL;
        CREATE TABLE salt (day INTEGER PRIMARY KEY, salt BLOB NOT NULL) STRICT;
        CREATE TABLE miss (
          day INTEGER NOT NULL, collection INTEGER NOT NULL, path TEXT NOT NULL,
          count INTEGER NOT NULL, error INTEGER NOT NULL,
          first INTEGER NOT NULL, last INTEGER NOT NULL,
          PRIMARY KEY (day, collection, path)) STRICT, WITHOUT ROWID;
        """

    /// How many hosts a link has on a day at most; others are one.
    package static let hostsMax = 100
    /// What these are called.
    package static let otherHosts = "(others)"
    /// How many paths of a day are kept.
    package static let pathsMax = 1_000
    package static let hoursKeptDays = 90
    /// 25 months.
    package static let daysKept = 761
    /// 48 hours after their day.
    private static let saltsKeptDays = 3

    /// Checks that the file is where it was.
    package func checkPresence() throws(StoreError) { try file.checkPresence() }

    // MARK: Writing

    /// The keys of today and tomorrow, which are made if there are none.
    /// - Parameter random: makes 16 bytes by chance.
    package func salts(
        day: Int, _ random: () -> [UInt8]
    ) throws(StoreError) -> VisitSalts? {
        try transaction { () throws(SQLiteError) in
            var salts = [VisitSalt]()
            for day in [day, day + 1] {
                try file.prepared("INSERT OR IGNORE INTO salt VALUES (?, ?)")
                    .run(.integer(day), .blob(random()))
                let known = try rows("SELECT salt FROM salt WHERE day = ?", [.integer(day)]) {
                    VisitSalt($0.bytes(0))
                }
                salts += known.compactMap(\.self)
            }
            return salts.count == 2 ? VisitSalts(day: day, salts[0], salts[1]) : nil
        }
    }

    /// Adds what was counted, in one transaction.
    package func add(_ batch: VisitBatch) throws(StoreError) {
        try transaction { () throws(SQLiteError) in
            var totals = [VisitKey: Int]()
            for (key, count) in batch.counts {
                try add(key, count)
                var total = key
                total.link = 0
                totals[total, default: 0] += count
            }
            for (key, count) in totals { try add(key, count) }
            for (day, hashes) in batch.visitors { try add(day, hashes) }
            for (day, hosts) in batch.referrers {
                for (host, count) in hosts { try add(day, host, count) }
            }
            try add(batch.misses)
        }
    }

    private func add(_ key: VisitKey, _ count: Int) throws(SQLiteError) {
        try file.prepared(
            """
            INSERT INTO hour VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(
            .integer(key.link), .integer(key.hour), .integer(Int(key.visitClass.rawValue)),
            .integer(Int(key.outcome)), .integer(Int(key.platform)), .integer(count))
    }

    private func add(_ day: LinkDay, _ hashes: Set<UInt32>) throws(SQLiteError) {
        let known = try rows(
            "SELECT sketch FROM visitor WHERE link = ? AND day = ?",
            [.integer(day.link), .integer(day.day)]
        ) { VisitorSketch($0.bytes(0)) }
        var sketch = known.first.flatMap(\.self) ?? VisitorSketch()
        var hasChanged = false
        for hash in hashes where sketch.add(hash) { hasChanged = true }
        guard hasChanged else { return }
        try file.prepared("INSERT OR REPLACE INTO visitor VALUES (?, ?, ?, ?)")
            .run(
                .integer(day.link), .integer(day.day), .integer(sketch.count),
                .blob(sketch.bytes))
    }

    private func add(_ day: LinkDay, _ host: String, _ count: Int) throws(SQLiteError) {
        let key = [SQLiteValue.integer(day.link), .integer(day.day)]
        try file.prepared(
            "UPDATE referrer SET count = count + ? WHERE link = ? AND day = ? AND host = ?"
        ).run(.integer(count), key[0], key[1], .text(host))
        guard file.database.changes == 0 else { return }
        let others = try rows(
            "SELECT count(*) FROM referrer WHERE link = ? AND day = ?", key
        ) { $0.integer(0) }
        try file.prepared(
            """
            INSERT INTO referrer VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(
            key[0], key[1], .text(others[0] < Self.hostsMax ? host : Self.otherHosts),
            .integer(count))
    }

    private func add(_ misses: [VisitBatch.Miss: Int]) throws(SQLiteError) {
        for (day, counts) in Dictionary(grouping: misses, by: { $0.key.hour / 24 }) {
            var paths = FrequentPaths(
                capacity: Self.pathsMax,
                try Dictionary(
                    rows(Self.missSelection, [.integer(day)]) { ($0.missKey, $0.missEntry) },
                    uniquingKeysWith: { first, _ in first }))
            for (miss, count) in counts {
                paths.add(.init(miss.collection, miss.path), count, hour: miss.hour)
            }
            try file.prepared("DELETE FROM miss WHERE day = ?").run(.integer(day))
            for (key, entry) in paths.entries {
                try file.prepared("INSERT INTO miss VALUES (?, ?, ?, ?, ?, ?, ?)").run(
                    .integer(day), .integer(Int(key.collection)), .text(key.path),
                    .integer(entry.count), .integer(entry.error), .integer(entry.first),
                    .integer(entry.last))
            }
        }
    }

    private static let missSelection =
        "SELECT collection, path, count, error, first, last FROM miss WHERE day = ?"

    /// Deletes what has been kept long enough.
    package func expire(today: Int) throws(StoreError) {
        let hours = 24 * (today - Self.hoursKeptDays)
        try transaction { () throws(SQLiteError) in
            for (sql, end) in [
                (
                    """
                    INSERT INTO day
                    SELECT link, hour / 24, class, outcome, platform, sum(count) FROM hour
                    WHERE hour < ? GROUP BY 1, 2, 3, 4, 5
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """, hours
                ),
                ("DELETE FROM hour WHERE hour < ?", hours),
                ("DELETE FROM day WHERE day < ?", today - Self.daysKept),
                ("DELETE FROM visitor WHERE day < ?", today - Self.daysKept),
                ("DELETE FROM referrer WHERE day < ?", today - Self.daysKept),
                ("DELETE FROM miss WHERE day < ?", today - Self.hoursKeptDays),
                ("DELETE FROM salt WHERE day <= ?", today - Self.saltsKeptDays),
                (
                    "UPDATE visitor SET sketch = NULL WHERE sketch IS NOT NULL AND day <= ?",
                    today - Self.saltsKeptDays
                ),
            ] {
                try file.prepared(sql).run(.integer(end))
            }
        }
        // The log of transactions has pages from before.
        try file.sqlite { () throws(SQLiteError) in
            try file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    // MARK: Reading

    /// What visits are summed up by.
    package enum Grouping: String, CaseIterable, Sendable {
        case day, hour, platform, outcome, referrer
    }

    /// A sum of visits.
    package struct Row: Equatable, Sendable {
        /// The day or hour since 1970, or the number of the platform or outcome.
        package var group: Int
        /// The referrer's host.
        package var host: String?
        /// By class.
        package var counts = [VisitClass: Int]()
        /// The visitors of a day.
        package var visitors: Int?
    }

    /// Sums of visits, in the order of their groups; referrers by their count.
    /// - Parameters:
    ///   - link: its number; 0 for all links.
    ///   - hours: since 1970. Visitors, referrers, and days whose hours are not kept any more, count
    ///     if a part of the day is in them.
    package func visits(
        of link: Int, _ hours: Range<Int>, by grouping: Grouping
    ) throws(StoreError) -> [Row] {
        let days = hours.lowerBound / 24..<(hours.upperBound + 23) / 24
        let (own, begin, end) = (
            SQLiteValue.integer(link), SQLiteValue.integer(days.lowerBound),
            SQLiteValue.integer(days.upperBound)
        )
        return try file.sqlite { () throws(SQLiteError) in
            guard grouping != .referrer else {
                return try rows(
                    """
                    SELECT host, sum(count) FROM referrer WHERE link = ? AND day >= ? AND day < ?
                    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1000
                    """, [own, begin, end]
                ) { row in
                    Row(group: 0, host: row.text(0), counts: [.visit: row.integer(1)])
                }
            }
            var result = [Row]()
            for (group, number, count) in try rows(
                """
                SELECT \(Self.column(grouping)), class, sum(count) FROM (
                  SELECT hour, class, outcome, platform, count FROM hour
                  WHERE link = ? AND hour >= ? AND hour < ?
                  UNION ALL SELECT 24 * day, class, outcome, platform, count FROM day
                  WHERE link = ? AND day >= ? AND day < ? AND \(grouping != .hour ? 1 : 0))
                WHERE \(grouping == .platform || grouping == .outcome ? "class = 0" : "1")
                GROUP BY 1, 2 ORDER BY 1
                """,
                [
                    own, .integer(hours.lowerBound), .integer(hours.upperBound), own, begin, end,
                ], { ($0.integer(0), $0.integer(1), $0.integer(2)) })
            {
                if result.last?.group != group { result.append(Row(group: group)) }
                guard let visitClass = VisitClass(rawValue: UInt8(number)) else { continue }
                result[result.count - 1].counts[visitClass] = count
            }
            guard grouping == .day, link != 0 else { return result }
            let visitors = try rows(
                "SELECT day, count FROM visitor WHERE link = ? AND day >= ? AND day < ?",
                [own, begin, end]
            ) { ($0.integer(0), $0.integer(1)) }
            let counts = Dictionary(visitors, uniquingKeysWith: max)
            for index in result.indices {
                result[index].visitors = counts[result[index].group] ?? 0
            }
            return result
        }
    }

    private static func column(_ grouping: Grouping) -> String {
        switch grouping {
        case .day: "hour / 24"
        case .hour: "hour"
        case .outcome: "outcome"
        case .platform, .referrer: "platform"
        }
    }

    /// The paths of days that were of no link, the most frequent first.
    /// - Parameters:
    ///   - days: since 1970.
    ///   - collections: numbers of their names; nil for all.
    package func misses(
        _ days: Range<Int>, _ collections: Set<UInt32>?, limit: Int
    ) throws(StoreError) -> [(key: FrequentPaths.Key, entry: FrequentPaths.Entry)] {
        try file.sqlite { () throws(SQLiteError) in
            let all = try rows(
                """
                SELECT collection, path, sum(count), sum(error), min(first), max(last) FROM miss
                WHERE day >= ? AND day < ? GROUP BY 1, 2 ORDER BY 3 DESC, 2
                """, [.integer(days.lowerBound), .integer(days.upperBound)]
            ) { ($0.missKey, $0.missEntry) }
            let own = all.filter { collections?.contains($0.0.collection) ?? true }
            return own.prefix(limit).map { (key: $0.0, entry: $0.1) }
        }
    }

    // MARK: Transactions

    private func transaction<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(StoreError) -> Value {
        try file.sqlite { () throws(SQLiteError) in
            try file.database.execute("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                let value = try body()
                try file.database.execute("COMMIT")
                return value
            } catch {
                if file.database.isInTransaction { try? file.database.execute("ROLLBACK") }
                throw error
            }
        }
    }

    private func rows<Value>(
        _ sql: String, _ values: [SQLiteValue], _ row: (SQLiteStatement) -> Value
    ) throws(SQLiteError) -> [Value] {
        let statement = try file.prepared(sql)
        defer { statement.reset() }
        try statement.begin(values)
        var rows = [Value]()
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }
}

extension SQLiteStatement {
    fileprivate var missKey: FrequentPaths.Key { .init(UInt32(integer(0)), text(1)) }
    fileprivate var missEntry: FrequentPaths.Entry {
        .init(count: integer(2), error: integer(3), first: integer(4), last: integer(5))
    }
}
