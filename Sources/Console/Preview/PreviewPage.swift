internal import JSONSyntax
private import Markup

/// The page of what a link does for each client. The answers are those of `explain`, and so of the code that serves.
struct PreviewPage {
    let request: ConsoleRequest
    let api: ConsoleAPI
    /// The link; nil for a URL that is typed.
    var id: String?

    var response: ConsoleResponse {
        var link: LinkWords?
        if let id {
            let answer = api.ask("GET", ["links", id])
            guard answer.status == 200, let json = answer.json else {
                return request.notice(.init(answer))
            }
            link = LinkWords(json, now: request.now)
        }
        let text = request.item("url").map { Self.url($0.trimmed) }
        // A link whose collection is gone does nothing, which its state says.
        let isAsked = link.map { $0.state != .unserved } ?? (text != nil)
        let rows = isAsked ? explanations(of: text ?? "") : []
        let title = (link == nil ? ConsoleText.preview : .whatWillItDo)(request.setting.language)
        var frame = PageFrame(
            title: link.map { "\(title) – \($0.name)" } ?? title, person: request.person,
            section: link == nil ? .preview : .links)
        frame.status = rows.last.map { $0.1.isSuccess ? 200 : $0.1.status } ?? 200
        frame.isRefused = frame.status >= 400
        return frame.response(request.setting) { page in
            if let link {
                page.raw("<p class=\"back\">")
                page.link(PagePath("links", link.id)) { $0.value(link.name) }
                page.raw("</p>\n")
            }
            page.element("h1", link == nil ? .preview : .whatWillItDo)
            page.element("p", .previewLead)
            if let link {
                page.write("<p class=\"address\">\(link.url)</p>\n")
                writeState(link, &page)
                if link.state == .unserved { page.element("p", .unservedLead) }
            } else {
                writeForm(text ?? "", isWrong: rows.last?.1.isSuccess == false, &page)
            }
            if let last = rows.last, !last.1.isSuccess {
                page.faults { page in
                    for var finding in FormFindings(last.1.json).all {
                        if !finding.detail.isEmpty { finding.title = nil }
                        page.raw("<p>")
                        page.finding(finding)
                        page.raw("</p>\n")
                    }
                }
            } else if !rows.isEmpty {
                if id == nil { writeWay(to: text ?? "", &page) }
                writeTable(rows, &page)
                let path = id.map { PagePath("links", $0, "preview") }
                PagePreview(
                    request: request, api: api, url: link?.url ?? text ?? "", rows: rows,
                    path: path ?? PagePath("preview").with("url", text)
                ).write(&page)
            }
        }
    }

    /// The address with a scheme. People say it without one, and the list shows it so.
    private static func url(_ text: String) -> String {
        text.isEmpty || text.utf8.contains("://".utf8) ? text : "https://" + text
    }

    /// Leads to the link that is answered under a URL, if there is one, whichever of its names it has.
    private func writeWay(to url: String, _ page: inout PageWriter) {
        let found = api.ask("GET", ["links:find"], query: [("url", url)])
        guard found.status == 200, let json = found.json else { return }
        let link = LinkWords(json, now: request.now)
        page.write("<p>\(.link): ")
        page.link(PagePath("links", link.id)) { $0.value(link.listedName) }
        page.raw("</p>\n")
    }

    /// Writes the state of a link that leads nowhere now.
    private func writeState(_ link: LinkWords, _ page: inout PageWriter) {
        guard !link.state.isLive else { return }
        let time: String? =
            switch link.state {
            case .waiting: link.link["from"]?.text
            case .ended: link.link["until"]?.text
            default: nil
            }
        page.remark { page in
            page.write("<p>\(.stateNow) ")
            page.badge(link.state)
            if let time { page.write(" \(page.moment(time))") }
            page.raw("</p>\n")
        }
    }

    /// The answers up to the first that is refused: the others would be, too.
    private func explanations(of url: String) -> [(PreviewClient, ConsoleAPI.Answer)] {
        var rows = [(PreviewClient, ConsoleAPI.Answer)]()
        for client in PreviewClient.all {
            let item = (name: "as", value: client.name)
            let answer =
                id.map { api.ask("GET", ["links", $0, "explain"], query: [item]) }
                ?? api.ask("GET", ["explain"], query: [("url", url), item])
            rows.append((client, answer))
            if !answer.isSuccess { break }
        }
        return rows
    }

    private func writeForm(_ text: String, isWrong: Bool, _ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"filters\"")
        page.attribute("action", PagePath("preview").text(below: page.setting.base))
        page.raw(">")
        page.filter("url", .urlToTry, isWrong: isWrong, isWide: true) { page in
            page.raw("<input id=\"url\" name=\"url\" inputmode=\"url\" autocomplete=\"off\"")
            page.attribute("value", text)
            if isWrong { page.pointToFaults() }
            page.raw(">")
        }
        page.write("<button class=\"primary\">\(.tryIt)</button></form>\n")
    }

    private func writeTable(
        _ rows: [(PreviewClient, ConsoleAPI.Answer)], _ page: inout PageWriter
    ) {
        page.table(
            .whatWillItDo, style: "preview",
            [.text(.client), .text(.theApp), .text(.withoutApp), .text(.goodToKnow)]
        ) { page in
            for (client, answer) in rows {
                PreviewRow(client: client, explanation: answer.json).write(&page)
            }
        }
    }
}
