internal import LinkStore
internal import PostgreSQL
internal import Visits

extension PostgreSQLVisits {
    /// The database adds them up, and no more sums are read than are enough to refuse an answer.
    func addCountries(
        of links: LinkGroups?, _ days: Range<Int>, to sums: inout CountrySums
    ) throws(StoreError) -> Int {
        guard links?.links.isEmpty != true else { return days.upperBound }
        let part = Self.part(of: days, links: links?.links.count ?? 1)
        let statements = [
            PostgreSQLStatement(
                """
                SELECT g.own, v.day, v.country, least(sum(v.count), 1::bigint << 40)::bigint
                FROM unnest($1::bigint[], $2::bigint[]) g(link, own)
                JOIN waymark.visit_country v ON v.link = g.link AND v.day >= $3 AND v.day < $4
                GROUP BY 1, 2, 3 LIMIT \(CountrySums.sumsMax + 1)
                """, .integers(links?.links ?? [0]), .integers(links?.groups ?? [0]),
                .integer(part.lowerBound), .integer(part.upperBound)),
            // Sums of all links are in the tables at once.
            PostgreSQLStatement(
                "SELECT bytes FROM waymark.visit_piece WHERE $1::boolean", .boolean(links != nil)),
        ]
        let results = try snapshot(statements)
        for row in results[0].rows {
            sums.add(row.integer(0), day: row.integer(1), country: row.integer(2), row.integer(3))
        }
        guard let links else { return part.upperBound }
        for piece in results[1].rows.compactMap({ VisitPiece($0.bytes(0)) }) {
            for slot in piece.countries {
                let day = LinkDay(packed: slot.key)
                guard part.contains(day.day), let group = links.group(of: day.link) else {
                    continue
                }
                sums.add(group, day: day.day, country: Int(slot.number), Int(slot.count))
            }
        }
        return part.upperBound
    }
}
