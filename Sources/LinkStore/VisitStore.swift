internal import SQLite
package import Visits

/// What is known of visits, in an SQLite database beside the store of links: hours for 90 days, days
/// for 25 months. A commit survives a crash of the process; a power cut takes what was not
/// checkpointed.
///
/// What is counted of links is written at once as a piece (`VisitPiece`), one row however many links
/// there are, and kept in memory. It is moved to the tables when its hour is over or when it has
/// become much, in the order of the tables, and a piece at a time. So a row of a table is written
/// once an hour, however often its link is visited. Pieces and tables together are what is known.
package final class VisitStore {
    private let file: StoreFile
    /// What is in pieces and not in the tables, without what is being moved.
    private var waiting: VisitBatch
    private var waitingBytes = 0
    /// What is being moved, by the numbers of its rows; the last one is the next.
    private var moving = [(row: Int, piece: VisitPiece)]()
    /// Hashes of visitors are kept from this day on, in days since 1970.
    private var firstHashedDay = 0

    /// Opens the file at `path`, or creates it.
    /// - Throws: why it cannot be used. A file that is something else, or damaged, is left as it is.
    package init(_ path: String) throws(StoreError) {
        file = try StoreFile(
            path, .visits, settings: Self.settings, schema: Self.schema, upgrade: Self.upgrade)
        waiting = VisitBatch(sizeMax: 2 * VisitBatch.sizeMax)
        let pieces = try file.sqlite { () throws(SQLiteError) in
            try rows("SELECT bytes FROM piece", []) { $0.bytes(0) }
        }
        for bytes in pieces {
            if let piece = VisitPiece(bytes) { waiting.merge(piece) }
            waitingBytes += bytes.count
        }
    }

    package var path: String { file.path }

    /// Checkpoints what is left, so that the file alone has everything.
    package func close() throws(StoreError) { try file.close() }

    /// Deleted salts are overwritten.
    private static let settings = """
        PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -16384;
        """

    /// The link 0 is all links together. An hour's rows become a day's when they are 90 days old.
    /// Times come first, so that what is written together is in one place. `kind` is `VisitKey.kind`.
    private static let schema = """
        CREATE TABLE piece (row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
        CREATE TABLE hour (
          hour INTEGER NOT NULL, link INTEGER NOT NULL, kind INTEGER NOT NULL,
          count INTEGER NOT NULL, PRIMARY KEY (hour, link, kind)) STRICT, WITHOUT ROWID;
        CREATE TABLE day (
          day INTEGER NOT NULL, link INTEGER NOT NULL, kind INTEGER NOT NULL,
          count INTEGER NOT NULL, PRIMARY KEY (day, link, kind)) STRICT, WITHOUT ROWID;
        CREATE TABLE referrer (
          day INTEGER NOT NULL, link INTEGER NOT NULL, host TEXT NOT NULL, count INTEGER NOT NULL,
          PRIMARY KEY (day, link, host)) STRICT, WITHOUT ROWID;
        CREATE TABLE visitor (
          day INTEGER NOT NULL, link INTEGER NOT NULL, count INTEGER NOT NULL, sketch BLOB,
          PRIMARY KEY (day, link)) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS salt (day INTEGER PRIMARY KEY, salt BLOB NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS miss (
          day INTEGER NOT NULL, collection INTEGER NOT NULL, path TEXT NOT NULL,
          count INTEGER NOT NULL, error INTEGER NOT NULL,
          first INTEGER NOT NULL, last INTEGER NOT NULL,
          PRIMARY KEY (day, collection, path)) STRICT, WITHOUT ROWID;
        """

    /// Tables were sorted by link, and had columns for class, outcome and platform.
    private static var upgrade: String {
        let kind = "CASE class WHEN 0 THEN 4 * outcome + platform ELSE 11 + class END"
        let tables = ["hour", "day", "referrer", "visitor"]
        return "DROP INDEX visitor_sketch;"
            + tables.map { "ALTER TABLE \($0) RENAME TO old_\($0);" }.joined() + schema
                + """
                INSERT INTO hour SELECT hour, link, \(kind), count FROM old_hour;
                INSERT INTO day SELECT day, link, \(kind), count FROM old_day;
                INSERT INTO referrer SELECT day, link, host, count FROM old_referrer;
                INSERT INTO visitor SELECT day, link, count, sketch FROM old_visitor;
                """ + tables.map { "DROP TABLE old_\($0);" }.joined()
    }

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
    package func add(_ batch: borrowing VisitBatch) throws(StoreError) {
        let bytes = VisitPiece(batch).bytes
        var totals = [UInt64: Int]()
        batch.counts.forEach { slot in
            var key = VisitKey(packed: slot.key)
            key.link = 0
            totals[key.packed, default: 0] += Int(slot.count)
        }
        let misses = batch.misses
        try transaction { () throws(SQLiteError) in
            try file.prepared("INSERT INTO piece (bytes) VALUES (?)").run(.blob(bytes))
            for (key, count) in totals { try add(VisitKey(packed: key), count) }
            try add(misses)
        }
        waiting.merge(batch)
        waitingBytes += bytes.count
    }

    /// Whether so much waits that it should be moved to the tables.
    package var isHeavy: Bool {
        waiting.size >= VisitBatch.sizeMax / 2 || waitingBytes >= Self.waitingBytesMax
    }

    /// Whether there is room for another batch.
    package var hasRoom: Bool { waiting.size <= VisitBatch.sizeMax }

    /// Whether something is being moved to the tables.
    package var isMoving: Bool { !moving.isEmpty }

    /// How many bytes of pieces there are before they are moved, although their hour is not over.
    package static let waitingBytesMax = 64 << 20

    /// Begins to move what waits to the tables, if nothing is being moved: `moveNext` does it. It is
    /// written once more, in their order and in small pieces.
    package func beginMoving() throws(StoreError) {
        guard moving.isEmpty, !waiting.isEmpty else { return }
        let pieces = waiting.pieces()
        let rows = try transaction { () throws(SQLiteError) in
            try file.database.execute("DELETE FROM piece")
            var rows = [(row: Int, piece: VisitPiece)]()
            for piece in pieces {
                try file.prepared("INSERT INTO piece (bytes) VALUES (?)").run(.blob(piece.bytes))
                rows.append((Int(file.database.lastRowID), piece))
            }
            return rows
        }
        moving = rows.reversed()
        waiting = VisitBatch(sizeMax: 2 * VisitBatch.sizeMax)
        waitingBytes = 0
    }

    /// Moves a piece to the tables, in one transaction.
    package func moveNext() throws(StoreError) {
        guard let (row, piece) = moving.last else { return }
        try transaction { () throws(SQLiteError) in
            for slot in piece.counts { try add(VisitKey(packed: slot.key), Int(slot.count)) }
            var start = 0
            while start < piece.visitors.count {
                let key = piece.visitors[start].key
                let end =
                    piece.visitors[start...].firstIndex { $0.key != key }
                    ?? piece.visitors.endIndex
                try add(LinkDay(packed: key), piece.visitors[start..<end])
                start = end
            }
            for one in piece.referrers { try add(one.day, one.host, one.count) }
            try file.prepared("DELETE FROM piece WHERE row = ?").run(.integer(row))
        }
        moving.removeLast()
    }

    private func add(_ key: VisitKey, _ count: Int) throws(SQLiteError) {
        try file.prepared(
            """
            INSERT INTO hour VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(
            .integer(key.hour), .integer(key.link), .integer(Int(key.kind)), .integer(count))
    }

    private func add(
        _ day: LinkDay, _ visitors: ArraySlice<KeyCounts.Slot>
    ) throws(SQLiteError) {
        guard day.day >= firstHashedDay else { return }
        let known = try rows(
            "SELECT sketch FROM visitor WHERE day = ? AND link = ?",
            [.integer(day.day), .integer(day.link)]
        ) { VisitorSketch($0.bytes(0)) }
        var sketch = known.first.flatMap(\.self) ?? VisitorSketch()
        var hasChanged = false
        for visitor in visitors where sketch.add(visitor.number) { hasChanged = true }
        guard hasChanged else { return }
        try file.prepared("INSERT OR REPLACE INTO visitor VALUES (?, ?, ?, ?)")
            .run(
                .integer(day.day), .integer(day.link), .integer(sketch.count),
                .blob(sketch.bytes))
    }

    private func add(_ day: LinkDay, _ host: String, _ count: Int) throws(SQLiteError) {
        let key = [SQLiteValue.integer(day.day), .integer(day.link)]
        try file.prepared(
            "UPDATE referrer SET count = count + ? WHERE day = ? AND link = ? AND host = ?"
        ).run(.integer(count), key[0], key[1], .text(host))
        guard file.database.changes == 0 else { return }
        let others = try rows(
            "SELECT count(*) FROM referrer WHERE day = ? AND link = ?", key
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
                    SELECT hour / 24, link, kind, sum(count) FROM hour
                    WHERE hour < ? GROUP BY 1, 2, 3
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """, hours
                ),
                ("DELETE FROM hour WHERE hour < ?", hours),
                ("DELETE FROM day WHERE day < ?", today - Self.daysKept),
                ("DELETE FROM visitor WHERE day < ?", today - Self.daysKept),
                ("DELETE FROM referrer WHERE day < ?", today - Self.daysKept),
                ("DELETE FROM miss WHERE day < ?", today - Self.hoursKeptDays),
                // A day that has no salt has no sketches any more.
                (
                    """
                    UPDATE visitor SET sketch = NULL
                    WHERE day IN (SELECT day FROM salt WHERE day <= ?)
                    """, today - Self.saltsKeptDays
                ),
                ("DELETE FROM salt WHERE day <= ?", today - Self.saltsKeptDays),
            ] {
                try file.prepared(sql).run(.integer(end))
            }
        }
        firstHashedDay = today - Self.saltsKeptDays + 1
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
        return try file.sqlite { () throws(SQLiteError) in
            switch grouping {
            case .referrer: return try referrers(of: link, days)
            case .day, .hour, .platform, .outcome: break
            }
            var sums = [Int: Row]()
            func add(_ kind: UInt8, _ hour: Int, _ count: Int) {
                let key = VisitKey(link: link, hour: hour, kind: kind)
                guard let group = key.group(grouping) else { return }
                sums[group, default: Row(group: group)].counts[key.visitClass, default: 0] += count
            }
            for row in try counts("hour", of: link, hours) { add(row.kind, row.time, row.count) }
            if grouping != .hour {
                for row in try counts("day", of: link, days) {
                    add(row.kind, 24 * row.time, row.count)
                }
            }
            // Sums of all links are in the tables at once.
            if link != 0 {
                func addWaiting(_ slot: KeyCounts.Slot) {
                    let key = VisitKey(packed: slot.key)
                    guard key.link == link, hours.contains(key.hour) else { return }
                    add(key.kind, key.hour, Int(slot.count))
                }
                waiting.counts.forEach { addWaiting($0) }
                for (_, piece) in moving { for slot in piece.counts { addWaiting(slot) } }
            }
            var result = sums.values.sorted { $0.group < $1.group }
            guard grouping == .day, link != 0 else { return result }
            let visitors = try visitors(of: link, days)
            for index in result.indices {
                result[index].visitors = visitors[result[index].group] ?? 0
            }
            return result
        }
    }

    /// The rows of a link in a table whose key begins with a time.
    private func counts(
        _ table: String, of link: Int, _ times: Range<Int>
    ) throws(SQLiteError) -> [(time: Int, kind: UInt8, count: Int)] {
        try rows(
            """
            \(Self.times(table))
            SELECT time, kind, count FROM times CROSS JOIN \(table)
            WHERE \(table).\(table) = time AND link = ? AND time < ?2
            """, Self.range(times) + [.integer(link)]
        ) { ($0.integer(0), UInt8(clamping: $0.integer(1)), $0.integer(2)) }
    }

    /// The numbers of visitors by day.
    private func visitors(of link: Int, _ days: Range<Int>) throws(SQLiteError) -> [Int: Int] {
        var hashes = [Int: [UInt32]]()
        func addWaiting(_ slot: KeyCounts.Slot) {
            let day = LinkDay(packed: slot.key)
            if day.link == link { hashes[day.day, default: []].append(slot.number) }
        }
        waiting.visitors.forEach { addWaiting($0) }
        for (_, piece) in moving { for slot in piece.visitors { addWaiting(slot) } }
        let known = try rows(
            """
            \(Self.times("visitor", "day"))
            SELECT time, count, sketch FROM times CROSS JOIN visitor WHERE day = time AND link = ? AND time < ?2
            """, Self.range(days) + [.integer(link)]
        ) { ($0.integer(0), $0.integer(1), VisitorSketch($0.bytes(2))) }
        var counts = Dictionary(known.map { ($0.0, $0.1) }, uniquingKeysWith: max)
        let sketches = Dictionary(
            known.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first })
        for (day, hashes) in hashes where day >= firstHashedDay {
            var sketch = sketches[day].flatMap(\.self) ?? VisitorSketch()
            for hash in hashes { _ = sketch.add(hash) }
            counts[day] = sketch.count
        }
        return counts
    }

    private func referrers(of link: Int, _ days: Range<Int>) throws(SQLiteError) -> [Row] {
        let known = try rows(
            """
            \(Self.times("referrer", "day"))
            SELECT host, sum(count) FROM times CROSS JOIN referrer WHERE day = time AND link = ? AND time < ?2
            GROUP BY 1
            """, Self.range(days) + [.integer(link)]
        ) { ($0.text(0), $0.integer(1)) }
        var counts = Dictionary(known, uniquingKeysWith: +)
        func add(_ day: LinkDay, _ host: String, _ count: Int) {
            guard day.link == link, days.contains(day.day) else { return }
            counts[host, default: 0] += count
        }
        for (day, hosts) in waiting.referrers {
            for (host, count) in hosts { add(day, host, count) }
        }
        for (_, piece) in moving {
            for one in piece.referrers { add(one.day, one.host, one.count) }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.referrersMax)
            .map { Row(group: 0, host: $0.key, counts: [.visit: $0.value]) }
    }

    /// How many hosts an answer names.
    private static let referrersMax = 1_000

    /// The times of a range that a table can have, one after the other: a link's rows are found by
    /// one search for each.
    private static func times(_ table: String, _ column: String? = nil) -> String {
        let column = column ?? table
        return """
            WITH RECURSIVE times(time) AS (
              SELECT max(?1, (SELECT min(\(column)) FROM \(table)))
              UNION ALL SELECT time + 1 FROM times
              WHERE time + 1 < ?2 AND time < (SELECT max(\(column)) FROM \(table)))
            """
    }

    private static func range(_ times: Range<Int>) -> [SQLiteValue] {
        [.integer(times.lowerBound), .integer(times.upperBound)]
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

extension VisitKey {
    /// Nil where it is not summed up.
    fileprivate func group(_ grouping: VisitStore.Grouping) -> Int? {
        switch grouping {
        case .day: return day
        case .hour: return hour
        case .outcome, .platform:
            guard case .visit = visitClass else { return nil }
            return Int(grouping == .platform ? platform : outcome)
        case .referrer: return nil
        }
    }
}

extension SQLiteStatement {
    fileprivate var missKey: FrequentPaths.Key { .init(UInt32(integer(0)), text(1)) }
    fileprivate var missEntry: FrequentPaths.Entry {
        .init(count: integer(2), error: integer(3), first: integer(4), last: integer(5))
    }
}
