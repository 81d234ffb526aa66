private import Diagnostics
private import JSONSyntax
private import Markup

/// Visits that nobody has made, in the form of an answer of the API, so that charts are drawn of them as of others.
struct SampleVisits {
    private static let days = 14
    /// As many as have a colour of their own, and one that is among the others.
    private static let tags = ["a", "b", "c", "d", "e", "f", "g"]

    /// The answer by day, or by day and tag.
    private func answer(byTag: Bool) -> [UInt8] {
        var rows = [String]()
        for day in 1...Self.days {
            let date = day < 10 ? "2027-01-0\(day)" : "2027-01-\(day)"
            for (place, tag) in Self.tags.enumerated() where byTag || place == 0 {
                let visits = (day * 7 + place * 11) % 23 + 1
                let more = byTag ? "\"tag\": \"\(tag)\", " : ""
                rows.append("{\"day\": \"\(date)\", \(more)\"visits\": \(visits)}")
            }
        }
        let period = "\"firstDay\": \"2027-01-01\", \"lastDay\": \"2027-01-\(Self.days)\""
        return Array("{\(period), \"rows\": [\(rows.joined(separator: ", "))]}".utf8)
    }

    /// - Parameter here: the page to which all links lead.
    func write(_ page: inout PageWriter, _ here: PagePath) {
        let byDay = JSONDocument(answer(byTag: false), file: "").root
        VisitChart(byDay, in: SiteZone([], of: nil)).write(&page)
        let byTag = JSONDocument(answer(byTag: true), file: "").root
        let pivot = VisitPivot(byTag, by: ["day", "tag"])
        let name: (String?, PageWriter) -> String = { value, page in
            value ?? page.filled(.allOthers)
        }
        PivotChart(pivot: pivot, isDivided: true, name: name).write(&page)
        PivotTable(
            pivot: pivot, by: "day", heading: .day, before: nil, isBehindChart: true,
            rowName: { value, page in page.day(value ?? "") }, columnName: name,
            path: { _ in nil }
        ).write(&page)
        let devices = """
            {"rows": [{"platform": "ios", "visits": 41}, {"platform": "android", "visits": 23}]}
            """
        CountTable(
            .byDevice,
            ConsoleAPI.Answer(
                status: 200, type: "application/json", fields: [:], content: Array(devices.utf8)),
            "platform", table: here
        ).write(&page)
    }
}
