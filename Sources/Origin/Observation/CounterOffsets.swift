import Answering
import Resolution
import SiteConfiguration
import Snapshots

/// The index of each counter's cell. A value and not a global, whose initialization each request
/// would have to check.
struct CounterOffsets: Sendable {
    static let methods = 10
    let codes = StatusIndex.count
    let requestStart: Int
    let durationStart: Int
    let durationSums: Int
    let sizeStart: Int
    let sizeSums: Int
    let associationStart: Int
    let linkStart: Int
    let inFlight: Int

    // These are asked for seldom, and worked out then: kept here too, they would make this a value
    // so large that each request copies it (100 instructions).
    var aborted: Int { inFlight + 1 }
    var accepted: Int { aborted + AbortReason.allCases.count }
    var rejected: Int { accepted + ListenerKind.allCases.count }
    var adminClosed: Int { rejected + Rejection.allCases.count }
    var limited: Int { adminClosed + 1 }
    var guesses: Int { limited + ConnectionLimit.allCases.count }
    var withoutScheme: Int { guesses + 1 }
    var phases: Int { withoutScheme + 1 }
    var timeouts: Int { phases + ConnectionPhase.allCases.count }
    var handshakes: Int { timeouts + ConnectionPhase.allCases.count }
    var handshakeErrors: Int { handshakes + 4 }
    var count: Int { handshakeErrors + HandshakeError.allCases.count }

    /// The cells of links and sites by name come first: their offset is known without a look.
    static var linkClasses: Int { 2 * LinkClass.allCases.count }
    static var siteClasses: Int { 5 }
    private static var siteStart: Int { CountedNames.linksMax * linkClasses }
    private static var siteEnd: Int { siteStart + CountedNames.sitesMax * siteClasses }

    private let groups = VisitorGroup.allCases.count
    private let platforms = WebPlatform.allCases.count

    init() {
        var end = 0
        func take(_ count: Int) -> Int {
            defer { end += count }
            return end
        }
        _ = take(Self.siteEnd)
        let routes = Route.allCases.count
        requestStart = take(routes * Self.methods * codes)
        durationStart = take(routes * (Buckets.durationCount + 1))
        durationSums = take(routes)
        sizeStart = take(routes * (Buckets.sizeCount + 1))
        sizeSums = take(routes)
        associationStart = take(2 * groups * codes)
        linkStart = take(Outcome.allCases.count * platforms)
        inFlight = end
    }

    func requests(_ route: Int, _ method: Int, _ code: Int) -> Int {
        requestStart + (route * Self.methods + method) * codes + code
    }
    /// - Parameter name: its number in `CountedNames`.
    func link(_ name: Int, _ outcome: LinkClass, isProgram: Bool) -> Int {
        name * Self.linkClasses + 2 * outcome.rawValue + (isProgram ? 1 : 0)
    }
    /// - Parameter status: the first digit counts.
    func site(_ name: Int, status: Int) -> Int {
        Self.siteStart + name * Self.siteClasses + min(max(status / 100, 1), 5) - 1
    }
    func durations(_ route: Int, _ bucket: Int) -> Int {
        durationStart + route * (Buckets.durationCount + 1) + bucket
    }
    func sizes(_ route: Int, _ bucket: Int) -> Int {
        sizeStart + route * (Buckets.sizeCount + 1) + bucket
    }
    func associations(_ file: Int, _ group: Int, _ code: Int) -> Int {
        associationStart + (file * groups + group) * codes + code
    }
    func links(_ outcome: Int, _ platform: Int) -> Int {
        linkStart + outcome * platforms + platform
    }
}

/// A kind of answer to a link's visitor, as far as it is counted for each link.
enum LinkClass: Int, CaseIterable {
    case page, redirect, store, notFound, other

    init(_ outcome: Outcome) {
        switch outcome {
        case .page: self = .page
        case .redirect: self = .redirect
        case .store: self = .store
        case .notFound: self = .notFound
        default: self = .other
        }
    }

    var name: String {
        switch self {
        case .page: "page"
        case .redirect: "redirect"
        case .store: "store"
        case .notFound: "not_found"
        case .other: "other"
        }
    }
}
