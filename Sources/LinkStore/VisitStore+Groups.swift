internal import SQLite
package import Visits

extension VisitStore {
    package func addVisits(
        of links: LinkGroups, _ hours: Range<Int>, to sums: inout GroupedVisits
    ) throws(StoreError) -> Int {
        guard !links.links.isEmpty else { return hours.upperBound }
        tables.lookForForeignWrites()
        kept.forget(before: tables.foreignWrites.count)
        let end = try tables.file.sqlite { () throws(SQLiteError) in
            let known = try KnownTimes(tables)
            let part = VisitPart(of: hours, days: Self.soughtDays)
            let times = known.times(of: part, by: sums.groups)
            guard isSought(links.links.count, times) else {
                return try addKept(known, hours, of: links, to: &sums)
            }
            for times in times {
                for row in try tables.counts(times.table.rawValue, of: links.links, times.range) {
                    guard let group = links.group(of: row.link) else { continue }
                    let hour = times.table.hours * row.time
                    sums.add(group, VisitKey(link: row.link, hour: hour, kind: row.kind), row.count)
                }
            }
            return part.hours.upperBound
        }
        let part = hours.lowerBound..<end
        func addWaiting(_ slot: KeyCounts.Slot) {
            let key = VisitKey(packed: slot.key)
            guard part.contains(key.hour), let group = links.group(of: key.link) else { return }
            sums.add(group, key, Int(slot.count))
        }
        forEachWaiting(addWaiting)
        return end
    }

    /// The days in which the rows of few links are looked for at once.
    private static let soughtDays = 30

    /// Whether the rows of few links are found sooner by a search for each link and time than among those of all links.
    private func isSought(_ links: Int, _ times: [KnownTimes.Part]) -> Bool {
        guard links <= VisitTables.soughtLinksMax else { return false }
        var (bytes, searches) = (0, 0)
        for part in times {
            for number in part.range {
                let time = KeptCounts.Time(table: part.table, number: number)
                guard let own = kept[time] else { return true }
                bytes += own.byteCount
                searches += links
            }
        }
        return bytes > Self.bytesOfSearch * searches
    }

    /// The bytes of packed counts that are read in the time of a search.
    private static let bytesOfSearch = 350

    /// Adds the counts of all links, day after day, until it has taken so long that others should use the file.
    /// - Returns: the end of the last day.
    private func addKept(
        _ known: KnownTimes, _ hours: Range<Int>, of links: LinkGroups, to sums: inout GroupedVisits
    ) throws(SQLiteError) -> Int {
        var (next, work) = (hours.lowerBound, 0)
        while next < hours.upperBound, work < workMax, !sums.isFull {
            let part = VisitPart(of: next..<hours.upperBound, days: 1)
            let times = known.times(of: part, by: sums.groups).flatMap(\.times)
            let day = next / 24
            if part.hours.count == 24, sums.groups?.hasHours != true,
                let own = kept.joined(day, times)
            {
                sums.add(own.counts, at: 24 * day, of: links)
                work += own.counts.byteCount + Self.bytesOfJoined * own.madeOf
            } else {
                for time in times { work += try add(time, of: links, to: &sums) }
            }
            next = part.hours.upperBound
        }
        return next
    }

    /// Adds the counts of a time, and keeps them.
    /// - Returns: what that took, in bytes of packed counts that are read in the same time.
    private func add(
        _ time: KeptCounts.Time, of links: LinkGroups, to sums: inout GroupedVisits
    ) throws(SQLiteError) -> Int {
        if let counts = kept[time] {
            sums.add(counts, at: time.hour, of: links)
            return counts.byteCount
        }
        var (counts, rows) = (PackedCounts(), 0)
        try tables.eachCount(time.table.rawValue, at: time.number) { link, kind, count in
            counts.append(link: link, kind: kind, count: count)
            rows += 1
        }
        kept.keep(counts, of: time)
        sums.add(counts, at: time.hour, of: links)
        return Self.bytesOfRow * rows
    }

    /// The bytes of packed counts that are read in the time of a row.
    private static let bytesOfRow = 200
    /// The same in the time in which a byte of the counts of times is joined.
    private static let bytesOfJoined = 16
}

/// The times of which the tables have counts.
private struct KnownTimes {
    /// Times of a table.
    struct Part {
        let table: KeptCounts.Table
        let range: Range<Int>

        var times: [KeptCounts.Time] {
            range.map { KeptCounts.Time(table: table, number: $0) }
        }
    }

    private var ends = [KeptCounts.Table: ClosedRange<Int>]()

    init(_ tables: VisitTables) throws(SQLiteError) {
        for table in KeptCounts.Table.allCases { ends[table] = try tables.ends(table.rawValue) }
    }

    /// The times of a part of the hours whose counts are summed up.
    func times(of part: VisitPart, by groups: VisitGroups?) -> [Part] {
        var parts = [Part]()
        for table in KeptCounts.Table.allCases {
            // A day has no hours.
            guard let ends = ends[table], table == .hour || groups?.has(.hour) != true else {
                continue
            }
            let all = table == .hour ? part.hours : part.days
            let first = max(all.lowerBound, ends.lowerBound)
            let last = min(all.upperBound - 1, ends.upperBound)
            if first <= last { parts.append(Part(table: table, range: first..<last + 1)) }
        }
        return parts
    }
}
