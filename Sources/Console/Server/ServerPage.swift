private import Markup

/// A page about the server and those who use it, with the ways to the others.
struct ServerPage {
    let request: ConsoleRequest
    let tab: Tab
    var status = 200
    var hasEditor = false
    /// Whether a form was refused, which the title says.
    var isRefused = false

    /// The subject of such a page.
    enum Tab: CaseIterable {
        case collections, audit, people, tokens, health

        var text: ConsoleText {
            switch self {
            case .collections: .collections
            case .audit: .audit
            case .people: .members
            case .tokens: .tokens
            case .health: .health
            }
        }

        var path: PagePath {
            switch self {
            case .collections: PagePath("collections")
            case .audit: PagePath("audit")
            case .people: PagePath("people")
            case .tokens: PagePath("tokens")
            case .health: PagePath("health")
            }
        }

        /// Whether the API answers the person.
        func isFor(_ person: ConsolePerson) -> Bool {
            switch self {
            case .collections: true
            case .audit: person.isForAll
            case .people, .tokens, .health: person.isAdmin
            }
        }
    }

    func response(_ content: (inout PageWriter) -> Void) -> ConsoleResponse {
        let language = request.setting.language
        var frame = PageFrame(title: tab.text(language), person: request.person, section: .server)
        frame.isRefused = isRefused
        frame.status = status
        frame.hasEditor = hasEditor
        frame.back = tab.path
        return frame.response(request.setting) { page in
            page.element("h1", tab.text)
            writeTabs(&page)
            page.banner(request)
            content(&page)
        }
    }

    private func writeTabs(_ page: inout PageWriter) {
        page.write("<nav class=\"tabs\" aria-label=\"\(page.filled(.server))\"><ul>\n")
        for tab in Tab.allCases where tab.isFor(request.person) {
            page.write("<li><a href=\"\(tab.path.text(below: page.setting.base))\"")
            if tab == self.tab { page.raw(" aria-current=\"page\"") }
            page.write(">\(tab.text)</a></li>\n")
        }
        page.raw("</ul></nav>\n")
    }
}

extension ConsoleRequest {
    /// The values of all items of the form with a name.
    func values(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }
}
