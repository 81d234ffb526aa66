/// The texts of a landing page in one language.
package struct LandingTexts: Hashable, Sendable {
    /// A text that every language has. Templates use its raw value, such as `texts.open`.
    package enum Name: String, CaseIterable, Sendable {
        /// On the button that opens the app.
        case open
        /// Above the app stores.
        case get
        case appStore = "app-store"
        case googlePlay = "google-play"
        /// On the button that continues without the app.
        case web
        /// Above the QR code.
        case scan
        case scanHint = "scan-hint"
        /// The code's alternative text.
        case code
        /// Above the advice for other apps' browsers.
        case browser
        case browserHint = "browser-hint"
        case copy
        /// On the link with the app's own scheme.
        case scheme
        /// Shown with Google Play's badge.
        case trademarks
        /// On the button that copies the address, in the browsers of other apps.
        case copyLink = "copy-link"
        /// The message when it is copied.
        case copied
        /// Shown where no app that opens the link can be installed, and the web does not have it.
        case unavailable
        /// The title of a page for a path that no link claims.
        case notFound = "not-found"
        /// On the button that leads to the site.
        case home
        case imprint, privacy
        /// The title of a page for a link that has ended, or was deleted.
        case gone
    }

    let texts: [String: String]
    /// The names of texts with placeholders.
    let interpolated: Set<String>

    /// The built-in texts of the language, or of English, replaced by the operator's.
    /// - Parameter own: by name; other names are for the operator's templates.
    package init(language: String, own: [String: String] = [:]) {
        let builtIn = LanguageRanges.lookUp(language, among: Self.builtIn.keys)
        let row = Self.builtIn[builtIn ?? "en"] ?? []
        let pairs = zip(Name.allCases.map(\.rawValue), row)
        texts = Dictionary(pairs) { first, _ in first }.merging(own) { _, own in own }
        interpolated = Set(texts.filter { $0.value.utf8.contains(UInt8(ascii: "{")) }.keys)
    }

    /// The languages with built-in texts.
    package static var languages: [String] { builtIn.keys.sorted() }

    /// The text with this name.
    package subscript(name: Name) -> String { texts[name.rawValue] ?? "" }
}
