import Diagnostics
import LinkStore
import SiteConfiguration
import URISyntax
import Visits

// Counted visits, in JSON and in tables.

extension APICall {
    /// Reads the visits that were counted.
    func readVisits<Value: Sendable>(
        _ body: (any CountedVisits) throws(StoreError) -> Value
    ) throws(Problem) -> Value {
        guard let visits else {
            throw .store("visits are not counted")
        }
        return try orProblem { () throws(StoreError) in try visits.use(body) }
    }

    /// The visits of one link, or of all as 0.
    func visits(
        of link: Int, _ query: VisitQuery, _ first: [(key: String, value: JSONText)] = []
    ) throws(Problem) -> APIResponse {
        let rows = try readVisits { store throws(StoreError) in
            try store.visits(of: link, query.hours, by: query.grouping)
        }
        let name = query.grouping.rawValue
        if query.isTable {
            let grouping = query.grouping
            return APIResponse(
                table: [name] + grouping.classes.map(\.member)
                    + (grouping == .day ? ["visitors"] : []),
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
}

extension APIResponse {
    /// A table for spreadsheets. The rows have texts of others protected (`TableCell`), and numbers
    /// and times as they are.
    init(table titles: [String], _ rows: [[String]]) {
        self.init(200)
        type = "text/csv; charset=utf-8"
        content = TableCell.mark
        for row in [titles] + rows { content += csvLine(row).utf8 }
    }
}

/// The time at which an hour since 1970 begins. An hour that another program has written may be after the year 9999.
func time(ofHour hour: Int) -> String {
    Timestamp(seconds: min(max(hour, 0), 24 * 2_932_896) * 3_600).description
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
    /// The classes of visits in a row of this grouping. Platforms, outcomes and referrers are
    /// counted for visits of people alone.
    fileprivate var classes: [VisitClass] {
        self == .day || self == .hour ? Array(VisitClass.allCases) : [.visit]
    }
}

extension VisitStore.Row {
    fileprivate func name(_ grouping: VisitStore.Grouping) -> String {
        switch grouping {
        case .day: String(decoding: time(ofHour: group * 24).utf8.prefix(10), as: UTF8.self)
        case .hour: time(ofHour: group)
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
