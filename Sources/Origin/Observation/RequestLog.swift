import AccessLog
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import Synchronization
import TLS

/// What one loop records of its requests, and the lines that it writes of them. Nothing here
/// allocates for a request, unless its answer takes more than one turn.
struct RequestLog: ~Copyable {
    /// The current request.
    var exchange = Exchange()
    /// Whether lines are written.
    private(set) var isOn = false
    var line: AccessLine
    private let output: AccessLogOutput?
    private let lane: AccessLogOutput.Lane
    private var hasWritten = false
    /// Where answers of the connection at hand end that the socket has not taken yet, and their
    /// lines, which are in the lane, where nobody sees them before they are published.
    private var ends = FixedArray(repeating: 0, count: draftsMax)
    private var drafts = FixedArray(repeating: Draft(), count: draftsMax)
    private(set) var draftCount = 0
    private var draftBytes = 0
    /// How far the realtime clock is ahead of the monotonic one, in microseconds.
    private var offset = 0

    /// The share of loop number `index` in a log; where there is none, one that writes nothing.
    static func share(
        of output: AccessLogOutput?, loop index: Int
    ) throws(OpenSSLError) -> RequestLog {
        guard let output else { return RequestLog() }
        return try RequestLog(output, loop: index)
    }

    private init() {
        output = nil
        lane = AccessLogOutput.Lane(bytesMax: 1)
        line = AccessLine(
            headBytesMax: 0, random: .init(repeating: 0, count: 16), context: AccessContext())
    }

    private init(
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

    /// Whether lines are written that hold more than nginx's.
    var isDetailed: Bool { isOn && line.isDetailed }

    /// Brings `offset` up to date; once a second.
    mutating func adjust() { offset = Clock.unixMicroseconds - Clock.monotonicMicroseconds }

    /// Writes the line of the request at hand, to be published when its answer is taken.
    /// - Parameter end: of the answer, among all bytes that its socket was handed.
    mutating func write(
        _ entry: AccessEntry, _ result: AccessResult, _ input: [UInt8], now: Int, end: Int
    ) {
        line.write(entry, result, from: input, at: now + offset)
        draftLine(result, line.context.format, end)
    }

    /// The line of the request at hand, to be written when its answer is over.
    mutating func keep(_ entry: AccessEntry, _ input: [UInt8], now: Int) -> KeptLine {
        line.keep(entry, from: input, at: now + offset)
    }

    mutating func write(
        _ kept: KeptLine, _ result: AccessResult, aborted: StaticString? = nil, end: Int
    ) {
        line.write(kept, result, aborted: aborted)
        draftLine(result, kept.format, end)
    }

    /// Notes an answer of which no line is written.
    mutating func note(end: Int) {
        if draftCount == draftsMax { publish() }
        // Among others that have one: what is left there from before is none of its own.
        if draftBytes > 0 { drafts[draftCount] = Draft() }
        count(end)
    }

    /// Lets the writer have all lines: their answers are taken.
    mutating func publish() {
        draftCount = 0
        guard draftBytes > 0 else { return }
        handOver()
        hasWritten = true
        draftBytes = 0
    }

    /// Lets the writer have the lines of answers that end at `taken` or before, and gives back the
    /// others.
    mutating func takeBack(takenUpTo taken: Int, into owed: inout [UntakenAnswer]) {
        let hasLines = draftBytes > 0
        var (whole, start) = (0, 0)
        for index in 0..<draftCount {
            let draft = hasLines ? drafts[index] : Draft()
            let position = start..<start + draft.bytes
            start = position.upperBound
            if owed.isEmpty, ends[index] <= taken {
                whole = start
                continue
            }
            var answer = UntakenAnswer(end: ends[index])
            if draft.bytes > 0 {
                let kept = KeptLine(
                    written: lane.ring.drafted(position),
                    result: draft.resultStart..<draft.resultEnd, format: draft.format)
                answer.told = (kept, draft.result)
            }
            owed.append(answer)
        }
        draftBytes = whole
        publish()
    }

    /// Wakes the writer when it sleeps; once a turn.
    mutating func endTurn() {
        guard hasWritten else { return }
        hasWritten = false
        wakeSleeper()
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

    private func handOver() {
        let before = lane.ring.publish(draftBytes)
        // Half full: the writer should not wait for more.
        let half = lane.ring.capacity / 2
        if before <= half, before + draftBytes > half { output?.wakeup.wake() }
    }

    private func wakeSleeper() {
        if output?.isSleeping.load(ordering: .relaxed) == true { output?.wakeup.wake() }
    }
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

/// How many answers go out together at most.
let draftsMax = 256
