import Associations
import HTTPMessages
import Pages
import Resolution
import SiteConfiguration

/// The generated pages of an environment, and everything about them that does not depend on a
/// request.
struct LandingDocuments: Sendable {
    private let presenter: LinkPresenter
    private let presentation: Presentation
    let theme: Theme
    /// The site itself, where the logo leads.
    private let home: String?
    /// By the presentation's languages.
    private let texts: [LandingTexts]
    private let headers: ConfiguredHeaders

    /// - Parameter hasHome: whether the host has a page at `/`.
    init(_ site: Site, _ presenter: LinkPresenter, _ theme: Theme, hasHome: Bool) {
        self.presenter = presenter
        presentation = site.presentation
        texts = site.presentation.languages.map { language in
            LandingTexts(language: language, own: site.presentation.texts[language] ?? [:])
        }
        self.theme = theme
        headers = ConfiguredHeaders(site)
        home = presentation.url ?? (hasHome ? "/" : nil)
    }

    /// Lays out what the pages of links look like to each kind of client, so that a request only
    /// fills them in. A page that was not foreseen is laid out when it is first asked for.
    /// - Parameter now: seconds since 1970; links that have ended by then are left out.
    func prepare(_ resolver: LinkResolver, at now: Int) {
        let visitors = [
            "iphone-safari", "instagram-ios", "ipad-chrome", "ipad-safari", "android-chrome",
            "android-firefox", "instagram-android", "desktop-chrome",
        ].compactMap { VisitorProfile.userAgent(of: $0) }.map { Visitor(userAgent: $0) }
        let paths = resolver.links.lazy.filter { $0.times?.period.state(at: now) != .ended }
            .prefix(Self.preparedLinksMax).map(\.samplePath)
        for path in paths + ["/"] {
            guard let url = try? LinkURL("\(presenter.origin)\(path)") else { continue }
            for visitor in visitors {
                let decision = resolver.decide(url, for: visitor, at: nil)
                guard case .landing(let offer) = decision.answer else { continue }
                theme.prepare(page(offer, resolver.link(of: decision), path, visitor, language: 0))
            }
        }
    }

    /// Others are laid out when they are asked for.
    private static let preparedLinksMax = 64

    /// The page for a person.
    /// - Parameters:
    ///   - link: the one that claims the URL.
    ///   - languages: those that the visitor reads.
    func page(
        _ offer: LandingOffer, _ link: Link?, path: String, _ visitor: Visitor,
        _ languages: LanguageRanges
    ) -> Document {
        let best = languages.best(among: presentation.languages)
        let index = presentation.languages.firstIndex { $0 == best } ?? 0
        let page = page(offer, link, path, visitor, language: index)
        let rendered = page.rendered(theme)
        return document(
            rendered.html, offer, path: path, policy: rendered.contentSecurityPolicy,
            language: presentation.languages[index], isIndexed: page.model.isIndexed)
    }

    private func page(
        _ offer: LandingOffer, _ link: Link?, _ path: String, _ visitor: Visitor, language: Int
    ) -> LandingPage {
        let appName = offer.appName(for: visitor)
        let ways = offer.ways(for: visitor)
        var page = LandingPage(
            model(offer, link, path, language: language, appName: appName),
            texts: texts[language], platform: LandingPage.Platform(visitor.platform),
            link: offer.url)
        page.appName = appName
        page.isUnknown = offer.isUnknown
        page.isStranded = ways.contains(.sentence)
        page.opensOnPhones = offer.opensOnApple || offer.opensOnAndroid
        // Where no app opens the link, another browser gains nothing.
        let isOpened = visitor.platform == .android ? offer.opensOnAndroid : offer.opensOnApple
        page.browser = isOpened ? visitor.inAppBrowser : nil
        page.mayBeIPad = visitor.mayBeIPad
        page.openURL = offer.openURL
        page.intent = intent(offer, visitor)
        page.schemeURL = offer.schemeURL
        page.appStoreURL = ways.contains(.appStore) ? offer.appStoreURL : nil
        page.googlePlayURL = ways.contains(.googlePlay) ? offer.googlePlayURL : nil
        page.appStoreBadge = presentation.appStoreBadge
        page.googlePlayBadge = presentation.googlePlayBadge
        page.webURL = offer.webURL
        page.picture = offer.isGone ? nil : link?.page?.image?.url
        page.icon = presentation.icon
        page.logo = presentation.logo
        page.home = home
        page.imprint = presentation.imprint
        page.privacy = presentation.privacy
        return page
    }

    /// The text of the page; if no link claims its path, that nothing is there.
    private func model(
        _ offer: LandingOffer, _ link: Link?, _ path: String, language: Int, appName: String? = nil
    ) -> PageModel {
        // What has ended is not advertised.
        var model = presenter.model(
            offer.isGone ? nil : link, offer.apps, path: path,
            language: presentation.languages[language],
            argument: offer.argument, appName: appName)
        if offer.hasEnded { model.isIndexed = false }
        guard offer.isUnknown else { return model }
        model.title = texts[language][offer.isGone ? .gone : .notFound]
        model.isIndexed = false
        return model
    }

    /// The page for a program that shows previews or finds pages.
    func summary(_ offer: LandingOffer, _ link: Link?, path: String) -> Document {
        let model = model(offer, link, path, language: 0)
        let destination = offer.webURL ?? offer.appStoreURL ?? offer.googlePlayURL ?? offer.homeURL
        return document(
            SummaryPage(model, destination: destination).html, offer, path: path,
            policy: "default-src 'none'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'",
            language: presentation.languages[0], isIndexed: model.isIndexed)
    }

    private func intent(_ offer: LandingOffer, _ visitor: Visitor) -> LandingPage.Intent? {
        guard offer.opensByIntent(for: visitor), let package = offer.apps.androidPackage,
            let fallback = offer.googlePlayURL ?? offer.webURL
        else { return nil }
        return LandingPage.Intent(package: package, fallback: fallback)
    }

    /// Nobody else's page: a cache may keep it for the visitor alone.
    private func document(
        _ html: [UInt8], _ offer: LandingOffer, path: String, policy: String, language: String,
        isIndexed: Bool
    ) -> Document {
        let varies =
            (offer.isGone ? "Accept, " : "") + "User-Agent"
            + (presentation.languages.count > 1 ? ", Accept-Language" : "")
        let cacheFields = fieldLines(["Cache-Control: private, no-cache", "Vary: \(varies)"])
        var fields = [
            "Content-Language: \(language)", "Content-Security-Policy: \(policy)",
            "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
            "Referrer-Policy: strict-origin-when-cross-origin",
            "Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Cross-Origin-Opener-Policy: same-origin",
        ]
        if !isIndexed { fields.append("X-Robots-Tag: noindex") }
        fields = headers.fields(for: path).replacing(fields, isShared: false)
        return Document(
            status: Status(rawValue: offer.status) ?? .ok, type: "text/html; charset=utf-8",
            body: html, cacheFields: cacheFields,
            fields: fieldLines(fields))
    }
}

extension LandingPage.Platform {
    fileprivate init(_ platform: WebPlatform) {
        self =
            switch platform {
            case .ios: .ios
            case .ipad: .ipad
            case .android: .android
            case .desktop: .desktop
            }
    }
}

extension Link {
    /// A path that the link is likely to match.
    fileprivate var samplePath: String {
        let path = components.first { !$0.exclude && $0.path != nil }?.path ?? "/"
        let bytes = path.utf8.map { "*?".utf8.contains($0) ? UInt8(ascii: "x") : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
