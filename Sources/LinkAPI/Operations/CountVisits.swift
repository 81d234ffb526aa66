import LinkStore

/// Counts the visits of all links together.
struct CountVisits: Operation {
    static let route = APIRoute(
        "countVisits", "GET", "visits", [.statsRead], "Count the visits of all links together",
        query: VisitQuery.period + [VisitQuery.by(groupings)], isAboutAll: true,
        [Answer(200, "VisitList")])

    /// A referrer is of one link.
    private static let groupings = [VisitStore.Grouping.day, .hour, .platform, .outcome]

    let call: APICall

    func answer() throws(Problem) -> APIResponse { try call.visits(of: 0, VisitQuery(call)) }
}
