import AccessLog
import Resolution
import SiteConfiguration

// What the access log and the counters will say of the current request: its route and outcome.
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
