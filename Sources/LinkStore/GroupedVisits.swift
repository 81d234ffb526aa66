package import Visits

/// Sums of the visits of links, by the group of the link and perhaps by a property of the visits.
package struct GroupedVisits: Sendable {
    /// A group of links with the number of the property.
    package struct Key: Hashable, Sendable {
        package let group: Int
        /// The day, the hour, the platform or the outcome; 0 without a property.
        package let number: Int
    }

    /// Sums by the raw values of classes of visits, without those that are being added up.
    package private(set) var sums = [Key: SIMD8<Int>]()
    /// Whether there are more sums than have room. Those that have none are missing.
    package private(set) var isFull = false
    /// One property, or two, of which each pair is summed up as the first of them; nil for none.
    package let groups: VisitGroups?
    /// The sums of one time; nil if there would be too many.
    private var cells: CellSums?
    /// A kind of each cell.
    private let kinds: [UInt8]
    /// The time that is being added up, with an hour of it; nil before the first.
    private var current: (time: Int, hour: Int)?

    /// - Parameters:
    ///   - groups: one property, or two, of which each pair is summed up as the first of them; nil for none.
    ///   - count: how many groups of links there are.
    package init(by groups: VisitGroups?, of count: Int) {
        self.groups = groups
        let cells = VisitCells(groups)
        kinds = cells.kinds
        self.cells = CellSums(groups: count, cells: cells.places)
    }

    package mutating func add(_ group: Int, _ key: VisitKey, _ count: Int) {
        add(group, key, sum: VisitSums.bounded(count))
    }

    private mutating func add(_ group: Int, _ key: VisitKey, sum: Int) {
        var number = 0
        if let groups {
            guard let own = groups.groups(of: key) else { return }
            number = own.first << Self.secondBits | (own.second ?? 0)
        }
        let own = Key(group: group, number: number)
        guard sums.count < Self.sumsMax || sums[own] != nil else { return isFull = true }
        sums[own, default: .zero][Int(key.visitClass.rawValue)] &+= sum
    }

    /// Adds the counts of an hour, or of a day.
    /// - Parameter hour: the first of the day.
    mutating func add(_ counts: PackedCounts, at hour: Int, of links: LinkGroups) {
        let time = groups?.time(of: hour) ?? 0
        if current?.time != time {
            finish()
            current = (time, hour)
        }
        guard cells == nil else {
            cells?.add(counts, of: links)
            return
        }
        counts.forEach { link, kind, count in
            guard let group = links.group(of: link) else { return }
            add(group, VisitKey(link: link, hour: hour, kind: kind), sum: count)
        }
    }

    /// Adds what is being added up to the other sums.
    package mutating func finish() {
        guard let hour = current?.hour, let all = cells?.takeAll() else { return }
        current = nil
        for one in all {
            add(one.group, VisitKey(link: 1, hour: hour, kind: kinds[one.cell]), sum: one.count)
        }
    }

    /// The most sums, in some 20 MB.
    package static let sumsMax = 200_000
    /// A second property is a platform or an outcome, or an hour.
    package static let secondBits = 24
}

/// The kinds of visits that are told apart where nothing but the time is different.
private struct VisitCells {
    /// The place of each kind; nil for a kind that is not summed up.
    let places: [Int?]
    /// A kind of each place.
    let kinds: [UInt8]

    init(_ groups: VisitGroups?) {
        struct Cell: Equatable {
            let visitClass: VisitClass
            let groups: VisitRowGroups?
        }
        var (cells, kinds) = ([Cell](), [UInt8]())
        places = (UInt8.min...UInt8.max).map { kind in
            let key = VisitKey(link: 1, hour: 0, kind: kind)
            let own = groups.map { $0.groups(of: key) }
            if case .some(.none) = own { return nil }
            let cell = Cell(visitClass: key.visitClass, groups: own.flatMap(\.self))
            if let place = cells.firstIndex(of: cell) { return place }
            cells.append(cell)
            kinds.append(kind)
            return cells.count - 1
        }
        self.kinds = kinds
    }
}
