import Answering
import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import Sockets
import TLS

/// The records that a connection keeps between two turns; `RequestRecorder` tells how a record goes
/// its way. Large values come `inout`, also where they are only read: each request would copy those
/// that are borrowed.
struct ConnectionRecords {
    /// The time at which the request at hand began to come, in microseconds of the monotonic clock.
    var began = 0
    /// A request whose answer takes more than one turn.
    private var unfinished: Unfinished?
    /// Answers that were written, and that the socket has not taken whole.
    private var untaken = [UntakenRecord]()
    /// The handshake as lines of the access log state it, once one was written.
    private var handshake: HandshakeNote?

    private struct Unfinished {
        var tally = Tally()
        /// False where neither log nor counters want it. A log that begins before the answer is
        /// over knows nothing of the request.
        var isRecorded = false
        /// Nil where no lines are written.
        var line: KeptLine?
        /// Its request id, where the response carries it.
        var identifier: [UInt8]
        /// The time at which its first byte came.
        var began = 0
        /// Of the whole answer, once its head was written.
        var result: Written?
    }

    /// The bytes that they hold until the connection's next turn. A line may be several times as
    /// long as its request's head.
    var heldBytes: Int {
        @inline(__always)
        mutating get { unfinished == nil && untaken.isEmpty ? 0 : allHeldBytes }
    }

    private var allHeldBytes: Int {
        untaken.reduce(unfinished?.line?.heldBytes ?? 0) {
            $0 + ($1.line?.0.heldBytes ?? 0) + MemoryLayout<UntakenRecord>.stride
        }
    }

    // MARK: Drafting

    /// Records an answer that was written whole.
    /// - Parameter end: of the answer, among all bytes that the socket was handed.
    mutating func finish(
        _ request: inout RequestRecord, _ result: Written, end: Int,
        _ recorder: inout RequestRecorder, _ visits: inout VisitRecorder,
        _ visitors: inout VisitorCache, _ input: inout RequestInput,
        _ channel: inout Channel
    ) {
        if unfinished != nil { return finishUnfinished(result, aborted: nil, end: end, &recorder) }
        guard recorder.isOn else { return }
        let now = Clock.monotonicMicroseconds
        let tally = recorder.tally(&request, &input, &visits, &visitors)
        recorder.counters?.count(tally, result, microseconds: now - began)
        guard recorder.writesLines else { return recorder.draftNothing(end: end) }
        let told = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: now - began,
            outcome: tally.outcome.name)
        let entry = recorder.entry(&request, tally, &input, connectionNote(&recorder, &channel))
        recorder.draft(entry, told, &input, now: now, end: end)
    }

    /// Keeps what will be recorded of the request at hand, whose answer takes more than one turn:
    /// by then its head is no longer in the input.
    /// - Parameters:
    ///   - identifier: its request id, where the response carries it.
    ///   - isRecorded: false on the admin listener.
    mutating func keep(
        _ request: inout RequestRecord, identifier: [UInt8], isRecorded: Bool,
        _ recorder: inout RequestRecorder, _ visits: inout VisitRecorder,
        _ visitors: inout VisitorCache, _ input: inout RequestInput,
        _ channel: inout Channel
    ) {
        guard unfinished == nil else { return }
        guard isRecorded, recorder.isOn else {
            return unfinished = Unfinished(identifier: identifier)
        }
        let tally = recorder.tally(&request, &input, &visits, &visitors)
        var line: KeptLine?
        if recorder.writesLines {
            let entry = recorder.entry(&request, tally, &input, connectionNote(&recorder, &channel))
            line = recorder.keep(entry, &input, now: Clock.monotonicMicroseconds)
        }
        unfinished = Unfinished(
            tally: tally, isRecorded: true, line: line, identifier: identifier, began: began)
        recorder.counters?.countInFlight(1)
    }

    /// Whether a request's answer takes more than one turn.
    var hasUnfinished: Bool { unfinished != nil }

    /// The request id that the response to the unfinished request carries.
    var unfinishedIdentifier: [UInt8] { unfinished?.identifier ?? [] }

    /// The unfinished request is refused for its content.
    mutating func refuseUnfinished(_ outcome: Outcome, _ fault: MessageError.Kind?) {
        unfinished?.tally.outcome = outcome
        if let fault { unfinished?.line?.note(fault: fault.name) }
    }

    /// The head of the unfinished request's answer was written, and a part of its body.
    mutating func begin(_ result: Written) { unfinished?.result = result }

    private mutating func finishUnfinished(
        _ result: Written, aborted reason: AbortReason?, end: Int,
        _ recorder: inout RequestRecorder
    ) {
        guard let request = unfinished else { return }
        unfinished = nil
        guard request.isRecorded else { return }
        let elapsed = Clock.monotonicMicroseconds - request.began
        recorder.counters?.countInFlight(-1)
        recorder.counters?.count(request.tally, result, microseconds: elapsed)
        if let reason { recorder.counters?.countAborted(reason) }
        guard let line = request.line else { return recorder.draftNothing(end: end) }
        let told = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: elapsed,
            outcome: request.tally.outcome.name)
        recorder.draft(line, told, aborted: reason?.name, end: end)
    }

    private mutating func connectionNote(
        _ recorder: inout RequestRecorder, _ channel: inout Channel
    ) -> ConnectionNote {
        let peer = IPAddress(high: channel.peer.high, low: channel.peer.low)
        guard recorder.writesDetails, channel.speaksTLS else {
            return ConnectionNote(peer: peer, handshake: .none)
        }
        if let handshake, handshake.isLasting { return .init(peer: peer, handshake: handshake) }
        guard let parameters = channel.parameters else {
            return .init(peer: peer, handshake: .none)
        }
        let note = recorder.note(parameters, channel)
        handshake = note
        return ConnectionNote(peer: peer, handshake: note)
    }

    // MARK: Taken

    /// Publishes the drafts of answers that the socket has taken, and keeps those of the others.
    @inline(__always)
    mutating func settle(_ recorder: inout RequestRecorder, takenUpTo taken: Int?) {
        if let taken {
            recorder.publish(takenUpTo: taken, keeping: &untaken)
        } else {
            recorder.publish()
        }
    }

    /// Publishes the records of answers that took more than one turn, now that the socket has taken
    /// them whole.
    mutating func publishTaken(_ recorder: inout RequestRecorder, _ channel: inout Channel) {
        publishUntaken(takenUpTo: channel.handedBytes, aborted: .reset, &recorder)
        guard let result = unfinished?.result else { return }
        finishUnfinished(result, aborted: nil, end: channel.handedBytes, &recorder)
        recorder.publish()
    }

    /// Publishes the records of answers that are cut off because the connection ends. What the
    /// kernel still holds of them may never arrive, and is not counted. A request whose content did
    /// not come whole was not answered, and has no line.
    mutating func end(
        _ reason: AbortReason, _ recorder: inout RequestRecorder, _ channel: inout Channel
    ) {
        if unfinished?.result != nil || !untaken.isEmpty {
            let left = channel.handedBytes - channel.takenBytes
            publishUntaken(takenUpTo: channel.takenBytes, aborted: reason, &recorder)
            if var result = unfinished?.result {
                result.bytes = max(0, result.bytes - channel.bodyBytesLeft - left)
                finishUnfinished(result, aborted: reason, end: channel.handedBytes, &recorder)
                recorder.publish()
            }
        }
        if unfinished?.isRecorded == true { recorder.counters?.countInFlight(-1) }
        unfinished = nil
    }

    private mutating func publishUntaken(
        takenUpTo taken: Int, aborted reason: AbortReason, _ recorder: inout RequestRecorder
    ) {
        for record in untaken {
            let isAborted = record.end > taken
            if isAborted { recorder.counters?.countAborted(reason) }
            guard let (line, whole) = record.line else { continue }
            var result = whole
            if isAborted { result.bytes = max(0, result.bytes - (record.end - taken)) }
            recorder.draft(line, result, aborted: isAborted ? reason.name : nil, end: 0)
        }
        recorder.publish()
        untaken = []
    }
}

/// An answer as far as it was written.
struct Written {
    let status: Int
    /// Of its content.
    var bytes: Int
}

/// A record whose answer was written, and that the socket has not taken whole.
struct UntakenRecord {
    /// The end of the answer among all bytes that the socket was handed.
    let end: Int
    /// Nil where no line is written.
    var line: (KeptLine, AccessResult)?
}
