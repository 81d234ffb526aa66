internal import Markup
internal import SiteConfiguration
private import URISyntax

extension HeadMarkup {
    /// Open Graph (ogp.me). The properties of an image or a video follow its URL.
    mutating func writeOpenGraph(_ model: PageModel, _ addresses: HeadAddresses) {
        property("og:type", model.type)
        property("og:title", model.title)
        property("og:url", addresses.page)
        property("og:site_name", model.siteName)
        property("og:locale", OpenGraphLocale(model.language)?.name)
        for alternate in model.alternates where alternate.language != model.language {
            let locale = OpenGraphLocale(alternate.language)
            property("og:locale:alternate", locale?.name)
        }
        property("og:description", model.description)
        if let image = model.image, let url = PageURL(image.url) { write(image, at: url) }
        if let video = model.video, let url = PageURL(video.url) { write(video, at: url) }
    }

    private mutating func write(_ image: PageImage, at url: PageURL) {
        property("og:image", url.description)
        if url.isSecure { property("og:image:secure_url", url.description) }
        property("og:image:type", image.type)
        property("og:image:width", image.widthPixels.map { String($0) })
        property("og:image:height", image.heightPixels.map { String($0) })
        property("og:image:alt", image.alt)
    }

    private mutating func write(_ video: PageVideo, at url: PageURL) {
        property("og:video", url.description)
        if url.isSecure { property("og:video:secure_url", url.description) }
        property("og:video:type", video.type)
        property("og:video:width", video.widthPixels.map { String($0) })
        property("og:video:height", video.heightPixels.map { String($0) })
    }

    /// X's card, and the tags of the app, which Applebot reads with any card. Title, description
    /// and image come from Open Graph.
    mutating func writeTwitter(_ model: PageModel, _ addresses: HeadAddresses) {
        let hasImage = model.image.flatMap { PageURL($0.url) } != nil
        let card = model.card ?? (hasImage ? .largeImage : .summary)
        meta("twitter:card", card.rawValue)
        meta("twitter:site", model.twitterSite)
        if hasImage { meta("twitter:image:alt", model.image?.alt) }
        guard let app = model.app else { return }
        if let identifier = app.appStoreIdentifier {
            meta("twitter:app:name:iphone", app.appStoreName ?? app.name)
            meta("twitter:app:id:iphone", identifier)
            meta("twitter:app:url:iphone", addresses.ios)
            meta("twitter:app:name:ipad", app.appStoreName ?? app.name)
            meta("twitter:app:id:ipad", identifier)
            meta("twitter:app:url:ipad", addresses.ios)
        }
        if let package = app.androidPackage {
            meta("twitter:app:name:googleplay", app.androidName ?? app.name)
            meta("twitter:app:id:googleplay", package)
            meta("twitter:app:url:googleplay", addresses.android)
        }
    }
}

/// A language in Open Graph's form, which always has a country.
struct OpenGraphLocale {
    let name: String

    /// - Returns: nil for a language without a country in the tag or a known default.
    init?(_ tag: String) {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-")).map { String(Substring($0)) }
        guard let language = parts.first?.lowercased(),
            tag.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        let country = parts.dropFirst().first { $0.utf8.count == 2 }?.uppercased()
        guard let country = country ?? Self.countries[language] else { return nil }
        name = "\(language)_\(country)"
    }

    private static let countries = [
        "ar": "AR", "de": "DE", "en": "US", "es": "ES", "fr": "FR", "he": "IL", "it": "IT",
        "ja": "JP", "nl": "NL", "pl": "PL", "pt": "PT", "tr": "TR", "zh": "CN",
    ]
}
