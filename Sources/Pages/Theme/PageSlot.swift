/// A value of a landing page, which templates use by its name.
enum PageSlot: Int, CaseIterable, Sendable {
    case language, direction, platform
    case title, description
    case pictureURL, pictureAlt
    case appName, appIcon
    case siteName, siteLogo
    /// The URL that opens the app on this device.
    case open
    /// The app's own scheme.
    case scheme
    case appStoreURL, appStoreBadge
    case googlePlayURL, googlePlayBadge
    /// The buttons for an iPad that identifies itself as a Mac.
    case tabletOpen, tabletStore
    case web
    /// The site itself, and what it says of itself.
    case home, imprint, privacy
    /// The page's URL, and its form for people.
    case link, address
    /// The app whose browser shows the page.
    case browser
    case head, qr

    /// A member of an object has a full stop in its name.
    var name: String {
        switch self {
        case .language: "language"
        case .direction: "direction"
        case .platform: "platform"
        case .title: "title"
        case .description: "description"
        case .pictureURL: "picture.url"
        case .pictureAlt: "picture.alt"
        case .appName: "app.name"
        case .appIcon: "app.icon"
        case .siteName: "site.name"
        case .siteLogo: "site.logo"
        case .open: "open"
        case .scheme: "scheme"
        case .appStoreURL: "app-store.url"
        case .appStoreBadge: "app-store.badge"
        case .googlePlayURL: "google-play.url"
        case .googlePlayBadge: "google-play.badge"
        case .tabletOpen: "tablet.open"
        case .tabletStore: "tablet.store"
        case .web: "web"
        case .home: "home"
        case .imprint: "imprint"
        case .privacy: "privacy"
        case .link: "link"
        case .address: "address"
        case .browser: "browser"
        case .head: "head"
        case .qr: "qr"
        }
    }

    static let byName = Dictionary(allCases.map { ($0.name, $0) }) { first, _ in first }

    /// The objects and their members.
    static let objects = Dictionary(
        allCases.compactMap { slot in
            let parts = slot.name.utf8.split(separator: UInt8(ascii: "."))
            return parts.count > 1 ? (String(Substring(parts[0])), [slot]) : nil
        }, uniquingKeysWith: +)

    var kind: Kind {
        switch self {
        case .pictureURL, .appIcon, .siteLogo, .open, .scheme, .appStoreURL, .appStoreBadge,
            .googlePlayURL, .googlePlayBadge, .tabletOpen, .tabletStore, .web, .home, .imprint,
            .privacy, .link:
            .url
        case .head, .qr: .markup
        default: .text
        }
    }

    enum Kind {
        case text
        /// A checked URL, for attributes that hold a URL.
        case url
        /// Markup that the program has written, which is not escaped.
        case markup
    }
}

/// Properties of a page, for sections.
enum PageFlag: Int, CaseIterable, Sendable {
    case ios, ipad, android, desktop
    /// Whether there is an app store.
    case stores
    /// Whether an app opens the link on some phones.
    case opens
    /// Whether there is neither an app to install here nor a page on the web.
    case stranded
    /// Whether no link claims the path.
    case unknown
    /// Whether the page ends with something.
    case footer
    /// Whether the title is so long that it needs smaller letters.
    case long

    var name: String {
        switch self {
        case .ios: "ios"
        case .ipad: "ipad"
        case .android: "android"
        case .desktop: "desktop"
        case .stores: "stores"
        case .opens: "opens"
        case .stranded: "stranded"
        case .unknown: "unknown"
        case .footer: "footer"
        case .long: "long"
        }
    }

    static let byName = Dictionary(allCases.map { ($0.name, $0) }) { first, _ in first }
}

/// The set of values that a page has. Pages of one shape differ only in the values.
struct PageShape: Hashable {
    private var slots: UInt64 = 0
    private var flags: UInt64 = 0

    mutating func insert(_ slot: PageSlot) { slots |= 1 << slot.rawValue }
    mutating func insert(_ flag: PageFlag) { flags |= 1 << flag.rawValue }
    func has(_ slot: PageSlot) -> Bool { slots >> slot.rawValue & 1 == 1 }
    func has(_ flag: PageFlag) -> Bool { flags >> flag.rawValue & 1 == 1 }
}
