package import Diagnostics

/// The content of a link's page, for people, previews and search engines.
package struct LinkPage: Hashable, Sendable {
    package var title: String?
    package var description: String?
    package var image: PageImage?
    package var video: PageVideo?
    /// In Open Graph's words (`og:type`).
    package var type: String?
    package var schema: PageSchema?
    /// From the top of the site to this page.
    package var breadcrumbs = [Breadcrumb]()
    /// Whether Safari shows the App Clip as a card.
    package var showsClipCard = false
    /// The URL that the banner passes to the app; nil is the link.
    package var argument: URLTemplate?
    /// Nil means a large card if there is an image.
    package var twitterCard: TwitterCard?
    /// Whether search engines may list it.
    package var isIndexed = true
    /// Whether its markup goes into the public HTML files that the link matches.
    package var isInserted = false
    /// Title and description in other languages, by tags such as `de-AT`.
    package var translations = [String: PageTranslation]()
    /// The position of each key; empty for a page that is in no file.
    package var positions = [String: SourcePosition]()

    /// A page with only these values.
    package init(
        title: String? = nil, description: String? = nil, image: PageImage? = nil,
        schema: PageSchema? = nil
    ) {
        self.title = title
        self.description = description
        self.image = image
        self.schema = schema
    }
}

/// An image and its properties.
package struct PageImage: Hashable, Sendable {
    /// A file of the public directory by its URL path, or a URL. On a page always a URL: previews
    /// do not resolve references.
    package var url: String
    package var widthPixels: Int?
    package var heightPixels: Int?
    /// Its media type.
    package var type: String?
    /// Its alternative text.
    package var alt: String?

    /// An image with only a URL.
    package init(_ url: String) { self.url = url }
}

/// A video and its properties.
package struct PageVideo: Hashable, Sendable {
    /// A file of the public directory by its URL path, or a URL. On a page always a URL.
    package var url: String
    package var widthPixels: Int?
    package var heightPixels: Int?
    /// Its media type.
    package var type: String?
    /// In ISO 8601: `PT1M30S`.
    package var duration: String?
    /// In ISO 8601: a day, or a day and a time.
    package var uploaded: String?

    /// A video with only a URL.
    package init(_ url: String) { self.url = url }
}

/// The schema.org type or object of a page.
package enum PageSchema: Hashable, Sendable {
    /// A type such as `Restaurant`, whose properties are the page's other values.
    case type(String)
    /// JSON-LD as the configuration writes it: an object with a `@context`, or several nodes.
    case whole(JSONText)
}

/// A step on the way to a page.
package struct Breadcrumb: Hashable, Sendable {
    package let name: String
    /// A path of the host, or a URL; nil for the page itself.
    package var url: String?

    package init(name: String, url: String?) {
        self.name = name
        self.url = url
    }
}

/// The texts of a page in another language; nil for the page's own text.
package struct PageTranslation: Hashable, Sendable {
    package let title: String?
    package let description: String?
    /// The alternative text of the image.
    package let alt: String?

    package init(title: String?, description: String?, alt: String? = nil) {
        self.title = title
        self.description = description
        self.alt = alt
    }
}

/// The kinds of cards on X.
package enum TwitterCard: String, Hashable, Sendable, CaseIterable {
    case summary
    case largeImage = "summary_large_image"
    case app
    case player
}
