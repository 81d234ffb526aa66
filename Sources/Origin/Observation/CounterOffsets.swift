import Answering
import Resolution
import SiteConfiguration

/// The index of each counter's cell. A value and not a global, whose initialization each request
/// would have to check.
struct CounterOffsets: Sendable {
    static let methods = 10
    let codes = StatusIndex.count
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
    var phases: Int { limited + ConnectionLimit.allCases.count }
    var timeouts: Int { phases + ConnectionPhase.allCases.count }
    var handshakes: Int { timeouts + ConnectionPhase.allCases.count }
    var handshakeErrors: Int { handshakes + 4 }
    var count: Int { handshakeErrors + HandshakeError.allCases.count }

    private let groups = VisitorGroup.allCases.count
    private let platforms = WebPlatform.allCases.count

    init() {
        var end = 0
        func take(_ count: Int) -> Int {
            defer { end += count }
            return end
        }
        let routes = Route.allCases.count
        _ = take(routes * Self.methods * codes)
        durationStart = take(routes * (Buckets.durationCount + 1))
        durationSums = take(routes)
        sizeStart = take(routes * (Buckets.sizeCount + 1))
        sizeSums = take(routes)
        associationStart = take(2 * groups * codes)
        linkStart = take(Outcome.allCases.count * platforms)
        inFlight = end
    }

    func requests(_ route: Int, _ method: Int, _ code: Int) -> Int {
        (route * Self.methods + method) * codes + code
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
