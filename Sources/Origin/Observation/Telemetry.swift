import Files
import HTTPMessages
import Memory
import Metrics
import Resolution
import SiteConfiguration
import TLS

/// What the whole origin tells of itself: every loop's counters, added up when somebody asks.
final class Telemetry: Sendable {
    let loops: [LoopCounters]
    private let places = CounterPlaces()
    private let reloads: ReloadState
    private let health: Health
    private let log: AccessLogOutput?
    private let connectionsMax: Int
    private let version: String

    /// - Parameter connectionsMax: over all loops, as long as this process runs.
    init(
        loops: Int, _ reloads: ReloadState, _ health: Health, _ log: AccessLogOutput?,
        connectionsMax: Int, version: String
    ) {
        self.loops = (0..<loops).map { _ in LoopCounters() }
        self.reloads = reloads
        self.health = health
        self.log = log
        self.connectionsMax = connectionsMax
        self.version = version
    }

    /// All metrics as they are now.
    /// - Parameter addressMax: how many connections an address may have under this snapshot.
    func expose(_ format: ExpositionFormat, _ snapshot: Snapshot, addressMax: Int) -> [UInt8] {
        var page = Exposition(format)
        exposeState(&page, snapshot)
        exposeRequests(&page)
        exposeConnections(&page)
        exposeLimits(&page, addressMax: addressMax)
        exposeTLS(&page, snapshot)
        exposeDomain(&page)
        exposeLog(&page)
        exposeProcess(&page)
        return page.bytes
    }

    private func exposeState(_ page: inout Exposition, _ snapshot: Snapshot) {
        page.begin(MetricCatalogue.build)
        page.add(
            .integer(1), .init("version", version), .init("swift", swiftVersion),
            .init("openssl", openSSLVersion))
        page.begin(MetricCatalogue.configuration)
        page.add(
            .integer(1), .init("env", snapshot.environment.name), .init("hash", reloads.hash))
        page.begin(MetricCatalogue.generation)
        page.add(.integer(reloads.generation))
        page.begin(MetricCatalogue.reloadSuccessful)
        page.add(.integer(reloads.isLastGood ? 1 : 0))
        page.begin(MetricCatalogue.reloadTime)
        page.add(.integer(reloads.lastGoodSeconds))
        page.begin(MetricCatalogue.ready)
        page.add(.integer(health.isReady ? 1 : 0))
    }

    private func exposeRequests(_ page: inout Exposition) {
        page.begin(MetricCatalogue.requests)
        for route in Route.allCases {
            for method in 0..<CounterPlaces.methods {
                for code in 0..<StatusIndex.count {
                    addUnlessZero(
                        &page,
                        places.requests(Int(route.rawValue), method, code),
                        .init("route", route.name), .init("method", methodNames[method]),
                        .init("code", StatusIndex.name(code)))
                }
            }
        }
        page.begin(MetricCatalogue.durations)
        for route in Route.allCases {
            let index = Int(route.rawValue)
            let counts = (0...Buckets.durationCount).map { sum(places.durations(index, $0)) }
            let total = MetricValue.millionths(sum(places.durationSums + index))
            add(&page, counts, total, bounds: Buckets.durationTexts, route)
        }
        page.begin(MetricCatalogue.sizes)
        for route in Route.allCases {
            let index = Int(route.rawValue)
            let counts = (0...Buckets.sizeCount).map { sum(places.sizes(index, $0)) }
            let total = MetricValue.integer(sum(places.sizeSums + index))
            add(&page, counts, total, bounds: Buckets.sizeTexts, route)
        }
        page.begin(MetricCatalogue.inFlight)
        add(&page, places.inFlight)
        page.begin(MetricCatalogue.aborted)
        for reason in AbortReason.allCases {
            add(&page, places.aborted + Int(reason.rawValue), .init("reason", reason.name))
        }
    }

    private func exposeConnections(_ page: inout Exposition) {
        page.begin(MetricCatalogue.connections)
        for phase in Connection.Phase.allCases where phase != .closed {
            add(
                &page, places.phases + Int(phase.rawValue),
                .init("state", "\(phase)"))
        }
        page.begin(MetricCatalogue.accepted)
        for kind in ListenerKind.allCases {
            add(
                &page, places.accepted + kind.index, .init("listener", kind.rawValue))
        }
        page.begin(MetricCatalogue.rejected)
        for reason in Rejection.allCases {
            add(
                &page, places.rejected + Int(reason.rawValue),
                .init("reason", reason.name))
        }
        page.begin(MetricCatalogue.limited)
        for standing in Standing.allCases where standing != .welcome {
            add(
                &page, places.limited + Int(standing.rawValue),
                .init("limit", standing.limitName))
        }
        page.begin(MetricCatalogue.timeouts)
        for phase in Connection.Phase.allCases where phase != .lingering && phase != .closed {
            add(
                &page, places.timeouts + Int(phase.rawValue),
                .init("state", "\(phase)"))
        }
    }

    /// Each limit in force stands beside what it bounds, under a name of its own: their units
    /// differ, so that values of one name could not be added up.
    private func exposeLimits(_ page: inout Exposition, addressMax: Int) {
        page.begin(MetricCatalogue.connectionsLimit)
        page.add(.integer(connectionsMax))
        page.begin(MetricCatalogue.addressLimit)
        page.add(.integer(addressMax))
    }

    private func exposeTLS(_ page: inout Exposition, _ snapshot: Snapshot) {
        page.begin(MetricCatalogue.handshakes)
        for (index, version) in ["TLSv1.2", "TLSv1.3"].enumerated() {
            for (step, resumed) in ["false", "true"].enumerated() {
                add(
                    &page, places.handshakes + 2 * index + step,
                    .init("version", version), .init("resumed", resumed))
            }
        }
        page.begin(MetricCatalogue.handshakeErrors)
        for reason in HandshakeError.allCases {
            add(
                &page, places.handshakeErrors + Int(reason.rawValue),
                .init("reason", reason.name))
        }
        page.begin(MetricCatalogue.expiry)
        for validity in snapshot.validities {
            page.add(.integer(validity.notAfter), .init("host", validity.host))
        }
    }

    private func exposeDomain(_ page: inout Exposition) {
        // Also successes and failures that never happened: only what begins at 0 is seen to begin,
        // and a site's first answer to Apple may be its only one for weeks.
        page.begin(MetricCatalogue.associations)
        for (file, name) in associationFiles.enumerated() {
            for (group, fetcher) in VisitorGroup.allCases.enumerated() {
                for code in 0..<StatusIndex.count {
                    let value = sum(places.associations(file, group, code))
                    guard value > 0 || StatusIndex.successes.contains(code) else { continue }
                    page.add(
                        .integer(value), .init("file", name),
                        .init("fetcher", fetcher.rawValue), .init("code", StatusIndex.name(code)))
                }
            }
        }
        page.begin(MetricCatalogue.associationFailures)
        for (file, name) in associationFiles.enumerated() {
            for (group, fetcher) in VisitorGroup.allCases.enumerated() {
                let failures = StatusIndex.failures.reduce(0) {
                    $0 + sum(places.associations(file, group, $1))
                }
                page.add(
                    .integer(failures), .init("file", name),
                    .init("fetcher", fetcher.rawValue))
            }
        }
        page.begin(MetricCatalogue.links)
        for outcome in Outcome.allCases {
            for (index, platform) in WebPlatform.allCases.enumerated() {
                addUnlessZero(
                    &page, places.links(Int(outcome.rawValue), index),
                    .init("outcome", outcome.name), .init("platform", platform.rawValue))
            }
        }
    }

    private func exposeLog(_ page: inout Exposition) {
        page.begin(MetricCatalogue.dropped)
        page.add(.integer(log?.droppedCount ?? 0))
        page.begin(MetricCatalogue.logQueue)
        page.add(.integer(log?.fullestQueueBytes ?? 0))
        page.begin(MetricCatalogue.logQueueLimit)
        page.add(.integer(log?.queueBytesMax ?? 0))
    }

    private func exposeProcess(_ page: inout Exposition) {
        let figures = ProcessFigures()
        page.begin(MetricCatalogue.processor)
        page.add(.millionths(figures.processorMicroseconds))
        page.begin(MetricCatalogue.resident)
        page.add(.integer(figures.residentBytes))
        page.begin(MetricCatalogue.virtual)
        page.add(.integer(figures.virtualBytes))
        page.begin(MetricCatalogue.descriptors)
        page.add(.integer(figures.openDescriptors))
        page.begin(MetricCatalogue.descriptorsMax)
        page.add(.integer(figures.descriptorsMax))
        page.begin(MetricCatalogue.start)
        page.add(.integer(figures.startSeconds))
    }

    // MARK: Adding up

    private func sum(_ place: Int) -> Int {
        Int(truncatingIfNeeded: loops.reduce(0) { $0 &+ $1.cells[place] })
    }

    private func add(_ page: inout Exposition, _ place: Int, _ labels: MetricLabel...) {
        page.add(.integer(sum(place)), labels)
    }

    /// What has never happened, of very many things that could, is not told.
    private func addUnlessZero(_ page: inout Exposition, _ place: Int, _ labels: MetricLabel...) {
        let value = sum(place)
        if value > 0 { page.add(.integer(value), labels) }
    }

    /// A route's histogram, unless it is empty.
    private func add(
        _ page: inout Exposition, _ counts: [Int], _ sum: MetricValue, bounds: [String],
        _ route: Route
    ) {
        guard counts.contains(where: { $0 > 0 }) else { return }
        page.add(
            MetricHistogram(counts: counts, sum: sum), bounds: bounds, .init("route", route.name))
    }
}

/// By their numbers.
private let associationFiles = ["aasa", "assetlinks"]
/// By the methods' numbers. What clients make up is one of them, or there would be no end of them.
private let methodNames = [
    "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "_OTHER",
]

private var swiftVersion: String {
    #if compiler(>=6.4)
        "6.4 or later"
    #elseif compiler(>=6.3)
        "6.3"
    #else
        "6.2"
    #endif
}
