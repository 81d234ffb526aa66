internal import SQLite
private import Visits

/// The hours and days whose counts are not packed yet, and those of one of them that are packed already. A part of them
/// is read at a time, so that a question waits for little.
struct VisitPacking {
    private var missing: [PackedTable: Set<Int>]
    /// Times with so many counts that they are not packed.
    private var tooLong = [PackedTable: Set<Int>]()
    private var draft: Draft?

    private struct Draft {
        let table: PackedTable
        let time: Int
        var counts = PackedCounts()
        /// The link and the kind of the last count.
        var last = (link: 0, kind: Int(UInt8.max))
        var rows = 0
    }

    private static let rowsAtOnce = 20_000
    /// The most counts that are packed together, in about 8 MB.
    private static let rowsMax = 2_000_000

    /// Looks for what is not packed.
    init(_ tables: VisitTables) throws(SQLiteError) {
        missing = [:]
        for table in PackedTable.allCases { missing[table] = try tables.unpacked(table) }
    }

    /// Whether everything is packed that can be.
    var isDone: Bool { draft == nil && next == nil }

    /// The latest time that can be packed.
    private var next: (table: PackedTable, time: Int)? {
        for table in PackedTable.allCases {
            let times = missing[table, default: []].subtracting(tooLong[table, default: []])
            if let time = times.max() { return (table, time) }
        }
        return nil
    }

    /// The times of a range whose counts are not packed, in their order.
    func missing(_ table: PackedTable, in times: Range<Int>) -> [Int] {
        missing[table, default: []].filter { times.contains($0) }.sorted()
    }

    /// Notes that counts of a time are changed.
    mutating func note(_ table: PackedTable, _ time: Int) {
        missing[table, default: []].insert(time)
        if draft?.table == table, draft?.time == time { draft = nil }
    }

    /// Packs a part.
    mutating func step(_ tables: VisitTables) throws(StoreError) {
        guard var own = draft ?? next.map({ Draft(table: $0.table, time: $0.time) }) else { return }
        let (last, table, time) = (own.last, own.table, own.time)
        let rows = try tables.file.sqlite { () throws(SQLiteError) in
            try tables.counts(table, at: time, after: last, limit: Self.rowsAtOnce)
        }
        for row in rows {
            own.counts.append(link: row.link, kind: UInt8(clamping: row.kind), count: row.count)
        }
        if let row = rows.last { own.last = (row.link, row.kind) }
        own.rows += rows.count
        draft = own
        if own.rows > Self.rowsMax {
            tooLong[table, default: []].insert(time)
            draft = nil
        } else if rows.count < Self.rowsAtOnce {
            try tables.write(own.counts, table, at: time)
            missing[table, default: []].remove(time)
            draft = nil
        }
    }
}
