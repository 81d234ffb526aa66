private import Markup

/// What a link is about, for programs that show previews and for search engines: they read markup
/// and run no scripts, and are sent nowhere (Apple, TN3156; ogp.me; X, "Cards").
package struct LinkSummary: Sendable {
    package var title: String
    package var description: String?
    /// An absolute URL.
    package var image: String?
    /// The link itself, absolute, without query and fragment.
    package var url: String
    /// Where people are sent; an absolute http or https URL.
    package var destination: String?
    /// What people call the app or the site.
    package var siteName: String?
    /// The numeric App Store ID of the app that opens the link.
    package var appStoreIdentifier: String?

    package init(title: String, url: String) {
        self.title = title
        self.url = url
    }

    /// The page in UTF-8. Every value is text that cannot become markup, whatever it holds.
    package var html: [UInt8] {
        var page = MarkupWriter()
        page.raw("<!doctype html>\n<html lang=\"en\" prefix=\"og: https://ogp.me/ns#\">\n")
        page.raw("<meta charset=\"utf-8\">\n")
        page.raw("<meta name=\"viewport\" content=\"width=device-width\">\n")
        page.element("title", title)
        page.meta("name", "description", description)
        if let link = MarkupWriter.safeURL(url) {
            page.raw("<link rel=\"canonical\" href=\"")
            page.text(link)
            page.raw("\">\n")
        }
        writeBanner(&page)
        page.meta("property", "og:type", "website")
        page.meta("property", "og:title", title)
        page.meta("property", "og:url", url)
        page.meta("property", "og:site_name", siteName)
        page.meta("property", "og:description", description)
        page.meta("property", "og:image", image)
        page.meta("name", "twitter:card", image == nil ? "summary" : "summary_large_image")
        writeBody(&page)
        return page.bytes
    }

    /// A comma separates the banner's parameters, and so none may stand in a value.
    private func writeBanner(_ page: inout MarkupWriter) {
        guard let id = appStoreIdentifier, !id.isEmpty,
            id.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return }
        var argument = [UInt8]()
        for byte in url.utf8 {
            argument += byte == UInt8(ascii: ",") ? Array("%2C".utf8) : [byte]
        }
        page.meta(
            "name", "apple-itunes-app",
            "app-id=\(id), app-argument=\(String(decoding: argument, as: UTF8.self))")
    }

    private func writeBody(_ page: inout MarkupWriter) {
        page.element("h1", title)
        if let description { page.element("p", description) }
        if let target = destination.flatMap(MarkupWriter.safeURL) {
            page.raw("<p><a href=\"")
            page.text(target)
            page.raw("\">")
            page.text(siteName ?? title)
            page.raw("</a></p>\n")
        }
        page.raw("</html>\n")
    }
}
