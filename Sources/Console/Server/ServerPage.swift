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

        /// Whether the API answers nobody else.
        var isForAdmins: Bool { self == .people || self == .tokens || self == .health }
    }

    func response(_ content: (inout PageWriter) -> Void) -> ConsoleResponse {
        let language = request.setting.language
        var frame = PageFrame(
            title: tab.text(language), person: request.person, section: .server)
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
    /// A secret that is shown once, with the button that copies it.
    mutating func secret(
        _ text: String, _ words: ConsoleText, _ values: [String: String] = [:], href: String? = nil
    ) {
        raw("<div class=\"success\" role=\"status\">\n")
        element("p", words, values)
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
    /// - Parameter isProse: whether the cell has sentences of the server, whose words can be longer than a screen is wide.
    mutating func cellStart(_ column: ConsoleText, isProse: Bool = false) {
        raw(isProse ? "<td class=\"prose\"" : "<td")
        attribute("data-label", filled(column))
        raw(">")
    }

    /// A field with a line of text.
    mutating func textField(
        _ name: String, _ label: ConsoleText, _ hint: ConsoleText? = nil, _ text: String,
        isWrong: Bool = false
    ) {
        raw(isWrong ? "<div class=\"field wrong\"><label" : "<div class=\"field\"><label")
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
        let described = (hint == nil ? [] : ["\(name)-hint"]) + (isWrong ? ["errors"] : [])
        if !described.isEmpty {
            attribute("aria-describedby", described.joined(separator: " "))
        }
        if isWrong { raw(" aria-invalid=\"true\"") }
        attribute("value", text)
        raw("></div>\n")
    }

    /// Boxes of which any number is chosen.
    mutating func boxes(
        _ name: String, _ legend: ConsoleText, _ hint: ConsoleText?,
        _ choices: [(value: String, text: String)], chosen: [String], isWrong: Bool = false
    ) {
        raw(isWrong ? "<fieldset class=\"wrong\"><legend>" : "<fieldset><legend>")
        words(legend)
        raw("</legend>\n")
        if let hint { self.hint(hint) }
        for (place, choice) in choices.enumerated() {
            raw("<label class=\"box\"><input type=\"checkbox\"")
            // The way from the summary of faults.
            if place == 0 { attribute("id", name) }
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
