import Diagnostics
import LinkStore
import URISyntax

/// The visits that a request asks for.
struct VisitQuery {
    /// Since 1970.
    private(set) var hours: Range<Int>
    private(set) var grouping = VisitStore.Grouping.day
    let isTable: Bool

    /// The items of a query that say which visits are counted.
    static let period = [
        Parameter("from", .text, "A day or time; 29 days ago by default."),
        Parameter("to", .text, "A day, which is included, or a time; today by default."),
    ]

    /// The item of a query that says what is counted together.
    static func by(_ groupings: [VisitStore.Grouping]) -> Parameter {
        Parameter(
            "by", .choice(groupings.map(\.rawValue)),
            "What is counted together; day by default.")
    }

    init(_ call: APICall) throws(Problem) {
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
