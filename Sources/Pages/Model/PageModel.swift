package import SiteConfiguration

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
    package var card: TwitterCard?
    /// The type of the page in Open Graph's words (ogp.me, "Object Types").
    package var type = "website"
    package var image: PageImage?
    package var video: PageVideo?
    package var app: App?
    package var icons = Icons()
    /// From the home page down to this one.
    package var breadcrumbs: [Breadcrumb] = []
    package var organization: Organization?
    package var schema: PageSchema?

    package init(title: String, url: String) { (self.title, self.url) = (title, url) }
}

extension PageModel {
    /// The page in another language, or for everybody else where the language is `x-default`.
    package struct Alternate: Hashable, Sendable {
        package var language: String
        package var url: String

        package init(language: String, url: String) { (self.language, self.url) = (language, url) }
    }

    /// The app that opens the page.
    package struct App: Hashable, Sendable {
        package var name: String
        /// What the app of the App Store's number, and that of the package, are called; nil is
        /// `name`. They may be two apps.
        package var appStoreName: String?
        package var androidName: String?
        /// The number in the App Store.
        package var appStoreIdentifier: String?
        /// What the banner hands to the app; nil is the page's address.
        package var argument: String?
        package var clip: Clip?
        /// The app's own URL scheme; no URL of another may name the app.
        package var scheme: String?
        /// What opens the page in the app on iOS; nil is the page's address.
        package var iosURL: String?
        package var androidPackage: String?
        /// What opens the page in the app on Android; nil is the page's address.
        package var androidURL: String?

        package init(name: String) { self.name = name }
    }

    /// An App Clip.
    package struct Clip: Hashable, Sendable {
        /// Without the prefix of the App ID.
        package var bundleIdentifier: String
        /// Whether Safari shows the card without being asked.
        package var showsCard = false

        package init(bundleIdentifier: String) { self.bundleIdentifier = bundleIdentifier }
    }

    /// Pictures that stand for the site: absolute URLs, or paths of this host.
    package struct Icons: Hashable, Sendable {
        package var icon: String?
        /// A square of 180 pixels without transparency.
        package var touchIcon: String?
        package var manifest: String?

        package init() {}
    }

    /// Who publishes the site.
    package struct Organization: Hashable, Sendable {
        package var name: String
        package var url: String?
        package var logo: String?
        /// Pages elsewhere that are about the same organization.
        package var sameAs: [String] = []

        package init(name: String) { self.name = name }
    }
}
