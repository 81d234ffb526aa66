/// Sums of counts by the group of their link and by their kind, in plain memory: for each group as many cells as there are
/// kinds that are told apart.
package struct CellSums: Sendable {
    /// A sum that is not zero.
    package struct Sum: Sendable {
        package let group: Int
        package let cell: Int
        package let count: Int
    }

    /// The cell of each kind; -1 for a kind that is not added up.
    private let cells: [Int8]
    private let width: Int
    private var sums: [Int]
    /// The places of sums that are not zero, so that few counts of many groups are not looked for among all of them.
    private var places = [Int]()

    /// - Parameters:
    ///   - groups: how many there are.
    ///   - cells: of each of the 256 kinds; nil for a kind that is not added up.
    /// - Returns: nil if that takes too much memory.
    package init?(groups: Int, cells: [Int?]) {
        width = (cells.compactMap(\.self).max() ?? 0) + 1
        guard groups <= Self.sumsMax / width, cells.count == 256 else { return nil }
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
            let place = group &* width &+ cell
            if sums[place] == 0 { places.append(place) }
            sums[place] &+= count
        }
    }

    /// All sums, in the order in which they were begun. They are forgotten.
    package mutating func takeAll() -> [Sum] {
        var all = [Sum]()
        for place in places where sums[place] != 0 {
            all.append(Sum(group: place / width, cell: place % width, count: sums[place]))
            sums[place] = 0
        }
        places.removeAll(keepingCapacity: true)
        return all
    }
}
