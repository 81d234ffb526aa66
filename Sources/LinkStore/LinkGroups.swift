/// The links whose visits are added up, with the number of the group to which each belongs.
package struct LinkGroups: Sendable {
    /// In ascending order.
    package private(set) var links = [Int]()
    package private(set) var groups = [Int]()

    /// Of no link.
    package init() {}

    /// Adds a link whose number is greater than those before it.
    package mutating func add(_ link: Int, to group: Int) {
        guard links.last.map({ $0 < link }) ?? true else { return }
        links.append(link)
        groups.append(group)
    }

    /// Nil for a link that is not among them.
    package func group(of link: Int) -> Int? {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle] < link { low = middle + 1 } else { high = middle }
        }
        return low < links.count && links[low] == link ? groups[low] : nil
    }
}
