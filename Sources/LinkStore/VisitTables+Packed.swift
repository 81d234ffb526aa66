internal import SQLite
internal import Visits

/// The tables whose counts are packed.
enum PackedTable: String, CaseIterable {
    case hour, day

    /// The hours of a time of the table.
    var hours: Int { self == .hour ? 1 : 24 }
}

extension VisitTables {
    /// The counts of each hour and day once more, as one row (`PackedCounts`): to step through the rows of all links takes a
    /// hundred times as long as to read it. Whoever changes a count, another program or version too, deletes
    /// that row by a trigger, so none says something else than the table.
    static let packedSchema = PackedTable.allCases.map { table in
        """
        CREATE TABLE IF NOT EXISTS packed_\(table) (\(table) INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
        CREATE TRIGGER IF NOT EXISTS \(table)_added AFTER INSERT ON \(table) WHEN NEW.link > 0
          BEGIN DELETE FROM packed_\(table) WHERE \(table) = NEW.\(table); END;
        CREATE TRIGGER IF NOT EXISTS \(table)_changed AFTER UPDATE ON \(table) WHEN OLD.link > 0 OR NEW.link > 0
          BEGIN DELETE FROM packed_\(table) WHERE \(table) IN (OLD.\(table), NEW.\(table)); END;
        CREATE TRIGGER IF NOT EXISTS \(table)_removed AFTER DELETE ON \(table) WHEN OLD.link > 0
          BEGIN DELETE FROM packed_\(table) WHERE \(table) = OLD.\(table); END;
        """
    }.joined()

    /// The times that have counts and no packed ones.
    func unpacked(_ table: PackedTable) throws(SQLiteError) -> Set<Int> {
        try Set(
            rows(
                """
                WITH RECURSIVE times(time) AS (
                  SELECT min(\(table)) FROM \(table)
                  UNION ALL SELECT (SELECT min(\(table)) FROM \(table) WHERE \(table) > time) FROM times
                  WHERE time IS NOT NULL)
                SELECT time FROM times
                WHERE time IS NOT NULL AND time NOT IN (SELECT \(table) FROM packed_\(table))
                """, []
            ) { $0.integer(0) })
    }

    /// The counts of links at a time, in their order.
    /// - Parameters:
    ///   - last: the link and the kind after which they begin.
    ///   - limit: at most so many.
    func counts(
        _ table: PackedTable, at time: Int, after last: (link: Int, kind: Int), limit: Int
    ) throws(SQLiteError) -> [(link: Int, kind: Int, count: Int)] {
        try rows(
            """
            SELECT link, kind, count FROM \(table)
            WHERE \(table) = ? AND (link, kind) > (?, ?) ORDER BY link, kind LIMIT ?
            """, [.integer(time), .integer(last.link), .integer(last.kind), .integer(limit)]
        ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
    }

    func write(_ packed: PackedCounts, _ table: PackedTable, at time: Int) throws(StoreError) {
        try transaction { () throws(SQLiteError) in
            try file.prepared("INSERT OR REPLACE INTO packed_\(table) VALUES (?, ?)").run(
                .integer(time), .blob(packed.bytes))
        }
    }

    /// Calls `body` with the packed counts of each time, in their order.
    func eachPacked(
        _ table: PackedTable, _ times: Range<Int>, _ body: (Int, [UInt8]) -> Void
    ) throws(SQLiteError) {
        let statement = try file.prepared(
            """
            SELECT \(table), bytes FROM packed_\(table)
            WHERE \(table) >= ? AND \(table) < ? ORDER BY \(table)
            """)
        defer { statement.reset() }
        try statement.begin(Self.range(times))
        while try statement.step() { body(statement.integer(0), statement.bytes(1)) }
    }

    /// The bytes of the packed counts of these times.
    func packedBytes(_ table: PackedTable, _ times: Range<Int>) throws(SQLiteError) -> Int {
        try rows(
            """
            SELECT ifnull(sum(length(bytes)), 0) FROM packed_\(table)
            WHERE \(table) >= ? AND \(table) < ?
            """, Self.range(times)
        ) { $0.integer(0) }.first ?? 0
    }
}
