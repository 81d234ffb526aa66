internal import JSONSyntax
private import Markup

/// Paths that somebody has asked for, and that are of no link.
struct MissesPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["misses"])
        let title = ConsoleText.misses(request.setting.language)
        let frame = PageFrame(title: title, person: request.person, section: .misses)
        return frame.response(request.setting) { page in
            page.element("h1", .misses)
            page.element("p", .missesLead)
            guard answer.isSuccess else {
                return page.hint(answer.isRefused ? .sumsForAll : .visitsUnavailable)
            }
            let misses = answer.json?["misses"]?.elements ?? []
            if misses.isEmpty {
                page.empty(.noMisses) { $0.element("p", .noMissesLead) }
            } else {
                MissTable(misses: misses, collections: api.collections, person: request.person)
                    .write(&page)
                page.download(PagePath("misses.csv"))
            }
        }
    }
}
