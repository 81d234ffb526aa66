import LinkStore

/// Counts the visits of all links together, or of those that have something in common.
struct CountVisits: Operation {
    static let route = APIRoute(
        "countVisits", "GET", "visits", [.statsRead], "Count the visits of many links together",
        query: VisitQuery.period + VisitQuery.by(dimensions) + VisitLinkFilter.parameters
            + [VisitQuery.format],
        [Answer(200, "VisitList").orTable()])

    /// A referrer is of one link.
    private static let dimensions =
        VisitStore.Grouping.allCases.filter { $0 != .referrer }.map(\.rawValue)
        + LinkDimension.allCases.map(\.rawValue)

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let query = try VisitQuery(call, of: call.request.item("collection"))
        let filter = try VisitLinkFilter(call)
        // The sums of all links are kept.
        if filter.isOfAll, query.links == nil { return try call.visits(of: 0, query) }
        return try VisitSurvey(call, query, filter).step(call.store)
    }
}
