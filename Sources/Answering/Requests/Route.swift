import Resolution

/// The part of the site that a request belongs to. There are few enough to count each.
public enum Route: UInt8, Sendable, CaseIterable {
    /// No part of this site: malformed, for another host, or with a method that nothing has.
    case none
    case aasa, assetlinks, robots, sitemap, manifest, file, link, challenge
    /// Plain HTTP that is redirected to https.
    case https
    /// A path that nothing claims.
    case unmatched
    /// A request that a handler answers on another thread.
    case handler

    package var isAssociation: Bool { self == .aasa || self == .assetlinks }

    init(_ resource: Resource) {
        switch resource {
        case .appleAppSiteAssociation: self = .aasa
        case .assetLinks: self = .assetlinks
        case .robots: self = .robots
        case .sitemap: self = .sitemap
        case .manifest: self = .manifest
        case .publicFile, .wellKnown: self = .file
        }
    }

    package var name: StaticString {
        switch self {
        case .none: "none"
        case .aasa: "aasa"
        case .assetlinks: "assetlinks"
        case .robots: "robots"
        case .sitemap: "sitemap"
        case .manifest: "manifest"
        case .file: "file"
        case .link: "link"
        case .challenge: "challenge"
        case .https: "https"
        case .unmatched: "unmatched"
        case .handler: "handler"
        }
    }
}
