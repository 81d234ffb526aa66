package import Visits

/// The properties by which visits are summed up: one, or two together.
package struct VisitGroups: Equatable, Sendable {
    package var first: VisitStore.Grouping
    package var second: VisitStore.Grouping?
    /// The clocks by which days are days; nil for those of UTC.
    package var local: LocalHours?

    package init(
        _ first: VisitStore.Grouping, _ second: VisitStore.Grouping? = nil,
        local: LocalHours? = nil
    ) {
        (self.first, self.second, self.local) = (first, second, local)
    }

    package var all: [VisitStore.Grouping] { [first] + (second.map { [$0] } ?? []) }

    package func has(_ grouping: VisitStore.Grouping) -> Bool {
        first == grouping || second == grouping
    }

    /// Whether the groups have a value for each hour, and not only for each day of UTC.
    var hasHours: Bool { has(.hour) || has(.day) && local != nil }

    /// The groups of a count; nil where it is not summed up.
    func groups(of key: VisitKey) -> VisitRowGroups? {
        guard let first = group(of: key, first) else { return nil }
        guard let second else { return VisitRowGroups(first: first) }
        return group(of: key, second).map { VisitRowGroups(first: first, second: $0) }
    }

    /// The number of the day, or the hour, as which an hour is summed up; the same for all without a property of time.
    func time(of hour: Int) -> Int {
        if has(.hour) { return hour }
        return has(.day) ? local?.day(of: hour) ?? hour / 24 : 0
    }

    private func group(of key: VisitKey, _ grouping: VisitStore.Grouping) -> Int? {
        switch grouping {
        case .day: return local?.day(of: key.hour) ?? key.day
        case .hour: return key.hour
        case .outcome, .platform:
            guard case .visit = key.visitClass else { return nil }
            return Int(grouping == .platform ? key.platform : key.outcome)
        case .referrer, .country: return nil
        }
    }
}

/// The numbers of the groups that a row sums up.
struct VisitRowGroups: Hashable, Comparable {
    var first: Int
    var second: Int?

    static func < (left: VisitRowGroups, right: VisitRowGroups) -> Bool {
        (left.first, left.second ?? 0) < (right.first, right.second ?? 0)
    }
}
