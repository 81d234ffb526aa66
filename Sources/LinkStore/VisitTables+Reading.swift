internal import SQLite

extension VisitTables {
    /// The rows of a link in a table whose key begins with a time.
    func counts(
        _ table: String, of link: Int, _ times: Range<Int>
    ) throws(SQLiteError) -> [(time: Int, kind: UInt8, count: Int)] {
        try rows(
            """
            \(Self.times(table))
            SELECT time, kind, count FROM times CROSS JOIN \(table)
            WHERE \(table).\(table) = time AND link = ? AND time < ?2
            """, Self.range(times) + [.integer(link)]
        ) { ($0.integer(0), UInt8(clamping: $0.integer(1)), $0.integer(2)) }
    }

    /// The rows of some links in such a table, which are found by one search for each time.
    /// - Parameter links: at least one, and at most `soughtLinksMax`.
    func counts(
        _ table: String, of links: [Int], _ times: Range<Int>
    ) throws(SQLiteError) -> [(link: Int, time: Int, kind: UInt8, count: Int)] {
        try rows(
            """
            \(Self.times(table))
            SELECT link, time, kind, count FROM times CROSS JOIN \(table)
            WHERE \(table).\(table) = time AND link IN \(Self.linkMarks) AND time < ?2
            """, Self.range(times) + Self.linkValues(links)
        ) { ($0.integer(0), $0.integer(1), UInt8(clamping: $0.integer(2)), $0.integer(3)) }
    }

    /// The most links whose rows are looked for; of more, the rows of all links are read.
    static let soughtLinksMax = 100
    static let linkMarks =
        "(" + [String](repeating: "?", count: soughtLinksMax).joined(separator: ", ") + ")"

    /// The values of these marks. A statement is the same for any number of links, because statements are kept.
    static func linkValues(_ links: [Int]) -> [SQLiteValue] {
        let room = max(0, soughtLinksMax - links.count)
        let all = links + [Int](repeating: links.last ?? 0, count: room)
        return all.prefix(soughtLinksMax).map { .integer($0) }
    }

    /// The rows of all links at a time of such a table, in their order.
    func eachCount(
        _ table: String, at time: Int, _ body: (_ link: Int, _ kind: UInt8, _ count: Int) -> Void
    ) throws(SQLiteError) {
        let statement = try file.prepared(
            "SELECT link, kind, count FROM \(table) WHERE \(table) = ? AND link > 0")
        defer { statement.reset() }
        try statement.begin([.integer(time)])
        while try statement.step() {
            body(statement.integer(0), UInt8(clamping: statement.integer(1)), statement.integer(2))
        }
    }

    /// The first and the last time of such a table; nil if it is empty.
    func ends(_ table: String, _ column: String? = nil) throws(SQLiteError) -> ClosedRange<Int>? {
        let column = column ?? table
        return try rows(
            "SELECT (SELECT min(\(column)) FROM \(table)), (SELECT max(\(column)) FROM \(table))",
            []
        ) { row in
            row.optionalInteger(0).flatMap { first in row.optionalInteger(1).map { first...$0 } }
        }.first.flatMap(\.self)
    }

    /// The times of a range that a table can have, one after the other: a link's rows are found by
    /// one search for each.
    static func times(_ table: String, _ column: String? = nil) -> String {
        let column = column ?? table
        return """
            WITH RECURSIVE times(time) AS (
              SELECT max(?1, (SELECT min(\(column)) FROM \(table)))
              UNION ALL SELECT time + 1 FROM times
              WHERE time + 1 < ?2 AND time < (SELECT max(\(column)) FROM \(table)))
            """
    }

    static func range(_ times: Range<Int>) -> [SQLiteValue] {
        [.integer(times.lowerBound), .integer(times.upperBound)]
    }
}
