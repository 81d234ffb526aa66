package import Diagnostics

/// Values that all pages of a site share: names, languages and looks.
package struct Presentation: Hashable, Sendable {
    /// The site's name, as people know it.
    package var name: String?
    /// The site itself, where the logo leads: a path of the host, or a URL.
    package var url: String?
    /// The page about the people responsible for the site: a path of the host, or a URL.
    package var imprint: String?
    /// The page about its use of personal data, in the same way.
    package var privacy: String?
    /// The organisation's logo: a file of the public directory by its URL path, or a URL.
    package var logo: String?
    /// A square PNG, a file of the public directory by its URL path.
    package var icon: String?
    /// The account on X, with its @.
    package var twitter: String?
    /// The organisation's pages elsewhere.
    package var sameAs = [String]()
    /// Language tags, the default first; never empty.
    package var languages = ["en"]
    /// Own words for generated pages, by language tag and by name.
    package var texts = [String: [String: String]]()
    /// The first position of each of these names.
    package var textPositions = [String: SourcePosition]()
    /// The directory of own templates and styles.
    package var theme: FileReference?
    /// Values of CSS variables, by their names without hyphens in front.
    package var style = [String: String]()
    /// Artwork of the App Store, a file of the public directory by its URL path.
    package var appStoreBadge: String?
    /// Artwork of Google Play, a file of the public directory by its URL path.
    package var googlePlayBadge: String?

    /// The defaults.
    package init() {}
}
