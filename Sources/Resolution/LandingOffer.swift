package import SiteConfiguration

/// The offers that a generated page can make.
package struct LandingOffer: Hashable, Sendable {
    /// The link itself, with its query, over https.
    package let url: String
    /// 200 unless no link claims the path.
    package var status: Int
    /// The apps that open the link. If none does, and the configuration has a page with status 200
    /// for every path, or the link leads to the store, the site's apps.
    package let apps: OfferedApps
    /// Whether an app opens the link, on each system.
    package let opensOnApple: Bool
    package let opensOnAndroid: Bool
    /// The same link with the environment's other host, with which a tap opens the app:
    /// `open-host`, or on that host the canonical one. Nil if there is no other host, or no app for
    /// the visitor's system opens the link. Without another host, Android opens the link itself.
    package let openURL: String?
    /// The link in the app's own scheme; nil unless the environment offers it and the visitor has a
    /// device of Apple.
    package let schemeURL: String?
    /// The URL to continue without the app: the link's for computers, or else that of `unmatched`.
    package let webURL: String?
    /// The site itself.
    package let homeURL: String?
    /// The argument of the page's banner; nil is the page's address.
    package let argument: String?
    /// The URL of the store's page, with campaign parameters.
    package let appStoreURL: String?
    package let googlePlayURL: String?
    /// Whether the link has ended, so that search engines must not list the page.
    package var hasEnded = false

    /// Whether the link has ended or was deleted, and the page says so.
    package var isGone = false

    /// Whether no link claims the path or it is gone, and the page says so.
    package var isUnknown: Bool { status != 200 }

    /// The name of the app for the visitor's system, or on computers of the first app; nil if no
    /// such app opens the link, or if it has no name.
    package func appName(for visitor: Visitor) -> String? {
        switch visitor.platform {
        case .ios, .ipad: apps.apple?.name
        case .android: apps.google?.name
        case .desktop: visitor.mayBeIPad ? apps.apple?.name ?? apps.name : apps.name
        }
    }

    /// The ways on that the page has for the visitor.
    package func ways(for visitor: Visitor) -> [LandingWay] {
        var situation = LandingSituation(visitor.platform)
        situation.isInApp = visitor.inAppBrowser != nil
        situation.canOpen = openURL != nil
        situation.hasWeb = webURL != nil
        situation.hasScheme = schemeURL != nil
        situation.hasHome = homeURL != nil
        situation.isUnknown = isUnknown
        situation.isGone = isGone
        return apps.ways(in: situation)
    }

    /// Whether Chrome or a similar browser opens the app by an intent. Firefox uses the fallback
    /// even if the app is installed, and browsers of other apps do not support intents.
    package func opensByIntent(for visitor: Visitor) -> Bool {
        visitor.platform == .android && !visitor.isFirefox && visitor.inAppBrowser == nil
            && opensOnAndroid && apps.androidPackage != nil
            && (googlePlayURL ?? webURL) != nil
    }
}

extension LandingOffer {
    /// The offers of the page to this visitor, and those that it cannot make.
    func steps(_ visitor: Visitor) -> [ExplainedStep] {
        let ways = ways(for: visitor)
        var steps = isUnknown ? [] : [openStep(visitor)]
        if let schemeURL { steps.append(.init("own scheme", "offered on a tap: \(schemeURL)")) }
        if !isUnknown, !ways.contains(.appStore), !ways.contains(.googlePlay) {
            steps.append(
                .init(
                    "store",
                    "no app that opens it has a page in the app store for "
                        + visitor.platform.rawValue, isTaken: false))
        }
        for way in ways {
            switch way {
            case .appStore: steps += appStoreURL.map { [.init("store", "offered: \($0)")] } ?? []
            case .googlePlay:
                steps += googlePlayURL.map { [.init("store", "offered: \($0)")] } ?? []
            case .sentence:
                steps.append(
                    .init("sentence", "the page says that no such app is in this device's store"))
            case .web, .home, .advice, .open, .scheme, .code: continue
            }
        }
        if let webURL { steps.append(.init("web", "offered: \(webURL)")) }
        if ways.contains(.home), let homeURL { steps.append(.init("site", "offered: \(homeURL)")) }
        return steps
    }

    private func openStep(_ visitor: Visitor) -> ExplainedStep {
        func passed(_ reason: String) -> ExplainedStep {
            ExplainedStep("open in app", reason, isTaken: false)
        }
        func taken(_ reason: String) -> ExplainedStep { ExplainedStep("open in app", reason) }
        guard opensOnApple || opensOnAndroid else {
            return passed("no app of the environment opens it")
        }
        switch visitor.platform {
        case .desktop:
            guard visitor.mayBeIPad, let openURL else {
                return passed("a computer has no app; the page shows a QR code for phones")
            }
            return taken("offered, if the device is an iPad: \(openURL)")
        case .android:
            guard let openURL else {
                return passed("no app of the environment opens it on Android")
            }
            return opensByIntent(for: visitor)
                ? taken("offered, by an intent for Chrome: \(url)") : taken("offered: \(openURL)")
        case .ios, .ipad:
            guard opensOnApple else {
                return passed("no app of the environment opens it on iPhones and iPads")
            }
            return openURL.map { taken("offered, on another host: \($0)") }
                ?? passed(
                    "the environment has no open-host, and a tap on a link to the page's own host "
                        + "does not open an app")
        }
    }
}
