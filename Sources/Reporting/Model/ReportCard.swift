/// The results of a page by group, and its previews.
package struct ReportCard: Sendable {
    /// One result for each item of the catalogue, in its order.
    package let results: [ItemResult]
    package let previews: [Preview]
    /// The tags of the page, for programs.
    package let markup: FoundMarkup

    /// Examines the page.
    package init(_ input: ReportInput) {
        let examination = PageExamination(input)
        results = examination.results
        previews = examination.previews
        markup = FoundMarkup(examination)
    }

    private init(_ card: ReportCard, results: [ItemResult]) {
        self.results = results
        previews = card.previews
        markup = card.markup
    }

    /// The card without the results of these items.
    package func leavingOut(_ ids: [String]) -> ReportCard {
        ReportCard(self, results: results.filter { !ids.contains($0.item.id) })
    }

    /// The results of a group, in the catalogue's order.
    package func results(of group: ReportGroup) -> [ItemResult] {
        results.filter { $0.item.group == group }
    }

    /// The gravest status among the results of a group.
    package func status(of group: ReportGroup) -> ItemStatus {
        results(of: group).map(\.status).max() ?? .notApplicable
    }

    /// The number of results with the status.
    package func count(_ status: ItemStatus) -> Int { results.count { $0.status == status } }
}

/// A drawing of how another program shows the page.
package struct Preview: Hashable, Sendable {
    /// The program's stable name.
    package let id: String
    package let title: String
    /// Lines of a fixed-width drawing.
    package let drawing: [String]
    /// Notes on things that the drawing leaves out or cannot know.
    package let notes: [String]
}
