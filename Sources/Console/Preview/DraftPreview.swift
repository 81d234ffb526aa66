private import Diagnostics
internal import JSONSyntax
private import Markup
private import URISyntax

/// The preview beside the form of a link: what the link would do as it is typed. Nothing is saved for it, and its answers are those of
/// the code that serves.
struct DraftPreview {
    private let draft: LinkDraft
    private let answer: ConsoleAPI.Answer
    private let api: ConsoleAPI

    init(_ draft: LinkDraft, _ api: ConsoleAPI) {
        (self.draft, self.api) = (draft, api)
        answer = draft.explained(api, as: PreviewClient.all.map(\.name))
    }

    /// Whether the API takes the link as it is typed.
    var isAccepted: Bool { answer.isSuccess }
    /// The answer of the API, where it does not.
    var refusal: ConsoleAPI.Answer { answer }
    var findings: FormFindings { isAccepted ? FormFindings() : FormFindings(answer.json) }
    var warnings: FormFindings { FormFindings(answer.json, "warnings") }
    var url: String? { answer.json?["url"]?.text }

    /// The explanations of the clients that the API has explained, in their order.
    private var rows: [(client: PreviewClient, explanation: JSONValue)] {
        let explanations = answer.json?["explanations"]?.elements ?? []
        return PreviewClient.all.compactMap { client in
            explanations.first { $0["as"]?.text?.isScalarwise(client.name) == true }
                .map { (client, $0) }
        }
    }

    /// Writes what the link would do; a hint alone for what the API does not take.
    func write(_ page: inout PageWriter) {
        guard isAccepted, let json = answer.json else { return page.hint(.draftWaits) }
        writeTime(json, &page)
        let opens = (json["opens"]?.elements ?? []).compactMap(\.text)
        page.raw("<ul class=\"rows\">\n")
        for row in rows {
            PreviewRow(client: row.client, explanation: row.explanation, opens: opens)
                .writeLine(&page)
        }
        page.raw("</ul>\n")
        guard let link = json["link"], let url,
            let time = json["at"]?.text.flatMap({ try? Timestamp($0) })
        else { return }
        let own = ServedPage.Draft(link: link, time: time.seconds)
        writePage(url, own, &page)
        writeCard(url, own, &page)
    }

    /// Writes that the link leads nowhere, or the time at which it begins. Then the rows are of that time.
    private func writeTime(_ json: JSONValue, _ page: inout PageWriter) {
        let link = json["link"]
        if link?["state"]?.text == "disabled" {
            page.write("<p class=\"hint\">\(.stateNow) ")
            page.badge(.disabled)
            page.raw("</p>\n")
        } else if let from = link?["from"]?.text, from.isScalarwise(json["at"]?.text ?? "") {
            page.hint(.draftFrom, ["time": page.moment(from)])
        } else if let until = link?["until"]?.text, let now = json["at"]?.text,
            until.utf8.lexicographicallyPrecedes(now.utf8)
        {
            page.write("<p class=\"hint\">\(.stateNow) ")
            page.badge(.ended)
            page.raw("</p>\n")
        }
    }

    // MARK: The page and the card

    private func page(_ client: PreviewClient) -> String? {
        rows.first { $0.client.name == client.name }?.explanation["answer"]?["page"]?.text
    }

    /// The first client who sees the page.
    private var viewer: PreviewClient? {
        PreviewClient.all.first { client in
            (client.app != .program || client.name == "desktop-chrome")
                && page(client) == "landing"
        }
    }

    /// Whether the link leads anybody on.
    private var isLeading: Bool {
        rows.contains { $0.explanation["answer"]?["location"]?.text != nil }
    }

    private func writePage(_ url: String, _ own: ServedPage.Draft, _ page: inout PageWriter) {
        page.element("h3", .thePage)
        guard let viewer, let served = api.page(url, as: viewer.name, in: "", own) else {
            return page.hint(isLeading ? .nobodySeesPage : .nothingToSee)
        }
        let wanted = page.setting.language.rawValue
        let language =
            served.languages.contains { $0.isScalarwise(wanted) }
            ? wanted : served.languages.first ?? ""
        let path = PagePath("page").with("draft", draft.shown).with("id", draft.id)
            .with("as", viewer.name).with("in", language)
        guard path.text(below: page.setting.base).utf8.count < Console.pathBytesMax else {
            return page.hint(.draftTooLong)
        }
        page.write("<figure><figcaption>\(viewer.label)</figcaption>\n")
        writeFrame(path, .lightScheme, "light", &page)
        page.write("</figure>\n<details><summary>\(.darkScheme)</summary>\n")
        writeFrame(path, .darkScheme, "dark", &page)
        page.raw("</details>\n")
    }

    private func writeFrame(
        _ path: PagePath, _ scheme: ConsoleText, _ name: String, _ page: inout PageWriter
    ) {
        page.raw("<iframe sandbox loading=\"lazy\"")
        page.attribute("title", page.filled(.pageTitle, ["scheme": page.filled(scheme)]))
        page.attribute("src", path.with("scheme", name).text(below: page.setting.base))
        page.raw("></iframe>\n")
    }

    private func writeCard(_ url: String, _ own: ServedPage.Draft, _ page: inout PageWriter) {
        page.element("h3", .theCard)
        let chat = PreviewClient.all.first { $0.name == "whatsapp-preview" }
        // A file can be of any size, and is not read for this.
        guard let chat, ["landing", "summary"].contains(self.page(chat) ?? ""),
            let card = api.page(url, as: chat.name, in: "", own), card.isHTML
        else { return page.hint(isLeading ? .noCard : .nothingToSee) }
        SocialCard(card.content).write(card.host, &page)
    }
}
