import AccessLog
import ClientAddress
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
    /// Nil writes no lines.
    private let log: AccessLogOutput?
    private let lane: AccessLogOutput.Lane?
    private var line: AccessLine
    /// What stands in no input, each at a place of its own.
    var notes = [UInt8](repeating: 0, count: NotePlace.count)
    private var identifiers: RequestIdentifierSource
    private var hasWritten = false
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
    init(_ log: AccessLogOutput, loop index: Int, _ limits: OriginLimits) throws(OpenSSLError) {
        self.log = log
        lane = log.lanes[index]
        line = AccessLine(headBytesMax: limits.request.headBytesMax)
        identifiers = .init(random: try randomBytes(16))
        adjust()
    }

    /// How lines look under this configuration; nil when there are none.
    func context(_ environment: Environment, generation: Int) -> AccessContext? {
        guard let log, let format = log.format(environment.accessLog.form) else { return nil }
        return AccessContext(
            format, isAnonymized: environment.accessLog.isAnonymized,
            environment: environment.name, generation: generation)
    }

    /// Takes notice of the realtime clock; once a second.
    mutating func adjust() { offset = Clock.unixMicroseconds - Clock.monotonicMicroseconds }

    /// Wakes the writer when it sleeps; once a turn.
    mutating func endTurn() {
        guard hasWritten, let log else { return }
        hasWritten = false
        if log.isSleeping.load(ordering: .relaxed) { log.wakeup.wake() }
    }

    // MARK: Lines

    /// Writes the line of the request at hand.
    mutating func write(
        _ entry: AccessEntry, _ result: AccessResult, _ input: [UInt8], _ context: AccessContext,
        now: Int
    ) {
        line.time.set(now + offset)
        line.write(entry, result, from: input, notes: notes, context)
        send()
    }

    /// The line of the request at hand, to be written when its answer is over.
    mutating func keep(
        _ entry: AccessEntry, _ input: [UInt8], _ context: AccessContext, now: Int
    ) -> KeptLine {
        line.time.set(now + offset)
        let place = line.write(entry, from: input, notes: notes, context)
        return KeptLine(
            bytes: Array(line.buffer.storage[..<line.buffer.count]), place: place,
            format: context.format)
    }

    mutating func write(_ kept: KeptLine, _ result: AccessResult) {
        line.write(kept.bytes, result, at: kept.place, kept.format)
        send()
    }

    private mutating func send() {
        guard let log, let lane else { return }
        let before = lane.ring.count
        guard lane.ring.append(line.buffer.storage, 0..<line.buffer.count) else {
            lane.dropped.wrappingAdd(1, ordering: .relaxed)
            return
        }
        hasWritten = true
        // Half full: the writer should not wait for more.
        let half = lane.ring.capacity / 2
        if before <= half, before + line.buffer.count > half { log.wakeup.wake() }
    }

    // MARK: Notes

    /// Names the request at hand.
    mutating func noteIdentifier() -> Range<Int> {
        identifiers.advance()
        notes.copy(identifiers.text, 0..<RequestIdentifierSource.count, to: 0)
        return 0..<RequestIdentifierSource.count
    }

    mutating func noteLink(_ name: String) {
        var end = NotePlace.link
        for byte in name.utf8.prefix(NotePlace.count - NotePlace.link) {
            notes[end] = byte
            end += 1
        }
        exchange.link = NotePlace.link..<end
    }
}

/// A line that waits for the end of its answer.
struct KeptLine {
    let bytes: [UInt8]
    /// Where the result belongs.
    let place: Int
    let format: AccessFormat
}

/// Where each note begins: an identifier, which a trusted peer may have given, a server's name,
/// and a link's.
enum NotePlace {
    static let serverName = 128..<384
    static let link = 384
    static let count = 448
}
