internal import SQLite
package import Visits

// What is kept by the day of UTC and with nothing else, of many links together.

extension VisitStore {
    package func addReferrers(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout HostSums
    ) throws(StoreError) -> Int {
        guard !links.links.isEmpty else { return days.upperBound }
        let end = try tables.file.sqlite { () throws(SQLiteError) in
            try tables.eachRow("referrer", "host, count", of: links, days) { day, _, row in
                sums.add(day, row.text(2), row.integer(3))
            }
        }
        let part = days.lowerBound..<end
        forEachWaitingReferrer { day, host, count in
            guard part.contains(day.day), links.group(of: day.link) != nil else { return }
            sums.add(day.day, host, count)
        }
        return end
    }

    package func addVisitors(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout [Int: Int]
    ) throws(StoreError) -> Int {
        guard !links.links.isEmpty else { return days.upperBound }
        // Of days whose hashes are gone, nothing that waits can be told apart from what is counted.
        let first = firstHashedDay
        var waiting: [LinkDay: [UInt32]]?
        func take(_ day: LinkDay) -> [UInt32] {
            if waiting == nil { waiting = waitingVisitors(of: links, first..<days.upperBound) }
            return waiting?.removeValue(forKey: day) ?? []
        }
        let end = try tables.file.sqlite { () throws(SQLiteError) in
            try tables.eachRow("visitor", "count, sketch", of: links, days) { day, link, row in
                var count = VisitSums.bounded(row.integer(2))
                let own = day >= first ? take(LinkDay(link: link, day: day)) : []
                if !own.isEmpty {
                    count = VisitSums.visitors(count, VisitorSketch(row.bytes(3)), own)
                }
                sums[day, default: 0] += count
            }
        }
        guard end > first else { return end }
        let part = days.lowerBound..<end
        for (day, hashes) in waiting ?? waitingVisitors(of: links, first..<end)
        where part.contains(day.day) {
            sums[day.day, default: 0] += VisitSums.visitors(0, nil, hashes)
        }
        return end
    }

    /// The hashes of links on some days that are in no table.
    private func waitingVisitors(of links: LinkGroups, _ days: Range<Int>) -> [LinkDay: [UInt32]] {
        var hashes = [LinkDay: [UInt32]]()
        forEachWaitingVisitor { slot in
            let day = LinkDay(packed: slot.key)
            guard days.contains(day.day), links.group(of: day.link) != nil else { return }
            hashes[day, default: []].append(slot.number)
        }
        return hashes
    }
}

extension VisitTables {
    /// Of more links, the rows of all links are read in the time of the searches.
    private static let searchedLinksMax = 10_000
    /// So many searches take some tens of milliseconds.
    private static let searchesAtOnce = 20_000
    /// So many rows are read in some milliseconds.
    private static let rowsAtOnce = 20_000

    /// Calls a function with the rows of links in a part of some days: a search for each link and day, or, of very many links, a
    /// look at the rows of all links.
    /// - Parameters:
    ///   - table: whose key begins with the day and the link.
    ///   - columns: those after the day and the link.
    ///   - body: gets a row whose first two columns are the day and the link.
    /// - Returns: the end of the part.
    fileprivate func eachRow(
        _ table: String, _ columns: String, of links: LinkGroups, _ days: Range<Int>,
        _ body: (_ day: Int, _ link: Int, SQLiteStatement) -> Void
    ) throws(SQLiteError) -> Int {
        guard let ends = try ends(table, "day") else { return days.upperBound }
        let all = links.links
        let last = min(days.upperBound - 1, ends.upperBound)
        var day = max(days.lowerBound, ends.lowerBound)
        guard day <= last else { return days.upperBound }
        guard all.count > Self.searchedLinksMax else {
            let end = min(last + 1, day + max(1, Self.searchesAtOnce / all.count))
            for start in stride(from: 0, to: all.count, by: Self.soughtLinksMax) {
                let some = all[start..<min(start + Self.soughtLinksMax, all.count)]
                try eachRow(
                    """
                    \(Self.times(table, "day"))
                    SELECT day, link, \(columns) FROM times CROSS JOIN \(table)
                    WHERE day = time AND link IN \(Self.linkMarks) AND time < ?2
                    """, Self.range(day..<end) + Self.linkValues(Array(some)), body)
            }
            return end > last ? days.upperBound : end
        }
        var rows = 0
        while day <= last, rows < Self.rowsAtOnce {
            let sql = "SELECT day, link, \(columns) FROM \(table) WHERE day = ? AND link > 0"
            try eachRow(sql, [.integer(day)]) { day, link, row in
                rows += 1
                if links.group(of: link) != nil { body(day, link, row) }
            }
            day += 1
        }
        return day > last ? days.upperBound : day
    }

    private func eachRow(
        _ sql: String, _ values: [SQLiteValue],
        _ body: (_ day: Int, _ link: Int, SQLiteStatement) -> Void
    ) throws(SQLiteError) {
        let statement = try file.prepared(sql)
        defer { statement.reset() }
        try statement.begin(values)
        while try statement.step() { body(statement.integer(0), statement.integer(1), statement) }
    }
}
