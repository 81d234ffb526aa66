/// Sums of the visits of links by day and country, of each group of links. A country is a number.
package struct CountrySums: Sendable {
    /// A country of a group of links.
    package struct Key: Hashable, Sendable {
        package let group: Int
        package let country: Int

        package init(group: Int, country: Int) { (self.group, self.country) = (group, country) }
    }

    /// By day, in days since 1970.
    package private(set) var days = [Key: [Int: Int]]()
    /// Whether there are more sums than have room. Those that have none are missing.
    package private(set) var isFull = false
    private var count = 0

    /// Of nothing.
    package init() {}

    /// The most sums, in some 20 MB.
    package static let sumsMax = 200_000

    /// Adds a count. Only another program writes one that is so large that sums could overflow.
    package mutating func add(_ group: Int, day: Int, country: Int, _ more: Int) {
        let own = Key(group: group, country: country)
        let more = min(max(more, 0), PackedCounts.countMax)
        guard days[own]?[day] == nil else {
            days[own]?[day]? += more
            return
        }
        guard count < Self.sumsMax else { return isFull = true }
        count += 1
        days[own, default: [:]][day] = more
    }
}
