/// The UTF-16 code units that one step of an Android pattern takes.
struct UnitSet: Hashable, Sendable {
    /// Of each range, the first and the last unit; a range whose first is greater has none.
    private let ranges: [Range]
    private let isInverse: Bool

    struct Range: Hashable, Sendable {
        let first: UInt16
        let last: UInt16
    }

    init(_ ranges: [Range], isInverse: Bool) { (self.ranges, self.isInverse) = (ranges, isInverse) }

    init(_ unit: UInt16) { self.init([Range(first: unit, last: unit)], isInverse: false) }

    static let all = UnitSet([], isInverse: true)

    /// The steps that it takes to look for a unit, beside the first.
    var additionalWork: Int { ranges.count / 8 }

    func contains(_ unit: UInt16) -> Bool {
        ranges.contains { $0.first <= unit && unit <= $0.last } != isInverse
    }

    /// The unit of a set of one; nil for other sets.
    var only: UInt16? {
        guard !isInverse, ranges.count == 1, ranges[0].first == ranges[0].last else { return nil }
        return ranges[0].first
    }

    /// A unit that people would write; nil if there is none.
    var example: UInt16? {
        only
            ?? (Array("xyzabcdefghijklmnopqrstuvwABCXYZ0123456789-_/".utf16) + ranges.map(\.first))
            .first(where: contains)
    }

    /// The units at which a stretch of units that are alike to the set begins, but for 0.
    var boundaries: [UInt32] { ranges.flatMap { [UInt32($0.first), UInt32($0.last) + 1] } }
}
