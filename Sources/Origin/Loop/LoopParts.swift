import AccessLog
import Answering
import ClientAddress
import Files
import HTTPMessages
import Memory
import Resolution
import Services
import SiteConfiguration
import Snapshots
import Sockets
import TLS

/// The parts that one loop lends to its connections, one after the other. Each part owns its
/// fields; a function that needs one part takes that part, and only what moves a whole request
/// through a connection takes all of them.
struct LoopParts: ~Copyable {
    var turn: Turn
    /// The one in force.
    private(set) var snapshot: Snapshot
    /// Bytes as they come and go.
    var wire: Wire
    /// Requests, decrypted: what a connection had left over, and what has come.
    var input: RequestInput
    /// The request at hand: what `responder` has decided, and what is recorded of it.
    var request = RequestRecord()
    var responder: Responder
    /// Answers, before encryption.
    var writer: ResponseWriter
    var recorder: RequestRecorder
    var visits: VisitRecorder
    var gate: Gate
    var guesses: GuessTable
    let admin: AdminResponder
    /// The connection at hand, as far as answers depend on it.
    var client = Responder.Client(isSecure: false)
    /// Whether requests are identified: for lines, counters, or proxies.
    private(set) var identifiesRequests = false
    /// The tokens of connections that should go on, as handlers report them.
    var handledTokens: HandledTokens?
    private var seen: UInt64 = 0

    /// - Parameters:
    ///   - limits: those that hold for what a configuration does not set.
    ///   - loop: the number of the loop, from 0.
    init(_ shared: SharedByLoops, limits: OriginLimits, loop: Int) throws(OpenSSLError) {
        snapshot = shared.served.published.value
        let counters = shared.telemetry?.loops[loop]
        let wire = try Wire(limits)
        let recorder = try RequestRecorder(
            shared.log, counters, snapshot.names, countsVisits: shared.links != nil, loop: loop)
        turn = Turn(limits, shared.clock)
        self.wire = wire
        self.recorder = recorder
        visits = VisitRecorder(shared.links?.visits)
        // A record may be finished by what arrives now: its plaintext comes on top.
        input = RequestInput(
            capacity: limits.receiveBytesMax + RequestLimits.headBytesMost + 2 * tlsRecordBytesMax,
            limits: limits.request)
        responder = Responder(
            snapshot.sites, httpsPort: shared.httpsPort, storedLinks: shared.links?.links,
            handler: shared.handler)
        writer = ResponseWriter(
            snapshot.sites, capacity: limits.writeBytesMax, now: turn.unixSeconds)
        gate = Gate(shared)
        guesses = GuessTable(isUsed: shared.links != nil)
        admin = AdminResponder(
            shared.telemetry, shared.health, shared.adminHosts, shared.links,
            shared.served.checks, shared.handler)
        refresh(shared.served.published)
    }

    /// Brings the time, and after a reload the snapshot, up to date; once a turn.
    mutating func refresh(_ published: Published<Snapshot>) {
        if turn.begin() {
            writer.setDate(turn.unixSeconds)
            recorder.synchronizeClocks()
            visits.begin(turn)
            responder.releaseStoredLinks()
        }
        guard let next = published.changed(since: &seen) else { return }
        snapshot = next
        turn.use(next.environment)
        responder.use(next.sites)
        writer.use(next.sites)
        input.reader.adopt(turn.settings.limits.request)
        recorder.use(next, generation: Int(seen))
        visits.use(next.countries.source)
        identifiesRequests = recorder.isOn || !turn.settings.proxies.trusted.isEmpty
    }

    /// Writes from the site that answers.
    mutating func followSite() { writer.useSite(responder.siteNumber) }

    /// Answers what had to be asked for. Where there is no descriptor left, the reserve is given up
    /// meanwhile.
    mutating func answer(_ inquiry: Inquiry, isHead: Bool) -> Answer {
        do {
            return .document(try responder.find(inquiry), isHead: isHead)
        } catch {
            guard case .outOfDescriptors = error, gate.reserve.release() else {
                return .status(Status(of: error), isHead: isHead)
            }
        }
        defer { gate.reserve.restore() }
        do {
            return .document(try responder.find(inquiry), isHead: isHead)
        } catch {
            return .status(Status(of: error), isHead: isHead)
        }
    }
}
