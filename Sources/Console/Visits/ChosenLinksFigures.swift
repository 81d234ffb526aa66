internal import JSONSyntax
private import Markup

/// The people and the hosts of referring pages of chosen links together, such as those of a campaign. Both are kept by the day of UTC.
struct ChosenLinksFigures {
    let choice: VisitChoice
    let api: ConsoleAPI
    /// Their visits in the period.
    let sum: Int

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
        func count(_ answer: ConsoleAPI.Answer, _ member: String) -> Int {
            (answer.json?["rows"]?.elements ?? []).reduce(0) { $0 + ($1[member]?.count ?? 0) }
        }
        page.raw("<p class=\"sum\">")
        page.value(page.counted(count(people, "visitors"), .onePersonOfLinks, .peopleOfLinks))
        page.raw("</p>\n")
        page.hint(.peopleOfLinksMeaning)
        if choice.zone != SiteZone.universal { page.hint(.daysOfUTC) }
        page.raw("<div class=\"tables\">\n")
        var hosts = CountTable(.byReferrer, referrers, "referrer", table: table)
        let said = count(referrers, "visits")
        if said < sum {
            hosts.note = (
                .saidReferrer, ["count": page.numeral(said), "sum": page.numeral(sum)]
            )
        }
        hosts.write(&page)
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
