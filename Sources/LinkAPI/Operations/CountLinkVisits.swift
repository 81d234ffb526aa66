import Diagnostics
import LinkStore

/// Counts a link's visits.
struct CountLinkVisits: Operation {
    static let route = APIRoute(
        "countLinkVisits", "GET", "links/{id}/visits", [.statsRead], "Count a link's visits",
        query: VisitQuery.period + VisitQuery.by(VisitStore.Grouping.allCases.map(\.rawValue))
            + [VisitQuery.format],
        [Answer(200, "VisitList").orTable()])

    let call: APICall
    private let link: StoredLink
    private let number: Int
    private let query: VisitQuery

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.link()
        number = try call.number(of: link)
        query = try VisitQuery(call, of: link.collection)
    }

    func answer() throws(Problem) -> APIResponse {
        try call.visits(of: number, query, [("link", .string("\(link.id)"))])
    }
}
