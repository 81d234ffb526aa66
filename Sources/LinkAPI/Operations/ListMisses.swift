import Diagnostics
import LinkIndex
import LinkStore
import Visits

/// Lists paths of collections that are of no link, the most frequent first.
struct ListMisses: Operation {
    static let route = APIRoute(
        "listMisses", "GET", "misses", [.statsRead],
        "List requested paths of collections that belong to no link, the most frequent first",
        query: VisitQuery.period + [VisitQuery.format], [Answer(200, "MissList").orTable()])

    let call: APICall
    private let query: VisitQuery

    init(call: APICall) throws(Problem) {
        (self.call, query) = (call, try VisitQuery(call, of: nil))
    }

    func answer() throws(Problem) -> APIResponse {
        let names = call.api.collections.map(\.name).filter { call.actor.mayUse($0.description) }
        let wanted = call.actor.collections == nil ? nil : Set(names.map(\.number))
        let found = try call.readVisits { store throws(StoreError) in
            try store.misses(
                query.hours.lowerBound / 24..<(query.hours.upperBound + 23) / 24, wanted,
                limit: VisitStore.pathsMax
            ).map { MissRow(key: $0.key, entry: $0.entry) }
        }
        let byNumber = Dictionary(names.map { ($0.number, $0.description) }) { first, _ in first }
        if query.isTable {
            return APIResponse(
                table: ["path", "collection", "count", "error", "first", "last"],
                found.map { row in
                    [
                        TableCell.protected(row.key.path),
                        TableCell.protected(byNumber[row.key.collection] ?? ""),
                        "\(row.entry.count)",
                        "\(row.entry.error)", time(ofHour: row.entry.first),
                        time(ofHour: row.entry.last),
                    ]
                })
        }
        return APIResponse(
            200,
            .object([
                (
                    "misses",
                    .array(
                        found.map { row in
                            .object([
                                ("path", .string(row.key.path)),
                                ("collection", .orNull(byNumber[row.key.collection])),
                                ("count", .number(row.entry.count)),
                                ("error", .number(row.entry.error)),
                                ("first", .string(time(ofHour: row.entry.first))),
                                ("last", .string(time(ofHour: row.entry.last))),
                            ])
                        })
                )
            ]))
    }

    private struct MissRow: Sendable {
        let key: FrequentPaths.Key
        let entry: FrequentPaths.Entry
    }
}
