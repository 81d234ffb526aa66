/// Sums of counts by the group of their link and by their kind, in plain memory. Each kind has a cell for every group, and
/// its cells lie together: most counts are of one kind, so they are added up in a small part of the memory.
package struct CellSums: Sendable {
    /// A sum that is not zero.
    package struct Sum: Sendable {
        package let group: Int
        package let cell: Int
        package let count: Int
    }

    /// The cell of each kind; -1 for a kind that is not added up.
    private let cells: [Int8]
    private let groups: Int
    private var sums: [Int]
    /// The places of sums that are not zero, so that few counts of many groups are not looked for among all of them.
    private var places = [Int]()

    /// - Parameters:
    ///   - groups: how many there are.
    ///   - cells: of each of the 256 kinds; nil for a kind that is not added up.
    /// - Returns: nil if that takes too much memory.
    package init?(groups: Int, cells: [Int?]) {
        let width = (cells.compactMap(\.self).max() ?? 0) + 1
        guard groups <= Self.sumsMax / width, cells.count == 256 else { return nil }
        self.groups = groups
        self.cells = cells.map { $0.flatMap { Int8(exactly: $0) } ?? -1 }
        sums = [Int](repeating: 0, count: groups * width)
    }

    /// Sums of eight bytes: 16 MiB.
    package static let sumsMax = 1 << 21

    /// Adds the counts of links that have a group.
    /// - Parameter links: their groups are those of the sums.
    package mutating func add(_ packed: PackedCounts, of links: LinkGroups) {
        packed.forEach { link, kind, count in
            let cell = Int(cells[Int(kind)])
            let group = links.place(of: link)
            guard cell >= 0, group >= 0 else { return }
            let place = cell &* groups &+ group
            if sums[place] == 0 { places.append(place) }
            sums[place] &+= count
        }
    }

    /// Calls `body` with all sums. They are forgotten.
    package mutating func takeAll(_ body: (Sum) -> Void) {
        func take(_ place: Int) {
            guard sums[place] != 0 else { return }
            let (cell, group) = place.quotientAndRemainder(dividingBy: groups)
            body(Sum(group: group, cell: cell, count: sums[place]))
            sums[place] = 0
        }
        // Most of the memory is faster from its beginning to its end.
        if places.count > sums.count / 16 {
            for place in sums.indices { take(place) }
        } else {
            for place in places { take(place) }
        }
        places.removeAll(keepingCapacity: true)
    }
}
