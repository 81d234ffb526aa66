internal import SQLite
package import Visits

/// Counts of visits, in an SQLite database beside the store of links: hours for 90 days, days
/// for 25 months. A commit survives a crash of the process; a power cut takes what was not
/// checkpointed.
///
/// The counts of links are written at once as a piece (`VisitPiece`), one row however many links
/// there are, and kept in memory. It is moved to the tables when its hour is over or when it has
/// become much, in the order of the tables, and a piece at a time. So a row of a table is written
/// once an hour, however often its link is visited. Pieces and tables together are what is known.
package final class VisitStore {
    let tables: VisitTables
    /// The counts of pieces that are not being moved to the tables yet.
    private var waiting: VisitBatch
    private var waitingBytes = 0
    /// The pieces that are being moved, with the numbers of their rows; the last one is the next.
    private var moving = [(row: Int, piece: VisitPiece)]()
    /// The counts of tables that are in memory, too.
    var kept = KeptCounts()
    /// The bytes of packed counts that are read at once: some milliseconds.
    var workMax = 4 << 20

    /// Opens the file at `path`, or creates it.
    /// - Throws: why it cannot be used. A file that is something else, or damaged, is left as it is.
    package init(_ path: String) throws(StoreError) {
        tables = try VisitTables(path)
        waiting = VisitBatch(sizeMax: 2 * VisitBatch.sizeMax)
        for bytes in try tables.pieces() {
            if let piece = VisitPiece(bytes) { waiting.merge(piece) }
            waitingBytes += bytes.count
        }
        // A file of the version before knows only those of its tables.
        var greatest = tables.state.links
        waiting.counts.forEach { greatest = max(greatest, VisitKey(packed: $0.key).link) }
        tables.state.links = greatest
    }

    package var path: String { tables.file.path }

    /// Checkpoints what is left, so that the file alone has everything.
    package func close() throws(StoreError) { try tables.file.close() }

    /// The most hosts that a link has on a day; all others are one.
    package static let hostsMax = 100
    /// The name of all others.
    package static let otherHosts = "(others)"
    /// The most paths that are kept of a day.
    package static let pathsMax = 1_000
    package static let hoursKeptDays = 90
    /// 25 months.
    package static let daysKept = 761
    /// 48 hours after their day.
    package static let saltsKeptDays = 3

    /// Checks that the file is where it was.
    package func checkPresence() throws(StoreError) { try tables.file.checkPresence() }

    // MARK: Writing

    /// The keys of today and tomorrow, which are made if there are none.
    /// - Parameter random: makes the 16 bytes of a day's key.
    package func salts(day: Int, _ random: (Int) -> [UInt8]) throws(StoreError) -> VisitSalts? {
        try tables.salts(day: day, random)
    }

    /// The day by which what is old is deleted: the clock's, unless that has jumped ahead.
    /// - Parameters:
    ///   - day: by the clock, in days since 1970.
    ///   - milliseconds: since it was asked before, by a clock that does not jump.
    package func retentionDay(_ day: Int, after milliseconds: Int) throws(StoreError) -> Int {
        try tables.retentionDay(day, after: milliseconds)
    }

    /// Deletes what has been kept long enough.
    @discardableResult
    package func expire(today: Int) throws(StoreError) -> Bool {
        let tables = tables
        let ends = try tables.file.sqlite { () throws(SQLiteError) in try tables.ends("hour") }
        kept.forget(expiredBy: today, firstHour: ends?.lowerBound ?? .max)
        try tables.expire(today: today)
        return true
    }

    /// Adds what was counted, in one transaction.
    /// - Parameter id: of the batch. It is added once, also if it is added again because it was not
    ///   known whether the first time was successful.
    package func add(_ batch: borrowing VisitBatch, id: Int) throws(StoreError) {
        guard id != tables.state.batch else { return }
        let bytes = VisitPiece(batch).bytes
        var totals = [UInt64: Int]()
        var state = tables.state
        state.batch = id
        batch.counts.forEach { slot in
            var key = VisitKey(packed: slot.key)
            state.links = max(state.links, key.link)
            key.link = 0
            totals[key.packed, default: 0] += Int(slot.count)
        }
        let (misses, countries) = (batch.misses, batch.countryTotals)
        try tables.transaction { () throws(SQLiteError) in
            try tables.insert(piece: bytes)
            for (key, count) in totals { try tables.add(VisitKey(packed: key), count) }
            for one in countries {
                try tables.add(0, day: one.day, country: one.country, one.count)
            }
            try tables.add(misses)
            try tables.write(state)
        }
        tables.state = state
        waiting.merge(batch)
        waitingBytes += bytes.count
    }

    /// True if so much waits that it should be moved to the tables.
    package var isHeavy: Bool {
        waiting.size >= VisitBatch.sizeMax / 2 || waitingBytes >= Self.waitingBytesMax
    }

    /// True if there is room for another batch.
    package var hasRoom: Bool { waiting.size <= VisitBatch.sizeMax }

    /// True while pieces are being moved to the tables.
    package var isMoving: Bool { !moving.isEmpty }

    /// The bytes of pieces beyond which they are moved although their hour is not over.
    package static let waitingBytesMax = 64 << 20

    /// Begins to move what waits to the tables, if nothing is being moved: `moveNext` does it. It is
    /// written once more, in their order and in small pieces.
    package func beginMoving() throws(StoreError) {
        guard moving.isEmpty, !waiting.isEmpty else { return }
        let pieces = waiting.pieces()
        let rows = try tables.transaction { () throws(SQLiteError) in
            try tables.deletePieces()
            var rows = [(row: Int, piece: VisitPiece)]()
            for piece in pieces { rows.append((try tables.insert(piece: piece.bytes), piece)) }
            return rows
        }
        moving = rows.reversed()
        waiting = VisitBatch(sizeMax: 2 * VisitBatch.sizeMax)
        waitingBytes = 0
    }

    /// Moves a piece to the tables, in one transaction.
    package func moveNext() throws(StoreError) {
        guard let (row, piece) = moving.last else { return }
        kept.forget(hoursOf: piece)
        try tables.transaction { () throws(SQLiteError) in
            for slot in piece.counts {
                let key = VisitKey(packed: slot.key)
                // The row of all links has its sums already.
                if key.link > 0 { try tables.add(key, Int(slot.count)) }
            }
            var start = 0
            while start < piece.visitors.count {
                let key = piece.visitors[start].key
                let end =
                    piece.visitors[start...].firstIndex { $0.key != key }
                    ?? piece.visitors.endIndex
                try tables.add(LinkDay(packed: key), piece.visitors[start..<end])
                start = end
            }
            for one in piece.referrers { try tables.add(one.day, one.host, one.count) }
            for slot in piece.countries {
                let day = LinkDay(packed: slot.key)
                try tables.add(day.link, day: day.day, country: Int(slot.number), Int(slot.count))
            }
            try tables.deletePiece(row)
        }
        moving.removeLast()
    }

    /// All counts that are in no table.
    func allPieces() -> [VisitPiece] { waiting.pieces() + moving.map(\.piece) }

    /// Calls a function with each count that is in no table.
    func forEachWaiting(_ body: (KeyCounts.Slot) -> Void) {
        waiting.counts.forEach { body($0) }
        for (_, piece) in moving { for slot in piece.counts { body(slot) } }
    }

    /// Calls a function with each count of a country that is in no table.
    func forEachWaitingCountry(_ body: (KeyCounts.Slot) -> Void) {
        waiting.countries.forEach { body($0) }
        for (_, piece) in moving { for slot in piece.countries { body(slot) } }
    }

    /// Calls a function with each visitor that is in memory alone.
    func forEachWaitingVisitor(_ body: (KeyCounts.Slot) -> Void) {
        waiting.visitors.forEach { body($0) }
        for (_, piece) in moving { for slot in piece.visitors { body(slot) } }
    }

    /// Calls a function with each count of a host that is in no table.
    func forEachWaitingReferrer(_ body: (_ day: LinkDay, _ host: String, _ count: Int) -> Void) {
        for (day, hosts) in waiting.referrers {
            for (host, count) in hosts { body(day, host, count) }
        }
        for (_, piece) in moving {
            for one in piece.referrers { body(one.day, one.host, one.count) }
        }
    }

    /// Hashes of visitors are kept from this day on, in days since 1970.
    var firstHashedDay: Int { tables.firstHashedDay }

    /// The greatest number of a link that was counted.
    package var greatestLink: Int { tables.state.links }

    /// True if the file counts the links of this store. A file that has counted for none yet does
    /// from now on.
    /// - Parameter store: its identity; empty if it is not known.
    func counts(linksOf store: [UInt8]) throws(StoreError) -> Bool {
        guard !store.isEmpty, tables.state.store != store else { return true }
        guard tables.state.store.isEmpty else { return false }
        var state = tables.state
        state.store = store
        try tables.transaction { () throws(SQLiteError) in try tables.write(state) }
        tables.state = state
        return true
    }

    // MARK: Reading

    /// A property by which visits are summed up.
    package enum Grouping: String, CaseIterable, Sendable {
        case day, hour, platform, outcome, referrer, country
    }

    /// A sum of visits.
    package struct Row: Equatable, Sendable {
        /// The day or hour since 1970, or the number of the platform or outcome.
        package var group: Int
        /// The same by the second property.
        package var second: Int?
        /// The referrer's host.
        package var host: String?
        /// By class.
        package var counts = [VisitClass: Int]()
        /// The visitors of a day.
        package var visitors: Int?

        package init(
            group: Int, second: Int? = nil, host: String? = nil, counts: [VisitClass: Int] = [:]
        ) {
            (self.group, self.second, self.host, self.counts) = (group, second, host, counts)
        }
    }

    /// Sums of visits, in the order of their groups; referrers by their count.
    /// - Parameters:
    ///   - link: its number; 0 for all links.
    ///   - hours: since 1970. Visitors, referrers, and days whose hours are not kept any more, count
    ///     if a part of the day is in them.
    package func visits(
        of link: Int, _ hours: Range<Int>, by groups: VisitGroups
    ) throws(StoreError) -> [Row] {
        let days = hours.lowerBound / 24..<(hours.upperBound + 23) / 24
        return try tables.file.sqlite { () throws(SQLiteError) in
            if groups.has(.referrer) { return try referrers(of: link, days, by: groups) }
            var sums = VisitSums(of: link, hours, by: groups)
            for row in try tables.counts("hour", of: link, hours) {
                sums.add(row.kind, row.time, row.count)
            }
            if !groups.has(.hour) {
                for row in try tables.counts("day", of: link, days) {
                    sums.add(row.kind, 24 * row.time, row.count)
                }
            }
            // Sums of all links are in the tables at once.
            if link != 0 { forEachWaiting { sums.add($0) } }
            var result = sums.rows
            guard groups == VisitGroups(.day), link != 0 else { return result }
            let visitors = try visitors(of: link, days)
            for index in result.indices {
                result[index].visitors = visitors[result[index].group] ?? 0
            }
            return result
        }
    }

    /// The numbers of visitors by day.
    private func visitors(of link: Int, _ days: Range<Int>) throws(SQLiteError) -> [Int: Int] {
        var hashes = [Int: [UInt32]]()
        forEachWaitingVisitor { slot in
            let day = LinkDay(packed: slot.key)
            if day.link == link { hashes[day.day, default: []].append(slot.number) }
        }
        let known = try tables.rows(
            """
            \(VisitTables.times("visitor", "day"))
            SELECT time, count, sketch FROM times CROSS JOIN visitor WHERE day = time AND link = ? AND time < ?2
            """, VisitTables.range(days) + [.integer(link)]
        ) { (day: $0.integer(0), count: $0.integer(1), sketch: VisitorSketch($0.bytes(2))) }
        return VisitSums.visitors(known, hashes, from: tables.firstHashedDay)
    }

    private func referrers(
        of link: Int, _ days: Range<Int>, by groups: VisitGroups
    ) throws(SQLiteError) -> [Row] {
        let known = try tables.rows(
            """
            \(VisitTables.times("referrer", "day"))
            SELECT day, host, count FROM times CROSS JOIN referrer WHERE day = time AND link = ? AND time < ?2
            """, VisitTables.range(days) + [.integer(link)]
        ) { ($0.integer(0), $0.text(1), $0.integer(2)) }
        var sums = ReferrerSums(of: link, days)
        for (day, host, count) in known { sums.add(day, host, count) }
        // In the order in which they come to the tables.
        for (_, piece) in moving.reversed() { sums.add(waiting: piece.referrers) }
        let own = waiting.referrers.lazy.filter { $0.key.link == link }
            .flatMap { day, hosts in
                hosts.sorted { $0.key < $1.key }.map { host, count in
                    VisitPiece.Referrer(day: day, host: host, count: count)
                }
            }
        sums.add(waiting: own)
        return sums.rows(by: groups)
    }

    /// The paths of days that were of no link, the most frequent first.
    /// - Parameters:
    ///   - days: since 1970.
    ///   - collections: numbers of their names; nil for all.
    package func misses(
        _ days: Range<Int>, _ collections: Set<UInt32>?, limit: Int
    ) throws(StoreError) -> [(key: FrequentPaths.Key, entry: FrequentPaths.Entry)] {
        try tables.file.sqlite { () throws(SQLiteError) in
            let all = try tables.rows(
                """
                SELECT collection, path, sum(count), sum(error), min(first), max(last) FROM miss
                WHERE day >= ? AND day < ? GROUP BY 1, 2 ORDER BY 3 DESC, 2
                """, [.integer(days.lowerBound), .integer(days.upperBound)]
            ) { ($0.missKey, $0.missEntry) }
            let own = all.filter { collections?.contains($0.0.collection) ?? true }
            return own.prefix(limit).map { (key: $0.0, entry: $0.1) }
        }
    }
}

extension VisitStore: CountedVisits {
    package var outlivesFailures: Bool { false }
}
