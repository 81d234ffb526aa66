internal import SQLite
package import Visits

extension VisitStore {
    package func hoursAtOnce(of links: Int) -> Int {
        if links <= VisitTables.soughtLinksMax { return 24 * 30 }
        // What is not packed takes a hundred times as long.
        return isPacking ? 24 : 24 * 7
    }

    package func addVisits(
        of links: LinkGroups, _ hours: Range<Int>, days: Range<Int>, to sums: inout GroupedVisits
    ) throws(StoreError) {
        guard !links.links.isEmpty else { return }
        var damaged: (table: PackedTable, time: Int)?
        try tables.file.sqlite { () throws(SQLiteError) in
            for (table, times) in [(PackedTable.hour, hours), (.day, days)] where !times.isEmpty {
                if try isSought(links.links.count, table, times) {
                    for row in try tables.counts(table.rawValue, of: links.links, times) {
                        guard let group = links.group(of: row.link) else { continue }
                        let hour = table.hours * row.time
                        let key = VisitKey(link: row.link, hour: hour, kind: row.kind)
                        sums.add(group, key, row.count)
                    }
                } else if let time = try addPacked(table, times, of: links, to: &sums) {
                    damaged = (table, time)
                }
            }
        }
        if let damaged {
            // Its rows are read from now on, and packed again.
            packing.note(damaged.table, damaged.time)
            throw .failed(
                "the packed counts of \(damaged.table) \(damaged.time) cannot be read; they are made again"
            )
        }
        func addWaiting(_ slot: KeyCounts.Slot) {
            let key = VisitKey(packed: slot.key)
            guard hours.contains(key.hour), let group = links.group(of: key.link) else { return }
            sums.add(group, key, Int(slot.count))
        }
        forEachWaiting(addWaiting)
    }

    /// Whether the rows of few links are found sooner, by a search for each link and time, than by a look at all packed counts.
    private func isSought(
        _ links: Int, _ table: PackedTable, _ times: Range<Int>
    ) throws(SQLiteError) -> Bool {
        guard links <= VisitTables.soughtLinksMax else { return false }
        guard packing.missing(table, in: times).count <= Self.readTimesMax else { return true }
        let searches = links * min(times.count, Self.timesMax)
        return try tables.packedBytes(table, times) > Self.bytesOfSearch * searches
    }

    /// The bytes of packed counts that are read in the time of a search.
    private static let bytesOfSearch = 350
    /// The most times whose rows are all read for few links.
    private static let readTimesMax = 2
    /// No table has more hours or days.
    private static let timesMax = 24 * daysKept

    /// Adds the counts of these times as they are packed, and those that are not by their rows.
    /// - Returns: a time whose packed counts cannot be read.
    private func addPacked(
        _ table: PackedTable, _ times: Range<Int>, of links: LinkGroups,
        to sums: inout GroupedVisits
    ) throws(SQLiteError) -> Int? {
        let missing = packing.missing(table, in: times)
        let rows = Set(missing)
        var damaged: Int?
        try tables.eachPacked(table, times) { time, bytes in
            guard !rows.contains(time) else { return }
            if !sums.add(bytes, at: table.hours * time, of: links) { damaged = time }
        }
        for time in missing {
            try tables.eachCount(table.rawValue, time..<time + 1) { key, count in
                guard let group = links.group(of: key.link) else { return }
                var key = key
                key.hour *= table.hours
                sums.add(group, key, count)
            }
        }
        return damaged
    }
}
