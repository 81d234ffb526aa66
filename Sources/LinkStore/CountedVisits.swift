package import Visits

/// Counts of visits in a database, whichever it is. One thread at a time uses them.
///
/// New counts wait as pieces (`VisitPiece`). They are moved to the tables once an hour, or earlier if many wait.
/// Pieces and tables together have all counts.
package protocol CountedVisits: AnyObject {
    /// Whether another attempt is made with the same object after a failure; else the file is opened again.
    var outlivesFailures: Bool { get }
    /// The greatest number of a link that was counted, which no other link may get.
    var greatestLink: Int { get }
    /// True if so much waits that it should be moved to the tables.
    var isHeavy: Bool { get }
    /// True if there is room for another batch.
    var hasRoom: Bool { get }
    /// True while pieces are being moved to the tables.
    var isMoving: Bool { get }

    /// Checks that the database is where it was.
    func checkPresence() throws(StoreError)
    /// The keys of a day and of the next one, which are made if there are none.
    /// - Parameter random: makes the 16 bytes of a day's key.
    func salts(day: Int, _ random: (Int) -> [UInt8]) throws(StoreError) -> VisitSalts?
    /// The day by which what is old is deleted.
    /// - Parameters:
    ///   - day: by this machine's clock, in days since 1970.
    ///   - milliseconds: since it was asked before, by a clock that does not jump.
    func retentionDay(_ day: Int, after milliseconds: Int) throws(StoreError) -> Int
    /// Deletes what has been kept long enough.
    /// - Returns: false if another node is at it, so that it is tried again.
    @discardableResult
    func expire(today: Int) throws(StoreError) -> Bool
    /// Adds what was counted, in one transaction.
    /// - Parameter id: of the batch. It is added once, also if it is added again because it was not known whether the
    ///   first time was successful.
    func add(_ batch: borrowing VisitBatch, id: Int) throws(StoreError)
    /// Begins to move what waits to the tables, if nothing is being moved: `moveNext` does it.
    func beginMoving() throws(StoreError)
    /// Moves a piece to the tables, in one transaction.
    func moveNext() throws(StoreError)
    /// Sums of visits, in the order of their groups; referrers by their count. Referrers are kept by the day of UTC, and
    /// with nothing else.
    /// - Parameters:
    ///   - link: its number; 0 for all links.
    ///   - hours: since 1970. Visitors, referrers, and days whose hours are not kept any more, count
    ///     if a part of the day is in them.
    func visits(
        of link: Int, _ hours: Range<Int>, by groups: VisitGroups
    ) throws(StoreError) -> [VisitStore.Row]
    /// Adds the visits of many links in a part of some hours to sums, which `GroupedVisits.finish` completes. Visits of days
    /// whose hours are not kept any more count, unless they are summed up by the hour.
    /// - Parameter hours: since 1970.
    /// - Returns: the end of the part, from which on the rest is added next. Others use the database in between.
    func addVisits(
        of links: LinkGroups, _ hours: Range<Int>, to sums: inout GroupedVisits
    ) throws(StoreError) -> Int
    /// Adds the visits of links by day and country in a part of some days to sums. They are kept by the day of UTC, and with
    /// nothing else.
    /// - Parameters:
    ///   - links: nil for all links together, as group 0.
    ///   - days: since 1970.
    /// - Returns: the end of the part, from which on the rest is added next. Others use the database in between.
    func addCountries(
        of links: LinkGroups?, _ days: Range<Int>, to sums: inout CountrySums
    ) throws(StoreError) -> Int
    /// Adds the visits of links together by day and host of the referring page in a part of some days to sums.
    /// - Parameter days: of UTC, since 1970.
    /// - Returns: the end of the part, from which on the rest is added next. Others use the database in between.
    func addReferrers(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout HostSums
    ) throws(StoreError) -> Int
    /// Adds the visitors that each link had on each day, in a part of some days, to sums by day. Nobody can tell which visitors of
    /// two links are the same (`VisitSalt.hash`), so somebody who has opened both is counted twice.
    /// - Parameter days: of UTC, since 1970.
    /// - Returns: the end of the part, from which on the rest is added next. Others use the database in between.
    func addVisitors(
        of links: LinkGroups, _ days: Range<Int>, to sums: inout [Int: Int]
    ) throws(StoreError) -> Int
    /// The paths of days that were of no link, the most frequent first.
    /// - Parameters:
    ///   - days: since 1970.
    ///   - collections: numbers of their names; nil for all.
    func misses(
        _ days: Range<Int>, _ collections: Set<UInt32>?, limit: Int
    ) throws(StoreError) -> [(key: FrequentPaths.Key, entry: FrequentPaths.Entry)]
    /// Writes a copy without what is to be gone soon.
    func copy(to path: String) throws(StoreError)
    func close() throws(StoreError)
}

extension CountedVisits {
    /// Adds what was counted, which nobody adds again.
    package func add(_ batch: borrowing VisitBatch) throws(StoreError) {
        try add(batch, id: .random(in: 1 ... .max))
    }

    /// Sums of visits by one property, in UTC.
    package func visits(
        of link: Int, _ hours: Range<Int>, by grouping: VisitStore.Grouping
    ) throws(StoreError) -> [VisitStore.Row] {
        try visits(of: link, hours, by: VisitGroups(grouping))
    }
}
