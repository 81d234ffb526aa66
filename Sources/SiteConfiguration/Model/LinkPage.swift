package import Diagnostics

/// What a link's page says of it: to people, to previews and to search engines.
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
    /// What the banner tells the app; nil tells it the link.
    package var argument: URLTemplate?
    /// Nil leaves it to the page: a large one where there is an image.
    package var twitterCard: TwitterCard?
    /// Whether search engines may list it.
    package var isIndexed = true
    /// Whether its markup goes into the public HTML files that the link matches.
    package var isInserted = false
    /// Title and description in other languages, by tags such as `de-AT`.
    package var translations = [String: PageTranslation]()
    /// Where the value of each key stands; empty for a page that no file states.
    package var positions = [String: SourcePosition]()

    /// A page that says no more than this.
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

/// A picture, and what is known of it.
package struct PageImage: Hashable, Sendable {
    /// A file of the public directory by its URL path, or a URL. On a page always a URL: previews
    /// do not resolve references.
    package var url: String
    package var widthPixels: Int?
    package var heightPixels: Int?
    /// Its media type.
    package var type: String?
    /// What it shows, for those who do not see it.
    package var alt: String?

    /// A picture of which no more is known than where it is.
    package init(_ url: String) { self.url = url }
}

/// A film, and what is known of it.
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

    /// A film of which no more is known than where it is.
    package init(_ url: String) { self.url = url }
}

/// What a page is about in schema.org's words.
package enum PageSchema: Hashable, Sendable {
    /// A type such as `Restaurant`, of which the page's other values are told.
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

/// What a page says in another language; nil says what it says in its own.
package struct PageTranslation: Hashable, Sendable {
    package let title: String?
    package let description: String?

    package init(title: String?, description: String?) {
        self.title = title
        self.description = description
    }
}

/// The kinds of cards on X.
package enum TwitterCard: String, Hashable, Sendable, CaseIterable {
    case summary
    case largeImage = "summary_large_image"
    case app
    case player
}
