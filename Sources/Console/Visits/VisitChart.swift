internal import JSONSyntax
private import Markup
private import URISyntax

/// The visits of each day, as bars, with a table of the same numbers.
struct VisitChart {
    /// A day with its counts.
    struct Day {
        let name: String
        let visits: Int
        let visitors: Int?
    }

    let days: [Day]

    /// - Parameters:
    ///   - rows: of the API, which has only days with visits.
    ///   - count: of days, up to that of `now`.
    init(_ rows: [JSONValue], days count: Int, now: Int) {
        var byName = [String: Day](minimumCapacity: rows.count)
        for row in rows {
            guard let name = row["day"]?.text else { continue }
            byName[name] = Day(
                name: name, visits: row["visits"]?.count ?? 0, visitors: row["visitors"]?.count)
        }
        let today = now / 86_400
        days = (today - count + 1...today).map { day in
            let time = Timestamp(seconds: day * 86_400).description
            let name = String(decoding: time.utf8.prefix(10), as: UTF8.self)
            return byName[name] ?? Day(name: name, visits: 0, visitors: nil)
        }
    }

    func write(_ page: inout PageWriter) {
        page.chart(days.map { ($0.name, $0.visits) }, bars: writeBars)
        guard days.contains(where: { $0.visits > 0 }) else { return }
        page.raw("<details class=\"numbers\"><summary>")
        page.words(.asTable)
        page.raw("</summary>\n<div class=\"narrow\"><table>\n<thead><tr>")
        page.heading(.day)
        page.heading(.visits, isNumber: true)
        // Visitors are counted for one link only.
        let hasVisitors = days.contains { $0.visitors != nil }
        if hasVisitors { page.heading(.people, isNumber: true) }
        page.raw("</tr></thead>\n<tbody>\n")
        for day in days.reversed() {
            page.raw("<tr><th scope=\"row\">")
            page.value(page.day(day.name))
            page.raw("</th>")
            page.cell(day.visits)
            if hasVisitors { page.cell(day.visitors.map(page.numeral) ?? "–") }
            page.raw("</tr>\n")
        }
        page.raw("</tbody></table></div></details>\n")
    }

    private func writeBars(_ most: Int, _ page: inout PageWriter) {
        let places = BarPlaces(count: days.count)
        for (index, day) in days.enumerated() where day.visits > 0 {
            let height = max(2, day.visits * 120 / most)
            let (x, width) = places.place(index)
            page.raw("<rect class=\"bar\" rx=\"2\"")
            page.attribute("x", "\(x)")
            page.attribute("y", "\(120 - height)")
            page.attribute("width", "\(width)")
            page.attribute("height", "\(height)")
            page.raw("><title>")
            page.value("\(page.day(day.name)): \(page.numeral(day.visits))")
            page.raw("</title></rect>\n")
        }
    }
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
