private import Associations

/// The apps that open a link, as far as responses need them. An app that does not open the link is
/// never among them.
package struct OfferedApps: Hashable, Sendable {
    /// The first app of the App Store, or else the first app for Apple's systems.
    package let apple: App?
    /// The first app for Android; each has a page in Google Play.
    package let google: App?
    /// The first app that has one of these.
    private let first: App?

    /// - Parameter apps: the apps that open the link, in the order in which they are published.
    package init(opening apps: [App]) {
        apple = apps.first { $0.ios?.storeIdentifier != nil } ?? apps.first { $0.ios != nil }
        google = apps.first { $0.android != nil }
        first = apps.first { $0.name != nil }
    }

    /// The name of the first app that has a name.
    package var name: String? { first?.name }

    /// The numeric App Store ID.
    package var appStoreIdentifier: String? { apple?.ios?.storeIdentifier }

    /// The package name of the Android app.
    package var androidPackage: String? { google?.android?.package.description }

    /// The own URL scheme of the app for Apple's systems.
    package var scheme: String? { apple?.ios?.scheme }
}

/// A way on that a landing page has.
package enum LandingWay: Hashable, Sendable {
    /// The advice to use a browser, and the address to copy.
    case advice
    case open
    case appStore, googlePlay
    case web
    /// The app's own URL scheme.
    case scheme
    /// The QR code, on a computer.
    case code
    /// A sentence: no app that opens the link can be installed on this device.
    case sentence
    /// The site, for want of a page on the web.
    case home
}

/// The situation that decides which ways a landing page has, besides the apps.
package struct LandingSituation: Hashable, Sendable {
    package var platform: WebPlatform
    /// Whether the browser of another app shows the page.
    package var isInApp = false
    /// Whether a link opens the app: on Apple's systems this needs another host.
    package var canOpen = true
    package var hasWeb = false
    package var hasScheme = false
    package var hasHome = false
    /// Whether no link claims the page's path.
    package var isUnknown = false
    /// Whether the link has ended or was deleted.
    package var isGone = false

    package init(_ platform: WebPlatform) { self.platform = platform }
}

extension OfferedApps {
    /// The ways on that a landing page has, in their order: the table in docs/pages.md. At
    /// least one of them is there for every visitor, if only a sentence.
    package func ways(in situation: LandingSituation) -> [LandingWay] {
        let isApple = situation.platform == .ios || situation.platform == .ipad
        let isDesktop = situation.platform == .desktop
        var stores = [LandingWay]()
        if isApple || isDesktop, appStoreIdentifier != nil { stores.append(.appStore) }
        if !isApple, google != nil { stores.append(.googlePlay) }
        let own = isApple ? apple : google
        let opens: [LandingWay] = !isDesktop && own != nil && situation.canOpen ? [.open] : []
        let web: [LandingWay] = situation.hasWeb ? [.web] : []
        let home: [LandingWay] = situation.hasHome ? [.home] : []
        // An app would show what has ended, but can be had.
        if situation.isGone { return web + stores + (web.isEmpty ? home : []) }
        if situation.isUnknown { return web.isEmpty ? home : web }
        var ways: [LandingWay]
        if isDesktop {
            ways = web + stores + [.code]
        } else if situation.isInApp {
            ways = [.advice] + stores + web + opens
        } else {
            ways = opens + stores + web
        }
        if isApple, apple != nil, situation.hasScheme { ways.append(.scheme) }
        return stores.isEmpty && web.isEmpty ? ways + [.sentence] + home : ways
    }
}
