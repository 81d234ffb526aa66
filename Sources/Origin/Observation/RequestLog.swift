import AccessLog
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import Synchronization
import TLS

/// What one loop notes of its requests, and the lines that it writes of them. Nothing here
/// allocates for a request, unless its answer takes more than a turn.
struct RequestLog: ~Copyable {
    /// The request at hand.
    var exchange = Exchange()
    /// Whether lines are written.
    private(set) var isOn = false
    var line: AccessLine
    private let output: AccessLogOutput?
    private let lane: AccessLogOutput.Lane
    private var hasWritten = false
    /// What the realtime clock is ahead of the monotonic one, in microseconds.
    private var offset = 0

    /// A log that writes nothing.
    init() {
        output = nil
        lane = AccessLogOutput.Lane(bytesMax: 1)
        line = AccessLine(
            headBytesMax: 0, random: .init(repeating: 0, count: 16), context: AccessContext())
    }

    /// The share of loop number `index` in a log.
    init(
        _ output: AccessLogOutput, loop index: Int
    ) throws(OpenSSLError) {
        self.output = output
        lane = output.lanes[index]
        line = AccessLine(
            headBytesMax: RequestLimits.headBytesMost, random: try randomBytes(16),
            context: AccessContext())
        adjust()
    }

    /// Writes lines as this configuration wants them from now on.
    mutating func adopt(_ environment: Environment, generation: Int) {
        let settings = environment.accessLog
        guard let format = output?.format(settings.form) else {
            isOn = false
            return
        }
        isOn = true
        line.context = AccessContext(
            format, isAnonymized: settings.isAnonymized, environment: environment.name,
            generation: generation)
    }

    /// Whether lines are written that tell what nginx's do not.
    var isDetailed: Bool { isOn && line.isDetailed }

    /// Takes notice of the realtime clock; once a second.
    mutating func adjust() { offset = Clock.unixMicroseconds - Clock.monotonicMicroseconds }

    /// Writes the line of the request at hand.
    mutating func write(
        _ entry: AccessEntry, _ result: AccessResult, _ input: [UInt8], now: Int
    ) {
        line.write(entry, result, from: input, at: now + offset)
        send()
    }

    /// The line of the request at hand, to be written when its answer is over.
    mutating func keep(_ entry: AccessEntry, _ input: [UInt8], now: Int) -> KeptLine {
        line.keep(entry, from: input, at: now + offset)
    }

    mutating func write(_ kept: KeptLine, _ result: AccessResult) {
        line.write(kept, result)
        send()
    }

    /// Wakes the writer when it sleeps; once a turn.
    mutating func endTurn() {
        guard hasWritten, let output else { return }
        hasWritten = false
        if output.isSleeping.load(ordering: .relaxed) { output.wakeup.wake() }
    }

    private mutating func send() {
        let before = lane.ring.count
        guard lane.ring.append(line.text) else {
            lane.dropped.wrappingAdd(1, ordering: .relaxed)
            return
        }
        hasWritten = true
        // Half full: the writer should not wait for more.
        let half = lane.ring.capacity / 2
        if before <= half, before + line.text.count > half { output?.wakeup.wake() }
    }
}
