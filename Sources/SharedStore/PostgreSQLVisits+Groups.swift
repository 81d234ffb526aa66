internal import LinkStore
internal import PostgreSQL
internal import Visits

extension PostgreSQLVisits {
    /// The database adds them up. Of many links, the sums of a month, or the hours of a day, are as many as a statement should
    /// have.
    func addVisits(
        of links: LinkGroups, _ hours: Range<Int>, to all: inout GroupedVisits
    ) throws(StoreError) -> Int {
        let groups = all.groups
        let isByHour = groups?.has(.hour) == true
        let days = links.links.count <= 100 ? VisitStore.daysKept + 2 : isByHour ? 1 : 30
        let part = VisitPart(of: hours, days: days)
        // Without a property of time, one row for a group and a kind is enough.
        let hasTime = groups?.has(.day) == true || isByHour
        // Days of a zone are made of hours.
        let needsHours = isByHour || groups?.local != nil
        func sums(
            _ table: String, _ time: String, _ part: String, _ times: Range<Int>
        ) -> PostgreSQLStatement {
            PostgreSQLStatement(
                """
                SELECT g.own, \(hasTime ? part : "0::bigint"), v.kind,
                  least(sum(v.count), 1::bigint << 40)::bigint
                FROM unnest($1::bigint[], $2::bigint[]) g(link, own)
                JOIN waymark.\(table) v ON v.link = g.link AND v.\(time) >= $3 AND v.\(time) < $4
                GROUP BY 1, 2, 3
                """, .integers(links.links), .integers(links.groups), .integer(times.lowerBound),
                .integer(times.upperBound))
        }
        let statements = [
            PostgreSQLStatement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
            sums("visit_hour", "hour", needsHours ? "v.hour" : "v.hour / 24 * 24", part.hours),
            sums("visit_day", "day", "v.day", isByHour ? 0..<0 : part.days),
            PostgreSQLStatement("SELECT bytes FROM waymark.visit_piece"),
        ]
        // In one snapshot, so that a piece which is moved meanwhile counts once.
        let results = try database.repeating { connection, deadline throws(PostgreSQLError) in
            defer { connection.rollBack() }
            return try connection.begin(statements, by: deadline)
        }
        for (result, unit) in [(results[1], 1), (results[2], 24)] {
            for row in result.rows {
                let key = VisitKey(
                    link: 1, hour: unit * row.integer(1), kind: UInt8(clamping: row.integer(2)))
                all.add(row.integer(0), key, row.integer(3))
            }
        }
        for piece in results[3].rows.compactMap({ VisitPiece($0.bytes(0)) }) {
            for slot in piece.counts {
                let key = VisitKey(packed: slot.key)
                guard part.hours.contains(key.hour), let group = links.group(of: key.link) else {
                    continue
                }
                all.add(group, key, Int(slot.count))
            }
        }
        return part.hours.upperBound
    }
}
