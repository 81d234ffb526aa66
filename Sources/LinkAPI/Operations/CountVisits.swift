import LinkStore

/// Counts the visits of all links together, or of those that have something in common.
struct CountVisits: Operation {
    static let route = APIRoute(
        "countVisits", "GET", "visits", [.statsRead], "Count the visits of many links together",
        query: VisitQuery.period + VisitQuery.by(dimensions) + VisitLinkFilter.parameters
            + [VisitQuery.visitors, VisitQuery.format],
        [Answer(200, "VisitList").orTable()])

    private static let dimensions =
        VisitStore.Grouping.allCases.map(\.rawValue)
        + LinkDimension.allCases.map(\.rawValue)

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let query = try VisitQuery(call, of: call.request.item("collection"))
        let filter = try VisitLinkFilter(call)
        // The sums of all links are kept, but not those of referrers and visitors.
        let isKept = !query.isByReferrer && !query.hasSumOfVisitors
        if filter.isOfAll, query.links == nil, isKept { return try call.visits(of: 0, query) }
        return try VisitSurvey(call, query, filter).step(call.store)
    }
}
