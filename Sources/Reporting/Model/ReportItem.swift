/// One item of a report card.
package struct ReportItem: Hashable, Sendable {
    /// The stable kebab-case name, on which scripts can rely.
    package let id: String
    package let group: ReportGroup
    /// The condition for a page to pass.
    package let asks: String
    /// The advice if a page does not pass.
    package let fix: String
    /// The source of the condition.
    package let source: String

    init(_ id: String, _ group: ReportGroup, asks: String, fix: String, source: String) {
        self.id = id
        self.group = group
        self.asks = asks
        self.fix = fix
        self.source = source
    }
}

/// The result of a page for an item or a group, ordered by importance.
package enum ItemStatus: String, CaseIterable, Comparable, Sendable {
    /// There is nothing to check.
    case notApplicable = "not-applicable"
    case pass
    /// It works, and would work better.
    case recommended
    /// Something does not work, or excludes people.
    case required

    package static func < (left: ItemStatus, right: ItemStatus) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The result of a page for one item, with its evidence.
package struct ItemResult: Hashable, Sendable {
    package let item: ReportItem
    package let status: ItemStatus
    /// The evidence, in words for people.
    package let evidence: String
    /// The advice; nil if there is none.
    package let fix: String?
}

extension ReportItem {
    func pass(_ evidence: String) -> ItemResult {
        ItemResult(item: self, status: .pass, evidence: evidence, fix: nil)
    }

    func notApplicable(_ reason: String) -> ItemResult {
        ItemResult(item: self, status: .notApplicable, evidence: reason, fix: nil)
    }

    /// - Parameter fix: what to do, if the catalogue's text does not fit the case.
    func recommended(_ evidence: String, fix: String? = nil) -> ItemResult {
        ItemResult(item: self, status: .recommended, evidence: evidence, fix: fix ?? self.fix)
    }

    /// - Parameter fix: what to do, if the catalogue's text does not fit the case.
    func required(_ evidence: String, fix: String? = nil) -> ItemResult {
        ItemResult(item: self, status: .required, evidence: evidence, fix: fix ?? self.fix)
    }
}
