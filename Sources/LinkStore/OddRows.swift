/// The numbers of the links whose texts the index does not have, because another program has written them so (`LinkOddity`): a search
/// reads their rows besides those that it finds in the index.
package struct OddRows: Sendable {
    package private(set) var rows = Set<Int>()
    /// Whether all are known. The file of a base does not have them.
    package let areAll: Bool
    /// Whether they are so many that none is kept: a search reads every row.
    package private(set) var areTooMany = false

    init(areAll: Bool) { self.areAll = areAll }

    package static let max = 1_000

    /// - Returns: whether one of them was not known.
    mutating func add(_ others: OddRows) -> Bool {
        guard !areTooMany else { return false }
        let before = rows.count
        rows.formUnion(others.rows)
        if others.areTooMany || rows.count > Self.max { (rows, areTooMany) = ([], true) }
        return areTooMany || rows.count > before
    }

    mutating func add(_ row: Int) {
        guard !areTooMany else { return }
        rows.insert(row)
        guard rows.count > Self.max else { return }
        (rows, areTooMany) = ([], true)
    }
}
