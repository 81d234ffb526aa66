private import Markup

/// The keys of the console, and what its words mean.
struct HelpPage {
    let request: ConsoleRequest

    var response: ConsoleResponse {
        let frame = PageFrame(
            title: ConsoleText.help(request.setting.language), person: request.person)
        return frame.response(request.setting) { page in
            page.element("h1", .help)
            page.element("h2", .keys)
            page.raw("<dl class=\"keys\">\n")
            let keys: [(MarkupLiteral, ConsoleText)] = [
                ("/", .keySearch), ("n", .newLink), ("e", .editLink), ("?", .help),
                ("↓ ↑", .keyArrows),
            ]
            for (key, text) in keys {
                page.raw("<dt><kbd>")
                page.raw(key)
                page.write("</kbd></dt><dd>\(text)</dd>\n")
            }
            page.raw("</dl>\n<p><button type=\"button\" class=\"keys\" hidden")
            page.attribute("data-on", page.filled(.keysOn))
            page.attribute("data-off", page.filled(.keysOff))
            page.raw("></button></p>\n")
            page.element("h2", .wordsTitle)
            page.raw("<dl>\n")
            let words: [(ConsoleText, ConsoleText)] = [
                (.slug, .slugMeaning), (.destination, .destinationMeaning),
                (.landingPage, .landingMeaning), (.collection, .collectionMeaning),
                (.aliases, .aliasesHint), (.misses, .missesLead),
            ]
            for (word, meaning) in words {
                page.element("dt", word)
                page.element("dd", meaning)
            }
            page.write("</dl>\n<p>\(link: PagePath(ComponentsPage.path), .components)</p>\n")
        }
    }
}
