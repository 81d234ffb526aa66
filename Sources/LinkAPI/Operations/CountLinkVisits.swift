import Diagnostics
import LinkStore

/// Counts a link's visits.
struct CountLinkVisits: Operation {
    static let route = APIRoute(
        "countLinkVisits", "GET", "links/{id}/visits", [.statsRead], "Count a link's visits",
        query: VisitQuery.period + [VisitQuery.by(VisitStore.Grouping.allCases)],
        [Answer(200, "VisitList")])

    let call: APICall
    private let link: StoredLink
    private let number: Int?
    private let query: VisitQuery

    init(call: APICall) throws(Problem) {
        self.call = call
        let link = try call.link()
        self.link = link
        number = try orProblem { () throws(StoreError) in try call.store.number(of: link.id) }
        query = try VisitQuery(call)
    }

    func answer() throws(Problem) -> APIResponse {
        try call.visits(of: number ?? -1, query, [("link", .string("\(link.id)"))])
    }
}
