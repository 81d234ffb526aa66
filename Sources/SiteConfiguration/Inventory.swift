package import Associations

/// An app that links may open, as the configuration's `apps` states it.
package struct App: Hashable, Sendable {
    /// The configuration's own name for it, which `publish` uses.
    package let key: String
    package let ios: IOSApp?
    package let android: AndroidApp?

    package init(key: String, ios: IOSApp?, android: AndroidApp?) {
        self.key = key
        self.ios = ios
        self.android = android
    }
}

package struct IOSApp: Hashable, Sendable {
    package let id: AppIdentifier

    package init(id: AppIdentifier) { self.id = id }
}

package struct AndroidApp: Hashable, Sendable {
    package let package: AndroidPackage
    package let fingerprints: [CertificateFingerprint]

    package init(package: AndroidPackage, fingerprints: [CertificateFingerprint]) {
        self.package = package
        self.fingerprints = fingerprints
    }
}

/// What is linked to: the rules that it contributes, in Apple's order.
package struct Link: Hashable, Sendable {
    package let key: String
    package let components: [Component]

    package init(key: String, components: [Component]) {
        self.key = key
        self.components = components
    }
}
