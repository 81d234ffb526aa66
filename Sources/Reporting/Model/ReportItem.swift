/// One thing that a report card asks of a page.
package struct ReportItem: Hashable, Sendable {
    /// The stable kebab-case name, which scripts may rely on.
    package let id: String
    package let group: ReportGroup
    /// What a page must have to pass.
    package let asks: String
    /// What to do about a page that does not pass.
    package let fix: String
    /// Who says so.
    package let source: String

    init(
        _ id: String, _ group: ReportGroup, asks: String, fix: String, source: String
    ) {
        self.id = id
        self.group = group
        self.asks = asks
        self.fix = fix
        self.source = source
    }
}

/// How a page does on an item or a group. Ordered: what is required matters most.
package enum ItemStatus: String, CaseIterable, Comparable, Sendable {
    /// There is nothing to ask, or nothing to ask it of.
    case notApplicable = "not-applicable"
    case pass
    /// It works, and would work better.
    case recommended
    /// Something does not work, or keeps people out.
    case required

    package static func < (left: ItemStatus, right: ItemStatus) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// How a page does on one item, and what that was seen by.
package struct ItemResult: Hashable, Sendable {
    package let item: ReportItem
    package let status: ItemStatus
    /// What was found, in words for the reader.
    package let evidence: String
    /// What to do; nil where there is nothing to do.
    package let fix: String?
}

extension ReportItem {
    func pass(_ evidence: String) -> ItemResult {
        ItemResult(item: self, status: .pass, evidence: evidence, fix: nil)
    }

    func notApplicable(_ reason: String) -> ItemResult {
        ItemResult(item: self, status: .notApplicable, evidence: reason, fix: nil)
    }

    /// - Parameter fix: what to do, where the catalogue's words do not fit the case.
    func recommended(_ evidence: String, fix: String? = nil) -> ItemResult {
        ItemResult(item: self, status: .recommended, evidence: evidence, fix: fix ?? self.fix)
    }

    /// - Parameter fix: what to do, where the catalogue's words do not fit the case.
    func required(_ evidence: String, fix: String? = nil) -> ItemResult {
        ItemResult(item: self, status: .required, evidence: evidence, fix: fix ?? self.fix)
    }
}
