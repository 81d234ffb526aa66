private import JSONSyntax
private import Markup

/// The first page: what came of the links, and what needs somebody.
struct OverviewPage {
    private let request: ConsoleRequest
    private let api: ConsoleAPI

    private static let linkCount = 8

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) { (self.request, self.api) = (request, api) }

    var response: ConsoleResponse {
        let links = api.ask(
            "GET", ["links"], query: [("order", "newest"), ("limit", "\(Self.linkCount)")])
        if links.status == 503 {
            return request.notice(.storeUnavailable)
        }
        let title = ConsoleText.overview(request.setting.language)
        let frame = PageFrame(title: title, person: request.person, section: .overview)
        return frame.response(request.setting) { page in
            page.element("h1", .overview)
            let collections = api.collections
            if request.person.mayEdit, !collections.isEmpty { writeMaker(&page) }
            page.raw("<div class=\"columns\">\n<div>\n<section>\n")
            page.element("h2", .lastThirtyDays)
            let zone = SiteZone(collections, of: nil)
            let days = api.ask("GET", ["visits"], query: zone.query)
            if days.isSuccess {
                VisitChart(days.json, in: zone).write(&page)
            } else {
                page.hint(days.isRefused ? .sumsForAll : .visitsUnavailable)
            }
            page.raw("</section>\n")
            MissTable.writeFirst(request, api, collections: collections, &page)
            page.raw("</div>\n<aside>\n")
            OverviewAlerts(request: request, api: api).write(&page)
            let newest = links.json?["links"]?.elements ?? []
            writeNewest(newest, hasCollections: !collections.isEmpty, &page)
            page.raw("</aside>\n</div>\n")
        }
    }

    /// The shortest way to a link: a destination, and the form with it.
    private func writeMaker(_ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"filters maker\"")
        page.attribute("action", PagePath("new").text(below: page.setting.base))
        page.raw(">")
        page.filter("destination", .whereTo, isWide: true) { page in
            page.raw("<input id=\"destination\" name=\"destination\" inputmode=\"url\"")
            page.raw(" autocomplete=\"off\" placeholder=\"https://\">")
        }
        page.write("<button class=\"primary\">\(.newLink)</button></form>\n")
    }

    private func writeNewest(
        _ links: [JSONValue], hasCollections: Bool, _ page: inout PageWriter
    ) {
        page.raw("<section>\n")
        page.element("h2", .newestLinks)
        if links.isEmpty {
            page.element("p", hasCollections ? .noLinkYetLead : .noCollectionLead)
        } else {
            page.raw("<ul class=\"list\">\n")
            for link in links.map({ LinkWords($0, now: request.now) }) {
                page.raw("<li>")
                page.linkName(link)
                if !link.state.isLive { page.badge(link.state) }
                page.raw("</li>\n")
            }
            page.write("</ul>\n<p>\(link: PagePath("links"), .allLinks)</p>\n")
        }
        page.raw("</section>\n")
    }
}
