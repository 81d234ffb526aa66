import Answering
import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import Synchronization
import TLS

/// Records the requests of one loop: a line of the access log for each answer, and the counters.
///
/// A record goes one way:
///
/// 1. It is **drafted** when its answer was written. The line lies in the loop's lane of the log,
///    where the log's writer does not read it yet.
/// 2. It is **taken** when the socket has taken the whole answer, or the connection has ended.
/// 3. Then the line is **published** to the log's writer, with `aborted` if the answer was cut off.
///
/// Some records are between two of these steps when a turn ends: that of a request whose answer
/// takes several turns, and drafts of answers that the socket has not taken. Their connection keeps
/// them (`ConnectionRecords`).
///
/// Counters count an answer when it was written, and count it as aborted if it is. So there are as
/// many answers in the metrics as lines in the log, and `aborted` in a line and
/// `waymark_http_responses_aborted_total` agree too.
///
/// Nothing here allocates for a request whose answer goes out in the turn that it came in.
struct RequestRecorder: ~Copyable {
    /// The request at hand.
    var current = RequestRecord()
    /// Nil where metrics cannot be requested.
    let counters: LoopCounters?
    /// Whether lines are written.
    private(set) var writesLines = false

    private var line: AccessLine
    private let log: AccessLogOutput?
    private let lane: AccessLogOutput.Lane
    private var hasPublished = false
    /// Answers of the connection at hand that were written in this turn: where each ends among all
    /// bytes that the socket was handed, and its line.
    private var ends = FixedArray(repeating: 0, count: draftsMax)
    private var drafts = FixedArray(repeating: Draft(), count: draftsMax)
    private(set) var draftCount = 0
    private var draftBytes = 0
    /// How far the realtime clock is ahead of the monotonic one, in microseconds.
    private var clockOffset = 0
    private var names: CountedNames
    private let countsVisits: Bool

    /// - Parameters:
    ///   - log: nil writes no lines.
    ///   - index: the number of the loop, from 0.
    init(
        _ log: AccessLogOutput?, _ counters: LoopCounters?, _ names: CountedNames,
        countsVisits: Bool = false, loop index: Int
    ) throws(OpenSSLError) {
        self.countsVisits = countsVisits
        self.log = log
        self.counters = counters
        self.names = names
        lane = log?.lanes[index] ?? AccessLogOutput.Lane(bytesMax: 1)
        line = AccessLine(
            headBytesMax: log == nil ? 0 : RequestLimits.headBytesMost,
            random: log == nil ? .init(repeating: 0, count: 16) : try randomBytes(16),
            context: AccessContext())
        synchronizeClocks()
    }

    /// Writes lines as this configuration wants them from now on.
    mutating func use(_ snapshot: Snapshot, generation: Int) {
        current = RequestRecord()
        names = snapshot.names
        let environment = snapshot.environment
        let settings = environment.accessLog
        let format = log?.format(settings.form)
        writesLines = format != nil
        guard let format else { return }
        line.context = AccessContext(
            format, isAnonymized: settings.isAnonymized, environment: environment.name,
            generation: generation, sites: snapshot.sites.sites.compactMap(\.source.name),
            campaigns: settings.campaigns)
    }

    /// Whether answers are recorded at all.
    var isOn: Bool { writesLines || counters != nil || countsVisits }

    /// Whether lines are written that hold more than nginx's.
    var writesDetails: Bool { writesLines && line.isDetailed }

    /// To be called once a second.
    mutating func synchronizeClocks() {
        clockOffset = Clock.unixMicroseconds - Clock.monotonicMicroseconds
    }

    // MARK: The request at hand

    /// A request id that no other request has.
    mutating func makeIdentifier() -> Range<Int> { line.noteIdentifier() }

    /// Takes the request id that a proxy has given.
    mutating func takeIdentifier(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        line.noteIdentifier(bytes, range)
    }

    /// The bytes of a request id, as one of the functions above has returned it.
    func identifier(_ range: Range<Int>) -> ArraySlice<UInt8> { line.notes[range] }

    /// What counters count the request at hand as. The user agent is looked up only where a counter
    /// or the line needs it.
    /// - Parameters:
    ///   - visits: counts the request if it is for a stored link.
    ///   - visitors: knows user agents.
    mutating func tally(
        _ input: borrowing RequestInput, _ visits: inout VisitRecorder,
        _ visitors: inout VisitorCache
    ) -> Tally {
        let summary = current.summary
        var tally = Tally(
            route: summary.route, method: current.head?.method ?? .other, outcome: summary.outcome)
        if names.countsSites { tally.site = Int16(names.number(ofSite: current.site)) }
        guard current.head != nil else { return tally }
        switch summary.route {
        case .aasa, .assetlinks: break
        case .link, .unmatched:
            tally.link = Int16(names.number(ofLink: summary.link, of: current.site))
        default: guard writesDetails else { return tally }
        }
        tally.visitor =
            summary.visitor
            ?? visitors.find(
                input.buffer.storage, input.reader.fields.first(.userAgent) ?? 0..<0)
        if summary.stored > 0, countsVisits { visits.record(current, tally, visitors, input) }
        return tally
    }

    /// What the line of the request at hand says, its result left out.
    func entry(
        _ tally: Tally, _ input: borrowing RequestInput, _ connection: ConnectionNote
    ) -> AccessEntry {
        var entry = AccessEntry()
        entry.client = current.client
        if let head = current.head {
            entry.requestLine = head.line
            entry.userAgent = input.reader.fields.first(.userAgent)
            entry.referer = input.reader.fields.first(.referer)
        } else {
            entry.requestLine = input.firstLine(from: current.start)
        }
        entry.site = current.site
        if let head = current.head { (entry.path, entry.target) = (head.path, head.target) }
        guard line.isDetailed else { return entry }
        if let head = current.head {
            entry.method = head.methodName
            entry.host = head.host
            entry.isHTTP10 = head.isHTTP10
            entry.platform = tally.visitor.platformName
            entry.clientClass = tally.visitor.groupName
        }
        entry.identifier = current.identifier
        entry.traceParent = current.traceParent
        entry.peer = connection.peer
        entry.handshake = connection.handshake
        entry.fault = current.summary.fault?.name
        entry.route = current.summary.route.name
        entry.link = current.link
        return entry
    }

    /// Names the link that claimed the request at hand, for lines with details.
    /// - Parameter slug: of the stored link that was found; empty for none.
    mutating func setLink(_ key: String, slug: ArraySlice<UInt8>) {
        current.link = line.noteLink(key, slug: slug)
    }

    /// Writes what lines of a connection say of its handshake.
    mutating func note(_ parameters: TLSParameters, _ channel: borrowing Channel) -> HandshakeNote {
        let facts = HandshakeFacts(
            version: parameters.version, cipher: parameters.cipherName,
            group: parameters.groupName, isResumed: parameters.isResumed)
        return line.noteHandshake(facts) { notes, range in
            channel.copyServerName(into: &notes, at: range)
        }
    }

    // MARK: Drafts

    /// Drafts the line of the request at hand, whose answer was written whole.
    /// - Parameters:
    ///   - now: in microseconds of the monotonic clock.
    ///   - end: of the answer, among all bytes that its socket was handed.
    mutating func draft(
        _ entry: AccessEntry, _ result: AccessResult, _ input: borrowing RequestInput, now: Int,
        end: Int
    ) {
        line.write(entry, result, from: input.buffer.storage, at: now + clockOffset)
        draftLine(result, line.context.format, end)
    }

    /// The line of the request at hand, for an answer that takes more than a turn.
    mutating func keep(
        _ entry: AccessEntry, _ input: borrowing RequestInput, now: Int
    ) -> KeptLine {
        line.keep(entry, from: input.buffer.storage, at: now + clockOffset)
    }

    /// Drafts a line that was kept.
    mutating func draft(
        _ kept: KeptLine, _ result: AccessResult, aborted: StaticString? = nil, end: Int
    ) {
        line.write(kept, result, aborted: aborted)
        draftLine(result, kept.format, end)
    }

    /// Drafts an answer that has no line.
    mutating func draftNothing(end: Int) {
        if draftCount == draftsMax { publish() }
        // Among answers that have lines, its draft must not be the one that was here before.
        if draftBytes > 0 { drafts[draftCount] = Draft() }
        count(end)
    }

    /// Publishes all drafts: their answers are taken.
    mutating func publish() {
        draftCount = 0
        guard draftBytes > 0 else { return }
        publishLane()
        hasPublished = true
        draftBytes = 0
    }

    /// Publishes the drafts of answers that end at `taken` or before, and gives back the others.
    mutating func publish(takenUpTo taken: Int, keeping untaken: inout [UntakenRecord]) {
        let hasLines = draftBytes > 0
        var (whole, start) = (0, 0)
        for index in 0..<draftCount {
            let draft = hasLines ? drafts[index] : Draft()
            let range = start..<start + draft.bytes
            start = range.upperBound
            if untaken.isEmpty, ends[index] <= taken {
                whole = start
                continue
            }
            var record = UntakenRecord(end: ends[index])
            if draft.bytes > 0 {
                let kept = KeptLine(
                    written: lane.ring.drafted(range),
                    result: draft.resultStart..<draft.resultEnd, format: draft.format)
                record.line = (kept, draft.result)
            }
            untaken.append(record)
        }
        draftBytes = whole
        publish()
    }

    /// Wakes the log's writer when it sleeps; to be called at the end of each turn.
    mutating func endTurn() {
        guard hasPublished else { return }
        hasPublished = false
        wakeWriter()
    }

    private mutating func draftLine(_ result: AccessResult, _ format: AccessFormat, _ end: Int) {
        if draftCount == draftsMax { publish() }
        var count = line.text.count
        if draftText() {
            draftBytes += count
        } else {
            count = 0
        }
        drafts[draftCount] = Draft(
            bytes: count, resultStart: line.resultRange.lowerBound,
            resultEnd: line.resultRange.upperBound, format: format, result: result)
        self.count(end)
    }

    private mutating func count(_ end: Int) {
        ends[draftCount] = end
        draftCount += 1
    }

    // These change nothing of this value: in one that does, the objects would be retained first.

    private func draftText() -> Bool {
        guard lane.ring.draft(line.text, behind: draftBytes) else {
            lane.dropped.wrappingAdd(1, ordering: .relaxed)
            return false
        }
        return true
    }

    private func publishLane() {
        let before = lane.ring.publish(draftBytes)
        // Half full: the writer should not wait for more.
        let half = lane.ring.capacity / 2
        if before <= half, before + draftBytes > half { log?.wakeup.wake() }
    }

    private func wakeWriter() {
        if log?.isSleeping.load(ordering: .relaxed) == true { log?.wakeup.wake() }
    }
}

/// What will be recorded of the request at hand.
struct RequestRecord: Sendable {
    /// Nil for a malformed request.
    var head: RequestHead?
    /// Where in the input a malformed request begins.
    var start = 0
    var summary = RequestSummary()
    /// The index of its site; nil for none of several.
    var site: Int? = 0
    /// The key of the link that claimed it, in the line's notes.
    var link = 0..<0
    /// The client's address.
    var client = IPAddress(high: 0, low: 0)
    /// Its request id, in the line's notes; empty where it is neither logged nor sent.
    var identifier = 0..<0
    /// The value of `traceparent`, in the input, when it is one.
    var traceParent: Range<Int>?
}

/// What lines say of the connection that a request came over.
struct ConnectionNote: Sendable {
    var peer: IPAddress
    var handshake: HandshakeNote
}

/// A line that waits for its answer to be taken.
private struct Draft: BitwiseCopyable {
    /// 0 where the lane had no room for it, or where none is written.
    var bytes = 0
    /// Where in it the result stands.
    var resultStart = 0
    var resultEnd = 0
    var format = AccessFormat.json
    var result = AccessResult(status: 0, bytes: 0, microseconds: 0, outcome: "")
}

extension RequestInput {
    /// The first line of a malformed request that begins at `start`.
    func firstLine(from start: Int) -> Range<Int> {
        var end = start
        while end < buffer.count, buffer.storage[end] != 0x0A, buffer.storage[end] != 0x0D {
            end += 1
        }
        return start..<end
    }
}

/// How many answers go out together at most.
let draftsMax = 256
