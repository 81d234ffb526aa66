package import Associations
package import Diagnostics

/// An app in the configuration's `apps`.
package struct App: Hashable, Sendable {
    /// The configuration's own name for it, which `publish` uses.
    package let key: String
    /// The name for people; nil if the configuration has none.
    package let name: String?
    package let ios: IOSApp?
    package let android: AndroidApp?
    package let harmony: HarmonyApp?

    package init(
        key: String, name: String?, ios: IOSApp?, android: AndroidApp?, harmony: HarmonyApp? = nil
    ) {
        (self.key, self.name, self.ios, self.android) = (key, name, ios, android)
        self.harmony = harmony
    }
}

/// An app on HarmonyOS.
package struct HarmonyApp: Hashable, Sendable {
    /// The App ID that AppGallery Connect has given it.
    package let id: String
}

/// An app on Apple's systems.
package struct IOSApp: Hashable, Sendable {
    package let id: AppIdentifier
    /// Its numeric App Store ID.
    package let storeIdentifier: String?
    /// Its own URL scheme, for systems before universal links.
    package let scheme: String?
    /// The services of the association file for the app, besides `applinks`.
    package let services: Set<IOSService>
    /// The App Clip that the site can invoke.
    package let clip: AppIdentifier?
    /// The position of the identifiers; nil for an app that is in no file.
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
    /// The positions of the fingerprints, in their order.
    package let fingerprintPositions: [SourcePosition]
    /// Nil if the configuration does not name it.
    package internal(set) var manifest: ManifestFile?
}

/// The position of a component in the configuration, and of its parts by their keys; a query item's
/// key is `?/` and its name.
package struct ComponentPosition: Hashable, Sendable {
    package let whole: SourcePosition
    package let parts: [String: SourcePosition]
}
