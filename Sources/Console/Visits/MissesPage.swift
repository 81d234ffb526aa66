internal import JSONSyntax
private import Markup

/// Paths that somebody has asked for, and that are of no link.
struct MissesPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        let query = MissTable.query(request.item("from"), request.item("to"))
        let answer = api.ask("GET", ["misses"], query: query)
        let title = ConsoleText.misses(request.setting.language)
        let frame = PageFrame(title: title, person: request.person, section: .misses)
        return frame.response(request.setting) { page in
            page.element("h1", .misses)
            page.element("p", .missesLead)
            guard answer.isSuccess else {
                return page.hint(answer.isRefused ? .sumsForAll : .visitsUnavailable)
            }
            if query.count == 2 {
                let (first, last) = (page.day(query[0].value), page.day(query[1].value))
                page.hint(.missesOfPeriod, ["first": first, "last": last])
            }
            let misses = answer.json?["misses"]?.elements ?? []
            if misses.isEmpty {
                page.empty(.noMisses) { page in
                    page.element("p", query.isEmpty ? .noMissesLead : .noMissesThen)
                }
            } else {
                MissTable(misses: misses, collections: api.collections, person: request.person)
                    .write(&page)
                page.download(query.reduce(PagePath("misses.csv")) { $0.with($1.name, $1.value) })
            }
        }
    }
}
