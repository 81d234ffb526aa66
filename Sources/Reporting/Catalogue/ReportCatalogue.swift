/// Everything that a report card asks, in its order.
package enum ReportCatalogue {
    package static let items =
        ReportItem.reachingItems + ReportItem.robotsItems + ReportItem.universalLinkItems
        + ReportItem.appLinkItems + ReportItem.linkToApplicationItems + ReportItem.appClipItems
        + ReportItem.titleItems + ReportItem.descriptionItems + ReportItem.imageItems
        + ReportItem.iconItems + ReportItem.structuredDataItems + ReportItem.canonicalItems
        + ReportItem.previewItems + ReportItem.securityItems + ReportItem.accessibilityItems

    /// The item of this name; nil when there is none.
    package static func item(named id: String) -> ReportItem? {
        items.first { $0.id.utf8.elementsEqual(id.utf8) }
    }
}
