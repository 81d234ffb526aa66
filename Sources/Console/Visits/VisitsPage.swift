private import Diagnostics
internal import JSONSyntax
private import Markup

/// The visits of many links, by what a person asks.
struct VisitsPage {
    private let request: ConsoleRequest
    private let api: ConsoleAPI
    private let choice: VisitChoice
    private let collections: [JSONValue]

    /// The most links whose names a table has; a page shows fewer.
    private static let tableLinksMax = 1_001

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) {
        (self.request, self.api) = (request, api)
        collections = api.collections
        choice = VisitChoice(request: request, collections: collections)
    }

    /// The same visits as a table for spreadsheets.
    var table: ConsoleResponse {
        // The page says what is wrong with the question.
        guard VisitFault(choice) == nil else { return response }
        let names = choice.dimensions
        let query = choice.query(by: names)
        let answer = compared(api.ask("GET", ["visits"], query: query + [("format", "csv")]))
        guard answer.isSuccess else {
            return answer.status == 400 ? response : Console.refusal(answer, of: request)
        }
        return .file(
            "visits.csv", type: answer.type,
            names.firstIndex(of: "link").map { named(answer.content, linksIn: $0) }
                ?? answer.content)
    }

    /// A table with what the page has of the period before, where that is asked for.
    private func compared(_ answer: ConsoleAPI.Answer) -> ConsoleAPI.Answer {
        guard answer.isSuccess, request.item("compare") != nil else { return answer }
        let (count, before) = (VisitCount(choice, api), VisitCount(choice, api, isBefore: true))
        guard sums(before: count.pivot, before) != nil else { return answer }
        let table = ComparedTable(choice.dimensions, count, before).with(answer.content)
        return ConsoleAPI.Answer(
            status: answer.status, type: answer.type, fields: answer.fields, content: table)
    }

    /// A table by link with the URL and the title of each, after its id.
    /// - Parameter column: of the ids. No cell of such a table has a comma: it has ids, days, names of the API and numbers.
    private func named(_ table: [UInt8], linksIn column: Int) -> [UInt8] {
        let lines = table.dropFirst(TableCell.mark.count).split(separator: UInt8(ascii: "\n"))
            .map { line in
                line.filter { $0 != UInt8(ascii: "\r") }
                    .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self) }
            }
        let links = links(lines.dropFirst().map { $0[column] })
        var content = TableCell.mark
        for (place, line) in lines.enumerated() {
            let link = links[line[column]]
            let more =
                place == 0
                ? ["url", "title"]
                : [link?.url ?? "", link?.title ?? ""].map(TableCell.protected)
            content += csvLine(Array(line[...column]) + more + line[(column + 1)...]).utf8
        }
        return content
    }

    var response: ConsoleResponse {
        var fault = VisitFault(choice)
        let count = fault == nil ? VisitCount(choice, api) : nil
        if let count, count.answer.status == 400 { fault = VisitFault(count.answer, choice) }
        var frame = PageFrame(
            title: ConsoleText.visits(request.setting.language), person: request.person,
            section: .visits)
        if fault != nil { (frame.status, frame.isRefused) = (400, true) }
        return frame.response(request.setting) { page in
            page.element("h1", .visits)
            page.element("p", .visitsLead)
            fault?.write(&page)
            VisitFilters(
                choice: choice, collections: collections.compactMap { $0["name"]?.text },
                wrong: fault?.field
            ).write(&page)
            if choice.lacksDays { page.hint(.noDayWritten) }
            if let count, count.answer.isSuccess {
                writeVisits(count, &page)
            } else if fault == nil {
                page.hint(.visitsUnavailable)
            }
            if let count, count.sum > 0, choice.isOfChosenLinks {
                ChosenLinksFigures(choice: choice, api: api, sum: count.sum).write(&page)
            }
            let days = ["firstDay", "lastDay"].compactMap { count?.answer.json?[$0]?.text }
            MissTable.writeFirst(
                request, api, collections: collections,
                days: days.count == 2 ? (days[0], days[1]) : nil, isOfAll: true, &page)
        }
    }

    /// The name that the API gives to rows beyond those that it lists.
    private static let others = "(others)"

    /// The most bytes of a name on the page, so that the numbers beside it stay in view. The table for download has whole names.
    private static let nameBytesMax = 160

    private func writeVisits(_ count: VisitCount, _ page: inout PageWriter) {
        let (names, pivot) = (choice.dimensions, count.pivot)
        let before = request.item("compare").map { _ in VisitCount(choice, api, isBefore: true) }
        let titles = titles(of: pivot, names)
        func name(_ value: String?, of dimension: String, _ page: PageWriter) -> String {
            whole(value, of: dimension, page).shortened(to: Self.nameBytesMax)
        }
        func whole(_ value: String?, of dimension: String, _ page: PageWriter) -> String {
            guard let value, value != Self.others else { return page.filled(.allOthers) }
            if value.isEmpty { return page.filled(dimension == "referrer" ? .directly : .noValue) }
            switch dimension {
            case "day", "hour": return page.day(value)
            // A tag can have the name of a platform.
            case "platform", "outcome":
                return CountTable.known[value].map { page.filled($0) } ?? value
            case "country":
                return CountTable.countries[value].map { page.filled($0) } ?? page.country(value)
            default: return titles[value] ?? value
            }
        }
        let columnName = { name($0, of: names.last ?? "", $1) }
        // The form leads here.
        page.raw("<section>\n<h2 class=\"sum\" id=\"sum\" tabindex=\"-1\">")
        page.value(page.counted(count.sum, .oneVisit, .sumOfVisits))
        page.raw("</h2>\n")
        writePeriod(count.answer, &page)
        if let said = count.saidReferrer {
            if said < count.sum {
                page.hint(
                    .saidReferrer,
                    ["count": page.numeral(said), "sum": page.numeral(count.sum)])
            }
            if choice.wantedZone != choice.zone { page.hint(.daysOfUTC) }
        }
        if count.sum == 0, let tag = request.item("tag") { writeUnknownTag(tag, &page) }
        if let before { writeComparison(count.sum, before, &page) }
        let isOfHours = names[0] == "hour"
        let isChart = names[0] == "day" || isOfHours
        if isChart {
            PivotChart(
                pivot: pivot, isDivided: names.last != "tag", isOfHours: isOfHours,
                name: columnName
            ).write(&page)
        }
        if isOfHours { page.hint(choice.beginsBeforeHours ? .hoursKept : .countedHours) }
        if names.contains("tag") { page.hint(.severalTags) }
        if choice.isOfCountries { page.hint(.fewOfCountry) }
        if !isChart, pivot.rows.isEmpty {
            page.hint(.nothingCounted)
        } else if !isChart || count.sum > 0 {
            PivotTable(
                pivot: pivot, by: names[0], heading: VisitFilters.text(names[0]),
                before: before.flatMap { sums(before: pivot, $0) }, isBehindChart: isChart,
                rowName: { name($0, of: names[0], $1) }, columnName: columnName,
                path: { id in
                    names[0] == "link" && !id.isEmpty && id != Self.others
                        ? PagePath("links", id) : nil
                }
            ).write(&page)
            if choice.isOfCountries, let line = collections.countryAttribution {
                page.attribution(line)
            }
        }
        page.raw("<p>")
        page.link(choice.table, .downloadTable)
        page.raw("</p>\n</section>\n")
    }

    /// Says of a tag that no link has that it is a mistake.
    private func writeUnknownTag(_ tag: String, _ page: inout PageWriter) {
        let answer = api.ask(
            "GET", ["links"], query: [("tag", tag), ("archived", "true"), ("limit", "1")])
        guard answer.isSuccess, answer.json?["links"]?.elements?.isEmpty == true else { return }
        page.hint(.noSuchTag, ["tag": tag])
    }

    private func writePeriod(_ answer: ConsoleAPI.Answer, _ page: inout PageWriter) {
        guard let first = answer.json?["firstDay"]?.text, let last = answer.json?["lastDay"]?.text
        else { return }
        page.hint(
            .shownPeriod,
            ["first": page.day(first), "last": page.day(last), "zone": choice.zone])
    }

    /// The visits of the period before in the order of rows: of the day in the same place, or of the same thing.
    /// - Returns: nil where they cannot be put side by side.
    private func sums(before pivot: VisitPivot, _ count: VisitCount) -> [Int]? {
        guard count.answer.isSuccess else { return nil }
        switch choice.dimensions[0] {
        case "hour": return nil
        case "day":
            guard count.pivot.rows.count == pivot.rows.count else { return nil }
            return count.pivot.rows.map(\.total)
        default:
            return pivot.rows.map { count.pivot.totals[Array($0.name.utf8)] ?? 0 }
        }
    }

    private func writeComparison(_ sum: Int, _ count: VisitCount, _ page: inout PageWriter) {
        guard count.answer.isSuccess else {
            let detail = count.answer.json?["detail"]?.text ?? ""
            guard !VisitFault.isBeforeCalendar(detail) else { return page.hint(.noPeriodBefore) }
            page.raw("<p class=\"hint\">")
            page.words(.notCompared)
            page.raw(" ")
            page.foreign(detail)
            return page.raw("</p>\n")
        }
        let before = count.sum
        let difference = sum - before
        switch (before, difference) {
        case (0, _): page.hint(.noneBefore)
        case (_, 0): page.hint(.asBefore)
        default:
            let percent = (200 * difference.magnitude / before.magnitude + 1) / 2
            page.hint(
                difference > 0 ? .moreThanBefore : .lessThanBefore,
                ["percent": page.numeral(Int(percent)), "before": page.numeral(before)])
        }
    }

    /// The names of links by their ids.
    private func titles(of pivot: VisitPivot, _ names: [String]) -> [String: String] {
        var ids = [String]()
        if names[0] == "link" { ids = pivot.rows.map(\.name) }
        if names.last == "link", names.count > 1 { ids = pivot.columns.compactMap(\.self) }
        return links(ids).mapValues(\.name)
    }

    /// The first links by their ids, as far as they are still there.
    private func links(_ ids: [String]) -> [String: LinkWords] {
        var (links, seen) = ([String: LinkWords](), Set<String>())
        let wanted = ids.filter { !$0.isEmpty && $0 != Self.others && seen.insert($0).inserted }
        var rest = wanted.prefix(Self.tableLinksMax)
        while !rest.isEmpty {
            let some = rest.prefix(Self.linksAtOnce)
            rest = rest.dropFirst(Self.linksAtOnce)
            var after: String?
            // Long links are answered in several parts.
            repeat {
                var query = [
                    (name: "id", value: some.joined(separator: ",")),
                    ("limit", "\(Self.linksAtOnce)"),
                ]
                if let after { query.append(("after", after)) }
                let answer = api.ask("GET", ["links"], query: query)
                let found = answer.json?["links"]?.elements ?? []
                for link in found where link["slug"] != nil {
                    links[link["id"]?.text ?? ""] = LinkWords(link, now: request.now)
                }
                after = answer.fields["Link"] == nil ? nil : found.last?["id"]?.text
            } while after != nil
        }
        return links
    }

    /// The most links that the API is asked for at once.
    private static let linksAtOnce = 100
}
