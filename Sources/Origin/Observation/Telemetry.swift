import Answering
import Files
import HTTPMessages
import LinkStore
import Memory
import Metrics
import Services
import SiteConfiguration
import Snapshots
import TLS

/// The figures of the whole origin: every loop's counters, added up when somebody asks.
final class Telemetry: Sendable {
    let loops: [LoopCounters]
    let offsets = CounterOffsets()
    private let served: ServedOrigin
    private let log: AccessLogOutput?
    let connectionsMax: Int
    private let version: String
    private let links: LinkService?

    /// - Parameter connectionsMax: over all loops, as long as this process runs.
    init(
        loops: Int, _ served: ServedOrigin, _ log: AccessLogOutput?,
        connectionsMax: Int, version: String, links: LinkService?
    ) {
        self.links = links
        self.loops = (0..<loops).map { _ in LoopCounters() }
        self.served = served
        self.log = log
        self.connectionsMax = connectionsMax
        self.version = version
    }

    private var reloads: ReloadState { served.reloads }
    var renewals: RenewalFigures { served.renewals }

    /// The refusal of the last configuration, in words; empty if it was taken.
    var refusedReload: [String] {
        guard !reloads.isLastGood else { return [] }
        let date = HTTPDate.text(reloads.lastGoodSeconds)
        return ["the last reload was refused, and the log says why; served since \(date)"]
    }

    /// All metrics as they are now.
    /// - Parameter addressMax: how many connections an address may have under this snapshot.
    func expose(
        _ format: ExpositionFormat, _ snapshot: Snapshot, isReady: Bool, addressMax: Int
    ) -> [UInt8] {
        var page = Exposition(format)
        exposeState(&page, snapshot, isReady)
        exposeRequests(&page)
        exposeConnections(&page)
        exposeLimits(&page, addressMax: addressMax)
        exposeTLS(&page, snapshot)
        (served.checks.current ?? []).expose(&page)
        exposeDomain(&page)
        exposeNames(&page, snapshot.names)
        exposeStore(&page)
        exposeVisits(&page, links?.visits)
        exposeLog(&page)
        exposeProcess(&page)
        return page.bytes
    }

    private func exposeState(_ page: inout Exposition, _ snapshot: Snapshot, _ isReady: Bool) {
        page.begin(MetricCatalogue.build)
        page.add(
            .integer(1), .init("version", version), .init("swift", swiftVersion),
            .init("openssl", openSSLVersion))
        page.begin(MetricCatalogue.configuration)
        page.add(.integer(1), .init("env", snapshot.environment.name), .init("hash", reloads.hash))
        page.begin(MetricCatalogue.generation)
        page.add(.integer(reloads.generation))
        page.begin(MetricCatalogue.reloadSuccessful)
        page.add(.integer(reloads.isLastGood ? 1 : 0))
        page.begin(MetricCatalogue.reloadTime)
        page.add(.integer(reloads.lastGoodSeconds))
        page.begin(MetricCatalogue.siteCurrent)
        let faulty = Set(snapshot.siteFaults.map(\.site))
        for name in snapshot.sites.sites.compactMap(\.source.name) where !faulty.contains(name) {
            page.add(.integer(1), .init("site", name))
        }
        for name in faulty.sorted() { page.add(.integer(0), .init("site", name)) }
        page.begin(MetricCatalogue.ready)
        page.add(.integer(isReady ? 1 : 0))
    }

    private func exposeStore(_ page: inout Exposition) {
        page.begin(MetricCatalogue.storeUsable)
        if let links { page.add(.integer(links.state == .open ? 1 : 0)) }
        page.begin(MetricCatalogue.storeGeneration)
        if let generation = links?.generation { page.add(.integer(generation)) }
        page.begin(MetricCatalogue.storeLag)
        if let lag = links?.fleet.lagMilliseconds { page.add(.millionths(1_000 * lag)) }
        let fleet = links?.fleet.state
        page.begin(MetricCatalogue.storeNodes)
        if let fleet { page.add(.integer(fleet.present.count)) }
        page.begin(MetricCatalogue.storeConfigurations)
        if let fleet { page.add(.integer(fleet.configurations.count)) }
        page.begin(MetricCatalogue.storeSynchronous)
        if let fleet { page.add(.integer(fleet.isSynchronous ? 1 : 0)) }
        page.begin(MetricCatalogue.storeNotified)
        if let isNotified = fleet?.isNotified { page.add(.integer(isNotified ? 1 : 0)) }
        page.begin(MetricCatalogue.storeClockOffset)
        if let own = fleet?.nodes.first(where: { $0.name == fleet?.own }) {
            // Whatever the database has; some years are enough.
            page.add(.millionths(1_000 * min(max(own.clockOffset, -1 << 40), 1 << 40)))
        }
    }

    private func exposeLog(_ page: inout Exposition) {
        page.begin(MetricCatalogue.dropped)
        page.add(.integer(log?.droppedCount ?? 0))
        page.begin(MetricCatalogue.droppedEvents)
        page.add(.integer(lostTexts))
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

    func sum(_ position: Int) -> Int {
        Int(truncatingIfNeeded: loops.reduce(0) { $0 &+ $1.cells[position] })
    }

    func add(_ page: inout Exposition, _ position: Int, _ labels: MetricLabel...) {
        page.add(.integer(sum(position)), labels)
    }

    /// Adds a sum unless it is 0: very many things could happen, and most never do.
    func addUnlessZero(_ page: inout Exposition, _ position: Int, _ labels: MetricLabel...) {
        let value = sum(position)
        if value > 0 { page.add(.integer(value), labels) }
    }

    /// A route's histogram, unless it is empty.
    func add(
        _ page: inout Exposition, _ counts: [Int], _ sum: MetricValue, bounds: [String],
        _ route: Route
    ) {
        guard counts.contains(where: { $0 > 0 }) else { return }
        page.add(
            MetricHistogram(counts: counts, sum: sum), bounds: bounds, .init("route", route.name))
    }
}

private var swiftVersion: String {
    #if compiler(>=6.4)
        "6.4 or later"
    #elseif compiler(>=6.3)
        "6.3"
    #else
        "6.2"
    #endif
}
