import AccessLog
import HTTPMessages
import Memory
import Resolution
import SiteConfiguration
import Sockets
import TLS

/// What one loop works with, shared by its connections one after the other: buffers, the request
/// reader, the TLS transport, the time, and the snapshot in force, taken apart so that answering
/// from it touches no reference count.
///
/// Its methods are mutating even where they change nothing: called from one that is, the compiler
/// hands a mutable context on in place, but makes a copy of all of it for a method that only reads.
struct LoopContext: ~Copyable {
    /// Those of the configuration in force.
    private(set) var limits: OriginLimits
    /// Those that hold for what a configuration does not set.
    private let usualLimits: OriginLimits
    var reader: RequestReader
    var transport: TLSTransport
    /// Encrypted bytes as they were received.
    var received: ByteBuffer
    /// Requests, decrypted: what a connection had left over, and what has come.
    var input: ByteBuffer
    /// Answers, before encryption.
    var output: ByteBuffer
    /// The status that was written last, and where in `output` its head ends.
    var status = Status.ok
    var headEnd = 0
    /// The decoded path of the request at hand, and its host in lower case.
    var path: [UInt8]
    var host: [UInt8]
    /// What the host of this number (`RequestHead.hostNumber`) is to a connection with the
    /// certificate of this number.
    var decidedHost = (number: 0, certificate: 0, standing: HostStanding.stranger)
    /// The certificate of the connection at hand; nil where it speaks no TLS with this origin.
    var certificate: ServerCertificate? {
        didSet { certificateNumber = certificate?.number ?? 0 }
    }
    private(set) var certificateNumber = 0
    /// The URL of a request for a link, and what deciding about it needs.
    var linkText = [UInt8]()
    var linkScratch = LinkScratch()
    /// A generated page of which a part is still to be written.
    var longDocument: [UInt8]?
    /// Whether the connection at hand speaks TLS.
    var isSecure = false

    // The snapshot in force.
    var snapshot: Snapshot
    var bytes: [UInt8]
    var resources: [PreparedResource]
    var statuses: PreparedStatuses
    var router: Router
    /// The field line that tells browsers to stay with https; empty for none.
    private(set) var transportSecurity: [UInt8]
    private(set) var proxies: ProxySettings
    private(set) var routes: [Route]
    /// Whether anything has to be noted of requests: for lines, counters, or proxies.
    private(set) var isObserved = false
    private var seen: UInt64 = 0

    /// The monotonic clock at this turn's start, and seconds since 1970.
    var microseconds: Int
    var milliseconds: Int
    var unixSeconds: Int
    /// `unixSeconds` as the Date field writes it.
    var date: [UInt8]
    private var dateChangesAt = 0
    /// Every answer now says that its connection ends.
    var isDraining = false
    /// Nothing new is accepted.
    var isStopping = false
    let health: Health
    let httpsPort: UInt16?
    var log: RequestLog
    /// Nil where nobody can ask for metrics.
    let telemetry: Telemetry?
    let counters: LoopCounters?
    let adminHosts: AdminHosts
    var visitors = VisitorCache()
    /// Nil where there are no connections to be counted.
    let admission: Admission?
    let memory: MemoryBudget?
    var shortages: LoopShortages
    let peers: PeerReport?
    /// A descriptor that is given up where another one is needed, to refuse a connection, to tell
    /// of health, or to read a challenge.
    var reserve = ReserveDescriptor()

    /// - Parameters:
    ///   - limits: those that hold for what a configuration does not set.
    ///   - loop: the number of the loop, from 0.
    init(
        _ shared: SharedByLoops, limits: OriginLimits, loop: Int = 0
    ) throws(OpenSSLError) {
        limits.check()
        let log = try RequestLog.share(of: shared.log, loop: loop)
        let transport = try TLSTransport(
            outgoingCapacity: 2 * limits.writeBytesMax + 2 * tlsRecordBytesMax)
        self.log = log
        self.transport = transport
        telemetry = shared.telemetry
        adminHosts = shared.adminHosts
        admission = shared.admission
        memory = shared.memory
        shortages = LoopShortages(shared.shortages)
        peers = shared.peers
        counters = telemetry?.loops[loop]
        self.limits = limits
        usualLimits = limits
        health = shared.health
        httpsPort = shared.httpsPort
        reader = RequestReader(limits: limits.request)
        // A record may be finished by what arrives now: its plaintext comes on top.
        input = ByteBuffer(
            capacity: limits.receiveBytesMax + RequestLimits.headBytesMost + 2 * tlsRecordBytesMax)
        received = ByteBuffer(capacity: limits.receiveBytesMax)
        output = ByteBuffer(capacity: limits.writeBytesMax)
        path = .init(repeating: 0, count: RequestLimits.headBytesMost)
        host = .init(repeating: 0, count: RequestLimits.headBytesMost)
        snapshot = shared.published.value
        bytes = snapshot.bytes
        resources = snapshot.resources
        statuses = snapshot.statuses
        router = snapshot.router
        transportSecurity = snapshot.transportSecurity
        proxies = ProxySettings()
        routes = []
        microseconds = Clock.monotonicMicroseconds
        milliseconds = microseconds / 1000
        unixSeconds = Clock.unixSeconds
        date = HTTPDate.format(unixSeconds)
        refresh(shared.published)
    }

    /// Brings the time, and after a reload the snapshot, up to date; once a turn.
    mutating func refresh(_ published: Published<Snapshot>) {
        microseconds = Clock.monotonicMicroseconds
        milliseconds = microseconds / 1000
        if milliseconds >= dateChangesAt { refreshDate() }
        guard let changed = published.changed(since: &seen) else { return }
        writeFrom(changed)
        router = changed.router
        decidedHost.number = 0
        proxies = changed.environment.proxies
        limits = usualLimits.setting(changed.environment.limits)
        limits.check()
        reader.adopt(limits.request)
        log.adopt(changed.environment, generation: Int(seen))
        log.exchange = Exchange()
        isObserved = log.isOn || counters != nil || !proxies.trusted.isEmpty
        routes = changed.router.resources.map(Route.init)
    }

    /// Takes what is written from this snapshot.
    mutating func writeFrom(_ other: Snapshot) {
        guard snapshot !== other else { return }
        snapshot = other
        bytes = other.bytes
        resources = other.resources
        statuses = other.statuses
        transportSecurity = other.transportSecurity
    }

    /// Writes the date anew, and finds out when the next second begins.
    private mutating func refreshDate() {
        let now = Clock.unixMilliseconds
        (unixSeconds, dateChangesAt) = (now / 1000, milliseconds + 1000 - now % 1000)
        date = HTTPDate.format(unixSeconds)
        log.adjust()
    }

    /// The bytes that the range returned by `write` is a place in: a generated page's, or the
    /// snapshot's.
    mutating func takeBody() -> [UInt8] {
        guard let document = longDocument else { return bytes }
        longDocument = nil
        return document
    }

    func deadline(seconds: Int) -> Int { milliseconds + seconds * 1000 }
}

/// What a request's host is to the connection that it came over.
enum HostStanding {
    /// One that is answered.
    case ours
    /// One that is answered, over a connection whose certificate is not for it (RFC 9110 §7.4).
    case uncovered
    case stranger
}

/// The most plaintext that one TLS record carries (RFC 8446 §5.1).
private let tlsRecordBytesMax = 16384
