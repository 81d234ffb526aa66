import AppFiles
import Diagnostics

// Extensions of apps. Systems open apps by links, and no extension, so that a site need not list any.

extension AppleComparison {
    /// Whether it is of an extension, which is within an app.
    var isExtension: Bool {
        let isOfBundle = app.bundle?.utf8.suffix(6).elementsEqual(".appex".utf8) == true
        return app.use.map { !$0.configurations.isEmpty && !$0.isOfApp } ?? isOfBundle
    }

    /// Whether an entry is for links that would open an extension, which the site does not list.
    func isWithoutEffect(_ entry: AssociatedDomain, on site: SiteHalf) -> Bool {
        if case .notGiven = site.apple { return false }
        return isExtension && entry.service.isScalarwise("applinks")
            && bundle.map { site.lists(bundle: $0, for: entry.service) } != true
    }

    mutating func addWithoutEffect(_ entry: AssociatedDomain, _ place: TextPlace?) {
        add(
            .note, .appNotListed, place,
            "\(asked(entry)) does not list the extension\(bundle.map { " \(quoted($0))" } ?? ""), and links open no "
                + "extension",
            advice: "remove the domain from the entitlements of the extension")
    }

    /// The rules about what a site lists an app for. An extension need not share passwords or take activities.
    static let listingRules: Set<RuleName> = [
        .appNotListed, .serviceNotPublished, .appIDPrefixDiffers, .bundleIDDiffersALittle,
        .hostWithoutAASA,
    ]
}
