package import HTTPMessages
import Resolution

/// The classification of a request for the access log, the metrics and visits: the site and the
/// part of it that the request asked for, and the outcome. `Responder` decides it together with the
/// answer; nothing else classifies requests.
package struct RequestSummary: Sendable {
    package var route = Route.none
    package var outcome = Outcome.none
    /// What is wrong with the request, where it is refused for that.
    package var fault: MessageError.Kind?
    /// The number of the link that claimed it, in the resolver's `links`.
    package var link: Int?
    /// The number of the stored link that was found; `missed` for a path of a collection that has
    /// no such link, and 0 for anything else.
    package var stored: UInt64 = 0
    /// The number of the collection that was asked for a stored link; 0 for none.
    package var collection: UInt32 = 0
    /// Whether it asked for a slug that is unknown to strangers.
    package var isMiss = false
    /// The number of its site; nil if several sites leave open whose request it was.
    package var site: Int? = 0

    /// What its user agent stands for; nil where that was not asked.
    package var visitor: VisitorKind?

    @inlinable package static var missed: UInt64 { .max }

    @inlinable package init() {}

    /// Of a request that is refused for its form, whatever it asks for.
    package init(refusedWith status: Status, _ fault: MessageError.Kind?) {
        (outcome, self.fault) = (Outcome(refusedWith: status), fault)
    }

    /// The request is refused for its content.
    package mutating func refuse(_ status: Status, _ fault: MessageError.Kind) {
        (outcome, self.fault) = (Outcome(refusedWith: status), fault)
    }

    /// Of a request that the router has decided.
    /// - Parameter resource: the route of the resource, where it is one's.
    @inline(__always)
    init(_ decision: Decision, resource: Route) {
        switch decision {
        case .resource: (route, outcome) = (resource, Outcome(resource))
        case .challenge: (route, outcome) = (.challenge, .challenge)
        case .redirectToHTTPS: (route, outcome) = (.https, .https)
        case .unmatched, .directory, .notFound: (route, outcome) = (.unmatched, .notFound)
        case .unknownHost: outcome = .unknownHost
        }
    }

    /// Takes over what the web shows for a link.
    mutating func add(_ decision: WebDecision) {
        if let match = decision.stored {
            stored = match.id
        } else if case .unknownSlug = decision.reason {
            stored = Self.missed
        }
        if let link = decision.link, !decision.reason.isUnmatched {
            (route, self.link) = (.link, link)
        }
        outcome =
            switch decision.answer {
            case .page: .page
            case .landing(let offer), .summary(let offer): offer.isUnknown ? .notFound : .page
            case .redirect: decision.leadsToStore ? .store : .redirect
            case .notFound, .gone, .fallback: .notFound
            case .tooLong: .tooLarge
            case .refused: .refused
            case .debug: .page
            }
        // Whoever looks what a link does is no visitor.
        if case .debug = decision.answer { stored = 0 }
    }
}

/// Which part of the site a request belongs to: few enough to count each.
package enum Route: UInt8, Sendable, CaseIterable {
    /// No part of this site: malformed, for another host, or with a method that nothing has.
    case none
    case aasa, assetlinks, robots, sitemap, manifest, file, link, challenge
    /// Plain HTTP that is redirected to https.
    case https
    /// A path that nothing claims.
    case unmatched
    /// What a handler answers on another thread.
    case handler

    package var isAssociation: Bool { self == .aasa || self == .assetlinks }

    init(_ resource: Resource) {
        switch resource {
        case .appleAppSiteAssociation: self = .aasa
        case .assetLinks: self = .assetlinks
        case .robots: self = .robots
        case .sitemap: self = .sitemap
        case .manifest: self = .manifest
        case .publicFile: self = .file
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

/// What a request got, whatever its status is.
package enum Outcome: UInt8, Sendable, CaseIterable {
    case none
    case aasa, assetlinks
    /// A public file, or what is generated in place of one.
    case file
    /// A link's page, a redirect that it asks for, or its app's page in a store.
    case page, redirect, store
    /// The same address over https.
    case https
    case challenge
    case notFound, unknownHost
    /// A method that nothing here has, or OPTIONS.
    case method
    /// A malformed request, or malformed content.
    case refused
    /// More of one than the limits allow, or not all of it in time.
    case tooLarge, timeout
    /// Refused because there were too many connections.
    case limited
    /// An answer from another thread.
    case handled

    @inline(__always)
    init(_ resource: Route) {
        switch resource {
        case .aasa: self = .aasa
        case .assetlinks: self = .assetlinks
        default: self = .file
        }
    }

    /// Of a request that is refused with this status for its form, whatever it asks for.
    package init(refusedWith status: Status) {
        switch status {
        case .requestTimeout: self = .timeout
        case .contentTooLarge, .uriTooLong, .fieldsTooLarge: self = .tooLarge
        default: self = .refused
        }
    }

    package var name: StaticString {
        switch self {
        case .none: "none"
        case .aasa: "aasa"
        case .assetlinks: "assetlinks"
        case .file: "file"
        case .page: "page"
        case .redirect: "redirect"
        case .store: "store"
        case .https: "https"
        case .challenge: "challenge"
        case .notFound: "not_found"
        case .unknownHost: "unknown_host"
        case .method: "method"
        case .refused: "refused"
        case .tooLarge: "too_large"
        case .timeout: "timeout"
        case .limited: "limited"
        case .handled: "handled"
        }
    }
}
