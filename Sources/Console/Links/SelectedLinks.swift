internal import Diagnostics
internal import JSONSyntax
private import Markup

/// One change of several links of a list.
struct SelectedLinks {
    let request: ConsoleRequest
    let api: ConsoleAPI

    /// As many as a list shows.
    static let most = 50

    /// A link that was not changed, with the reason.
    private struct Refusal {
        let id: String
        let name: String
        let findings: FormFindings
    }

    func change() -> ConsoleResponse {
        let ids = request.values("id").prefix(Self.most)
        let text = request.value("value").trimmed
        let deed = request.value("do")
        guard !ids.isEmpty, deed == "archive" || ["tag", "extend"].contains(deed) && !text.isEmpty
        else { return back("nothing-selected") }
        var refused = [Refusal]()
        for id in ids {
            let current = api.ask("GET", ["links", id])
            if current.status == 503 { return Console.refusal(current, of: request) }
            guard current.status == 200, let link = current.json else {
                refused.append(Refusal(id: id, name: id, findings: FormFindings(current.json)))
                continue
            }
            let answer = api.ask(
                "PATCH", ["links", id], .object(members(deed, text, link)),
                fields: ["if-match": current.fields["ETag"] ?? "*"])
            if answer.status == 503 { return Console.refusal(answer, of: request) }
            if !answer.isSuccess {
                let name = LinkWords(link, now: request.now).name
                refused.append(Refusal(id: id, name: name, findings: FormFindings(answer.json)))
            }
        }
        return refused.isEmpty
            ? back("selected") : page(refused, changed: ids.count - refused.count)
    }

    private func members(
        _ deed: String, _ text: String, _ link: JSONValue
    ) -> [(key: String, value: JSONText)] {
        switch deed {
        case "archive": return [("archived", .boolean(true)), ("state", .string("disabled"))]
        case "extend": return [("until", .string(LinkForm.time(text)))]
        default:
            let tags = (link["tags"]?.elements ?? []).compactMap(\.text)
            let isThere = tags.contains { $0.isScalarwise(text) }
            return [("tags", .strings(isThere ? tags : tags + [text]))]
        }
    }

    private func back(_ done: String) -> ConsoleResponse {
        var path = PagePath("links").with("done", done)
        for name in LinksPage.filters { path = path.with(name, request.value("filter.\(name)")) }
        return .other(path.text(below: request.setting.base))
    }

    private func page(_ refused: [Refusal], changed: Int) -> ConsoleResponse {
        var frame = PageFrame(
            title: ConsoleText.links(request.setting.language), person: request.person,
            section: .links)
        frame.status = 422
        frame.back = PagePath("links")
        return frame.response(request.setting) { page in
            page.raw("<p class=\"back\">")
            page.link(PagePath("links"), .allLinks)
            page.raw("</p>\n")
            page.element("h1", .links)
            page.raw("<div class=\"errors\" role=\"alert\" tabindex=\"-1\" id=\"errors\">\n")
            page.element(
                "h2", .someNotChanged, ["changed": "\(changed)", "refused": "\(refused.count)"])
            page.raw("<ul>\n")
            for refusal in refused {
                page.raw("<li>")
                page.link(PagePath("links", refusal.id)) { $0.value(refusal.name) }
                for finding in refusal.findings.all {
                    page.raw(" – ")
                    page.finding(finding)
                }
                page.raw("</li>\n")
            }
            page.raw("</ul>\n</div>\n")
        }
    }
}

extension PageWriter {
    /// The form for the selected links, above their table.
    mutating func bulkFields(_ request: ConsoleRequest) {
        for name in LinksPage.filters {
            if let value = request.item(name) { hidden("filter.\(name)", value) }
        }
        raw("<details class=\"bulk\"><summary>")
        words(.changeSelected)
        raw("</summary>\n<div class=\"filters\"><div><label for=\"do\">")
        words(.selectedDo)
        raw("</label><select id=\"do\" name=\"do\">\n")
        for (name, text) in [
            ("tag", ConsoleText.selectedTag), ("extend", .selectedExtend),
            ("archive", .selectedArchive),
        ] {
            option(name, filled(text), isChosen: name == "tag")
        }
        raw("</select></div>\n<div><label for=\"value\">")
        words(.selectedValue)
        raw("</label><input id=\"value\" name=\"value\" autocomplete=\"off\"></div>\n<button>")
        words(.changeThem)
        raw("</button></div></details>\n")
    }
}
