package import Associations
package import Diagnostics

/// An app that links may open, as the configuration's `apps` states it.
package struct App: Hashable, Sendable {
    /// The configuration's own name for it, which `publish` uses.
    package let key: String
    /// What people call it; nil where the configuration does not say.
    package let name: String?
    package let ios: IOSApp?
    package let android: AndroidApp?
}

/// An app on Apple's systems.
package struct IOSApp: Hashable, Sendable {
    package let id: AppIdentifier
    /// Its numeric App Store ID.
    package let storeIdentifier: String?
    /// Its own URL scheme, for systems before universal links.
    package let scheme: String?
    /// Services of the association file that list the app besides `applinks`.
    package let services: Set<IOSService>
    /// The App Clip that the site may invoke.
    package let clip: AppIdentifier?
    /// Where the identifiers stand; nil for an app that no file states.
    package let position: SourcePosition?
    package let clipPosition: SourcePosition?
}

/// A service of the association file that lists apps without rules.
package enum IOSService: String, Hashable, Sendable, CaseIterable {
    /// Shared web credentials and passkeys.
    case webCredentials = "webcredentials"
    /// Handoff between app and site.
    case activityContinuation = "activitycontinuation"
}

/// An app on Android.
package struct AndroidApp: Hashable, Sendable {
    package let package: AndroidPackage
    /// Of every key that signs the app, Play's first; never empty.
    package let fingerprints: [CertificateFingerprint]
    /// Whether app and site share sign-in credentials.
    package let sharesCredentials: Bool
    /// Whether the rules are published for Android 15 and later.
    package let isDynamic: Bool
    /// Where the fingerprints stand, in their order.
    package let fingerprintPositions: [SourcePosition]
}

/// What is linked to: the rules that it contributes, and what the web shows for it. A class, so
/// that the environments and the parts of a snapshot share one.
package final class Link: Hashable, Sendable {
    package let key: String
    /// What `exclude` states, then what `match` states, each in the order of the file.
    package let components: [Component]
    /// Where the components stand, in their order; empty for a link that no file states.
    package let positions: [ComponentPosition]
    package var page: LinkPage? { pageBox?.page }
    package let web: WebActions?
    package let campaign: Campaign
    // Most links have none, and one takes 300 bytes.
    private let pageBox: PageBox?

    private final class PageBox: Sendable {
        let page: LinkPage

        init(_ page: LinkPage) { self.page = page }
    }

    package init(
        key: String, components: [Component], positions: [ComponentPosition] = [],
        page: LinkPage? = nil, web: WebActions? = nil, campaign: Campaign = Campaign()
    ) {
        self.key = key
        self.components = components
        self.positions = positions
        pageBox = page.map(PageBox.init)
        self.web = web
        self.campaign = campaign
    }

    package static func == (left: Link, right: Link) -> Bool {
        left === right
            || left.key == right.key && left.components == right.components
                && left.positions == right.positions && left.page == right.page
                && left.web == right.web && left.campaign == right.campaign
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(components)
    }
}

extension Link {
    /// Where a key of the page, or else the link's first rule, stands.
    package func position(ofPage key: String) -> SourcePosition? {
        page?.positions[key] ?? positions.first?.whole
    }

    /// Where the first of these actions that is there, or else the link's first rule, stands.
    package func position(of actions: WebAction...) -> SourcePosition? {
        actions.lazy.compactMap { self.web?.position(of: $0) }.first ?? positions.first?.whole
    }
}

/// Where a component stands in the configuration, and its parts by their keys: a query item by
/// `?/` and its name.
package struct ComponentPosition: Hashable, Sendable {
    package let whole: SourcePosition
    package let parts: [String: SourcePosition]
}
