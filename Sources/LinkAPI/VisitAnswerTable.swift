import Diagnostics
import LinkStore
import SiteConfiguration
import URISyntax
import Visits

/// The rows of an answer about visits, in JSON or as a table.
struct VisitAnswerTable {
    struct Row {
        /// The values of the dimensions, in their order.
        let names: [String]
        /// By the raw values of classes of visits.
        var counts = SIMD8<Int>.zero
        var visitors: Int?

        var visits: Int { counts[Int(VisitClass.visit.rawValue)] }
    }

    private let query: VisitQuery
    private let first: [(key: String, value: JSONText)]
    var rows = [Row]()
    /// Whether it is about one link, whose visitors are known without a question for them.
    var isOfOneLink = false

    /// - Parameter first: members of the answer that stand before those of the question.
    init(_ query: VisitQuery, _ first: [(key: String, value: JSONText)] = []) {
        (self.query, self.first) = (query, first)
    }

    /// Platforms, outcomes and referrers are counted for visits of people alone.
    private var classes: [VisitClass] {
        let isOfAll = query.groups?.all.allSatisfy { $0 == .day || $0 == .hour } ?? true
        return isOfAll ? Array(VisitClass.allCases) : [.visit]
    }

    // MARK: Rows

    /// A row of one link, or of all.
    func row(_ row: VisitStore.Row) -> Row {
        let groups = query.groups?.all ?? []
        // A row with a referrer has no other number than that of the day.
        let numbers = [row.group, row.host == nil ? row.second ?? 0 : row.group]
        var counts = SIMD8<Int>.zero
        for (visitClass, count) in row.counts { counts[Int(visitClass.rawValue)] = count }
        let names = zip(groups, numbers).map { $0 == .referrer ? row.host ?? "" : name($1, $0) }
        return Row(names: names, counts: counts, visitors: row.visitors)
    }

    /// A row of links with this value.
    /// - Parameter number: as `GroupedVisits` has it.
    func row(_ value: String, _ number: Int, _ counts: SIMD8<Int>) -> Row {
        let bits = GroupedVisits.secondBits
        let numbers = [number >> bits, number & (1 << bits - 1)]
        var names = zip(query.groups?.all ?? [], numbers).map { name($1, $0) }
        if query.links != nil { names.insert(value, at: query.isByLinkFirst ? 0 : 1) }
        return Row(names: names, counts: counts)
    }

    /// A row of a country.
    /// - Parameters:
    ///   - value: of the links; the day, or nothing, where they are not told apart.
    ///   - country: its name.
    func row(_ value: String?, country: String, visits: Int) -> Row {
        var counts = SIMD8<Int>.zero
        counts[Int(VisitClass.visit.rawValue)] = visits
        let isFirst = query.dimensions.first == VisitStore.Grouping.country.rawValue
        let others = [value].compactMap(\.self)
        return Row(names: isFirst ? [country] + others : others + [country], counts: counts)
    }

    /// The name of a day, since 1970.
    func name(ofDay day: Int) -> String { name(day, .day) }

    private func name(_ number: Int, _ grouping: VisitStore.Grouping) -> String {
        switch grouping {
        case .day:
            return String(decoding: time(ofHour: number * 24).utf8.prefix(10), as: UTF8.self)
        case .hour: return hour(number)
        case .platform:
            return WebPlatform.allCases[min(number, WebPlatform.allCases.count - 1)].rawValue
        case .outcome: return VisitOutcome(rawValue: UInt8(clamping: number))?.name ?? ""
        case .referrer, .country: return ""
        }
    }

    /// The time by the clocks of the zone, with its offset, by which the hours of a change can be told apart.
    private func hour(_ hour: Int) -> String {
        guard let offset = query.groups?.local?.offset(at: hour) else { return time(ofHour: hour) }
        let size = offset.magnitude
        return String(decoding: time(ofHour: hour + offset).utf8.prefix(19), as: UTF8.self)
            + "\(offset < 0 ? "-" : "+")\(size < 10 ? "0" : "")\(size):00"
    }

    // MARK: Answers

    /// Refuses an answer with too many rows.
    static func check(_ count: Int) throws(Problem) {
        guard count > rowsMax else { return }
        throw Problem(
            .query,
            "the answer would have \(count) rows, at most \(rowsMax) are answered: ask for a shorter "
                + "period, or by fewer things")
    }

    func response() throws(Problem) -> APIResponse {
        try Self.check(rows.count)
        let dimensions = query.dimensions
        if query.isTable {
            // No column is empty in every row.
            let hasVisitors = query.hasVisitors && (isOfOneLink || query.hasSumOfVisitors)
            return APIResponse(
                table: dimensions + classes.map(\.member) + (hasVisitors ? ["visitors"] : []),
                rowsOfAllDays.map { row in
                    zip(dimensions, row.names).map {
                        Self.ofOthers.contains($0) ? TableCell.protected($1) : $1
                    }
                        + classes.map { "\(row.counts[Int($0.rawValue)])" }
                        + (hasVisitors ? [row.visitors.map { "\($0)" } ?? ""] : [])
                })
        }
        let own: [(key: String, value: JSONText)] = [
            ("by", .string(dimensions.joined(separator: ","))),
            ("rows", .array(rows.map { json($0, dimensions) })),
        ]
        return APIResponse(200, .object(first + query.period + own))
    }

    /// The rows of a table. By day, also days without visits have one, so that a chart of them has equal distances.
    private var rowsOfAllDays: [Row] {
        let days = query.days
        guard query.dimensions == ["day"], days.last - days.first <= VisitStore.daysKept else {
            return rows
        }
        let known = Dictionary(rows.map { ($0.names[0], $0) }) { first, _ in first }
        let none = rows.contains { $0.visitors != nil } ? 0 : nil
        return (days.first...days.last).map { day in
            let name = name(day, .day)
            return known[name] ?? Row(names: [name], visitors: none)
        }
    }

    /// The most rows of an answer.
    private static let rowsMax = 10_000
    /// The dimensions whose values are texts of others.
    private static let ofOthers = ["referrer", "tag", "campaign", "collection"]

    private func json(_ row: Row, _ dimensions: [String]) -> JSONText {
        var members = zip(dimensions, row.names).map { (key: $0, value: JSONText.string($1)) }
        for visitClass in classes {
            members.append((visitClass.member, .number(row.counts[Int(visitClass.rawValue)])))
        }
        if let visitors = row.visitors { members.append(("visitors", .number(visitors))) }
        return .object(members)
    }
}
