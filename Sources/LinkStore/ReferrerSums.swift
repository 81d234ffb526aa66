package import Visits

/// Counts of the hosts of referring pages of one link, as the tables have them when nothing waits any more:
/// on each day so many hosts by name, and the others together.
package struct ReferrerSums {
    private let link: Int
    private let days: Range<Int>
    private var hosts = [Int: [String: Int]]()

    /// - Parameter days: since 1970.
    package init(of link: Int, _ days: Range<Int>) { (self.link, self.days) = (link, days) }

    /// Adds a row of a table.
    package mutating func add(_ day: Int, _ host: String, _ count: Int) {
        hosts[day, default: [:]][host, default: 0] += VisitSums.bounded(count)
    }

    /// Adds counts that wait, behind all rows of tables.
    package mutating func add(waiting counts: some Sequence<VisitPiece.Referrer>) {
        for one in counts where one.day.link == link && days.contains(one.day.day) {
            let isNamed =
                hosts[one.day.day].map {
                    $0[one.host] != nil || $0.count < VisitStore.hostsMax
                } ?? true
            add(one.day.day, isNamed ? one.host : VisitStore.otherHosts, one.count)
        }
    }

    /// The hosts with the most visits, and the sum of all others; or those of each day, in its order.
    package func rows(by groups: VisitGroups) -> [VisitStore.Row] {
        Self.rows(of: hosts, by: groups)
    }

    /// The same of counts by day and host.
    static func rows(of hosts: [Int: [String: Int]], by groups: VisitGroups) -> [VisitStore.Row] {
        guard groups.has(.day) else { return rows(hosts.values) }
        return hosts.sorted { $0.key < $1.key }.flatMap { day, hosts in
            rows(CollectionOfOne(hosts)).map { row in
                var row = row
                row.group = day
                return row
            }
        }
    }

    private static func rows(_ days: some Sequence<[String: Int]>) -> [VisitStore.Row] {
        var sums = [String: Int]()
        for (host, count) in days.joined() { sums[host, default: 0] += count }
        var others = sums.removeValue(forKey: VisitStore.otherHosts) ?? 0
        let sorted = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        others += sorted.dropFirst(Self.hostsMax).reduce(0) { $0 + $1.value }
        return (sorted.prefix(Self.hostsMax) + [(VisitStore.otherHosts, others)])
            .filter { $0.value > 0 }
            .map { VisitStore.Row(group: 0, host: $0.key, counts: [.visit: $0.value]) }
    }

    /// The most hosts that an answer names.
    private static let hostsMax = 1_000
}
