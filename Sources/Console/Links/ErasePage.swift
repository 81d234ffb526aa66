private import Diagnostics
private import JSONSyntax
private import Markup

/// The question before a link is deleted for good, which nothing brings back.
struct ErasePage {
    let request: ConsoleRequest
    let api: ConsoleAPI
    let id: String
    var status = 200

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["links", id])
        guard answer.status == 200, let json = answer.json else {
            return request.notice(.init(answer))
        }
        let link = LinkWords(json, now: request.now)
        // What is not in the archive goes there first.
        guard link.isArchived else {
            return .other(PagePath("links", id).text(below: request.setting.base))
        }
        let title = ConsoleText.eraseQuestion.filled(
            request.setting.language, [("name", link.name)])
        var frame = PageFrame(title: title, person: request.person, section: .links)
        (frame.status, frame.back) = (status, PagePath("links", id))
        return frame.response(request.setting) { page in
            page.raw("<div class=\"notice\">\n")
            page.element("h1", .eraseQuestion, ["name": link.name])
            page.write("<p class=\"address\">\(link.shortURL)</p>\n")
            page.element("p", .eraseHint)
            page.raw("<div class=\"buttons\">\n")
            page.button(
                PagePath("links", id, "erase"), .eraseForGood, style: "danger",
                hidden: [("tag", answer.fields["ETag"] ?? ""), ("sure", "1")])
            page.link(PagePath("links", id), style: "button", .keepLink)
            page.raw("</div>\n</div>\n")
        }
    }
}
