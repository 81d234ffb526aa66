package import SiteConfiguration

/// The client of a request, according to its user agent (RFC 9110 §10.1.5). A client can send any
/// user agent, so nothing that must be protected may depend on it.
package struct Visitor: Hashable, Sendable {
    package let kind: Kind
    /// The platform that decides the link's action. For a program, the platform that it imitates.
    package let platform: WebPlatform
    /// The app whose own browser this is. Such a browser opens universal links itself.
    package let inAppBrowser: String?
    /// Safari on a Mac and Safari on an iPad send the same text.
    package let mayBeIPad: Bool
    /// Firefox on Android opens the website even if a link could open an app.
    package let isFirefox: Bool
    /// The kind of client in logs.
    package let group: VisitorGroup

    /// A person, or a program that fetches pages for people.
    package enum Kind: Hashable, Sendable {
        case person
        /// Fetches a page to show its title and image next to a link.
        case preview(String)
        case searchEngine(String)
        /// Reads association files for Apple or Google.
        case verifier(String)

        /// Whether it should get a page in place of a redirect, and is not counted.
        package var isProgram: Bool { self != .person }

        var isSearchEngine: Bool { if case .searchEngine = self { true } else { false } }

        /// Whether it shows or finds pages for people.
        var showsPages: Bool {
            switch self {
            case .preview, .searchEngine: true
            case .person, .verifier: false
            }
        }
    }

    /// Reads the field's value once; empty if there is none.
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
                tokens.contains(.otherProgram) || app == nil && !tokens.contains(.browser)
                    ? .program : app != nil ? .inAppBrowser : .browser
            }
    }

    /// The same of a text.
    package init(userAgent: String) { self.init(userAgent: Array(userAgent.utf8).span) }

    /// Programs that imitate a browser also have their own name.
    private static func kind(_ tokens: VisitorTokens) -> Kind {
        if let verifier = tokens.first(in: VisitorToken.verifiers) {
            return .verifier(verifier.name)
        }
        if let preview = tokens.first(in: VisitorToken.previews), !isWindow(of: preview, tokens) {
            // Apple's Messages sends the names of two other programs, and not its own.
            let isMessages = tokens.contains(.facebook) && tokens.contains(.x)
            return .preview(isMessages ? "Messages" : preview.name)
        }
        return tokens.first(in: VisitorToken.searchEngines).map { .searchEngine($0.name) }
            ?? .person
    }

    /// Whether a messenger shows a page to a person in a window of its own, which has the name of its
    /// preview.
    private static func isWindow(of preview: VisitorToken, _ tokens: VisitorTokens) -> Bool {
        switch preview {
        case .rocketChat: tokens.contains(.electron)
        case .viber: tokens.contains(.browser)
        default: false
        }
    }

    private static func platform(_ tokens: VisitorTokens) -> WebPlatform {
        // Windows Phone named all other systems, so that it gets their pages.
        if tokens.contains(.windowsPhone) { return .desktop }
        if tokens.contains(.iPad) { return .ipad }
        if tokens.contains(.iPhone) { return .ios }
        return tokens.contains(.android) ? .android : .desktop
    }
}

/// The kinds of clients that logs and counters distinguish, with their names there.
package enum VisitorGroup: String, Hashable, Sendable, CaseIterable {
    /// Reads association files for devices of Apple.
    case appleCDN = "apple-cdn"
    /// A device of Apple that reads an association file itself.
    case swcd
    /// Reads `assetlinks.json` for Google.
    case googleVerifier = "google-verifier"
    case applebot
    case searchEngine = "search-engine"
    /// Shows a page's title and image next to a link.
    case preview
    /// A person in an app's own browser.
    case inAppBrowser = "in-app-browser"
    case browser
    /// Names no browser, or a program that imitates one: libraries, scripts, crawlers, monitors, and
    /// clients without a user agent.
    case program
}

/// The effect of an `apple-app-site-association` file on one client.
package enum AppleRules: Hashable, Sendable {
    /// They decide whether a link opens an app here.
    case decide
    /// They decide if the client is an iPad, which the user agent does not show.
    case decideOnIPad
    /// This app's own browser opens links itself, whatever the rules say.
    case overruled(byBrowserOf: String)
    /// They have no effect on this client, for this reason.
    case irrelevant(String)
}

extension Visitor {
    /// The effect of Apple's association file on this client: it opens apps for people on iPhones
    /// and iPads.
    package var appleRules: AppleRules {
        guard kind == .person else { return .irrelevant("\(words) opens no apps") }
        switch platform {
        case .ios, .ipad: return inAppBrowser.map { .overruled(byBrowserOf: $0) } ?? .decide
        case .android:
            return .irrelevant(
                "Android reads assetlinks.json and the apps' manifests, not Apple's file")
        case .desktop where mayBeIPad: return .decideOnIPad
        case .desktop:
            return .irrelevant("iOS apps open on iPhones and iPads, and this client is neither")
        }
    }
}

// What is known about clients, and no server can change (Apple, "Supporting universal links";
// developer.chrome.com, "Android Intents with Chrome").

package import SiteConfiguration

extension Visitor {
    /// Facts that help to understand this client: about its kind, its response, and the systems for
    /// which the environment publishes apps.
    /// - Parameter decision: nil if no link was requested.
    package func caveats(_ decision: WebDecision?, _ site: Site) -> [String] {
        switch kind {
        case .preview(let name): previewCaveats(name)
        case .searchEngine: [searchEngineCaveat(decision)]
        case .verifier(let name):
            ["\(name) requests only association files, and no links"]
        case .person: personCaveats(decision, site.associations)
        }
    }

    private func searchEngineCaveat(_ decision: WebDecision?) -> String {
        if case .redirect = decision?.answer {
            return "it follows a permanent redirect, and lists the other address"
        }
        return "it gets the content that people get, without a redirect"
    }

    private func previewCaveats(_ name: String) -> [String] {
        let common = "previews are cached: a changed page shows late where it was posted"
        guard name == "Messages" else { return [common] }
        return [
            "the sender's device fetches the preview with the names of two other programs, and "
                + "sends it; the receiver's device fetches nothing", common,
        ]
    }

    private func personCaveats(
        _ decision: WebDecision?, _ published: PublishedAssociations
    ) -> [String] {
        let isOnApple = platform == .ios || platform == .ipad || mayBeIPad
        var caveats = [String]()
        if let inAppBrowser { caveats.append(inAppCaveat(inAppBrowser)) }
        if mayBeIPad {
            caveats.append(
                "Safari on an iPad identifies itself as Safari on a Mac, and gets the same "
                    + "response; a page can detect the device, a redirect cannot")
        }
        if isOnApple, published.aasa != nil { caveats += appleCaveats(decision) }
        if platform == .android, published.assetlinks != nil { caveats += androidCaveats(decision) }
        if platform == .desktop, !mayBeIPad, case .landing = decision?.answer {
            caveats.append("on a computer without the app, the page shows a QR code for a phone")
        }
        return caveats
    }

    private func inAppCaveat(_ app: String) -> String {
        "\(app)'s own browser does not open apps by itself; its menu has \"open in browser\""
    }

    private func appleCaveats(_ decision: WebDecision?) -> [String] {
        var caveats = [
            "a typed or pasted address opens no app, nor does a link that the user has sent to "
                + "the browser before",
            "a tap on a link to the page's own host does not open an app",
            "a page within an app (SFSafariViewController) does not open another app for its first "
                + "address",
        ]
        switch decision?.answer {
        case .redirect: caveats.append("a redirect into a universal link usually opens no app")
        case .landing(let offer) where offer.schemeURL != nil:
            caveats.append(
                "if the app is not installed, a tap on its own scheme shows \"address is invalid\"")
        default: break
        }
        return caveats
    }

    private func androidCaveats(_ decision: WebDecision?) -> [String] {
        var caveats = ["links open the app if Android has verified the host for it"]
        guard case .landing = decision?.answer else { return caveats }
        caveats.append("Chrome opens an app from a page only on a tap")
        if isFirefox {
            caveats.append("Firefox follows an intent's fallback even where the app is installed")
        }
        if inAppBrowser != nil {
            caveats.append("browsers inside of apps ignore an intent's fallback")
        }
        return caveats
    }

    /// The client in a few words.
    package var words: String {
        switch kind {
        case .person:
            "a person, \(platform.rawValue)" + (inAppBrowser.map { ", in \($0)" } ?? "")
        case .preview(let name): "the preview of \(name)"
        case .searchEngine(let name): "the search engine \(name)"
        case .verifier(let name): name
        }
    }
}
