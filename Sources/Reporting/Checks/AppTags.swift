import Associations
private import Diagnostics
private import URISyntax

// The identifiers of apps in a page's tags, and those that are known from a configuration.

extension PageExamination {
    /// App Store numbers for the iPhone, and the tags that contain them.
    var storeIdentifiers: [(tag: String, id: String)] {
        let banner = banner?["app-id"].map { [(tag: "apple-itunes-app", id: $0)] } ?? []
        let keys = ["al:ios:app_store_id", "al:iphone:app_store_id", "twitter:app:id:iphone"]
        return banner + keys.compactMap { key in page.meta(key).map { (key, $0.content) } }
    }

    /// Android packages, and the tags that contain them.
    var packages: [(tag: String, id: String)] {
        ["al:android:package", "twitter:app:id:googleplay"].compactMap { key in
            page.meta(key).map { (key, $0.content) }
        }
    }

    /// The configuration's apps that open this page; all of its apps if none does.
    var knownApps: [KnownApp] {
        guard let site = input.site else { return [] }
        guard let matcher, let url else { return site.apps }
        let opening = matcher.opens(url).map { matcher.apps[$0].appID }
        let apps = site.apps.filter { app in
            app.appID.map { opening.contains(where: $0.isScalarwise) } ?? false
        }
        return apps.isEmpty ? site.apps : apps
    }

    /// Whether a page of this site can be expected to name an app of the App Store.
    var expectsStoreApp: Bool {
        input.site == nil || knownApps.contains { $0.storeIdentifier != nil }
    }

    /// Whether a page of this site can be expected to name an app of Google Play.
    var expectsPackage: Bool { input.site == nil || knownApps.contains { $0.package != nil } }
}

/// Whether the text is an App Store number.
func isStoreIdentifier(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
}

/// Whether the text is an Android package name.
func isPackage(_ text: String) -> Bool { (try? AndroidPackage(text)) != nil }
