internal import SQLite
import Visits

/// The tables of the file of visits, which know everything that does not wait in pieces.
final class VisitTables {
    let file: StoreFile
    /// The row in which the file describes itself. Whoever writes it sets this when it is committed.
    var state = State()
    /// Hashes of visitors are kept from this day on, in days since 1970.
    private(set) var firstHashedDay = 0
    /// Whoever keeps counts of the tables looks for these first.
    private(set) var foreignWrites = ForeignWrites()

    init(_ path: String) throws(StoreError) {
        file = try StoreFile(
            path, .visits, settings: Self.settings, schema: Self.schema, upgrade: Self.upgrade)
        state = try file.sqlite { () throws(SQLiteError) in
            try rows("SELECT batch, links, day, doubted, seen, store FROM state", []) { row in
                State(
                    batch: row.integer(0), links: row.integer(1),
                    clock: RetentionClock(
                        day: row.optionalInteger(2), doubted: row.optionalInteger(3),
                        seenMilliseconds: row.integer(4)), store: row.bytes(5))
            }.first ?? State()
        }
    }

    /// A row that the file has once.
    struct State: Equatable {
        /// The batch that was added last.
        var batch = 0
        /// The greatest number of a link that was counted.
        var links = 0
        var clock = RetentionClock()
        /// The identity of the store whose links are counted; empty before it is known.
        var store = [UInt8]()
    }

    /// Deleted salts are overwritten.
    private static let settings = """
        PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -16384;
        """

    /// The link 0 is all links together. An hour's rows become a day's when they are 90 days old.
    /// Times come first, so that what is written together is in one place. `kind` is `VisitKey.kind`.
    static let schema = """
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
        \(ownTables)
        \(countries)
        """

    /// Without the hour, the platform and the referrer of a visit.
    private static let countries = """
        CREATE TABLE country (
          day INTEGER NOT NULL, link INTEGER NOT NULL, country INTEGER NOT NULL,
          count INTEGER NOT NULL, PRIMARY KEY (day, link, country)) STRICT, WITHOUT ROWID;
        """

    private static let ownTables = """
        CREATE TABLE state (
          one INTEGER PRIMARY KEY CHECK (one = 1), batch INTEGER NOT NULL, links INTEGER NOT NULL,
          day INTEGER, doubted INTEGER, seen INTEGER NOT NULL, store BLOB NOT NULL) STRICT;
        INSERT INTO state VALUES (1, 0, 0, NULL, NULL, 0, x'');
        """

    /// Tables were sorted by link, and had columns for class, outcome and platform, in version 1.
    /// In version 2, the file did not know whose links it counts; in version 3, from which countries.
    private static func upgrade(from version: Int) -> String {
        guard version < 3 else { return countries }
        let tables = ["hour", "day", "referrer", "visitor"]
        let greatest = tables.map { "SELECT max(link) AS link FROM \($0)" }
        let state =
            "UPDATE state SET links = (SELECT coalesce(max(link), 0) FROM ("
            + greatest.joined(separator: " UNION ALL ") + "));"
        guard version == 1 else { return ownTables + countries + state }
        let kind = "CASE class WHEN 0 THEN 4 * outcome + platform ELSE 11 + class END"
        return "DROP INDEX visitor_sketch;"
            + tables.map { "ALTER TABLE \($0) RENAME TO old_\($0);" }.joined() + schema
                + """
                INSERT INTO hour SELECT hour, link, \(kind), count FROM old_hour;
                INSERT INTO day SELECT day, link, \(kind), count FROM old_day;
                INSERT INTO referrer SELECT day, link, host, count FROM old_referrer;
                INSERT INTO visitor SELECT day, link, count, sketch FROM old_visitor;
                """ + tables.map { "DROP TABLE old_\($0);" }.joined() + state
    }

    // MARK: Pieces

    /// The pieces that are in no table.
    func pieces() throws(StoreError) -> [[UInt8]] {
        try file.sqlite { () throws(SQLiteError) in
            try rows("SELECT bytes FROM piece", []) { $0.bytes(0) }
        }
    }

    /// Adds a piece.
    /// - Returns: the number of its row.
    @discardableResult
    func insert(piece bytes: [UInt8]) throws(SQLiteError) -> Int {
        try file.prepared("INSERT INTO piece (bytes) VALUES (?)").run(.blob(bytes))
        return Int(file.database.lastRowID)
    }

    func deletePiece(_ row: Int) throws(SQLiteError) {
        try file.prepared("DELETE FROM piece WHERE row = ?").run(.integer(row))
    }

    func deletePieces() throws(SQLiteError) { try file.database.execute("DELETE FROM piece") }

    // MARK: Writing

    func write(_ state: State) throws(SQLiteError) {
        try file.prepared(
            "UPDATE state SET batch = ?, links = ?, day = ?, doubted = ?, seen = ?, store = ?"
        )
        .run(
            .integer(state.batch), .integer(state.links), .optional(state.clock.day),
            .optional(state.clock.doubted), .integer(state.clock.seenMilliseconds),
            .blob(state.store))
    }

    /// The day by which what is old is deleted, as `RetentionClock` says.
    func retentionDay(_ day: Int, after milliseconds: Int) throws(StoreError) -> Int {
        var next = state
        let last =
            next.clock.day == nil
            ? try file.sqlite { () throws(SQLiteError) in
                try [ends("hour").map { $0.upperBound / 24 }, ends("day")?.upperBound]
                    .compactMap(\.self).max()
            } : nil
        next.clock.see(day, after: milliseconds, lastCounted: last)
        if next != state {
            try transaction { () throws(SQLiteError) in try write(next) }
            state = next
        }
        return next.clock.today(day)
    }

    /// The keys of today and tomorrow, which are made if there are none.
    /// - Parameter random: makes the 16 bytes of a day's key.
    func salts(day: Int, _ random: (Int) -> [UInt8]) throws(StoreError) -> VisitSalts? {
        try transaction { () throws(SQLiteError) in
            var salts = [VisitSalt]()
            for day in [day, day + 1] {
                try file.prepared("INSERT OR IGNORE INTO salt VALUES (?, ?)")
                    .run(.integer(day), .blob(random(day)))
                let known = try rows("SELECT salt FROM salt WHERE day = ?", [.integer(day)]) {
                    VisitSalt($0.bytes(0))
                }
                salts += known.compactMap(\.self)
            }
            return salts.count == 2 ? VisitSalts(day: day, salts[0], salts[1]) : nil
        }
    }

    func add(_ key: VisitKey, _ count: Int) throws(SQLiteError) {
        try file.prepared(
            """
            INSERT INTO hour VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(
            .integer(key.hour), .integer(key.link), .integer(Int(key.kind)), .integer(count))
    }

    func add(_ day: LinkDay, _ visitors: ArraySlice<KeyCounts.Slot>) throws(SQLiteError) {
        guard day.day >= firstHashedDay else { return }
        let known = try rows(
            "SELECT sketch, count FROM visitor WHERE day = ? AND link = ?",
            [.integer(day.day), .integer(day.link)]
        ) { (VisitorSketch($0.bytes(0)), $0.integer(1)) }
        var sketch = known.first?.0 ?? VisitorSketch()
        var hasChanged = false
        for visitor in visitors where sketch.add(visitor.number) { hasChanged = true }
        guard hasChanged else { return }
        try file.prepared("INSERT OR REPLACE INTO visitor VALUES (?, ?, ?, ?)")
            .run(
                // Where the hashes of a number are gone, it is at least that.
                .integer(day.day), .integer(day.link),
                .integer(max(sketch.count, known.first?.1 ?? 0)),
                .blob(sketch.bytes))
    }

    func add(_ day: LinkDay, _ host: String, _ count: Int) throws(SQLiteError) {
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
            key[0], key[1], .text(others[0] < VisitStore.hostsMax ? host : VisitStore.otherHosts),
            .integer(count))
    }

    func add(_ misses: [VisitBatch.Miss: Int]) throws(SQLiteError) {
        for (day, counts) in Dictionary(grouping: misses, by: { $0.key.hour / 24 }) {
            var paths = FrequentPaths(
                capacity: VisitStore.pathsMax,
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
    func expire(today: Int) throws(StoreError) {
        let hours = 24 * (today - VisitStore.hoursKeptDays)
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
                ("DELETE FROM day WHERE day < ?", today - VisitStore.daysKept),
                ("DELETE FROM visitor WHERE day < ?", today - VisitStore.daysKept),
                ("DELETE FROM referrer WHERE day < ?", today - VisitStore.daysKept),
                ("DELETE FROM country WHERE day < ?", today - VisitStore.daysKept),
                ("DELETE FROM miss WHERE day < ?", today - VisitStore.hoursKeptDays),
                // A day that has no salt has no sketches any more.
                (
                    """
                    UPDATE visitor SET sketch = NULL
                    WHERE day IN (SELECT day FROM salt WHERE day <= ?)
                    """, today - VisitStore.saltsKeptDays
                ),
                ("DELETE FROM salt WHERE day <= ?", today - VisitStore.saltsKeptDays),
            ] { try file.prepared(sql).run(.integer(end)) }
        }
        firstHashedDay = today - VisitStore.saltsKeptDays + 1
        // The log of transactions has pages from before.
        try file.sqlite { () throws(SQLiteError) in
            defer { noteWritten() }
            try file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    // MARK: Transactions

    func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        lookForForeignWrites()
        return try file.sqlite { () throws(SQLiteError) in
            try file.database.execute("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                let value = try body()
                try file.database.execute("COMMIT")
                noteWritten()
                return value
            } catch {
                if file.database.isInTransaction { try? file.database.execute("ROLLBACK") }
                // What did not fit into SQLite's cache is in the log.
                noteWritten()
                throw error
            }
        }
    }

    func lookForForeignWrites() { foreignWrites.look(at: file) }

    /// Notes that this process has written the file.
    func noteWritten() {
        file.noteWritten()
        foreignWrites.noteOwn(file)
    }

    func rows<Value>(
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
    var missKey: FrequentPaths.Key { .init(UInt32(integer(0)), text(1)) }
    var missEntry: FrequentPaths.Entry {
        .init(count: integer(2), error: integer(3), first: integer(4), last: integer(5))
    }
}
