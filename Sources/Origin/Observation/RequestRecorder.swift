import Answering
import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import Services
import SiteConfiguration
import Snapshots
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
    /// Nil where metrics cannot be requested.
    let counters: LoopCounters?
    /// Whether lines are written, and whether they hold more than nginx's.
    private(set) var writesLines = false
    private(set) var writesDetails = false
    /// Whether answers are recorded at all.
    private(set) var isOn: Bool

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
    /// The microseconds by which the realtime clock is ahead of the monotonic one.
    private var clockOffset = 0
    private var names: CountedNames
    /// Whether requests are counted by their sites.
    private var countsSites: Bool
    private let countsVisits: Bool

    /// - Parameters:
    ///   - log: nil writes no lines.
    ///   - index: the number of the loop, from 0.
    init(
        _ log: AccessLogOutput?, _ counters: LoopCounters?, _ names: CountedNames,
        countsVisits: Bool = false, loop index: Int
    ) throws(OpenSSLError) {
        self.countsVisits = countsVisits
        isOn = counters != nil || countsVisits
        self.log = log
        self.counters = counters
        self.names = names
        countsSites = names.countsSites
        lane = log?.lanes[index] ?? AccessLogOutput.Lane(bytesMax: 1)
        line = AccessLine(
            headBytesMax: log == nil ? 0 : RequestLimits.headBytesMost,
            random: log == nil ? .init(repeating: 0, count: 16) : try randomBytes(16),
            context: AccessContext())
        synchronizeClocks()
    }

    /// Writes lines as this configuration wants them from now on.
    mutating func use(_ snapshot: Snapshot, generation: Int) {
        names = snapshot.names
        countsSites = names.countsSites
        let environment = snapshot.environment
        let settings = environment.accessLog
        let format = log?.format(settings.form)
        (writesLines, writesDetails) = (format != nil, false)
        isOn = writesLines || counters != nil || countsVisits
        guard let format else { return }
        line.context = AccessContext(
            format, isAnonymized: settings.isAnonymized, environment: environment.name,
            generation: generation, sites: snapshot.sites.sites.compactMap(\.source.name),
            campaigns: settings.campaigns)
        writesDetails = line.isDetailed
    }

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

    /// The counts of a request. The user agent is looked up only where a counter or the line needs
    /// it.
    /// - Parameters:
    ///   - visits: counts the request if it is for a stored link.
    ///   - visitors: knows user agents.
    mutating func tally(
        _ request: inout RequestRecord, _ input: inout RequestInput,
        _ visits: inout VisitRecorder, _ visitors: inout VisitorCache
    ) -> Tally {
        var tally = Tally(
            route: request.summary.route, method: request.head?.method ?? .other,
            outcome: request.summary.outcome)
        if countsSites { tally.site = Int16(names.number(ofSite: request.summary.site)) }
        guard request.head != nil else { return tally }
        switch request.summary.route {
        case .aasa, .assetlinks: break
        case .link, .unmatched:
            tally.link = Int16(names.number(ofLink: request.summary.link, of: request.summary.site))
        default: guard writesDetails else { return tally }
        }
        if let visitor = request.summary.visitor {
            tally.visitor = visitor
        } else if let userAgent = input.reader.fields.first(.userAgent) {
            tally.visitor = visitors.find(input.buffer.storage, userAgent)
        }
        if request.summary.stored > 0, countsVisits {
            visits.record(&request, tally, visitors, &input)
        }
        return tally
    }

    /// The content of a request's line, its result left out.
    mutating func entry(
        _ request: inout RequestRecord, _ tally: Tally, _ input: inout RequestInput,
        _ connection: ConnectionNote
    ) -> AccessEntry {
        var entry = AccessEntry()
        entry.client = request.client
        if let head = request.head {
            (entry.path, entry.target, entry.requestLine) = (head.path, head.target, head.line)
            entry.hideSecret(input.buffer.storage)
            entry.userAgent = input.reader.fields.first(.userAgent)
            entry.referer = input.reader.fields.first(.referer)
        } else {
            entry.requestLine = input.firstLine(from: request.start)
        }
        entry.site = request.summary.site
        guard line.isDetailed else { return entry }
        if let head = request.head {
            entry.method = head.methodName
            entry.host = head.host
            entry.isHTTP10 = head.isHTTP10
            entry.platform = tally.visitor.platformName
            entry.clientClass = tally.visitor.groupName
        }
        entry.identifier = request.identifier
        entry.traceParent = request.traceParent
        entry.peer = connection.peer
        entry.handshake = connection.handshake
        entry.fault = request.summary.fault?.name
        entry.route = request.summary.route.name
        entry.link = request.link
        return entry
    }

    /// Notes the link that claimed a request, for lines with details.
    /// - Parameter slug: of the stored link that was found; empty for none.
    mutating func note(link key: String, slug: ArraySlice<UInt8>) -> Range<Int> {
        line.noteLink(key, slug: slug)
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
        _ entry: AccessEntry, _ result: AccessResult, _ input: inout RequestInput, now: Int,
        end: Int
    ) {
        line.write(entry, result, from: input.buffer.storage, at: now + clockOffset)
        draftLine(result, line.context.format, end)
    }

    /// The line of the request at hand, for an answer that takes more than a turn.
    mutating func keep(_ entry: AccessEntry, _ input: inout RequestInput, now: Int) -> KeptLine {
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
    @inline(__always)
    mutating func draftNothing(end: Int) {
        if draftCount == draftsMax { publish() }
        // Among answers that have lines, its draft must not be the one that was here before.
        if draftBytes > 0 { drafts[draftCount] = Draft() }
        count(end)
    }

    /// Publishes all drafts: their answers are taken.
    @inline(__always)
    mutating func publish() {
        draftCount = 0
        if draftBytes > 0 { publishLines() }
    }

    private mutating func publishLines() {
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
            // The writer tells of it.
            hasPublished = true
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

/// The connection that a request came over, as lines state it.
struct ConnectionNote: Sendable {
    var peer: IPAddress
    var handshake: HandshakeNote
}

/// A line that waits for its answer to be taken.
private struct Draft: BitwiseCopyable {
    /// 0 where the lane had no room for it, or where none is written.
    var bytes = 0
    /// The range of the result in it.
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

/// The most answers that go out together.
let draftsMax = 256
