internal import LinkStore
internal import PostgreSQL
internal import Visits

extension PostgreSQLVisits {
    /// The database adds them up, and names the hosts with the most visits of each day.
    func addReferrers(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout HostSums
    ) throws(StoreError) -> Int {
        guard !links.links.isEmpty else { return days.upperBound }
        let part = Self.part(of: days, links: links.links.count)
        let statements = [
            PostgreSQLStatement(
                """
                SELECT day, CASE WHEN place > \(HostSums.hostsOfDayMax) THEN $4::text ELSE host END,
                  least(sum(count), 1::bigint << 40)::bigint
                FROM (
                  SELECT v.day, v.host, sum(v.count) AS count, row_number() OVER (
                    PARTITION BY v.day ORDER BY sum(v.count) DESC, v.host) AS place
                  FROM unnest($1::bigint[]) g(link)
                  JOIN waymark.visit_referrer v ON v.link = g.link AND v.day >= $2 AND v.day < $3
                  GROUP BY 1, 2) h
                GROUP BY 1, 2
                """, .integers(links.links), .integer(part.lowerBound), .integer(part.upperBound),
                .text(VisitStore.otherHosts)),
            PostgreSQLStatement("SELECT bytes FROM waymark.visit_piece"),
        ]
        let results = try snapshot(statements)
        for row in results[0].rows { sums.add(row.integer(0), row.text(1), row.integer(2)) }
        for piece in results[1].rows.compactMap({ VisitPiece($0.bytes(0)) }) {
            for one in piece.referrers {
                guard part.contains(one.day.day), links.group(of: one.day.link) != nil else {
                    continue
                }
                sums.add(one.day.day, one.host, one.count)
            }
        }
        return part.upperBound
    }

    /// The database adds the numbers up. Where more visitors wait in pieces, the rows of these links and days are read.
    func addVisitors(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout [Int: Int]
    ) throws(StoreError) -> Int {
        guard !links.links.isEmpty else { return days.upperBound }
        let (part, first) = (Self.part(of: days, links: links.links.count), firstHashedDay)
        let statements = [
            PostgreSQLStatement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
            PostgreSQLStatement(
                """
                SELECT v.day, greatest(least(sum(v.count), 1::bigint << 40), 0)::bigint
                FROM unnest($1::bigint[]) g(link)
                JOIN waymark.visit_visitor v ON v.link = g.link AND v.day >= $2 AND v.day < $3
                GROUP BY 1
                """, .integers(links.links), .integer(part.lowerBound), .integer(part.upperBound)),
            PostgreSQLStatement(
                "SELECT bytes FROM waymark.visit_piece WHERE $1::boolean",
                .boolean(part.upperBound > first)),
        ]
        let found = try database.repeating { connection, deadline throws(PostgreSQLError) in
            defer { connection.rollBack() }
            let results = try connection.begin(statements, by: deadline)
            var waiting = [LinkDay: [UInt32]]()
            for piece in results[2].rows.compactMap({ VisitPiece($0.bytes(0)) }) {
                for slot in piece.visitors {
                    let day = LinkDay(packed: slot.key)
                    guard day.day >= first, part.contains(day.day),
                        links.group(of: day.link) != nil
                    else { continue }
                    waiting[day, default: []].append(slot.number)
                }
            }
            var known: PostgreSQLResult?
            if !waiting.isEmpty {
                let all = Array(waiting.keys)
                known = try connection.run(
                    """
                    SELECT v.link, v.day, v.count, v.sketch
                    FROM unnest($1::bigint[], $2::bigint[]) g(link, day)
                    JOIN waymark.visit_visitor v ON v.link = g.link AND v.day = g.day
                    """, .integers(all.map(\.link)), .integers(all.map(\.day)), by: deadline)
            }
            return (sums: results[1], waiting: waiting, known: known)
        }
        for row in found.sums.rows {
            sums[row.integer(0), default: 0] += VisitSums.bounded(row.integer(1))
        }
        var waiting: [LinkDay: [UInt32]] = found.waiting
        if let known = found.known {
            for row in known.rows {
                let day = LinkDay(link: row.integer(0), day: row.integer(1))
                let count = VisitSums.bounded(row.integer(2))
                let own: [UInt32] = waiting.removeValue(forKey: day) ?? []
                let all: Int = VisitSums.visitors(count, VisitorSketch(row.bytes(3)), own)
                sums[day.day, default: 0] += VisitSums.bounded(all - count)
            }
        }
        for (day, hashes) in waiting {
            sums[day.day, default: 0] += VisitSums.visitors(0, nil, hashes)
        }
        return part.upperBound
    }

    /// The days of a statement: of many links, a month is as much as one should have.
    static func part(of days: Range<Int>, links count: Int) -> Range<Int> {
        let end = count > 100 ? min(days.upperBound, days.lowerBound + 30) : days.upperBound
        return days.lowerBound..<max(end, days.lowerBound)
    }

    /// Runs statements that read in one snapshot, so that a piece which is moved meanwhile counts once.
    func snapshot(_ statements: [PostgreSQLStatement]) throws(StoreError) -> [PostgreSQLResult] {
        let first = PostgreSQLStatement(
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return try database.repeating { connection, deadline throws(PostgreSQLError) in
            defer { connection.rollBack() }
            return Array(try connection.begin([first] + statements, by: deadline).dropFirst())
        }
    }
}
