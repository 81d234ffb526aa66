import Diagnostics
import LinkStore
import URISyntax

/// Lists the nodes that share the store. A store that is a file has none.
struct ListNodes: Operation {
    static let route = APIRoute(
        "listNodes", "GET", "nodes", [.admin],
        "List the nodes that share the database of the store",
        query: [
            Parameter(
                "index", .flag,
                "Whether the answer has a hash of all links that this node answers. Nodes with the same links have the same hash."
            )
        ], isAboutAll: true, [Answer(200, "NodeList")])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let found = try orProblem { () throws(StoreError) in try call.store.fleet() }
        let members = Self.members(of: found)
        guard call.request.item("index") == "true" else {
            return APIResponse(200, .object(members))
        }
        return IndexSum(call.store.index, beside: members).step()
    }

    private static func members(of fleet: StoreFleet?) -> [(key: String, value: JSONText)] {
        guard let fleet else { return [("nodes", .array([]))] }
        var members: [(key: String, value: JSONText)] = [
            ("nodes", .array(fleet.nodes.map { json($0, in: fleet) })),
            ("generation", .number(fleet.generation)),
            ("configurations", .number(fleet.configurations.count)),
            ("isSynchronous", .boolean(fleet.isSynchronous)),
        ]
        if let isNotified = fleet.isNotified {
            members.append(("isNotified", .boolean(isNotified)))
        }
        return members
    }

    private static func json(_ node: StoreNode, in fleet: StoreFleet) -> JSONText {
        func time(_ milliseconds: Int) -> JSONText {
            .string(Timestamp(nearest: milliseconds / 1000).description)
        }
        return .object([
            ("name", .string(node.name)), ("isUp", .boolean(node.isUp)),
            ("isAsked", .boolean(node.name == fleet.own)),
            ("version", .string(node.report.version)),
            ("configuration", .string(node.report.configuration)),
            ("generation", .number(node.generation)),
            ("behind", .number(max(0, fleet.generation &- node.generation))),
            ("clockOffsetMilliseconds", .number(node.clockOffset)),
            ("started", time(node.started)), ("seen", time(node.seen)),
        ])
    }
}
