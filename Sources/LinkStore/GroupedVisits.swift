package import Visits

/// Sums of the visits of links, by the group of the link and perhaps by a property of the visits.
package struct GroupedVisits: Sendable {
    /// A group of links with the number of the property.
    package struct Key: Hashable, Sendable {
        package let group: Int
        /// The day, the hour, the platform or the outcome; 0 without a property.
        package let number: Int
    }

    /// Sums by the raw values of classes of visits.
    package private(set) var sums = [Key: SIMD8<Int>]()
    private let groups: VisitGroups?

    /// - Parameter groups: one property, or two, of which each pair is summed up as the first of them; nil for none.
    package init(by groups: VisitGroups?) { self.groups = groups }

    package mutating func add(_ group: Int, _ key: VisitKey, _ count: Int) {
        var number = 0
        if let groups {
            guard let own = groups.groups(of: key) else { return }
            number = own.first << Self.secondBits | (own.second ?? 0)
        }
        sums[Key(group: group, number: number), default: .zero][Int(key.visitClass.rawValue)] +=
            VisitSums.bounded(count)
    }

    package mutating func add(_ other: GroupedVisits) {
        for (key, counts) in other.sums { sums[key, default: .zero] &+= counts }
    }

    /// A second property is a platform or an outcome, or an hour.
    package static let secondBits = 24
}
