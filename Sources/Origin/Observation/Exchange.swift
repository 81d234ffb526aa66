import AccessLog
import ClientAddress
import HTTPMessages
import Resolution
import SiteConfiguration

/// The request at hand, as the log and the metrics will tell it when its answer is given.
struct Exchange: Sendable {
    /// Nil for a request that could not be read.
    var head: RequestHead?
    /// Where in the input a request begins that could not be read.
    var start = 0
    var route = Route.none
    var outcome = Outcome.none
    /// What is wrong with it, where it is refused for that.
    var fault: MessageError.Kind?
    /// The name of the link that claimed it, in the log's notes.
    var link = 0..<0
    /// Who asks.
    var client = IPAddress(high: 0, low: 0)
    /// What it is called, in the log's notes; empty where nobody will ask.
    var identifier = 0..<0
    /// Whether the answer says so: to trusted proxies, so that others get what `explain` shows.
    var saysIdentifier = false
    /// The value of `traceparent`, in the input, when it is one.
    var traceParent: Range<Int>?
}

/// Which of the site's parts a request belongs to: few enough to count each.
enum Route: UInt8, Sendable, CaseIterable {
    /// No part of this site: malformed, for another host, or with a method that nothing has.
    case none
    case aasa, assetlinks, robots, sitemap, manifest, file, link, challenge
    /// Plain HTTP that is sent to https.
    case https
    /// Whatever nothing claims.
    case unmatched

    var isAssociation: Bool { self == .aasa || self == .assetlinks }

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

    var name: StaticString {
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
        }
    }
}

/// What became of a request, whatever its status says.
enum Outcome: UInt8, Sendable, CaseIterable {
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
    /// Not a request, or its content is none.
    case refused
    /// More of one than the limits allow, or not all of it in time.
    case tooLarge, timeout
    /// A request over one connection too many.
    case limited

    /// Of a request that is refused with this status for what it is, whatever it asks for.
    init(refusedWith status: Status) {
        switch status {
        case .requestTimeout: self = .timeout
        case .contentTooLarge, .uriTooLong, .fieldsTooLarge: self = .tooLarge
        default: self = .refused
        }
    }

    var name: StaticString {
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
        }
    }
}

extension LoopContext {
    /// Notes what the router has decided about the request at hand.
    mutating func note(_ decision: Decision) {
        guard isObserved else { return }
        switch decision {
        case .resource(let number):
            let route = routes[number]
            log.exchange.route = route
            log.exchange.outcome =
                switch route {
                case .aasa: .aasa
                case .assetlinks: .assetlinks
                default: .file
                }
        case .challenge: (log.exchange.route, log.exchange.outcome) = (.challenge, .challenge)
        case .redirectToHTTPS: (log.exchange.route, log.exchange.outcome) = (.https, .https)
        case .unmatched, .notFound:
            (log.exchange.route, log.exchange.outcome) = (.unmatched, .notFound)
        case .unknownHost: log.exchange.outcome = .unknownHost
        }
    }

    /// Notes that the path of the request at hand, decoded in the first bytes of `path`, is that of
    /// an association file, which it does not get: whoever reads those for devices must not fail
    /// unseen.
    mutating func noteRefusedAssociation(_ count: Int) {
        guard isObserved, let file = Router.association(named: path, 0..<count) else { return }
        log.exchange.route = Route(file)
    }

    /// Notes what the web shows for the request at hand, and the link that claimed it.
    mutating func note(_ decision: WebDecision) {
        if let link = decision.link, !decision.reason.isUnmatched {
            log.exchange.route = .link
            let key = snapshot.linkResolver.links[link].key
            log.exchange.link = log.line.noteLink(key)
        }
        log.exchange.outcome =
            switch decision.answer {
            case .page, .landing, .summary: .page
            case .redirect: decision.leadsToStore ? .store : .redirect
            case .notFound, .fallback: .notFound
            }
    }

    /// Notes that the request at hand gets what the environment has for paths that nothing claims.
    mutating func noteUnmatched() {
        log.exchange.outcome =
            switch snapshot.environment.unmatched {
            case .page, .landing: .page
            case .redirect: .redirect
            case .store: .store
            case .notFound: .notFound
            }
    }
}
