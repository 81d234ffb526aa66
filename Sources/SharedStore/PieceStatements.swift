internal import LinkStore
internal import PostgreSQL
internal import Visits

/// The statements that add a piece to the tables of visits. Rows that they raise are read first, in the same
/// transaction.
struct PieceStatements {
    private let connection: PostgreSQLConnection
    private let database: SharedDatabase

    init(_ connection: PostgreSQLConnection, _ database: SharedDatabase) {
        (self.connection, self.database) = (connection, database)
    }

    func adding(_ piece: VisitPiece) throws(PostgreSQLError) -> [PostgreSQLStatement] {
        [adding(piece.counts)] + adding(countries: piece.countries)
            + (try adding(visitors: piece.visitors))
            + (try adding(piece.referrers))
    }

    private func adding(_ counts: [KeyCounts.Slot]) -> PostgreSQLStatement {
        // The row of all links has its sums already. Kinds of a later version may be the same one here.
        let counts = counts.map { (key: VisitKey(packed: $0.key), count: Int($0.count)) }
            .filter { $0.key.link > 0 }
        return PostgreSQLStatement(
            """
            INSERT INTO waymark.visit_hour AS v (link, hour, kind, count)
            SELECT link, hour, kind, sum(count)::bigint
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
              t(link, hour, kind, count) GROUP BY 1, 2, 3
            ON CONFLICT (link, hour, kind) DO UPDATE SET count = v.count + excluded.count
            """, .integers(counts.map(\.key.link)), .integers(counts.map(\.key.hour)),
            .integers(counts.map { Int($0.key.kind) }), .integers(counts.map(\.count)))
    }

    private func adding(countries: [KeyCounts.Slot]) -> [PostgreSQLStatement] {
        guard !countries.isEmpty else { return [] }
        let days = countries.map { LinkDay(packed: $0.key) }
        return [
            PostgreSQLStatement(
                """
                INSERT INTO waymark.visit_country AS v (link, day, country, count)
                SELECT link, day, country, sum(count)::bigint
                FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                  t(link, day, country, count) GROUP BY 1, 2, 3
                ON CONFLICT (link, day, country) DO UPDATE SET count = v.count + excluded.count
                """, .integers(days.map(\.link)), .integers(days.map(\.day)),
                .integers(countries.map { Int($0.number) }),
                .integers(countries.map { Int($0.count) }))
        ]
    }

    private func adding(
        visitors: [KeyCounts.Slot]
    ) throws(PostgreSQLError) -> [PostgreSQLStatement] {
        guard !visitors.isEmpty else { return [] }
        let hashes = Dictionary(grouping: visitors) { LinkDay(packed: $0.key) }
        let days = Array(hashes.keys)
        let (links, dates) = (days.map(\.link), days.map(\.day))
        let known = try connection.run(
            """
            SELECT v.link, v.day, v.count, v.sketch FROM waymark.visit_visitor v
            JOIN unnest($1::bigint[], $2::bigint[]) w(link, day) USING (link, day)
            """, .integers(links), .integers(dates), by: database.statementDeadline)
        var before = [LinkDay: (count: Int, sketch: VisitorSketch)]()
        for row in known.rows {
            let day = LinkDay(link: row.integer(0), day: row.integer(1))
            before[day] = (row.integer(2), VisitorSketch(row.bytes(3)) ?? VisitorSketch())
        }
        var (counts, sketches) = ([Int](), [[UInt8]]())
        for day in days {
            var sketch = before[day]?.sketch ?? VisitorSketch()
            for slot in hashes[day] ?? [] { _ = sketch.add(slot.number) }
            // Where the hashes of a number are gone, it is at least that.
            counts.append(max(sketch.count, before[day]?.count ?? 0))
            sketches.append(sketch.bytes)
        }
        return [
            PostgreSQLStatement(
                """
                INSERT INTO waymark.visit_visitor AS v (link, day, count, sketch)
                SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])
                ON CONFLICT (link, day) DO UPDATE SET count = excluded.count,
                  sketch = excluded.sketch
                """, .integers(links), .integers(dates), .integers(counts),
                .blobs(sketches))
        ]
    }

    private func adding(
        _ referrers: [VisitPiece.Referrer]
    ) throws(PostgreSQLError) -> [PostgreSQLStatement] {
        guard !referrers.isEmpty else { return [] }
        let days = Array(Set(referrers.map(\.day)))
        let known = try connection.run(
            """
            SELECT r.link, r.day, r.host FROM waymark.visit_referrer r
            JOIN unnest($1::bigint[], $2::bigint[]) w(link, day) USING (link, day)
            """, .integers(days.map(\.link)), .integers(days.map(\.day)),
            by: database.statementDeadline)
        var hosts = [LinkDay: Set<String>]()
        for row in known.rows {
            hosts[LinkDay(link: row.integer(0), day: row.integer(1)), default: []].insert(
                row.text(2))
        }
        var sums = [LinkDay: [String: Int]]()
        for one in referrers {
            let own = one.host.withoutZero
            let isKnown = hosts[one.day]?.contains(own) ?? false
            let isOver = hosts[one.day]?.count ?? 0 >= VisitStore.hostsMax
            let host = isKnown || !isOver ? own : VisitStore.otherHosts
            hosts[one.day, default: []].insert(host)
            sums[one.day, default: [:]][host, default: 0] += one.count
        }
        let rows = sums.flatMap { day, hosts in
            hosts.map { (day: day, host: $0.key, count: $0.value) }
        }
        return [
            PostgreSQLStatement(
                """
                INSERT INTO waymark.visit_referrer AS v (link, day, host, count)
                SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[])
                ON CONFLICT (link, day, host) DO UPDATE SET count = v.count + excluded.count
                """, .integers(rows.map(\.day.link)), .integers(rows.map(\.day.day)),
                .texts(rows.map(\.host)), .integers(rows.map(\.count)))
        ]
    }
}

extension String {
    /// The text without the zero byte, which no text of the database has.
    var withoutZero: String {
        guard utf8.contains(0) else { return self }
        return String(decoding: utf8.flatMap { $0 == 0 ? Array("%00".utf8) : [$0] }, as: UTF8.self)
    }
}
