private import Markup
internal import QRCodes
private import SiteConfiguration
private import URISyntax

/// The values of a landing page that templates can use; URLs among them are checked.
struct LandingValues {
    private var values = [String?](repeating: nil, count: PageSlot.allCases.count)
    private(set) var shape = PageShape()
    /// The hosts of the page's images, other than this host.
    private(set) var imageOrigins = [String]()
    private(set) var code: QRCode?

    subscript(slot: PageSlot) -> String { values[slot.rawValue] ?? "" }

    init(_ page: LandingPage) {
        let model = page.model
        shape.insert(page.flag)
        shape.insert(.head)
        set(.language, model.language)
        set(.direction, TextDirection(language: model.language).rawValue)
        set(.platform, page.platform.rawValue)
        set(.title, keptTogether(model.title))
        if model.title.unicodeScalars.count > Self.titleScalarsMax { shape.insert(.long) }
        set(.description, model.description.map(keptTogether))
        setNames(page)
        if shape.has(.siteName) { setPicture(.siteLogo, page.logo) }
        if page.appName != nil { setPicture(.appIcon, page.icon) }
        setPicture(.pictureURL, page.picture)
        if shape.has(.pictureURL) { setAlways(.pictureAlt, model.image?.alt ?? "") }
        setStores(page)
        setWays(page)
        setAddress(.home, page.home)
        setAddress(.imprint, page.imprint)
        setAddress(.privacy, page.privacy)
        if [.imprint, .privacy, .googlePlayBadge].contains(where: { shape.has($0) }) {
            shape.insert(.footer)
        }
    }

    /// Longer titles have smaller letters, so that the buttons stay in sight on a small phone.
    private static let titleScalarsMax = 80

    /// Each name is shown once: as the title, or else as the site's, or the app's.
    private mutating func setNames(_ page: LandingPage) {
        let model = page.model
        var site = model.siteName
        if page.logo == nil {
            // The app has its name where there is no way to the site.
            if site == model.title || page.home == nil && site == page.appName { site = nil }
            // Without a name of its own, the way to the site has its host.
            if site == nil {
                site = page.home.flatMap { (PageURL($0) ?? PageURL(page.link))?.host }
            }
            if site == model.title { site = nil }
        }
        set(.siteName, site)
        if page.appName != model.title, page.appName != site { set(.appName, page.appName) }
    }

    private mutating func setStores(_ page: LandingPage) {
        if page.platform != .android {
            set(.appStoreURL, PageURL(page.appStoreURL))
            if shape.has(.appStoreURL) { setPicture(.appStoreBadge, page.appStoreBadge) }
        }
        if page.platform == .android || page.platform == .desktop {
            set(.googlePlayURL, PageURL(page.googlePlayURL))
            if shape.has(.googlePlayURL) { setPicture(.googlePlayBadge, page.googlePlayBadge) }
        }
        if shape.has(.appStoreURL) || shape.has(.googlePlayURL) { shape.insert(.stores) }
    }

    private mutating func setWays(_ page: LandingPage) {
        if page.opensOnPhones { shape.insert(.opens) }
        if page.isStranded { shape.insert(.stranded) }
        if page.isUnknown { shape.insert(.unknown) }
        let link = PageURL(page.link)
        set(.link, link)
        set(.address, link?.withoutScheme)
        set(.web, PageURL(page.webURL))
        let scheme = page.schemeURL.flatMap { PageURL($0, orScheme: page.model.app?.scheme) }
        let open = PageURL(page.openURL)
        if page.platform == .desktop {
            if page.mayBeIPad, open != nil {
                set(.tabletOpen, open)
                set(.tabletStore, PageURL(page.appStoreURL))
            }
            let bytes = link.map { Array($0.description.utf8) } ?? []
            if !page.isUnknown, !bytes.isEmpty, bytes.count <= Self.codeBytesMax {
                code = QRCode(bytes)
            }
            if code != nil { shape.insert(.qr) }
            return
        }
        set(.browser, page.browser)
        if page.platform == .android {
            // The browsers of other apps do not support intents.
            let intent = page.browser == nil ? page.intent?.url(for: page.link) : nil
            set(.open, intent ?? open?.description)
        } else {
            set(.open, open)
        }
        set(shape.has(.open) ? .scheme : .open, scheme)
    }

    /// A code with more bytes could not be read from a screen.
    private static let codeBytesMax = 400

    private mutating func set(_ slot: PageSlot, _ value: String?) {
        if let value, !value.isEmpty { setAlways(slot, value) }
    }

    private mutating func set(_ slot: PageSlot, _ url: PageURL?) { set(slot, url?.description) }

    private mutating func setAlways(_ slot: PageSlot, _ value: String) {
        values[slot.rawValue] = value
        shape.insert(slot)
    }

    /// A page of this host, or a URL.
    private mutating func setAddress(_ slot: PageSlot, _ text: String?) {
        set(slot, text.flatMap { PageURL($0, allowsPath: true) })
    }

    /// An image of this host, or of a host that is added to the page's policy.
    private mutating func setPicture(_ slot: PageSlot, _ text: String?) {
        guard let text, let url = PageURL(text, allowsPath: true) else { return }
        setAlways(slot, url.description)
        if let origin = url.origin { imageOrigins.append(origin) }
    }
}

extension LandingPage {
    var flag: PageFlag {
        switch platform {
        case .ios: .ios
        case .ipad: .ipad
        case .android: .android
        case .desktop: .desktop
        }
    }
}

extension LandingPage.Intent {
    /// The intent with which Chrome opens a link in the app, or goes to the fallback (Chrome for
    /// Developers, "Android intents with Chrome").
    /// - Returns: nil if the link is not http or https, or if the package is not a valid name.
    func url(for link: String) -> String? {
        guard let link = PageURL(link), let fallback = PageURL(fallback), !package.isEmpty,
            package.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2E || $0 == 0x5F })
        else { return nil }
        let scheme = link.isSecure ? "https" : "http"
        // The intent is a fragment, so the link cannot have one.
        let rest = link.withoutScheme.utf8.prefix { $0 != UInt8(ascii: "#") }
        return "intent://\(Substring(rest))#Intent;scheme=\(scheme);package=\(package);"
            + "S.browser_fallback_url=\(PageURL.escaped(fallback.description));end"
    }
}
