package import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import Sockets
import Synchronization
import TLS

/// What one loop notes of its requests, and the lines that it writes of them: nothing here
/// allocates for a request, unless its answer takes more than a turn.
struct RequestLog: ~Copyable {
    /// The request at hand.
    var exchange = Exchange()
    /// Nil writes no lines.
    private let log: AccessLog?
    private let lane: AccessLog.Lane?
    private var line: AccessLine
    /// What stands in no input: the request's identifier, then the server's name.
    private var notes = [UInt8](repeating: 0, count: noteBytesMax)
    private var identifiers: RequestIdentifierSource
    private var wrote = false
    /// What the realtime clock is ahead of the monotonic one, in microseconds.
    private var offset = 0

    /// A log that writes nothing.
    init() {
        log = nil
        lane = nil
        line = AccessLine(headBytesMax: 0)
        identifiers = .init(random: .init(repeating: 0, count: 16))
    }

    /// The share of loop number `index` in a log.
    init(_ log: AccessLog, loop index: Int, limits: OriginLimits) throws(OpenSSLError) {
        self.log = log
        lane = log.lanes[index]
        line = AccessLine(headBytesMax: limits.request.headBytesMax)
        identifiers = .init(random: try randomBytes(16))
        adjust()
    }

    /// Takes notice of the realtime clock; once a second.
    mutating func adjust() {
        offset = Clock.unixMicroseconds - Clock.monotonicMicroseconds
    }

    /// Begins a request; `input` holds its head, if it has one.
    mutating func begin(_ head: RequestHead?, at start: Int, began: Int) {
        exchange = Exchange(head: head, start: start, began: began)
    }

    /// Wakes the writer when it sleeps; once a turn.
    mutating func endTurn() {
        guard wrote, let log else { return }
        wrote = false
        if log.isSleeping.load(ordering: .relaxed) { log.wakeup.wake() }
    }
}

/// An identifier, or one that a trusted peer gave, and a server's name.
private let noteBytesMax = 512
