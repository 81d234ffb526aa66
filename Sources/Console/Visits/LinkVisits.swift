private import Diagnostics
internal import JSONSyntax
private import Markup

/// The visits of one link, in a period that a person chooses as on the page of all visits.
struct LinkVisits {
    private let choice: VisitChoice
    private let api: ConsoleAPI
    private let id: String
    private let days: ConsoleAPI.Answer?
    /// Whether countries are counted.
    private let isByCountry: Bool
    /// The line that belongs below countries; nil for none.
    private let countryAttribution: String?
    /// The zone of the days that are shown.
    private let zone: SiteZone
    /// The fault of the period; nil if the period is shown.
    let fault: VisitFault?

    /// The properties by which the visits of one link are shown.
    private static let properties = ["day", "platform", "referrer", "outcome", "country"]
    /// Those that are counted by the hours of a time zone; the others are kept by the day of UTC.
    private static let ofHours = ["day", "platform", "outcome"]
    /// The items of a query that choose the period.
    private static let items = ["period", "was", "from", "to"]

    /// - Parameters:
    ///   - collections: those that the person may see, as the API has them.
    ///   - collection: that of the link.
    init(
        _ request: ConsoleRequest, _ api: ConsoleAPI, id: String, _ collections: [JSONValue],
        of collection: String?
    ) {
        (self.api, self.id) = (api, id)
        let own = collections.filter { one in
            collection.map { one["name"]?.text?.isScalarwise($0) == true } ?? false
        }
        let asked = ConsoleRequest(
            .get, request.path, query: request.query.filter { Self.items.contains($0.name) },
            person: request.person, setting: request.setting, now: request.now)
        choice = VisitChoice(request: asked, collections: own)
        isByCountry = collections.contains { $0["countsCountries"]?.boolean == true }
        countryAttribution = collections.countryAttribution
        let home = SiteZone(own, of: collection)
        zone = choice.zone.isScalarwise(home.name) ? home : SiteZone([], of: nil)
        if let fault = VisitFault(choice) {
            (self.fault, days) = (fault, nil)
        } else {
            let answer = api.ask("GET", ["links", id, "visits"], query: Self.query(choice, "day"))
            fault = answer.status == 400 ? VisitFault(answer, choice) : nil
            days = answer
        }
    }

    /// The items of a question to the API.
    /// - Parameter isInZone: whether the days are those of the site.
    private static func query(
        _ choice: VisitChoice, _ name: String, isInZone: Bool = true
    ) -> [(name: String, value: String)] {
        let inZone = isInZone && ofHours.contains(name)
        return choice.query(by: [name]).filter { inZone || $0.name != "zone" }
    }

    private func ask(by name: String, isInZone: Bool = true) -> ConsoleAPI.Answer {
        api.ask(
            "GET", ["links", id, "visits"], query: Self.query(choice, name, isInZone: isInZone))
    }

    /// The counts by days of UTC: people are counted once a day of UTC, whatever the site's zone is.
    private var universal: JSONValue? {
        zone.isUniversal ? days?.json : ask(by: "day", isInZone: false).json
    }

    // MARK: The page

    func write(_ page: inout PageWriter) {
        page.raw("<section>\n<h2 id=\"visits\" tabindex=\"-1\">")
        page.words(.visits)
        page.raw("</h2>\n")
        fault?.write(&page)
        writeChoice(&page)
        if choice.lacksDays { page.hint(.noDayWritten) }
        if let days, days.isSuccess {
            let universal = universal
            VisitChart(days.json, in: zone, people: universal).write(&page)
            page.download(table(by: "day"))
            writeTables(universal, &page)
        } else if fault == nil {
            page.hint(.visitsUnavailable)
        }
        page.raw("</section>\n")
    }

    private func writeTables(_ universal: JSONValue?, _ page: inout PageWriter) {
        page.raw("<div class=\"tables\">\n")
        var tables: [(ConsoleText, String)] = [
            (.byDevice, "platform"), (.byReferrer, "referrer"), (.byOutcome, "outcome"),
        ]
        if isByCountry { tables.append((.byCountry, "country")) }
        for (text, name) in tables {
            let answer = ask(by: name)
            var counts = CountTable(text, answer, name, table: table(by: name))
            let (said, sum) = (Self.sum(answer.json), Self.sum(universal))
            if name == "referrer", said > 0, said < sum {
                counts.note = (
                    .saidReferrer, ["count": page.numeral(said), "sum": page.numeral(sum)]
                )
            }
            counts.attribution = countryAttribution
            counts.write(&page)
        }
        page.raw("</div>\n")
        if isByCountry { page.hint(.fewOfCountry) }
    }

    private static func sum(_ answer: JSONValue?) -> Int {
        (answer?["rows"]?.elements ?? []).reduce(0) { $0 + ($1["visits"]?.count ?? 0) }
    }

    /// The form in which the period is chosen.
    private func writeChoice(_ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"filters\"")
        let path = PagePath("links", id).text(below: page.setting.base)
        page.attribute("action", "\(path)#visits")
        page.raw(">\n")
        let periods = zip(VisitChoice.periods, VisitFilters.periodTexts).map {
            ($0, page.filled($1))
        }
        page.filter(
            "period", .period, periods, chosen: choice.period, isWrong: fault?.field == "period")
        page.hidden("was", choice.period)
        page.raw("<button>")
        page.words(.show)
        let isOpen = choice.period == "own" || choice.lacksDays
        page.raw(isOpen ? "</button>\n<details open>" : "</button>\n<details>")
        page.raw("<summary>")
        page.words(.ownPeriod)
        page.raw("</summary>\n<div class=\"filters\">\n")
        for (name, label) in [("from", ConsoleText.firstDay), ("to", .lastDay)] {
            let isWrong = fault?.field == name
            page.filter(name, label, isWrong: isWrong) { page in
                page.raw("<input type=\"date\" autocomplete=\"off\"")
                page.attribute("id", name)
                page.attribute("name", name)
                page.attribute("value", choice.day(name) ?? "")
                if isWrong { page.pointToFaults() }
                page.raw(">")
            }
        }
        page.raw("</div></details></form>\n")
    }

    /// The path of the same visits as a table for spreadsheets.
    private func table(by name: String) -> PagePath {
        choice.request.query.reduce(PagePath("links", id, "visits.csv").with("by", name)) {
            $0.with($1.name, $1.value)
        }
    }

    // MARK: Tables for spreadsheets

    /// The name of the property that a table is by.
    static func property(_ request: ConsoleRequest) -> String {
        let asked = request.item("by") ?? ""
        return properties.first { $0.isScalarwise(asked) } ?? properties[0]
    }

    /// The question of a table.
    func query(by name: String) -> [(name: String, value: String)] { Self.query(choice, name) }

    /// A table by days of the site with the people of each day of UTC as its last column; the API has them where the days are those of UTC.
    func withPeople(_ table: [UInt8]) -> [UInt8] {
        // Without an answer, no number is better than a wrong one.
        guard !zone.isUniversal, let rows = universal?["rows"]?.elements else { return table }
        var people = [String: Int]()
        for row in rows {
            people[row["day"]?.text ?? ""] = row["visitors"]?.count
        }
        var content = TableCell.mark
        let lines = table.dropFirst(TableCell.mark.count).split(separator: UInt8(ascii: "\n"))
        for (place, line) in lines.enumerated() {
            let own = line.filter { $0 != UInt8(ascii: "\r") }
            let day = String(decoding: own.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
            // No cell of such a table has a comma: it has days and numbers.
            let last = place == 0 ? "visitors (day of UTC)" : "\(people[day] ?? 0)"
            content += own + Array(",\(last)\r\n".utf8)
        }
        return content
    }
}
