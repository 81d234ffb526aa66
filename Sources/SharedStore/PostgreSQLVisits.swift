internal import LinkStore
internal import PostgreSQL
internal import Sockets
internal import Visits

/// Counts of visits in a database that several nodes share.
///
/// Each node adds pieces with numbers of its own, and the database remembers the last one of each: a piece whose
/// answer was lost is added once. The node that holds a lock moves pieces to the tables, so no two nodes write the same
/// row at once.
final class PostgreSQLVisits {
    let database: SharedDatabase
    /// Of the batch that was added last, and the number of its piece.
    private var (last, number) = (0, 0)
    /// The keys that this node uses, which it adds again where the database has lost them.
    private var keys = [Int: [UInt8]]()
    private(set) var isHeavy = false
    private(set) var isMoving = false
    /// Hashes of visitors are kept from this day on, in days since 1970.
    private(set) var firstHashedDay = 0
    /// The most rows of sums by class that a table gives a question about many links; less in tests.
    var rowsMax = PostgreSQLVisits.rowsMax

    init(_ place: PostgreSQLPlace) throws(StoreError) { database = try SharedDatabase(place) }

    /// The most pieces that wait until their hour is over. A question about the visits of a link reads all of them,
    /// so more are moved at once.
    private static let piecesMax = 256
    private static let pieceBytesMax = 4 << 20

    // MARK: Statements

    private func run(
        _ statements: PostgreSQLStatement...
    ) throws(StoreError) -> [PostgreSQLResult] {
        try database.repeating { connection, deadline throws(PostgreSQLError) in
            try connection.run(statements, by: deadline)
        }
    }

    /// Runs `body` in a transaction that no other node has at the same time.
    /// - Parameters:
    ///   - milliseconds: the time for the statements that end it; nil for the usual time.
    ///   - body: returns these statements.
    /// - Returns: false if another node has it.
    private func alone(
        within milliseconds: Int? = nil,
        _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> [PostgreSQLStatement]
    ) throws(StoreError) -> Bool {
        let database = database
        try database.checkWritable()
        return try database.repeating { connection, deadline throws(PostgreSQLError) in
            defer { connection.rollBack() }
            let lock = try connection.begin(
                [
                    PostgreSQLStatement(
                        """
                        SELECT pg_try_advisory_xact_lock($1)
                          AND (SELECT greatest(min_reader, min_writer) FROM waymark.schema) <= $2
                        """, .integer(Self.lockNumber), .integer(PostgreSQLSchema.scripts.count))
                ], by: deadline)
            guard lock[0].first?.boolean(0) == true else { return false }
            let statements = try body(connection)
            let end = milliseconds.map { Deadline(in: $0) } ?? database.statementDeadline
            try connection.commit(statements, by: end)
            return true
        }
    }

    /// The number of the lock that a node holds while it moves pieces: `WMVS`.
    private static let lockNumber = 0x574D_5653
}

extension PostgreSQLVisits: CountedVisits {
    var outlivesFailures: Bool { true }
    /// Numbers of links are in the same database, and go back with it.
    var greatestLink: Int { 0 }
    var hasRoom: Bool { true }
    func checkPresence() throws(StoreError) { try database.checkWritable() }
    func copy(to path: String) throws(StoreError) { throw database.error(.copiesItself) }
    func close() throws(StoreError) { database.disconnect() }

    // MARK: Writing

    func salts(day: Int, _ random: (Int) -> [UInt8]) throws(StoreError) -> VisitSalts? {
        let days = [day, day + 1]
        keys = Dictionary(uniqueKeysWithValues: days.map { ($0, keys[$0] ?? random($0)) })
        let results = try run(
            addingKeys(),
            PostgreSQLStatement(
                "SELECT day, salt FROM waymark.visit_salt WHERE day = ANY($1)", .integers(days)))
        for row in results[1].rows { keys[row.integer(0)] = row.bytes(1) }
        let salts = days.compactMap { keys[$0].flatMap(VisitSalt.init) }
        return salts.count == 2 ? VisitSalts(day: day, salts[0], salts[1]) : nil
    }

    /// Adds the keys that this node uses, where the database has none.
    func addingKeys() -> PostgreSQLStatement {
        let days = keys.keys.sorted()
        return PostgreSQLStatement(
            """
            INSERT INTO waymark.visit_salt (day, salt)
            SELECT * FROM unnest($1::bigint[], $2::bytea[]) ON CONFLICT DO NOTHING
            """, .integers(days), .blobs(days.map { keys[$0] }))
    }

    func add(_ batch: borrowing VisitBatch, id: Int) throws(StoreError) {
        try database.checkWritable()
        if id != last { (last, number) = (id, number + 1) }
        var totals = [UInt64: Int]()
        batch.counts.forEach { slot in
            var key = VisitKey(packed: slot.key)
            key.link = 0
            totals[key.packed, default: 0] += Int(slot.count)
        }
        let sums = totals.sorted { $0.key < $1.key }.map {
            (key: VisitKey(packed: $0.key), count: $0.value)
        }
        let (missed, countries) = (Array(Self.missedPaths(batch.misses)), batch.countryTotals)
        let results = try run(
            PostgreSQLStatement(
                """
                WITH mine AS (
                  INSERT INTO waymark.visit_node AS n (name, flushed, seen)
                  SELECT $1::text, $2::bigint, extract(epoch FROM now())::bigint
                  FROM waymark.schema WHERE greatest(min_reader, min_writer) <= $16
                  ON CONFLICT (name) DO UPDATE SET flushed = excluded.flushed, seen = excluded.seen
                    WHERE n.flushed < excluded.flushed RETURNING 1),
                piece AS (
                  INSERT INTO waymark.visit_piece (node, number, bytes)
                  SELECT $1::text, $2::bigint, $3::bytea FROM mine),
                total AS (
                  INSERT INTO waymark.visit_hour AS v (link, hour, kind, count)
                  SELECT 0, t.hour, t.kind, t.count
                  FROM mine, unnest($4::bigint[], $5::bigint[], $6::bigint[]) t(hour, kind, count)
                  ORDER BY t.hour, t.kind
                  ON CONFLICT (link, hour, kind) DO UPDATE SET count = v.count + excluded.count),
                country AS (
                  INSERT INTO waymark.visit_country AS c (link, day, country, count)
                  SELECT 0, t.day, t.country, t.count
                  FROM mine, unnest($13::bigint[], $14::bigint[], $15::bigint[]) t(day, country, count)
                  ORDER BY t.day, t.country
                  ON CONFLICT (link, day, country) DO UPDATE SET count = c.count + excluded.count)
                INSERT INTO waymark.visit_miss AS m (day, collection, path, count, first, last)
                SELECT t.day, t.collection, t.path, t.count, t.first, t.last FROM mine, unnest(
                  $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::bigint[],
                  $12::bigint[]) t(day, collection, path, count, first, last)
                ORDER BY t.day, t.collection, t.path COLLATE "C"
                ON CONFLICT (day, collection, path) DO UPDATE SET
                  count = m.count + excluded.count, first = least(m.first, excluded.first),
                  last = greatest(m.last, excluded.last)
                """, .text(database.place.node), .integer(number), .blob(VisitPiece(batch).bytes),
                .integers(sums.map(\.key.hour)), .integers(sums.map { Int($0.key.kind) }),
                .integers(sums.map(\.count)), .integers(missed.map(\.key.day)),
                .integers(missed.map { Int($0.key.collection) }), .texts(missed.map(\.key.path)),
                .integers(missed.map(\.value.count)), .integers(missed.map(\.value.first)),
                .integers(missed.map(\.value.last)), .integers(countries.map(\.day)),
                .integers(countries.map(\.country)), .integers(countries.map(\.count)),
                .integer(PostgreSQLSchema.scripts.count)),
            PostgreSQLStatement(
                """
                SELECT count(*) FILTER (WHERE node <> ''),
                  coalesce(sum(octet_length(bytes)) FILTER (WHERE node <> ''), 0)::bigint,
                  count(*) FILTER (WHERE node = '') FROM waymark.visit_piece
                """), PostgreSQLSchema.selection)
        // A node that may not write any more has written nothing, and keeps the batch.
        if let row = results[2].first { try database.note(PostgreSQLSchema(row, from: 0)) }
        if let fault = database.writingFault { throw fault }
        guard let waiting = results[1].first else { return }
        isHeavy = waiting.integer(0) >= Self.piecesMax || waiting.integer(1) >= Self.pieceBytesMax
        // A node has ended while it moved these. The one that gets the lock goes on.
        if waiting.integer(2) > 0 { isMoving = true }
    }

    /// A path of a day that was of no link.
    private struct MissedPath: Hashable {
        let day: Int
        let collection: UInt32
        let path: String
    }

    private static func missedPaths(
        _ misses: [VisitBatch.Miss: Int]
    ) -> [MissedPath: FrequentPaths.Entry] {
        var paths = [MissedPath: FrequentPaths.Entry]()
        for (miss, count) in misses {
            let path = MissedPath(
                day: miss.hour / 24, collection: miss.collection, path: miss.path.withoutZero)
            var entry =
                paths[path] ?? FrequentPaths.Entry(count: 0, first: miss.hour, last: miss.hour)
            entry.count += count
            (entry.first, entry.last) = (min(entry.first, miss.hour), max(entry.last, miss.hour))
            paths[path] = entry
        }
        return paths
    }

    func beginMoving() throws(StoreError) {
        guard !isMoving else { return }
        isHeavy = false
        let database = database
        isMoving = try alone { connection throws(PostgreSQLError) in
            let taken = try connection.run(
                """
                DELETE FROM waymark.visit_piece p USING (
                  SELECT node, number, sum(octet_length(bytes)) OVER (ORDER BY node, number)
                    - octet_length(bytes) AS before FROM waymark.visit_piece WHERE node <> '') w
                WHERE p.node = w.node AND p.number = w.number AND w.before < $1 RETURNING p.bytes
                """, .integer(Self.pieceBytesMax), by: database.statementDeadline)
            var batch = VisitBatch(sizeMax: 2 * VisitBatch.sizeMax)
            for row in taken.rows {
                if let piece = VisitPiece(row.bytes(0)) { batch.merge(piece) }
            }
            return [
                PostgreSQLStatement(
                    """
                    INSERT INTO waymark.visit_piece (node, number, bytes)
                    SELECT '', coalesce((SELECT max(number) FROM waymark.visit_piece
                      WHERE node = ''), 0) + t.place, t.bytes
                    FROM unnest($1::bytea[]) WITH ORDINALITY t(bytes, place)
                    """, .blobs(batch.pieces().map(\.bytes)))
            ]
        }
    }

    func moveNext() throws(StoreError) {
        let database = database
        var isLast = true
        let isMine = try alone { connection throws(PostgreSQLError) in
            let found = try connection.run(
                """
                SELECT number, bytes FROM waymark.visit_piece WHERE node = ''
                ORDER BY number LIMIT 1
                """, by: database.statementDeadline)
            guard let row = found.first else { return [] }
            isLast = false
            let piece = VisitPiece(row.bytes(1)) ?? VisitPiece()
            let tables = PieceStatements(connection, database)
            return try tables.adding(piece) + [
                PostgreSQLStatement(
                    "DELETE FROM waymark.visit_piece WHERE node = '' AND number = $1",
                    .integer(row.integer(0)))
            ]
        }
        isMoving = isMine && !isLast
    }

    @discardableResult
    func expire(today: Int) throws(StoreError) -> Bool {
        firstHashedDay = today - VisitStore.saltsKeptDays + 1
        let first = firstHashedDay
        return try alone(within: Self.expiryMilliseconds) { _ throws(PostgreSQLError) in
            let (hours, days) = (today - VisitStore.hoursKeptDays, today - VisitStore.daysKept)
            let statements: [(sql: String, value: Int)] = [
                (
                    """
                    INSERT INTO waymark.visit_day AS d (link, day, kind, count)
                    SELECT link, hour / 24, kind, sum(count)::bigint FROM waymark.visit_hour
                    WHERE hour < $1 GROUP BY 1, 2, 3
                    ON CONFLICT (link, day, kind) DO UPDATE SET count = d.count + excluded.count
                    """, 24 * hours
                ),
                ("DELETE FROM waymark.visit_hour WHERE hour < $1", 24 * hours),
                ("DELETE FROM waymark.visit_day WHERE day < $1", days),
                ("DELETE FROM waymark.visit_visitor WHERE day < $1", days),
                ("DELETE FROM waymark.visit_referrer WHERE day < $1", days),
                ("DELETE FROM waymark.visit_country WHERE day < $1", days),
                ("DELETE FROM waymark.visit_miss WHERE day < $1", hours),
                (
                    """
                    DELETE FROM waymark.visit_miss m USING (
                      SELECT day, collection, path, row_number() OVER (
                        PARTITION BY day ORDER BY count DESC, path) AS place
                      FROM waymark.visit_miss) w
                    WHERE m.day = w.day AND m.collection = w.collection AND m.path = w.path
                      AND w.place > $1
                    """, VisitStore.pathsMax
                ),
                (
                    """
                    UPDATE waymark.visit_visitor SET sketch = NULL
                    WHERE day < $1 AND sketch IS NOT NULL
                    """, first
                ),
                ("DELETE FROM waymark.visit_salt WHERE day < $1", first),
                (
                    "DELETE FROM waymark.visit_node WHERE seen < $1",
                    86_400 * (today - Self.nodesKeptDays)
                ),
            ]
            let timeout = "SET LOCAL statement_timeout = \(Self.expiryMilliseconds)"
            return [PostgreSQLStatement(timeout)]
                + statements.map { PostgreSQLStatement($0.sql, .integer($0.value)) }
        }
    }

    /// The deletion of old visits reads all of them, once a day.
    private static let expiryMilliseconds = 20_000

    /// A node that writes nothing for so long has ended.
    private static let nodesKeptDays = 7

    // MARK: Reading

    func visits(
        of link: Int, _ hours: Range<Int>, by groups: VisitGroups
    ) throws(StoreError) -> [VisitStore.Row] {
        let days = hours.lowerBound / 24..<(hours.upperBound + 23) / 24
        func selection(
            _ columns: String, _ table: String, _ time: String, _ times: Range<Int>,
            _ isWanted: Bool = true
        ) -> PostgreSQLStatement {
            PostgreSQLStatement(
                """
                SELECT \(columns) FROM waymark.\(table)
                WHERE link = $1 AND \(time) >= $2 AND \(time) < $3 AND $4::boolean
                """, .integer(link), .integer(times.lowerBound), .integer(times.upperBound),
                .boolean(isWanted))
        }
        let isOfReferrers = groups.has(.referrer)
        let hasVisitors = groups == VisitGroups(.day)
        let isOfDays = !groups.has(.hour) && !isOfReferrers
        let statements = [
            selection("hour, kind, count", "visit_hour", "hour", hours, !isOfReferrers),
            selection("day, kind, count", "visit_day", "day", days, isOfDays),
            selection("day, count, sketch", "visit_visitor", "day", days, hasVisitors),
            selection("day, host, count", "visit_referrer", "day", days, isOfReferrers),
            // Sums of all links are in the tables at once.
            PostgreSQLStatement(
                "SELECT bytes FROM waymark.visit_piece WHERE $1::boolean", .boolean(link != 0)),
        ]
        let results = try snapshot(statements)
        let pieces = results[4].rows.compactMap { VisitPiece($0.bytes(0)) }
        guard !isOfReferrers else {
            var sums = ReferrerSums(of: link, days)
            for row in results[3].rows {
                sums.add(row.integer(0), row.text(1), row.integer(2))
            }
            for piece in pieces { sums.add(waiting: piece.referrers) }
            return sums.rows(by: groups)
        }
        var sums = VisitSums(of: link, hours, by: groups)
        for row in results[0].rows {
            sums.add(UInt8(clamping: row.integer(1)), row.integer(0), row.integer(2))
        }
        for row in results[1].rows {
            sums.add(UInt8(clamping: row.integer(1)), 24 &* row.integer(0), row.integer(2))
        }
        for piece in pieces { for slot in piece.counts { sums.add(slot) } }
        var rows = sums.rows
        guard hasVisitors, link != 0 else { return rows }
        var waiting = [Int: [UInt32]]()
        for slot in pieces.lazy.flatMap(\.visitors) {
            let day = LinkDay(packed: slot.key)
            if day.link == link { waiting[day.day, default: []].append(slot.number) }
        }
        let visitors = VisitSums.visitors(
            results[2].rows.map { ($0.integer(0), $0.integer(1), VisitorSketch($0.bytes(2))) },
            waiting, from: firstHashedDay)
        for index in rows.indices { rows[index].visitors = visitors[rows[index].group] ?? 0 }
        return rows
    }

    func misses(
        _ days: Range<Int>, _ collections: Set<UInt32>?, limit: Int
    ) throws(StoreError) -> [(key: FrequentPaths.Key, entry: FrequentPaths.Entry)] {
        let wanted = collections?.map { Int($0) }
        let results = try run(
            PostgreSQLStatement(
                """
                SELECT collection, path, sum(count)::bigint, min(first), max(last)
                FROM waymark.visit_miss WHERE day >= $1 AND day < $2
                  AND ($3::bigint[] IS NULL OR collection = ANY($3::bigint[]))
                GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT $4
                """, .integer(days.lowerBound), .integer(days.upperBound),
                wanted.map { .integers($0) } ?? .null, .integer(limit)))
        return results[0].rows.map { row in
            (
                FrequentPaths.Key(UInt32(truncatingIfNeeded: row.integer(0)), row.text(1)),
                FrequentPaths.Entry(
                    count: row.integer(2), first: row.integer(3), last: row.integer(4))
            )
        }
    }
}
