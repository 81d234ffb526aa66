private import JSONSyntax
private import Markup

/// The visits of many links, by what a person asks.
struct VisitsPage {
    private let request: ConsoleRequest
    private let api: ConsoleAPI
    private let choice: VisitChoice

    /// The most links whose names are looked up.
    private static let linksMax = 20

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) {
        (self.request, self.api) = (request, api)
        choice = VisitChoice(request: request)
    }

    /// The same visits as a table for spreadsheets.
    var table: ConsoleResponse {
        let answer = api.ask("GET", ["visits"], query: choice.query() + [("format", "csv")])
        guard answer.isSuccess else {
            // The page says what is wrong with the question.
            return answer.status == 400 ? response : Console.refusal(answer, of: request)
        }
        return ConsoleResponse(
            200, type: answer.type,
            fields: [("Content-Disposition", "attachment; filename=\"visits.csv\"")],
            answer.content)
    }

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["visits"], query: choice.query())
        let known = api.collections
        let title = ConsoleText.visits(request.setting.language)
        var frame = PageFrame(title: title, person: request.person, section: .visits)
        if answer.status == 400 { frame.status = 400 }
        return frame.response(request.setting) { page in
            page.element("h1", .visits)
            page.element("p", .visitsLead)
            VisitFilters(choice: choice, collections: known.compactMap { $0["name"]?.text })
                .write(&page)
            if answer.isSuccess {
                writeVisits(answer, &page)
            } else if answer.status == 400 {
                page.raw("<div class=\"errors\" role=\"alert\"><p>")
                page.value(answer.json?["detail"]?.text ?? "")
                page.raw("</p></div>\n")
            } else {
                page.hint(.visitsUnavailable)
            }
            MissTable.writeFirst(request, api, collections: known, &page)
        }
    }

    /// The name that the API gives to rows beyond those that it lists.
    private static let others = "(others)"

    private func writeVisits(_ answer: ConsoleAPI.Answer, _ page: inout PageWriter) {
        let names = choice.dimensions
        let pivot = VisitPivot(answer.json, by: names)
        let before = request.item("compare").map { _ in
            api.ask("GET", ["visits"], query: choice.query(isBefore: true))
        }
        let sumBefore = before.flatMap { $0.isSuccess ? VisitPivot($0.json, by: names) : nil }
        let titles = titles(of: pivot, names)
        func name(_ value: String?, of dimension: String, _ page: PageWriter) -> String {
            guard let value, value != Self.others else { return page.filled(.allOthers) }
            if value.isEmpty { return page.filled(.noValue) }
            // A tag can have the name of a platform.
            guard ["platform", "outcome"].contains(dimension) else { return titles[value] ?? value }
            return CountTable.known[value].map { page.filled($0) } ?? value
        }
        let rowName = { name($0, of: names[0], $1) }
        let columnName = { name($0, of: names.last ?? "", $1) }
        page.raw("<section>\n<p class=\"sum\">")
        let sum = sum(answer)
        page.words(.sumOfVisits, ["count": "\(sum)"])
        page.raw("</p>\n")
        if let before { writeComparison(sum, before, &page) }
        if names[0] == "day" { PivotChart(pivot: pivot, name: columnName).write(&page) }
        if names.contains("tag") { page.hint(.severalTags) }
        if pivot.rows.isEmpty {
            page.hint(.nothingCounted)
        } else {
            // Days of another period have other names.
            let isCompared = names.count == 1 && names[0] != "day" && names[0] != "hour"
            PivotTable(
                pivot: pivot, heading: VisitFilters.text(names[0]),
                before: isCompared
                    ? sumBefore.map {
                        Dictionary($0.rows.map { ($0.name, $0.total) }) { first, _ in first }
                    } : nil, rowName: rowName, columnName: columnName,
                path: { id in
                    names[0] == "link" && !id.isEmpty && id != Self.others
                        ? PagePath("links", id) : nil
                }
            ).write(&page)
        }
        page.raw("<p>")
        page.link(choice.table, .downloadTable)
        page.raw("</p>\n</section>\n")
    }

    /// The visits of all rows. With several tags a link is in several of them.
    private func sum(_ answer: ConsoleAPI.Answer, isBefore: Bool = false) -> Int {
        var answer = answer
        if choice.dimensions.contains("tag") {
            let query =
                choice.query(isBefore: isBefore).filter { $0.name != "by" } + [("by", "day")]
            answer = api.ask("GET", ["visits"], query: query)
        }
        return (answer.json?["rows"]?.elements ?? []).reduce(0) { $0 + ($1["visits"]?.count ?? 0) }
    }

    private func writeComparison(
        _ sum: Int, _ answer: ConsoleAPI.Answer, _ page: inout PageWriter
    ) {
        guard answer.isSuccess else {
            return page.hint(.notCompared, ["reason": answer.json?["detail"]?.text ?? ""])
        }
        let before = self.sum(answer, isBefore: true)
        let difference = sum - before
        switch (before, difference) {
        case (0, _): page.hint(.noneBefore)
        case (_, 0): page.hint(.asBefore)
        default:
            let percent = (200 * difference.magnitude / before.magnitude + 1) / 2
            page.hint(
                difference > 0 ? .moreThanBefore : .lessThanBefore,
                ["percent": "\(percent)", "before": "\(before)"])
        }
    }

    /// The names of links by their ids.
    private func titles(of pivot: VisitPivot, _ names: [String]) -> [String: String] {
        var ids = [String]()
        if names[0] == "link" { ids = pivot.rows.map(\.name) }
        if names.last == "link", names.count > 1 { ids = pivot.columns.compactMap(\.self) }
        var titles = [String: String]()
        for id in ids.prefix(Self.linksMax) {
            let answer = api.ask("GET", ["links", id])
            guard let json = answer.json, json["slug"] != nil else { continue }
            titles[id] = LinkWords(json, now: request.now).name
        }
        return titles
    }
}
