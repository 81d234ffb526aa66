package import HTTPMessages
import Resolution

/// The classification of a request for the access log, the metrics and visits: the site and the
/// part of it that the request asked for, and the outcome. `Responder` decides it together with the
/// answer; nothing else classifies requests.
package struct RequestSummary: Sendable {
    package var route = Route.none
    package var outcome = Outcome.none
    /// The fault of the request, where it is refused for that.
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

    /// The kind of client that its user agent stands for; nil where that was not asked.
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
        case .changePassword: (route, outcome) = (.file, .redirect)
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
