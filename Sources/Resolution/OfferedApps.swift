import Associations
package import SiteConfiguration

/// The properties of the apps that open a link, as far as responses need them: the first app of
/// each kind.
package struct OfferedApps: Hashable, Sendable {
    package let android: AndroidApp?
    /// The numeric App Store ID, of the first app that has one.
    package let appStoreIdentifier: String?
    /// The app's own URL scheme, of the first app that has one.
    package let scheme: String?
    /// The name of the app for each system; nil if the configuration has none.
    let appleName: String?
    let androidName: String?

    /// - Parameter others: the apps for a system for which no app opens the link.
    init(opening: [App], others: [App]) {
        let apple = opening.contains { $0.ios != nil } ? opening : others
        let google = opening.contains { $0.android != nil } ? opening : others
        appStoreIdentifier = apple.compactMap(\.ios?.storeIdentifier).first
        scheme = apple.compactMap(\.ios?.scheme).first
        android = google.compactMap(\.android).first
        let inStore = apple.first { $0.ios?.storeIdentifier != nil }
        appleName = (inStore ?? apple.first { $0.ios != nil })?.name
        androidName = google.first { $0.android != nil }?.name
    }

    /// The package name of the Android app.
    package var androidPackage: String? { android?.package.description }
}
