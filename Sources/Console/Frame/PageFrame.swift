private import Markup

/// The frame of every page: head, navigation, content and foot.
struct PageFrame {
    let title: String
    /// Nil where nobody is signed in: the page has no navigation then.
    var person: ConsolePerson?
    var section: Section?
    var status = 200
    /// Whether something that was sent is refused: then the title says so first.
    var isRefused = false
    var fields = [(name: String, value: String)]()
    /// Whether it has a form for passkeys.
    var hasPasskeyScript = false
    /// Whether the page has the form `editor`, which is sent where the language is chosen, so that it keeps what was typed.
    var hasEditor = false
    /// Whether the messages of the page are samples, to which the script does not lead.
    var isStill = false
    /// The page to which the choice of a language leads, where that which was asked for cannot be shown.
    var back: PagePath?

    /// The URL that the page leads on to by itself.
    var next: String?

    /// A part of the console that the navigation leads to.
    enum Section: CaseIterable {
        case overview, links, preview, visits, misses, server

        var text: ConsoleText {
            switch self {
            case .overview: .overview
            case .links: .links
            case .preview: .preview
            case .visits: .visits
            case .misses: .misses
            case .server: .server
            }
        }

        var path: PagePath {
            switch self {
            case .overview: PagePath()
            case .links: PagePath("links")
            case .preview: PagePath("preview")
            case .visits: PagePath("visits")
            case .misses: PagePath("misses")
            case .server: PagePath("collections")
            }
        }
    }

    func response(
        _ setting: ConsoleSetting, _ content: (inout PageWriter) -> Void
    ) -> ConsoleResponse {
        var page = PageWriter(setting)
        page.raw("<!doctype html>\n<html")
        page.attribute("lang", setting.language.rawValue)
        page.raw(">\n<head>\n<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
        let lead = isRefused ? "\(ConsoleText.errorPrefix(setting.language)) " : ""
        page.element("title", value: "\(lead)\(title) · \(setting.environment) · Waymark")
        if let next { page.write("<meta http-equiv=\"refresh\" content=\"0;url=\(next)\">\n") }
        page.raw("<link rel=\"icon\"")
        page.attribute("href", PagePath("icon.svg").text(below: setting.base))
        page.raw(">\n<style>")
        page.style()
        page.raw("</style>\n</head>\n<body")
        if let person {
            page.attribute("data-base", setting.base)
            if person.mayEdit { page.raw(" data-edit") }
            if isStill { page.raw(" data-still") }
        }
        page.write(">\n<a class=\"skip\" href=\"#main\">\(.skip)</a>\n")
        writeHeader(&page)
        page.raw("<main id=\"main\" tabindex=\"-1\">\n")
        content(&page)
        page.raw("</main>\n")
        if person != nil { writeFooter(&page) }
        page.raw("<script>")
        page.asset(ConsoleScript.text)
        page.raw("</script>\n")
        if hasPasskeyScript {
            page.raw("<script>")
            page.asset(PasskeyScript.text)
            page.raw("</script>\n")
        }
        page.raw("</body>\n</html>\n")
        return ConsoleResponse(status, fields: fields, page.markup.bytes)
    }

    private func writeHeader(_ page: inout PageWriter) {
        page.raw("<header>\n<p class=\"brand\">")
        page.link(PagePath()) { $0.raw("Waymark") }
        page.write(" <span class=\"badge\">\(page.setting.environment)</span></p>\n")
        guard let person else {
            page.raw("</header>\n")
            return
        }
        page.write("<nav aria-label=\"\(page.filled(.pages))\"><ul>\n")
        for section in Section.allCases {
            page.write("<li><a href=\"\(section.path.text(below: page.setting.base))\"")
            if section == self.section { page.raw(" aria-current=\"page\"") }
            page.write(">\(section.text)</a></li>\n")
        }
        page.write("</ul></nav>\n<details class=\"person\"><summary>\(person.name)")
        page.write("</summary><div><p>\(.signedInAs, ["name": person.name])<br>")
        page.write("\(person.role.text)</p>")
        // Both are done where they have signed in.
        guard !person.isOfProxy else { return page.raw("</div></details>\n</header>\n") }
        if page.setting.isSecure { page.write("<p>\(link: PagePath("passkeys"), .passkeys)</p>") }
        page.raw("<form method=\"post\"")
        page.attribute("action", PagePath("sign-out").text(below: page.setting.base))
        page.raw("><button>")
        page.words(.signOut)
        page.raw("</button> <button name=\"everywhere\" value=\"1\">")
        page.words(.signOutEverywhere)
        page.raw("</button></form></div></details>\n</header>\n")
    }
}

extension PageFrame {
    private func writeFooter(_ page: inout PageWriter) {
        page.write("<footer>\n\(link: PagePath("help"), .help)")
        if !hasEditor {
            page.form(PagePath("language"))
            let base = page.setting.base
            page.hidden("back", page.setting.address ?? back?.text(below: base) ?? base)
        }
        for language in ConsoleLanguage.allCases where language != page.setting.language {
            page.raw("<button class=\"plain\" name=\"language\"")
            if hasEditor { page.raw(" form=\"editor\"") }
            page.attribute("value", language.rawValue)
            page.attribute("lang", language.rawValue)
            page.raw(">")
            page.value(ConsoleText.languageName(language))
            page.raw("</button>")
        }
        page.raw(hasEditor ? "\n</footer>\n" : "</form>\n</footer>\n")
    }
}

extension ConsoleRole {
    var text: ConsoleText {
        switch self {
        case .viewer: .viewer
        case .editor: .editor
        case .admin: .admin
        }
    }
}
