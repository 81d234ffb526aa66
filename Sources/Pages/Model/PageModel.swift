/// What a page says about itself to search engines, previews and app banners: the one source of
/// its head, of its landing page and of what is put into static pages.
package struct PageModel: Hashable, Sendable {
    /// A BCP 47 tag.
    package var language = "en"
    package var title: String
    package var description: String?
    /// The page's own absolute address, without what counts visits there: canonical and `og:url`.
    package var url: String
    /// The same page in other languages.
    package var alternates: [Alternate] = []
    /// Whether search engines may list the page.
    package var isIndexed = true
    /// What people call the site.
    package var siteName: String?
    /// The site's account, with its `@`.
    package var twitterSite: String?
    /// Nil chooses the large card where there is an image.
    package var card: Card?
    /// The type of the page in Open Graph's words (ogp.me, "Object Types").
    package var type = "website"
    package var image: Image?
    package var video: Video?
    package var app: App?
    package var icons = Icons()
    /// From the home page down to this one.
    package var breadcrumbs: [Breadcrumb] = []
    package var organization: Organization?
    package var schema: Schema?

    package init(title: String, url: String) { (self.title, self.url) = (title, url) }
}
