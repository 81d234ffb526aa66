internal import JSONSyntax
private import Markup

/// The alerts of the first page: links that end soon and, for those who may see the health, parts of the server that are
/// not well.
struct OverviewAlerts {
    let request: ConsoleRequest
    let api: ConsoleAPI

    /// Time enough to ask whether a campaign goes on.
    static let days = 14
    private static let linkCount = 5

    func write(_ page: inout PageWriter) {
        if let health = api.health() { write(health, &page) }
        let answer = api.ask(
            "GET", ["links"],
            query: [
                ("state", "active"), ("order", "ending"), ("ends-within", "\(Self.days)"),
                ("limit", "\(Self.linkCount)"),
            ])
        guard answer.isSuccess else { return }
        writeEnding(answer.json?["links"]?.elements ?? [], hasMore: answer.after != nil, &page)
    }

    private func writeEnding(
        _ links: [JSONValue], hasMore: Bool, _ page: inout PageWriter
    ) {
        page.raw("<section>\n")
        page.element("h2", .endSoon)
        if links.isEmpty {
            page.hint(.noneEndsSoon, ["days": "\(Self.days)"])
        } else {
            page.raw("<ul class=\"list\">\n")
            for link in links.map({ LinkWords($0, now: request.now) }) {
                page.raw("<li>")
                page.linkName(link)
                page.raw("<span class=\"quiet\">")
                page.words(.endsAt, ["time": page.moment(link.link["until"]?.text)])
                page.raw("</span></li>\n")
            }
            page.raw("</ul>\n")
        }
        if hasMore {
            page.raw("<p>")
            page.link(PagePath("links").with("state", "ending"), .allThatEndSoon)
            page.raw("</p>\n")
        }
        page.raw("</section>\n")
    }

    private func write(_ health: ServerHealth, _ page: inout PageWriter) {
        let parts = HealthPart.allCases.compactMap { part in
            health.grade(of: part, at: request.now).map { (part: part, grade: $0) }
        }.filter { $0.grade > .notKnown }
        page.raw("<section>\n")
        page.element("h2", .serverHealth)
        if parts.isEmpty {
            page.write("<p>\(link: PagePath("health"), .nothingUnwell)</p>\n")
        } else {
            page.raw("<ul class=\"list\">\n")
            for (part, grade) in parts {
                page.raw("<li>")
                page.link(PagePath("health"), at: part.rawValue) { $0.words(part.text) }
                page.raw(" ")
                page.grade(grade)
                page.raw("</li>\n")
            }
            page.raw("</ul>\n")
        }
        page.raw("</section>\n")
    }
}
