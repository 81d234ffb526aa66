internal import JSONSyntax
private import Markup

/// The page of everything that pages are made of, drawn by the functions that the pages themselves use.
struct ComponentsPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    static let path = ["help", "components"]
    private var here: PagePath { PagePath(Self.path) }

    /// The distances between things, in sixteenths of the size of text.
    static let gaps = [4, 8, 12, 16, 20, 24]

    var response: ConsoleResponse {
        var frame = PageFrame(
            title: ConsoleText.components(request.setting.language), person: request.person)
        frame.isStill = true
        frame.back = here
        return frame.response(request.setting) { page in
            page.write("<p class=\"back\">\(link: PagePath("help"), .help)</p>\n")
            page.element("h1", .components)
            page.element("p", .componentsLead)
            section(.typeSizes, &page, writeType)
            section(.colours, &page, writeColours)
            section(.gaps, &page, writeGaps)
            section(.buttonsAndLinks, &page, writeButtons)
            section(.fields, &page, writeFields)
            section(.messages, &page, writeMessages)
            section(.states, &page, writeStates)
            section(.tables, &page, writeTable)
            section(.charts, &page) { SampleVisits().write(&$0, here) }
            section(.emptyLists, &page, writeEmpty)
            section(.pagesOfLists, &page) {
                $0.paging(.morePages, [(here, .firstPage), (here, .nextPage)])
            }
            section(.code, &page, writeCode)
        }
    }

    private func section(
        _ title: ConsoleText, _ page: inout PageWriter, _ content: (inout PageWriter) -> Void
    ) {
        page.raw("<section>\n")
        page.element("h2", title)
        content(&page)
        page.raw("</section>\n")
    }

    private func writeType(_ page: inout PageWriter) {
        page.element("p", .typeLead)
        page.element("h3", .smallHeading)
        page.element("p", .sampleSentence)
        page.hint(.sampleHint)
        page.copied("sample-url") { $0.value("https://go.example.com/s/spring") }
        page.raw("<p><kbd>?</kbd></p>\n<dl>\n")
        page.fact(.destination, "https://www.example.com/spring")
        page.raw("</dl>\n")
    }

    private func writeColours(_ page: inout PageWriter) {
        page.element("p", .coloursLead)
        page.raw("<ul class=\"swatches\">\n")
        for colour in ConsoleColour.all {
            page.raw("<li>")
            for fill in [colour.value.light, colour.value.dark] {
                page.raw("<svg viewBox=\"0 0 40 24\" aria-hidden=\"true\">")
                page.write("<rect width=\"40\" height=\"24\" fill=\"\(fill)\"/></svg>")
            }
            page.write("<code>\(colour.value.name)</code><span>")
            page.words(colour.use)
            page.raw("</span><span class=\"quiet\">")
            page.value("\(colour.value.light) · \(colour.value.dark)")
            page.raw("</span></li>\n")
        }
        page.raw("</ul>\n")
    }

    private func writeGaps(_ page: inout PageWriter) {
        page.table(.gaps, style: "", [.text(.gap), .bars]) { page in
            for gap in Self.gaps {
                page.write("<tr><th scope=\"row\">\(gap) px</th>")
                page.barCell(gap, of: Self.gaps.last ?? gap)
                page.raw("</tr>\n")
            }
        }
    }

    private func writeButtons(_ page: inout PageWriter) {
        page.raw("<p class=\"buttons\">")
        page.link(here, style: "button primary", .newLink)
        page.raw(" ")
        page.link(here, style: "button", .importLinks)
        page.raw("</p>\n<div class=\"buttons\">\n")
        page.button(here, .disable)
        page.button(here, .removePerson, style: "danger", of: request.person.name)
        page.button(here, .help, style: "plain")
        page.write("</div>\n<p>\(link: here, .allLinks)</p>\n<p>")
        page.link(here, style: "tag") { $0.words(.tagOne) }
        page.raw("</p>\n")
    }

    private func writeFields(_ page: inout PageWriter) {
        page.form(here, style: "stack")
        page.textField(FormField("sample-name", .tokenName, .tokenNameHint), "newsletter")
        page.textField(
            FormField("sample-end", .expires, .expiresHint, faults: [.words(.expiresWrong)]),
            "31/12")
        page.choiceField(
            FormField("sample-role", .role, .roleHint),
            ConsoleRole.allCases.map { ($0.rawValue, page.filled($0.text)) },
            chosen: ConsoleRole.editor.rawValue)
        let rights: [(value: String, text: String)] = [
            ("links.read", page.filled(.scopeRead)), ("stats.read", page.filled(.scopeStats)),
        ]
        page.boxes(FormField("sample-right", .scopes), rights, chosen: ["links.read"])
        page.boxes(
            FormField("sample-none", .scopes, faults: [.words(.scopeMissing)]), rights, chosen: [])
        page.raw("</form>\n<form method=\"get\" class=\"filters\"")
        page.attribute("action", here.text(below: page.setting.base))
        page.raw(">\n")
        let periods: [(value: String, text: String)] = [
            ("7", page.filled(.days7)), ("30", page.filled(.days30)),
        ]
        page.filter("sample-period", .period, periods, chosen: "30")
        page.write("<button class=\"primary\">\(.show)</button></form>\n")
    }

    private func writeMessages(_ page: inout PageWriter) {
        page.message(.done) { page in
            page.element("p", .wasDeleted)
            page.button(here, .undo)
        }
        page.message(.warning, .tokenWasMade)
        page.faults { page in
            page.raw("<p>")
            page.field("sample-end", .expires)
            page.write(": \(.expiresWrong)</p>\n")
        }
        page.remark { $0.element("p", .editsArchived) }
        page.secret("wmk_0123456789", .tokenLead)
    }

    private func writeStates(_ page: inout PageWriter) {
        page.raw("<p>")
        for state in LinkWords.State.allCases {
            page.badge(state)
            page.raw(" ")
        }
        page.raw("</p>\n<p>")
        for grade in [HealthGrade.well, .notKnown, .warning, .unwell] {
            page.grade(grade)
            page.raw(" ")
        }
        page.raw("</p>\n")
    }

    private func writeTable(_ page: inout PageWriter) {
        page.table(.members, [.text(.personName), .text(.role), .number(.visits), .deeds]) { page in
            for (name, role, count) in [
                ("anna", ConsoleRole.admin, 1_204), ("ben", .viewer, 7),
            ] {
                page.write("<tr><th scope=\"row\">\(name)</th>")
                page.cell(.role, page.filled(role.text))
                page.cell(.visits, count)
                page.raw("<td class=\"buttons\">")
                page.button(here, .removePerson, style: "danger", of: name)
                page.raw("</td></tr>\n")
            }
        }
    }

    private func writeEmpty(_ page: inout PageWriter) {
        page.empty(.noLinkYet) { page in
            page.element("p", .noLinkYetLead)
            page.raw("<p>")
            page.link(here, style: "button primary", .makeFirstLink)
            page.raw("</p>\n")
        }
    }

    /// Shows the code of a link that there is: the API draws each.
    private func writeCode(_ page: inout PageWriter) {
        let answer = api.ask("GET", ["links"], query: [("order", "newest"), ("limit", "1")])
        let links = answer.json?["links"]?.elements ?? []
        guard let link = links.first.map({ LinkWords($0, now: request.now) }),
            link.state != .unserved
        else { return page.hint(.noLinkForCode) }
        page.raw("<div class=\"code\">\n")
        page.codePicture(PagePath("links", link.id, "code.svg"), of: link.url)
        page.raw("</div>\n")
    }
}
