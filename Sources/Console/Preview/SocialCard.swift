private import Markup

/// The card that chat programs show of a link, which its page describes in Open Graph (ogp.me).
struct SocialCard {
    private(set) var title = ""
    private(set) var text = ""
    private(set) var picture = ""
    /// The language of the page; empty where it says none.
    private(set) var language = ""

    init(_ page: [UInt8]) {
        for token in HTMLTokenizer(page) {
            guard case .startTag(let tag) = token.kind else { continue }
            if tag.name == "html", language.isEmpty { language = tag["lang"] ?? "" }
            guard tag.name == "meta", let content = tag["content"] else { continue }
            switch tag["property"] ?? "" {
            case "og:title" where title.isEmpty: title = content
            case "og:description" where text.isEmpty: text = content
            case "og:image" where picture.isEmpty: picture = content
            default: break
            }
        }
    }

    /// - Parameter host: of the link, which these programs show below.
    func write(_ host: String, _ page: inout PageWriter) {
        page.raw("<div class=\"card\">\n")
        page.raw("<p class=\"quiet\">")
        if picture.isEmpty { page.words(.cardWithoutPicture) } else { page.value(picture) }
        page.raw("</p>\n<div")
        if !language.isEmpty { page.attribute("lang", language) }
        page.write(">\n<p class=\"name\">\(title)</p>\n")
        if !text.isEmpty { page.element("p", value: text) }
        page.write("</div>\n<p class=\"hint\">\(host)</p>\n</div>\n")
    }
}
