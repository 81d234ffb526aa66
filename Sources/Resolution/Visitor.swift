package import SiteConfiguration

/// Who asks for a link, as far as a user agent tells (RFC 9110 §10.1.5). It is never sure: people
/// and programs can send what they like, so nothing that must be protected may depend on it.
package struct Visitor: Hashable, Sendable {
    package let kind: Kind
    /// What the link's action is chosen by; a program's is that of the device it imitates.
    package let platform: WebPlatform
    /// The app whose own browser this is, which keeps universal links to itself.
    package let inAppBrowser: String?
    /// Safari on a Mac and on an iPad send the same text.
    package let mayBeIPad: Bool

    /// A person, or one of the programs that fetch pages for them.
    package enum Kind: Hashable, Sendable {
        case person
        /// Fetches a page to show its title and picture where the link was posted.
        case preview(String)
        case searchEngine(String)
        /// Reads association files for Apple or Google.
        case verifier(String)

        /// Whether it is to be shown a page, and not to be sent anywhere or counted.
        package var isProgram: Bool { self != .person }
    }

    /// - Parameter userAgent: the field's value; empty where it is missing.
    package init(userAgent: some Sequence<UInt8>) {
        let found = VisitorTable.tokens(in: Array(userAgent))
        kind = Self.kind(found)
        platform = Self.platform(found)
        inAppBrowser =
            found.lazy.compactMap { token in
                if case .inApp(let name) = token { name } else { nil }
            }.first
        mayBeIPad =
            found.contains(.macintosh) && found.contains(.safariVersion)
            && !found.contains(.otherBrowser)
    }

    /// Programs that pose as a browser name themselves besides.
    private static func kind(_ found: Set<VisitorToken>) -> Kind {
        var preview: String?
        var search: String?
        for token in found {
            switch token {
            case .verifier(let name): return .verifier(name)
            case .preview(let name): preview = min(preview ?? name, name)
            case .searchEngine(let name): search = min(search ?? name, name)
            default: break
            }
        }
        return preview.map(Kind.preview) ?? search.map(Kind.searchEngine) ?? .person
    }

    private static func platform(_ found: Set<VisitorToken>) -> WebPlatform {
        // It named all others, to be given their pages.
        if found.contains(.windowsPhone) { return .desktop }
        if found.contains(.iPad) { return .ipad }
        if found.contains(.iPhone) { return .ios }
        return found.contains(.android) ? .android : .desktop
    }
}
