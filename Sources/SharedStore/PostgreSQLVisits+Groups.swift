internal import LinkStore
internal import PostgreSQL
internal import Visits

extension PostgreSQLVisits {
    /// The database adds them up. Of many links, the sums of a month, or the hours of a day, are as many as a statement should
    /// have. Days without any hour are left out, and no more sums are read than are enough to refuse an answer.
    func addVisits(
        of links: LinkGroups, _ hours: Range<Int>, to all: inout GroupedVisits
    ) throws(StoreError) -> Int {
        let groups = all.groups
        let isByHour = groups?.has(.hour) == true
        let isAboutMany = links.links.count > 100
        let days = isAboutMany ? (isByHour ? 1 : 30) : VisitStore.daysKept + 2
        let part = VisitPart(of: hours, days: days)
        // Without a property of time, one row for a group and a kind is enough.
        let hasTime = groups?.has(.day) == true || isByHour
        // Days of a zone are made of hours.
        let needsHours = isByHour || groups?.local != nil
        // Where only classes are told apart, a sum has at most a row of each: more rows are more sums than have room.
        let isByClass = groups.map { !$0.has(.platform) && !$0.has(.outcome) } ?? true
        let isBounded = isByClass && (isByHour || groups?.local == nil)
        let kind =
            isByClass
            ? "CASE WHEN v.kind BETWEEN \(Self.otherKinds.lowerBound) AND \(Self.otherKinds.upperBound) "
                + "THEN v.kind ELSE 0 END" : "v.kind"
        let limit = isBounded ? rowsMax : Int.max
        func sums(
            _ table: String, _ time: String, _ part: String, _ times: Range<Int>
        ) -> PostgreSQLStatement {
            PostgreSQLStatement(
                """
                SELECT g.own, \(hasTime ? part : "0::bigint"), \(kind),
                  least(sum(v.count), 1::bigint << 40)::bigint
                FROM unnest($1::bigint[], $2::bigint[]) g(link, own)
                JOIN waymark.\(table) v ON v.link = g.link AND v.\(time) >= $3 AND v.\(time) < $4
                GROUP BY 1, 2, 3 LIMIT \(limit)
                """, .integers(links.links), .integers(links.groups), .integer(times.lowerBound),
                .integer(times.upperBound))
        }
        let statements = [
            PostgreSQLStatement("SELECT bytes FROM waymark.visit_piece"),
            sums("visit_hour", "hour", needsHours ? "v.hour" : "v.hour / 24 * 24", part.hours),
            // A day has no hours. The sums of all links have each hour of which there is a count, also one that waits.
            isByHour
                ? PostgreSQLStatement(
                    "SELECT min(hour) FROM waymark.visit_hour WHERE link = 0 AND hour >= $1",
                    .integer(part.hours.upperBound))
                : sums("visit_day", "day", "v.day", part.days),
        ]
        let results = try snapshot(statements)
        let tables = isByHour ? [(results[1], 1)] : [(results[1], 1), (results[2], 24)]
        for (result, unit) in tables {
            for row in result.rows {
                let key = VisitKey(
                    link: 1, hour: unit &* row.integer(1), kind: UInt8(clamping: row.integer(2)))
                all.add(row.integer(0), key, row.integer(3))
            }
        }
        for piece in results[0].rows.compactMap({ VisitPiece($0.bytes(0)) }) {
            for slot in piece.counts {
                let key = VisitKey(packed: slot.key)
                guard part.hours.contains(key.hour), let group = links.group(of: key.link) else {
                    continue
                }
                all.add(group, key, Int(slot.count))
            }
        }
        guard isByHour else { return part.hours.upperBound }
        guard let row = results[2].first, !row.isNull(0) else { return hours.upperBound }
        // From the first hour of its day on, as each part.
        let next = row.integer(0) / 24 * 24
        return min(max(next, part.hours.upperBound), hours.upperBound)
    }

    /// The kinds that are no visits; all others are.
    private static let otherKinds =
        Int(VisitKey.kindsOfVisits)...Int(VisitKey.kindsOfVisits) + VisitClass.allCases.count - 2

    /// So many rows of sums by class have more sums than there is room for.
    static let rowsMax = VisitClass.allCases.count * GroupedVisits.sumsMax + 1
}
