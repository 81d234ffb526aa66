package import Visits

/// Sums of the visits of links, by the group of the link and perhaps by a property of the visits.
package struct GroupedVisits: Sendable {
    /// A group of links with the number of the property.
    package struct Key: Hashable, Sendable {
        package let group: Int
        /// The day, the hour, the platform or the outcome; 0 without a property.
        package let number: Int
    }

    /// The keys of the sums, without those that are being added up.
    private var keys = [Key]()
    /// By the places of the keys: the sums of each class of visits, at its raw value.
    private var counts = [SIMD8<Int>]()
    /// The places of sums by the number of the group, where nothing else tells them apart; -1 for none. They are empty
    /// where something does.
    private var placesOfGroups: [Int32]
    private var places = [Key: Int]()
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
        placesOfGroups = groups == nil ? [Int32](repeating: -1, count: count) : []
        guard groups == nil else { return }
        keys.reserveCapacity(min(count, Self.sumsMax))
        counts.reserveCapacity(min(count, Self.sumsMax))
    }

    /// How many sums there are.
    package var count: Int { keys.count }

    /// The key of the sum at a place.
    package func key(at place: Int) -> Key { keys[place] }

    /// The sums by the raw values of classes of visits.
    package func counts(at place: Int) -> SIMD8<Int> { counts[place] }

    package func count(of visitClass: VisitClass, at place: Int) -> Int {
        counts[place][Int(visitClass.rawValue)]
    }

    package mutating func add(_ group: Int, _ key: VisitKey, _ count: Int) {
        add(group, key, sum: VisitSums.bounded(count))
    }

    private mutating func add(_ group: Int, _ key: VisitKey, sum: Int) {
        guard let number = number(of: key) else { return }
        add(Key(group: group, number: number), Int(key.visitClass.rawValue), sum: sum)
    }

    private mutating func add(_ key: Key, _ visitClass: Int, sum: Int) {
        guard let place = place(of: key) else { return isFull = true }
        counts[place][visitClass] &+= sum
    }

    /// The number of the property; nil where a count is not summed up.
    private func number(of key: VisitKey) -> Int? {
        guard let groups else { return 0 }
        return groups.groups(of: key).map { $0.first << Self.secondBits | ($0.second ?? 0) }
    }

    /// The place of a sum, which is made where there is none; nil if there is no room.
    private mutating func place(of key: Key) -> Int? {
        let isOfGroup = placesOfGroups.indices.contains(key.group)
        let known = isOfGroup ? Int(placesOfGroups[key.group]) : places[key] ?? -1
        guard known < 0 else { return known }
        let next = keys.count
        guard next < Self.sumsMax else { return nil }
        if isOfGroup {
            placesOfGroups[key.group] = Int32(next)
        } else {
            places[key] = next
        }
        keys.append(key)
        counts.append(.zero)
        return next
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
        guard let hour = current?.hour, var taken = cells else { return }
        // With one owner, it is not copied.
        (current, cells) = (nil, nil)
        let named = kinds.map { kind in
            let key = VisitKey(link: 1, hour: hour, kind: kind)
            return (number: number(of: key) ?? 0, visitClass: Int(key.visitClass.rawValue))
        }
        taken.takeAll { one in
            let cell = named[one.cell]
            add(Key(group: one.group, number: cell.number), cell.visitClass, sum: one.count)
        }
        cells = taken
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
