internal import JSONSyntax
private import Markup

/// The people and the hosts of referring pages of chosen links together, such as those of a campaign. Both are kept by the day of UTC.
struct ChosenLinksFigures {
    let choice: VisitChoice
    let api: ConsoleAPI

    func write(_ page: inout PageWriter) {
        let people = ask("day", [("visitors", "true")])
        let referrers = ask("referrer")
        page.raw("<section>\n")
        page.element("h2", .peopleAndReferrers)
        guard people.isSuccess, referrers.isSuccess else {
            page.hint(.visitsUnavailable)
            page.raw("</section>\n")
            return
        }
        let sum = (people.json?["rows"]?.elements ?? [])
            .reduce(0) { $0 + ($1["visitors"]?.count ?? 0) }
        page.raw("<p class=\"sum\">")
        page.value(page.counted(sum, .onePersonOfLinks, .peopleOfLinks))
        page.raw("</p>\n")
        page.hint(.peopleOfLinksMeaning)
        if choice.zone != SiteZone.universal { page.hint(.daysOfUTC) }
        page.raw("<div class=\"tables\">\n")
        CountTable(.byReferrer, referrers, "referrer", table: table).write(&page)
        page.raw("</div>\n</section>\n")
    }

    private func ask(
        _ name: String, _ more: [(name: String, value: String)] = []
    ) -> ConsoleAPI.Answer {
        let query = choice.query(by: [name]).filter { $0.name != "zone" }
        return api.ask("GET", ["visits"], query: query + more)
    }

    /// All hosts as a table for spreadsheets.
    private var table: PagePath {
        choice.request.query.filter { !["by", "and"].contains($0.name) }
            .reduce(PagePath("visits.csv")) { $0.with($1.name, $1.value) }
            .with("by", "referrer")
    }
}
