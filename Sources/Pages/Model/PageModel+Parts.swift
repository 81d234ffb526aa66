package import Diagnostics

extension PageModel {
    /// The page in another language, or for everybody else where the language is `x-default`.
    package struct Alternate: Hashable, Sendable {
        package var language: String
        package var url: String

        package init(language: String, url: String) { (self.language, self.url) = (language, url) }
    }

    /// How X shows the page (X, "About Cards").
    package enum Card: String, Hashable, Sendable, CaseIterable {
        case summary, app, player
        case summaryLargeImage = "summary_large_image"
    }

    /// A picture; sizes in pixels.
    package struct Image: Hashable, Sendable {
        /// Absolute: previews do not resolve references.
        package var url: String
        package var width: Int?
        package var height: Int?
        /// A media type.
        package var type: String?
        /// What it shows, for those who do not see it.
        package var alt: String?

        package init(url: String) { self.url = url }
    }

    /// A video; sizes in pixels.
    package struct Video: Hashable, Sendable {
        package var url: String
        package var width: Int?
        package var height: Int?
        /// A media type.
        package var type: String?
        /// In the form of ISO 8601: `PT4M12S`.
        package var duration: String?
        /// In the form of ISO 8601, with its zone.
        package var uploaded: String?

        package init(url: String) { self.url = url }
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

    /// A step on the way from the home page.
    package struct Breadcrumb: Hashable, Sendable {
        package var name: String
        /// Nil for the page itself.
        package var url: String?

        package init(name: String, url: String?) { (self.name, self.url) = (name, url) }
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

    /// What the page is about, in the words of schema.org.
    package enum Schema: Hashable, Sendable {
        /// A type; name, description, address and image are those of the page.
        case type(String)
        /// One node, several, or a document with `@graph`, as they are.
        case nodes(JSONText)
    }
}
