private import JSONSyntax
private import Markup

/// The first page: what came of the links, and what needs somebody.
struct OverviewPage {
    private let request: ConsoleRequest
    private let links: ConsoleAPI.Answer

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) {
        self.request = request
        links = api.ask("GET", ["links"], query: [("limit", "10")])
    }

    var response: ConsoleResponse {
        let title = ConsoleText.overview(request.setting.language)
        let frame = PageFrame(title: title, person: request.person, section: .overview)
        return frame.response(request.setting) { page in
            page.element("h1", .overview)
            page.raw("<ul>\n")
            for link in links.json?["links"]?.elements ?? [] {
                page.element("li", value: link["url"]?.text ?? link["slug"]?.text ?? "")
            }
            page.raw("</ul>\n")
        }
    }
}
