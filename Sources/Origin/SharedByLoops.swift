import Answering
import Memory
import Services

/// The parts that the loops of an origin share; each may be used on any thread.
struct SharedByLoops: Sendable {
    let served: ServedOrigin
    let health: Health
    let clock: LoopClock
    /// The port of the https listener; nil where there is none.
    let httpsPort: UInt16?
    /// Nil where there are no stored links.
    var links: LinkService?
    /// Nil writes no access log.
    var log: AccessLogOutput?
    /// Nil where metrics cannot be requested.
    var telemetry: Telemetry?
    /// The names that the admin listener's requests may be for.
    var adminHosts = AdminHosts([])
    /// Nil where there are no connections to be counted.
    var admission: Admission?
    /// Nil where nothing but the machine's memory limits.
    var memory: MemoryBudget?
    var shortages: ShortageReport?
    var peers: PeerReport?
    /// Nil where no request is answered on another thread.
    var handler: (any RequestHandler)?
}
