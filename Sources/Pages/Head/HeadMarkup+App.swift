internal import Markup
private import URISyntax

extension HeadMarkup {
    /// The Smart App Banner (Apple, "Promoting apps with Smart App Banners"). A comma separates its
    /// parameters, so no value can contain one.
    mutating func writeApp(_ model: PageModel) {
        guard let app = model.app, let identifier = app.appStoreIdentifier, !identifier.isEmpty,
            identifier.utf8.allSatisfy(\.isDigit)
        else { return }
        var content = "app-id=\(identifier)"
        if let argument = PageURL(app.argument ?? model.url, orScheme: app.scheme) {
            let value = argument.description.utf8.percentEncoded { $0 != UInt8(ascii: ",") }
            content += ", app-argument=\(value)"
        }
        if let clip = app.clip, isIdentifier(clip.bundleIdentifier) {
            content += ", app-clip-bundle-id=\(clip.bundleIdentifier)"
            if clip.showsCard { content += ", app-clip-display=card" }
        }
        meta("apple-itunes-app", content)
    }

    /// Facebook's App Links, which Applebot also reads. The groups for iPhone and iPad repeat the
    /// group for iOS, for readers that know only them.
    mutating func writeAppLinks(_ model: PageModel, _ addresses: HeadAddresses) {
        guard let app = model.app else { return }
        if let url = addresses.ios, app.appStoreIdentifier != nil || app.iosURL != nil {
            writeAppLinks("al:ios:url", "al:ios:app_store_id", "al:ios:app_name", app, url)
            writeAppLinks("al:iphone:url", "al:iphone:app_store_id", "al:iphone:app_name", app, url)
            writeAppLinks("al:ipad:url", "al:ipad:app_store_id", "al:ipad:app_name", app, url)
        }
        if let package = app.androidPackage {
            property("al:android:package", package)
            property("al:android:url", addresses.android)
            property("al:android:app_name", app.androidName ?? app.name)
        }
        property("al:web:url", addresses.page)
    }

    private mutating func writeAppLinks(
        _ url: MarkupLiteral, _ identifier: MarkupLiteral, _ name: MarkupLiteral,
        _ app: PageModel.App, _ link: String
    ) {
        property(url, link)
        property(identifier, app.appStoreIdentifier)
        property(name, app.appStoreName ?? app.name)
    }

    private func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x2E }
    }
}

/// The URLs that a head repeats, checked once.
struct HeadAddresses {
    let page: String?
    let ios: String?
    let android: String?

    init(_ model: PageModel) {
        page = PageURL(model.url)?.description
        let scheme = model.app?.scheme
        ios = model.app?.iosURL.map { PageURL($0, orScheme: scheme)?.description } ?? page
        android = model.app?.androidURL.map { PageURL($0, orScheme: scheme)?.description } ?? page
    }
}
