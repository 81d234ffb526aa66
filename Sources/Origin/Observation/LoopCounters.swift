import HTTPMessages
import Memory
import Resolution
import SiteConfiguration

/// What one loop counts, each thing in a cell of its own, for whoever reads the metrics.
struct LoopCounters: Sendable {
    let places = CounterPlaces()
    let cells: CounterCells

    init() { cells = CounterCells(count: places.count) }

    /// Counts an answer that was given whole, or as far as it was.
    func count(_ tally: Tally, _ result: Written, microseconds: Int) {
        let code = StatusIndex.of(result.status)
        let route = Int(tally.route.rawValue)
        cells.add(1, at: places.requests(route, Int(tally.method.rawValue), code))
        cells.add(1, at: places.durations(route, Buckets.duration(microseconds)))
        cells.add(microseconds, at: places.durationSums + route)
        cells.add(1, at: places.sizes(route, Buckets.size(result.bytes)))
        cells.add(result.bytes, at: places.sizeSums + route)
        switch tally.route {
        case .aasa, .assetlinks:
            let file = tally.route == .aasa ? 0 : 1
            cells.add(1, at: places.associations(file, Int(tally.visitor.group), code))
        case .link:
            cells.add(
                1, at: places.links(Int(tally.outcome.rawValue), Int(tally.visitor.platform)))
        default: break
        }
    }

    /// An answer was not taken whole.
    func countAborted(_ reason: AbortReason) { cells.add(1, at: places.aborted + Int(reason.rawValue)) }

    /// A request whose answer takes more than a turn begins (1) or ends (-1).
    func countInFlight(_ change: Int) { cells.add(change, at: places.inFlight) }

    func countAccepted(_ kind: ListenerKind) { cells.add(1, at: places.accepted + kind.index) }

    func countRejected(_ reason: Rejection) {
        cells.add(1, at: places.rejected + Int(reason.rawValue))
    }

    /// A request was refused because of a limit of connections.
    func countLimited(_ standing: Standing) {
        cells.add(1, at: places.limited + Int(standing.rawValue))
    }

    /// A connection goes from one phase to another; nil is before its first and after its last.
    func countPhase(_ before: Connection.Phase?, _ after: Connection.Phase?) {
        if let before { cells.add(-1, at: places.phases + Int(before.rawValue)) }
        if let after { cells.add(1, at: places.phases + Int(after.rawValue)) }
    }

    /// The time of a connection in this phase is over.
    func countTimeout(_ phase: Connection.Phase) {
        cells.add(1, at: places.timeouts + Int(phase.rawValue))
    }

    func countHandshake(isTLS13: Bool, isResumed: Bool) {
        cells.add(1, at: places.handshakes + (isTLS13 ? 2 : 0) + (isResumed ? 1 : 0))
    }

    func countHandshakeError(_ reason: HandshakeError) {
        cells.add(1, at: places.handshakeErrors + Int(reason.rawValue))
    }
}

/// Where each number is. A value, as a global would be made sure of for each request.
struct CounterPlaces: Sendable {
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
    var limited: Int { rejected + Rejection.allCases.count }
    var phases: Int { limited + Standing.allCases.count }
    var timeouts: Int { phases + Connection.Phase.allCases.count }
    var handshakes: Int { timeouts + Connection.Phase.allCases.count }
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

/// What counters need to know of a request when its answer is over; its head may be gone by then.
struct Tally: Sendable {
    var route = Route.none
    var method = Method.other
    var outcome = Outcome.none
    var visitor = VisitorKind()
}

/// Why an answer was not taken whole.
enum AbortReason: UInt8, Sendable, CaseIterable {
    /// The client had gone.
    case reset
    /// It took too little of it.
    case timeout
    /// The origin had no more time to stop.
    case stop
    /// It could not be encrypted.
    case error

    var name: StaticString {
        switch self {
        case .reset: "reset"
        case .timeout: "timeout"
        case .stop: "stop"
        case .error: "error"
        }
    }
}

/// Why a connection was not kept.
enum Rejection: UInt8, Sendable, CaseIterable {
    /// A listener behind a proxy, and a peer that is none; or what is no header of that protocol.
    case untrustedPeer, proxyHeader
    /// There were too many, and too many guests; or from its address.
    case connections, address
    /// There was no descriptor, or no memory for it.
    case descriptors, memory

    var name: String {
        switch self {
        case .untrustedPeer: "untrusted_peer"
        case .proxyHeader: "proxy_header"
        case .connections: "connections"
        case .address: "address"
        case .descriptors: "descriptors"
        case .memory: "memory"
        }
    }
}

/// Why a handshake did not come to its end.
enum HandshakeError: UInt8, Sendable, CaseIterable {
    /// One side refused: no common version or cipher, an unknown name, no TLS at all.
    case refused
    /// The peer went away.
    case closed
    case timeout

    var name: String {
        switch self {
        case .refused: "refused"
        case .closed: "closed"
        case .timeout: "timeout"
        }
    }
}

/// Status codes by their place in `Status.allCases`; any other comes behind them.
enum StatusIndex {
    static let codes = Status.allCases.map(\.rawValue)
    static let count = codes.count + 1

    private static let indexes: [UInt8] = {
        var indexes = [UInt8](repeating: UInt8(codes.count), count: 600)
        for (index, code) in codes.enumerated() { indexes[code] = UInt8(index) }
        return indexes
    }()

    /// Those that tell a fetcher that the file is there.
    static let successes = [of(200), of(304)]

    /// Those with which a request for a file that is there fails.
    static let failures = (0..<count).filter {
        $0 == codes.count || ![200, 206, 304].contains(codes[$0])
    }

    static func of(_ code: Int) -> Int {
        indexes.indices.contains(code) ? Int(indexes[code]) : codes.count
    }

    static func name(_ index: Int) -> String { index < codes.count ? "\(codes[index])" : "other" }
}

/// The histograms' buckets.
enum Buckets {
    /// In microseconds. This origin answers most requests within the first.
    private static let durationBounds: [15 of Int] = [
        250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000,
    ]
    static let durationCount = 15
    static let durationTexts = [
        "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25",
        "0.5", "1.0", "2.5", "5.0", "10.0",
    ]
    /// In bytes: 256, and four times as many for each further one, up to 4 MiB.
    static let sizeCount = 8
    static let sizeTexts = (0..<sizeCount).map { "\(256 << (2 * $0)).0" }

    static func duration(_ microseconds: Int) -> Int {
        var index = 0
        while index < durationCount, microseconds > durationBounds[index] { index += 1 }
        return index
    }

    static func size(_ bytes: Int) -> Int {
        var index = 0
        while index < sizeCount, bytes > 256 << (2 * index) { index += 1 }
        return index
    }
}
