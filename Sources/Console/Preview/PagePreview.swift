private import Diagnostics
internal import JSONSyntax
private import Markup

/// The page of a link itself, light and dark, and its card, beside the rows of the preview.
struct PagePreview {
    let request: ConsoleRequest
    let api: ConsoleAPI
    /// As it is asked for.
    let url: String
    let rows: [(PreviewClient, ConsoleAPI.Answer)]
    /// The page of the preview itself.
    let path: PagePath

    /// The clients who see the page.
    private var viewers: [PreviewClient] {
        rows.filter { client, answer in
            (client.app != .program || client.name == "desktop-chrome")
                && answer.json?["answer"]?["page"]?.text == "landing"
        }.map(\.0)
    }

    func write(_ page: inout PageWriter) {
        page.raw("<section id=\"page\">\n")
        page.element("h2", .thePage)
        let viewers = viewers
        let chosen = viewers.first { $0.name.isScalarwise(request.item("page") ?? "") }
        if let client = chosen ?? viewers.first {
            writePage(client, viewers, &page)
        } else {
            page.hint(isLeading ? .nobodySeesPage : .nothingToSee)
        }
        page.raw("</section>\n<section>\n")
        page.element("h2", .theCard)
        if hasCard, let card = api.page(url, as: "whatsapp-preview", in: ""), card.isHTML {
            SocialCard(card.content).write(card.host, &page)
            page.hint(.cardHint)
        } else {
            page.hint(isLeading ? .noCard : .nothingToSee)
        }
        page.raw("</section>\n")
    }

    /// Whether chats get a page that is made for them. A file can be of any size, and is not read for this.
    private var hasCard: Bool {
        let answer = rows.first { $0.0.name == "whatsapp-preview" }?.1
        return ["landing", "summary"].contains(answer?.json?["answer"]?["page"]?.text ?? "")
    }

    /// Whether the link leads anybody on.
    private var isLeading: Bool { rows.contains { $0.1.json?["answer"]?["location"]?.text != nil } }

    private func writePage(
        _ client: PreviewClient, _ viewers: [PreviewClient], _ page: inout PageWriter
    ) {
        guard let served = api.page(url, as: client.name, in: "") else {
            return page.hint(.nobodySeesPage)
        }
        let wanted = request.item("in") ?? page.setting.language.rawValue
        let language =
            served.languages.first { $0.isScalarwise(wanted) } ?? served.languages.first ?? ""
        page.write("<nav class=\"choices\" aria-label=\"\(page.filled(.thePage))\"><ul>\n")
        for viewer in viewers {
            choice(
                path.with("page", viewer.name).with("in", language), viewer.name == client.name,
                &page
            ) {
                $0.words(viewer.label)
            }
        }
        page.raw("</ul><ul>\n")
        for other in served.languages where served.languages.count > 1 {
            choice(path.with("page", client.name).with("in", other), other == language, &page) {
                $0.value(Self.names[other] ?? other)
            }
        }
        page.raw("</ul></nav>\n")
        page.raw(client.isWide ? "<div class=\"frames wide\">\n" : "<div class=\"frames\">\n")
        for (scheme, text) in [("light", ConsoleText.lightScheme), ("dark", .darkScheme)] {
            let frame = PagePath("page").with("url", url).with("as", client.name)
                .with("in", language).with("scheme", scheme)
            page.raw("<figure><figcaption>")
            page.words(text)
            page.raw("</figcaption>\n<iframe sandbox loading=\"lazy\"")
            page.attribute("title", page.filled(.pageTitle, ["scheme": page.filled(text)]))
            page.attribute("src", frame.text(below: page.setting.base))
            page.raw("></iframe></figure>\n")
        }
        page.raw("</div>\n")
        page.hint(.thePageHint)
    }

    private func choice(
        _ path: PagePath, _ isChosen: Bool, _ page: inout PageWriter,
        _ content: (inout PageWriter) -> Void
    ) {
        page.raw("<li><a")
        // So that the page stays where it is.
        page.attribute("href", path.text(below: page.setting.base) + "#page")
        if isChosen { page.raw(" aria-current=\"true\"") }
        page.raw(">")
        content(&page)
        page.raw("</a></li>\n")
    }

    /// The names that languages have for themselves; others are shown by their tags.
    private static let names = [
        "ar": "العربية", "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά",
        "en": "English", "es": "Español", "fi": "Suomi", "fr": "Français", "he": "עברית",
        "hu": "Magyar", "it": "Italiano", "ja": "日本語", "ko": "한국어", "nb": "Norsk",
        "nl": "Nederlands",
        "pl": "Polski", "pt": "Português", "ro": "Română", "ru": "Русский", "sv": "Svenska",
        "tr": "Türkçe", "uk": "Українська", "zh": "中文",
    ]
}
