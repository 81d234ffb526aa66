private import Markup

/// The page for link previews and search engines if people are redirected: the model's head, and a
/// body with the same content. These programs run no scripts, and should not be redirected (Apple,
/// TN3156).
package struct SummaryPage: Sendable {
    package var model: PageModel
    /// The target for people; an absolute http or https URL.
    package var destination: String?

    package init(_ model: PageModel, destination: String?) {
        self.model = model
        self.destination = destination
    }

    /// The page in UTF-8. No value can become markup.
    package var html: [UInt8] {
        var page = MarkupWriter()
        page.raw("<!doctype html>\n<html")
        page.attribute("lang", model.language)
        page.attribute("dir", TextDirection(language: model.language).rawValue)
        page.raw(" prefix=\"og: https://ogp.me/ns#\">\n<head>\n")
        page.append(HeadMarkup(model).opening)
        page.raw("</head>\n<body>\n<main>\n")
        page.element("h1", model.title)
        if let description = model.description { page.element("p", description) }
        if let target = destination.flatMap({ PageURL($0) }) {
            page.raw("<p><a")
            page.attribute("href", target.description)
            page.raw(">")
            page.text(model.siteName ?? model.title)
            page.raw("</a></p>\n")
        }
        page.raw("</main>\n</body>\n</html>\n")
        return page.bytes
    }
}
