private import JSONSyntax
private import Markup

/// The visits of all links together.
struct VisitsPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        let days = api.ask("GET", ["visits"])
        let title = ConsoleText.visits(request.setting.language)
        let frame = PageFrame(title: title, person: request.person, section: .visits)
        return frame.response(request.setting) { page in
            page.element("h1", .visits)
            page.element("p", .visitsLead)
            guard days.isSuccess else {
                return page.hint(days.isRefused ? .sumsForAll : .visitsUnavailable)
            }
            let rows = days.json?["rows"]?.elements ?? []
            VisitChart(rows, days: OneLinkPage.dayCount, now: request.now).write(&page)
            page.raw("<div class=\"tables\">\n")
            for (text, name) in [(ConsoleText.byDevice, "platform"), (.byOutcome, "outcome")] {
                CountTable(text, api.ask("GET", ["visits"], query: [("by", name)]), name)
                    .write(&page)
            }
            page.raw("</div>\n")
        }
    }
}
