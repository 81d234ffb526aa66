/// What a landing page says of itself, in one language.
package struct LandingTexts: Hashable, Sendable {
    /// A text that every language has; templates know it by its raw value, as `texts.open`.
    package enum Name: String, CaseIterable, Sendable {
        /// On the button that opens the app.
        case open
        /// Above the stores.
        case get
        case appStore = "app-store"
        case googlePlay = "google-play"
        /// On the button that goes on without the app.
        case web
        /// Above the QR code.
        case scan
        case scanHint = "scan-hint"
        /// The code's name for those who do not see it.
        case code
        /// Above the advice for the browsers of other apps.
        case browser
        case browserHint = "browser-hint"
        case copy
        /// On the link of the app's own scheme.
        case scheme
        /// Shown where a badge of Google Play is.
        case trademarks
    }

    let texts: [String: String]
    /// Names of texts with a place for something in them.
    let interpolated: Set<String>

    /// The built-in texts of the language, or of English, and the operator's over them.
    /// - Parameter own: by name; names that are not built in are for templates of the operator.
    package init(language: String, own: [String: String] = [:]) {
        let builtIn = LanguageRanges.lookUp(language, among: Self.builtIn.keys)
        let row = Self.builtIn[builtIn ?? "en"] ?? []
        let pairs = zip(Name.allCases.map(\.rawValue), row)
        texts = Dictionary(pairs) { first, _ in first }.merging(own) { _, own in own }
        interpolated = Set(texts.filter { $0.value.utf8.contains(UInt8(ascii: "{")) }.keys)
    }

    /// The languages that need no texts of the operator.
    package static var languages: [String] { builtIn.keys.sorted() }

    /// What the page says under the name.
    package subscript(name: Name) -> String { texts[name.rawValue] ?? "" }
}
