private import Markup

/// A page about the server and those who use it, with the ways to the others.
struct ServerPage {
    let request: ConsoleRequest
    let tab: Tab
    var status = 200
    var hasEditor = false

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

        /// Whether the API answers nobody else.
        var isForAdmins: Bool { self == .people || self == .tokens || self == .health }
    }

    func response(_ content: (inout PageWriter) -> Void) -> ConsoleResponse {
        var frame = PageFrame(
            title: tab.text(request.setting.language), person: request.person, section: .server)
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
        page.raw("<nav class=\"tabs\"")
        page.attribute("aria-label", page.filled(.server))
        page.raw("><ul>\n")
        for tab in Tab.allCases where !tab.isForAdmins || request.person.isAdmin {
            page.raw("<li><a")
            page.attribute("href", tab.path.text(below: page.setting.base))
            if tab == self.tab { page.raw(" aria-current=\"page\"") }
            page.raw(">")
            page.words(tab.text)
            page.raw("</a></li>\n")
        }
        page.raw("</ul></nav>\n")
    }
}

extension PageWriter {
    /// The reasons for which a form was refused, above it.
    mutating func refusal(_ findings: FormFindings) {
        guard !findings.isEmpty else { return }
        raw("<div class=\"errors\" role=\"alert\" tabindex=\"-1\" id=\"errors\">\n")
        element("h2", .thereIsAProblem)
        raw("<ul>\n")
        for found in findings.all {
            raw("<li>")
            finding(found)
            raw("</li>\n")
        }
        raw("</ul>\n</div>\n")
    }

    /// A secret that is shown once, with the button that copies it.
    mutating func secret(_ text: String, _ words: ConsoleText, href: String? = nil) {
        raw("<div class=\"success\" role=\"status\">\n")
        element("p", words)
        raw("<p class=\"url\"><code id=\"secret\">")
        if let href {
            raw("<a rel=\"noreferrer\"")
            attribute("href", href)
            raw(">")
            value(text)
            raw("</a>")
        } else {
            value(text)
        }
        raw("</code> <button type=\"button\" class=\"copy\" data-copy=\"secret\" hidden")
        attribute("data-done", filled(.copied))
        raw(">")
        self.words(.copy)
        raw("</button></p>\n</div>\n")
    }

    /// The beginning of a cell, which says its column where a narrow page has no headings.
    mutating func cellStart(_ column: ConsoleText) {
        raw("<td")
        attribute("data-label", filled(column))
        raw(">")
    }

    /// A field with a line of text.
    mutating func textField(
        _ name: String, _ label: ConsoleText, _ hint: ConsoleText? = nil, _ text: String
    ) {
        raw("<div class=\"field\"><label")
        attribute("for", name)
        raw(">")
        words(label)
        raw("</label>\n")
        if let hint {
            raw("<p class=\"hint\"")
            attribute("id", "\(name)-hint")
            raw(">")
            words(hint)
            raw("</p>\n")
        }
        raw("<input autocapitalize=\"none\" autocomplete=\"off\" spellcheck=\"false\"")
        attribute("id", name)
        attribute("name", name)
        if hint != nil { attribute("aria-describedby", "\(name)-hint") }
        attribute("value", text)
        raw("></div>\n")
    }

    /// Boxes of which any number is chosen.
    mutating func boxes(
        _ name: String, _ legend: ConsoleText, _ hint: ConsoleText?,
        _ choices: [(value: String, text: String)], chosen: [String]
    ) {
        raw("<fieldset><legend>")
        words(legend)
        raw("</legend>\n")
        if let hint { self.hint(hint) }
        for choice in choices {
            raw("<label class=\"box\"><input type=\"checkbox\"")
            attribute("name", name)
            attribute("value", choice.value)
            if chosen.contains(choice.value) { raw(" checked") }
            raw("> ")
            value(choice.text)
            raw("</label>\n")
        }
        raw("</fieldset>\n")
    }
}

extension ConsoleRequest {
    /// The values of all items of the form with a name.
    func values(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }
}
