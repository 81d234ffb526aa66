internal import JSONSyntax
private import Markup

/// The visits of each day, as bars, with a table of the same numbers.
struct VisitChart {
    /// A day with its counts.
    private struct Day {
        let name: String
        let visits: Int
    }

    private let days: [Day]
    private let zone: SiteZone
    /// The people of each day of UTC; nil where they are not counted.
    private let people: [String: Int]?

    /// - Parameters:
    ///   - answer: of the API by day, which has only days with visits.
    ///   - zone: of these days.
    ///   - people: an answer by days of UTC that has the people of each.
    init(
        _ answer: JSONValue?, in zone: SiteZone, people: JSONValue? = nil
    ) {
        func counts(_ answer: JSONValue?, _ member: String) -> [String: Int] {
            (answer?["rows"]?.elements ?? []).reduce(into: [:]) { counts, row in
                counts[row["day"]?.text ?? ""] = row[member]?.count
            }
        }
        let visits = counts(answer, "visits")
        days = VisitPivot.days(of: answer).map { Day(name: $0, visits: visits[$0] ?? 0) }
        self.zone = zone
        self.people = people.map { counts($0, "visitors") }
    }

    func write(_ page: inout PageWriter) {
        page.chart(days.map { ($0.name, $0.visits) }) { most, page in
            if days.count > ChartBars.barsMax {
                page.outline(days.map(\.visits), of: most)
            } else {
                let rows = days.map { (name: $0.name, parts: [$0.visits]) }
                ChartBars(rows: rows, most: most).write(&page)
            }
        }
        if !zone.isUniversal, let first = days.first, let last = days.last {
            page.hint(
                .shownPeriod,
                ["first": page.day(first.name), "last": page.day(last.name), "zone": zone.name])
        }
        guard days.contains(where: { $0.visits > 0 }) else { return }
        page.raw("<details class=\"numbers\"><summary>")
        page.words(.asTable)
        page.raw("</summary>\n<div class=\"narrow\">")
        var columns = [
            TableColumn.text(zone.isUniversal ? .day : .dayOfZone), .number(.visits),
        ]
        if people != nil { columns.append(.number(zone.isUniversal ? .people : .peopleOfUTC)) }
        page.table(.visits, style: "pivot", columns) { page in
            for day in days.reversed().prefix(Self.rowsMax) {
                page.raw("<tr><th scope=\"row\">")
                page.value(page.day(day.name))
                page.raw("</th>")
                page.cell(page.numeral(day.visits))
                if let people { page.cell(people[day.name].map(page.numeral) ?? "–") }
                page.raw("</tr>\n")
            }
        }
        page.raw("</div></details>\n")
        if days.count > Self.rowsMax {
            page.hint(.omittedRows, ["count": page.numeral(days.count - Self.rowsMax)])
        }
    }

    /// More make a large page, and are in the table for spreadsheets.
    private static let rowsMax = 200
}

extension JSONValue {
    /// A number of things, of which sums can be made; nil for another value.
    var count: Int? {
        if case .number(let digits) = content {
            Int(digits).map { min(max($0, 0), 1 << 50) }
        } else {
            nil
        }
    }
}
