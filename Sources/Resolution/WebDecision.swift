import Associations
package import SiteConfiguration

/// What the web shows somebody who asks for a URL, and why.
package struct WebDecision: Sendable {
    package let answer: WebAnswer
    /// The number of the link that claims the URL, in `LinkResolver.links`; nil where none does.
    package let link: Int?
    /// The number of the component that matches, in `Link.components`.
    package let rule: Int?
    package let reason: WebReason
    /// Whether another visitor would get another answer: caches may then keep it for nobody else.
    package let dependsOnVisitor: Bool
    /// Whether a redirect leads to an app's page in a store.
    package let leadsToStore: Bool
    /// The campaign parameters of the request that went on with the visitor.
    package let passedOn: CampaignParameterSet
}

/// What somebody gets.
package enum WebAnswer: Hashable, Sendable {
    /// A file of the public directory, by its URL path, with status 200.
    case page(String)
    /// 302 to this URL, which is one that the configuration names but for its path, query and
    /// fragment; visible ASCII.
    case redirect([UInt8])
    /// 200 with a page that is generated for a person.
    indirect case landing(LandingOffer)
    /// 200 with the link's title and picture, for a program that shows or finds pages.
    indirect case summary(LandingOffer)
    case notFound
    /// The page or the status that the environment has for every path that nothing claims.
    case fallback
}

/// Why it is this answer.
package enum WebReason: Hashable, Sendable {
    /// The link's action for the visitor's own platform, or for all others.
    case own(WebPlatform)
    /// An iPad gets what the link has for an iPhone.
    case iPhoneAction
    case otherwise
    /// The link has nothing for the platform that a preview or a search engine imitates, but for
    /// others.
    case otherPlatforms
    /// No link with an action or a page matches: the environment's `unmatched`.
    case noLink
    /// The link has no action for the visitor's platform: the environment's `unmatched`.
    case noAction
    /// None of the link's apps has a page in the platform's store: the environment's `unmatched`.
    case noStore
    /// What the request put into the URL's path would lead out of it: refused.
    case dotSegment

    /// Whether the environment's `unmatched` decided.
    package var isUnmatched: Bool {
        switch self {
        case .noLink, .noAction, .noStore: true
        case .own, .iPhoneAction, .otherwise, .otherPlatforms, .dotSegment: false
        }
    }
}

/// What a generated page can offer.
package struct LandingOffer: Hashable, Sendable {
    /// The link itself, with its query, over https.
    package let url: String
    /// The apps that open the link; for a system where none does, the environment's.
    package let apps: OfferedApps
    /// Whether some app opens the link, on each system.
    package let opensOnApple: Bool
    package let opensOnAndroid: Bool
    /// The same link on the environment's other host, where a tap leads into the app: `open-host`,
    /// or from there the canonical host. Nil where there is none, or no app for the visitor's
    /// system opens the link. Android takes the link itself where there is no other host.
    package let openURL: String?
    /// The link in the app's own scheme; nil unless the environment offers it and the visitor
    /// holds a device of Apple.
    package let schemeURL: String?
    /// Where people go on to without the app: what the link has for computers, or else `unmatched`.
    package let webURL: String?
    /// What the page's banner tells the app; nil tells it the page's address.
    package let argument: String?
    /// The store's page, what the campaign says included.
    package let appStoreURL: String?
    package let googlePlayURL: String?

    /// What people call the app for the visitor's system; nil where it has no name, and for
    /// computers that are not an iPad.
    package func appName(for visitor: Visitor) -> String? {
        switch visitor.platform {
        case .ios, .ipad: apps.appleName
        case .android: apps.androidName
        case .desktop: visitor.mayBeIPad ? apps.appleName : nil
        }
    }

    /// Whether Chrome, or a browser like it, opens the app by an intent. Firefox takes the fallback
    /// even where the app is, and other apps' browsers know no intents.
    package func opensByIntent(for visitor: Visitor) -> Bool {
        visitor.platform == .android && !visitor.isFirefox && visitor.inAppBrowser == nil
            && opensOnAndroid && apps.androidPackage != nil
            && (googlePlayURL ?? webURL) != nil
    }
}

/// The memory of one decision, kept by whoever makes many: then a redirect allocates nothing.
package struct LinkScratch: Sendable {
    var match = MatchScratch()
    var apps = MatchScratch()
    var location = [UInt8]()

    package init() {}
}
