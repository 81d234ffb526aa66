package import SiteConfiguration

/// Who asks for a link, as far as a user agent tells (RFC 9110 §10.1.5). It is never sure: people
/// and programs can send what they like, so nothing that must be protected may depend on it.
package struct Visitor: Hashable, Sendable {
    package let kind: Kind
    /// What the link's action is chosen by; a program's is that of the device it imitates.
    package let platform: WebPlatform
    /// The app whose own browser this is, which keeps universal links to itself.
    package let inAppBrowser: String?
    /// Safari on a Mac and on an iPad send the same text.
    package let mayBeIPad: Bool
    /// Firefox on Android goes to the web where a link could open an app.
    package let isFirefox: Bool
    /// What logs call this kind of client.
    package let group: VisitorGroup

    /// A person, or one of the programs that fetch pages for them.
    package enum Kind: Hashable, Sendable {
        case person
        /// Fetches a page to show its title and picture where the link was posted.
        case preview(String)
        case searchEngine(String)
        /// Reads association files for Apple or Google.
        case verifier(String)

        /// Whether it is to be shown a page, and not to be sent anywhere or counted.
        package var isProgram: Bool { self != .person }

        /// Whether it shows or finds pages for people.
        var showsPages: Bool {
            switch self {
            case .preview, .searchEngine: true
            case .person, .verifier: false
            }
        }
    }

    /// Looks at the field's value once; empty where it is missing.
    package init(userAgent: Span<UInt8>) {
        let tokens = VisitorTable.tokens(in: userAgent)
        kind = Self.kind(tokens)
        platform = Self.platform(tokens)
        let app = tokens.first(in: VisitorToken.apps)
        inAppBrowser = app?.name
        let isPerson = kind == .person
        mayBeIPad =
            isPerson && tokens.contains(.macintosh) && tokens.contains(.safariVersion)
            && !tokens.contains(.otherBrowser)
        isFirefox = tokens.contains(.firefox)
        group =
            switch kind {
            case .preview: .preview
            case .searchEngine: tokens.contains(.applebot) ? .applebot : .searchEngine
            case .verifier:
                tokens.contains(.appleCDN)
                    ? .appleCDN : tokens.contains(.googleVerifier) ? .googleVerifier : .swcd
            case .person:
                app != nil ? .inAppBrowser : tokens.contains(.mozilla) ? .browser : .program
            }
    }

    /// The same of a text.
    package init(userAgent: String) { self.init(userAgent: Array(userAgent.utf8).span) }

    /// Programs that pose as a browser name themselves besides.
    private static func kind(_ tokens: VisitorTokens) -> Kind {
        if let verifier = tokens.first(in: VisitorToken.verifiers) {
            return .verifier(verifier.name)
        }
        if let preview = tokens.first(in: VisitorToken.previews) {
            // Apple's Messages names two others, and itself not at all.
            let isMessages = tokens.contains(.facebook) && tokens.contains(.x)
            return .preview(isMessages ? "Messages" : preview.name)
        }
        return tokens.first(in: VisitorToken.searchEngines).map { .searchEngine($0.name) }
            ?? .person
    }

    private static func platform(_ tokens: VisitorTokens) -> WebPlatform {
        // It named all others, to be given their pages.
        if tokens.contains(.windowsPhone) { return .desktop }
        if tokens.contains(.iPad) { return .ipad }
        if tokens.contains(.iPhone) { return .ios }
        return tokens.contains(.android) ? .android : .desktop
    }
}

/// The kinds of clients that logs and counters tell apart, by their names there.
package enum VisitorGroup: String, Hashable, Sendable, CaseIterable {
    /// Reads association files for devices of Apple.
    case appleCDN = "apple-cdn"
    /// A device of Apple that reads an association file itself.
    case swcd
    /// Reads `assetlinks.json` for Google.
    case googleVerifier = "google-verifier"
    case applebot
    case searchEngine = "search-engine"
    /// Shows a page's title and picture where a link was posted.
    case preview
    /// A person in an app's own browser.
    case inAppBrowser = "in-app-browser"
    case browser
    /// What names no browser: libraries, scripts, and who says nothing.
    case program
}
