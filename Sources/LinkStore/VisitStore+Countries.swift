internal import SQLite
package import Visits

extension VisitStore {
    package func addCountries(
        of links: LinkGroups?, _ days: Range<Int>, to sums: inout CountrySums
    ) throws(StoreError) -> Int {
        guard links?.links.isEmpty != true else { return days.upperBound }
        let end = try tables.file.sqlite { () throws(SQLiteError) in
            let numbers = links?.links ?? [0]
            guard numbers.count > VisitTables.soughtLinksMax else {
                for row in try tables.countries(of: numbers, days) {
                    guard let group = links.map({ $0.group(of: row.link) }) ?? 0 else { continue }
                    sums.add(group, day: row.day, country: row.country, row.count)
                }
                return days.upperBound
            }
            return try addAll(of: links ?? LinkGroups(), days, to: &sums)
        }
        // Sums of all links are in the tables at once.
        guard let links else { return end }
        let part = days.lowerBound..<end
        forEachWaitingCountry { slot in
            let day = LinkDay(packed: slot.key)
            guard part.contains(day.day), let group = links.group(of: day.link) else { return }
            sums.add(group, day: day.day, country: Int(slot.number), Int(slot.count))
        }
        return end
    }

    /// Adds the rows of all links, day after day, until they are so many that others should use the file.
    /// - Returns: the end of the last day.
    private func addAll(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout CountrySums
    ) throws(SQLiteError) -> Int {
        guard let ends = try tables.ends("country", "day") else { return days.upperBound }
        var (day, rows) = (max(days.lowerBound, ends.lowerBound), 0)
        let last = min(days.upperBound - 1, ends.upperBound)
        while day <= last, rows < Self.rowsAtOnce {
            try tables.eachCountry(on: day) { link, country, count in
                rows += 1
                guard let group = links.group(of: link) else { return }
                sums.add(group, day: day, country: country, count)
            }
            day += 1
        }
        return day <= last ? day : days.upperBound
    }

    /// So many rows are read in some milliseconds.
    private static let rowsAtOnce = 20_000
}

extension VisitTables {
    /// Adds visits from a country.
    /// - Parameter link: 0 for all links together.
    func add(_ link: Int, day: Int, country: Int, _ count: Int) throws(SQLiteError) {
        try file.prepared(
            """
            INSERT INTO country VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(.integer(day), .integer(link), .integer(country), .integer(count))
    }

    /// The rows of some links, which are found by one search for each day.
    /// - Parameter links: at least one, and at most `soughtLinksMax`.
    fileprivate func countries(
        of links: [Int], _ days: Range<Int>
    ) throws(SQLiteError) -> [(link: Int, day: Int, country: Int, count: Int)] {
        try rows(
            """
            \(Self.times("country", "day"))
            SELECT link, time, country, count FROM times CROSS JOIN country
            WHERE day = time AND link IN \(Self.linkMarks) AND time < ?2
            """, Self.range(days) + Self.linkValues(links)
        ) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.integer(3)) }
    }

    /// The rows of all links on a day, in their order.
    fileprivate func eachCountry(
        on day: Int, _ body: (_ link: Int, _ country: Int, _ count: Int) -> Void
    ) throws(SQLiteError) {
        let statement = try file.prepared(
            "SELECT link, country, count FROM country WHERE day = ? AND link > 0")
        defer { statement.reset() }
        try statement.begin([.integer(day)])
        while try statement.step() {
            body(statement.integer(0), statement.integer(1), statement.integer(2))
        }
    }
}
