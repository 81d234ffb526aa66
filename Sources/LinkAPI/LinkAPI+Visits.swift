import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration
import URISyntax
import Visits

// What was counted of links, and of paths that are of no link.

extension LinkAPI {
    func linkVisits(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        let number = try orProblem { () throws(StoreError) in try call.store.number(of: link.id) }
        let query = try VisitQuery(call)
        return try visits(of: number ?? -1, query, call, [("link", .string("\(link.id)"))])
    }

    func allVisits(_ call: Call) throws(Problem) -> APIResponse {
        let query = try VisitQuery(call)
        return try visits(of: 0, query, call, [])
    }

    private func visits(
        of link: Int, _ query: VisitQuery, _ call: Call,
        _ first: [(key: String, value: JSONText)]
    ) throws(Problem) -> APIResponse {
        let rows = try readVisits(call) { store throws(StoreError) in
            try store.visits(of: link, query.hours, by: query.grouping)
        }
        let name = query.grouping.rawValue
        if query.isTable {
            let grouping = query.grouping
            return table(
                [name] + grouping.classes.map(\.member) + (grouping == .day ? ["visitors"] : []),
                rows.map { row in
                    [row.host.map(TableCell.protected) ?? row.name(grouping)]
                        + grouping.classes.map { "\(row.counts[$0] ?? 0)" }
                        + (grouping == .day ? [row.visitors.map { "\($0)" } ?? ""] : [])
                })
        }
        return APIResponse(
            200,
            .object(
                first + [
                    (
                        "from",
                        .string(Timestamp(seconds: query.hours.lowerBound * 3_600).description)
                    ),
                    ("to", .string(Timestamp(seconds: query.hours.upperBound * 3_600).description)),
                    ("by", .string(name)), ("rows", .array(rows.map { $0.json(query.grouping) })),
                ]))
    }

    func misses(_ call: Call) throws(Problem) -> APIResponse {
        let query = try VisitQuery(call)
        let names = collections.map(\.name).filter { call.actor.mayUse($0.description) }
        let wanted = call.actor.collections == nil ? nil : Set(names.map(\.number))
        let found = try readVisits(call) { store throws(StoreError) in
            try store.misses(
                query.hours.lowerBound / 24..<(query.hours.upperBound + 23) / 24, wanted,
                limit: VisitStore.pathsMax
            ).map { MissRow(key: $0.key, entry: $0.entry) }
        }
        let byNumber = Dictionary(names.map { ($0.number, $0.description) }) { first, _ in first }
        if query.isTable {
            return table(
                ["path", "collection", "count", "error", "first", "last"],
                found.map { row in
                    [
                        TableCell.protected(row.key.path),
                        TableCell.protected(byNumber[row.key.collection] ?? ""),
                        "\(row.entry.count)",
                        "\(row.entry.error)", hour(row.entry.first), hour(row.entry.last),
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
                                ("first", .string(hour(row.entry.first))),
                                ("last", .string(hour(row.entry.last))),
                            ])
                        })
                )
            ]))
    }

    /// A referrer is of one link.
    static let groupingsOfAll = [VisitStore.Grouping.day, .hour, .platform, .outcome]

    private struct MissRow: Sendable {
        let key: FrequentPaths.Key
        let entry: FrequentPaths.Entry
    }

    func readVisits<Value: Sendable>(
        _ call: Call, _ body: (VisitStore) throws(StoreError) -> Value
    ) throws(Problem) -> Value {
        guard let visits = call.visits else {
            throw .store("visits are not counted")
        }
        return try orProblem { () throws(StoreError) in try visits.use(body) }
    }

    /// Numbers and times of the rows are left to spreadsheets; texts of others are protected.
    private func table(_ titles: [String], _ rows: [[String]]) -> APIResponse {
        var response = APIResponse(200)
        response.type = "text/csv; charset=utf-8"
        response.content = TableCell.mark
        for row in [titles] + rows { response.content += csvLine(row).utf8 }
        return response
    }
}

private func hour(_ hour: Int) -> String { Timestamp(seconds: hour * 3_600).description }

/// The visits that are asked for.
private struct VisitQuery {
    /// Since 1970.
    private(set) var hours: Range<Int>
    private(set) var grouping = VisitStore.Grouping.day
    let isTable: Bool

    init(_ call: LinkAPI.Call) throws(Problem) {
        let today = call.now / 86_400
        var (begin, end) = (24 * (today - 29), 24 * (today + 1))
        for name in ["from", "to"] {
            guard let value = call.request.item(name) else { continue }
            let isDay = value.utf8.count == 10
            guard let moment = try? Timestamp(isDay ? "\(value)T00:00:00Z" : value) else {
                throw Problem(
                    .query,
                    "\(name) is \(quoted(value)), must be a day, 2026-09-01, or a time, "
                        + "2026-09-01T08:00:00Z")
            }
            if name == "from" {
                begin = moment.seconds / 3_600
            } else {
                end = isDay ? moment.seconds / 3_600 + 24 : (moment.seconds + 3_599) / 3_600
            }
        }
        if let name = call.request.item("by"), let asked = VisitStore.Grouping(rawValue: name) {
            grouping = asked
        }
        guard begin < end else {
            throw Problem(.query, "from is not before to")
        }
        hours = begin..<end
        isTable = call.request.fields["accept"]?.utf8.starts(with: "text/csv".utf8) ?? false
    }
}

extension VisitClass {
    /// Its name in answers.
    var member: String {
        switch self {
        case .visit: "visits"
        case .notFound: "notFound"
        case .bot: "bots"
        case .prefetch: "prefetches"
        case .probe: "probes"
        case .open: "opens"
        case .firstOpen: "firstOpens"
        }
    }
}

extension VisitStore.Grouping {
    /// What is counted for it: a platform, an outcome and a referrer are those of people.
    fileprivate var classes: [VisitClass] {
        self == .day || self == .hour ? Array(VisitClass.allCases) : [.visit]
    }
}

extension VisitStore.Row {
    fileprivate func name(_ grouping: VisitStore.Grouping) -> String {
        switch grouping {
        case .day: String(decoding: hour(group * 24).utf8.prefix(10), as: UTF8.self)
        case .hour: hour(group)
        case .platform: WebPlatform.allCases[min(group, WebPlatform.allCases.count - 1)].rawValue
        case .outcome: VisitOutcome(rawValue: UInt8(clamping: group))?.name ?? ""
        case .referrer: host ?? ""
        }
    }

    fileprivate func json(_ grouping: VisitStore.Grouping) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            (grouping.rawValue, .string(name(grouping)))
        ]
        for visitClass in grouping.classes {
            members.append((visitClass.member, .number(counts[visitClass] ?? 0)))
        }
        if let visitors { members.append(("visitors", .number(visitors))) }
        return .object(members)
    }
}
