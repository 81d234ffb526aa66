/// The links whose visits are added up, with the number of the group to which each belongs.
package struct LinkGroups: Sendable {
    /// In ascending order.
    package private(set) var links = [Int]()
    package private(set) var groups = [Int]()
    /// The group of each number from that of the first link on, and -1 where there is no link. It is empty where numbers
    /// are so far apart that a search takes less memory.
    private var table = [Int32]()

    /// Of no link.
    package init() {}

    /// Adds a link whose number is greater than those before it, unless visits of such a number cannot be counted.
    package mutating func add(_ link: Int, to group: Int) {
        guard link > links.last ?? 0, link <= VisitKey.linkMax else { return }
        links.append(link)
        groups.append(group)
        table = []
    }

    /// Makes searches fast, when all links are added.
    package mutating func finish() {
        guard let first = links.first, let last = links.last,
            last - first < 4 * links.count + Self.gapsMax
        else { return }
        table = [Int32](repeating: -1, count: last - first + 1)
        for (link, group) in zip(links, groups) {
            table[link - first] = Int32(truncatingIfNeeded: group)
        }
    }

    /// Nil for a link that is not among them.
    package func group(of link: Int) -> Int? {
        let place = place(of: link)
        return place >= 0 ? place : nil
    }

    /// The group of a link; -1 for a link that is not among them.
    @inline(__always)
    func place(of link: Int) -> Int {
        guard table.isEmpty else {
            let place = link &- links[0]
            return place >= 0 && place < table.count ? Int(table[place]) : -1
        }
        return searched(link)
    }

    private func searched(_ link: Int) -> Int {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle] < link { low = middle + 1 } else { high = middle }
        }
        return low < links.count && links[low] == link ? groups[low] : -1
    }

    /// Those of a tag can be few among a million. A table of 4 MiB is made in the time of some thousand searches.
    private static let gapsMax = 1 << 20
}
