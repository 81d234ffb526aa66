package import SiteConfiguration

/// The content of a page for search engines, previews and app banners: the only source of its head,
/// of its landing page, and of tags in static pages.
package struct PageModel: Hashable, Sendable {
    /// A BCP 47 tag.
    package var language = "en"
    package var title: String
    package var description: String?
    /// The page's absolute URL without tracking parameters: `canonical` and `og:url`.
    package var url: String
    /// The same page in other languages.
    package var alternates: [Alternate] = []
    /// Whether search engines may list the page.
    package var isIndexed = true
    /// The site's name, as people know it.
    package var siteName: String?
    /// The site's account, with its `@`.
    package var twitterSite: String?
    /// Nil means the large card if there is an image.
    package var card: TwitterCard?
    /// The Open Graph type (ogp.me, "Object Types").
    package var type = "website"
    package var image: PageImage?
    package var video: PageVideo?
    package var app: App?
    package var icons = Icons()
    /// From the home page to this page.
    package var breadcrumbs: [Breadcrumb] = []
    package var organization: Organization?
    package var schema: PageSchema?

    package init(title: String, url: String) { (self.title, self.url) = (title, url) }
}

extension PageModel {
    /// The page in another language, or for all other languages if the language is `x-default`.
    package struct Alternate: Hashable, Sendable {
        package var language: String
        package var url: String

        package init(language: String, url: String) { (self.language, self.url) = (language, url) }
    }

    /// The app that opens the page.
    package struct App: Hashable, Sendable {
        package var name: String
        /// The names of the app with the App Store number, and of the app with the package; nil is
        /// `name`. They can be two apps.
        package var appStoreName: String?
        package var androidName: String?
        /// The number in the App Store.
        package var appStoreIdentifier: String?
        /// The URL that the banner passes to the app; nil is the page's URL.
        package var argument: String?
        package var clip: Clip?
        /// The app's own URL scheme; URLs with other schemes are not used for the app.
        package var scheme: String?
        /// The URL that opens the page in the app on iOS; nil is the page's URL.
        package var iosURL: String?
        package var androidPackage: String?
        /// The URL that opens the page in the app on Android; nil is the page's URL.
        package var androidURL: String?

        package init(name: String) { self.name = name }
    }

    /// An App Clip.
    package struct Clip: Hashable, Sendable {
        /// Without the prefix of the App ID.
        package var bundleIdentifier: String
        /// Whether Safari shows the card by itself.
        package var showsCard = false

        package init(bundleIdentifier: String) { self.bundleIdentifier = bundleIdentifier }
    }

    /// Images of the site: absolute URLs, or paths of this host.
    package struct Icons: Hashable, Sendable {
        package var icon: String?
        /// A square of 180 pixels without transparency.
        package var touchIcon: String?
        package var manifest: String?

        package init() {}
    }

    /// The publisher of the site.
    package struct Organization: Hashable, Sendable {
        package var name: String
        package var url: String?
        package var logo: String?
        /// Pages on other sites about the same organization.
        package var sameAs: [String] = []

        package init(name: String) { self.name = name }
    }
}
