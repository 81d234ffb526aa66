/// Counts of the hosts of referring pages of many links together, by day.
package struct HostSums: Sendable {
    /// By day, in days since 1970.
    private var days = [Int: [String: Int]]()
    private var count = 0
    private let countMax: Int

    /// Of nothing.
    /// - Parameter countMax: how many hosts of days it takes; others are counted together.
    package init(countMax: Int = Self.countMax) { self.countMax = countMax }

    /// The most hosts of all days, in some 10 MB. Only a client that makes hosts up makes so many.
    package static let countMax = 100_000
    /// The most hosts of a day that a database has to name.
    package static let hostsOfDayMax = 2_000

    /// Adds a count.
    package mutating func add(_ day: Int, _ host: String, _ more: Int) {
        let more = VisitSums.bounded(more)
        guard days[day]?[host] == nil else {
            days[day]?[host]? += more
            return
        }
        guard count < countMax else {
            days[day, default: [:]][VisitStore.otherHosts, default: 0] += more
            return
        }
        count += 1
        days[day, default: [:]][host] = more
    }

    /// The hosts with the most visits, and the sum of all others; or those of each day, in its order.
    package func rows(by groups: VisitGroups) -> [VisitStore.Row] {
        ReferrerSums.rows(of: days, by: groups)
    }
}
