import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration
import Sockets
import TLS

// What the log hears of a connection's requests: a line for each answer, when it is over.

extension Connection {
    /// Notes that a request begins; its head, if it could be read, is in the bench's input.
    mutating func beginExchange(_ head: RequestHead?, at start: Int, _ bench: inout Bench) {
        guard bench.isObserved else { return }
        var exchange = Exchange(head: head, start: start)
        switch head?.method {
        case nil, .get, .head: break
        default: exchange.outcome = .method
        }
        exchange.client = sender
        if head == nil, bench.log.isOn {
            exchange.identifier = bench.log.line.noteIdentifier()
            exchange.saysIdentifier =
                listener != .admin && bench.proxies.trusted.contain(sender)
        }
        bench.log.exchange = exchange
    }

    /// Tells of an answer that was written whole.
    mutating func tell(_ result: Written, _ bench: inout Bench) {
        if held != nil { return tellHeld(result, nil, &bench) }
        guard isTold(bench) else { return }
        let now = Clock.monotonicMicroseconds
        let tally = makeTally(&bench)
        bench.counters?.count(tally, result, microseconds: now - began)
        let end = handed + bench.output.count
        guard bench.log.isOn else { return bench.log.note(end: end) }
        let told = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: now - began,
            outcome: tally.outcome.name)
        let entry = makeEntry(tally, &bench)
        bench.log.write(entry, told, bench.input.storage, now: now, end: end)
    }

    /// Keeps what can be told of a request whose answer is not over, as its head will be gone.
    mutating func hold(_ bench: inout Bench) {
        guard held == nil else { return }
        guard isTold(bench) else { return held = .untold }
        let tally = makeTally(&bench)
        var line: KeptLine?
        if bench.log.isOn {
            let entry = makeEntry(tally, &bench)
            line = bench.log.keep(entry, bench.input.storage, now: Clock.monotonicMicroseconds)
        }
        let said =
            bench.log.exchange.saysIdentifier
            ? Array(bench.log.line.notes[bench.log.exchange.identifier]) : nil
        held = HeldRequest(
            tally: tally, line: line, saidIdentifier: said, began: began, isTold: true)
        bench.counters?.countInFlight(1)
    }

    private mutating func tellHeld(_ result: Written, _ cut: Cut?, _ bench: inout Bench) {
        guard let request = held else { return }
        held = nil
        guard request.isTold else { return }
        let elapsed = Clock.monotonicMicroseconds - request.began
        bench.counters?.countInFlight(-1)
        bench.counters?.count(request.tally, result, microseconds: elapsed)
        if let cut { bench.counters?.countAborted(cut) }
        let end = handed + bench.output.count
        guard let line = request.line else { return bench.log.note(end: end) }
        let told = AccessResult(
            status: result.status, bytes: result.bytes, microseconds: elapsed,
            outcome: request.tally.outcome.name)
        bench.log.write(line, told, aborted: cut?.name, end: end)
    }

    /// Lets the log have the lines of answers that the socket has taken, and keeps the others'.
    mutating func settleDrafts(_ bench: inout Bench) {
        if unsent.isEmpty, phase != .closed {
            bench.log.publish()
        } else {
            let taken = handed - (unsent.count - unsentStart)
            bench.log.takeBack(takenUpTo: taken, into: &owed)
        }
    }

    /// Tells of answers that took more than a turn, now that the socket has taken them whole.
    mutating func tellTaken(_ bench: inout Bench) {
        tellOwed(takenUpTo: handed, &bench)
        guard let result = longAnswer else { return }
        longAnswer = nil
        tell(result, &bench)
        bench.log.publish()
    }

    /// Tells of answers that end here, because the connection does. What the kernel still holds
    /// of them may never arrive, and does not count.
    private mutating func tellCut(_ bench: inout Bench) {
        guard longAnswer != nil || !owed.isEmpty else { return }
        let left = unsent.count - unsentStart + socket.untakenBytes
        tellOwed(takenUpTo: handed - left, &bench)
        guard var result = longAnswer else { return }
        longAnswer = nil
        result.bytes = max(0, result.bytes - (body?.range.count ?? 0) - left)
        tellHeld(result, cut, &bench)
        bench.log.publish()
    }

    private mutating func tellOwed(takenUpTo taken: Int, _ bench: inout Bench) {
        for answer in owed {
            let isCut = answer.end > taken
            if isCut { bench.counters?.countAborted(cut) }
            guard let (line, whole) = answer.told else { continue }
            var result = whole
            if isCut { result.bytes = max(0, result.bytes - (answer.end - taken)) }
            bench.log.write(line, result, aborted: isCut ? cut.name : nil, end: 0)
        }
        bench.log.publish()
        owed = []
    }

    /// The connection is gone; a request whose content never came whole was not answered.
    mutating func tellEnd(_ bench: inout Bench) {
        tellCut(&bench)
        if held?.isTold == true { bench.counters?.countInFlight(-1) }
        held = nil
        // Behind a proxy that has said nothing, or something else, no handshake has begun.
        if tls != nil, !isHandshaken, !awaitsProxyHeader {
            bench.counters?.countHandshakeError(handshakeError)
        }
        if listener != .admin { bench.counters?.countPhase(countedPhase, nil) }
        bench.admission?.leave(place)
    }

    /// Counts that the time of the connection's phase is over.
    func noteTimeout(_ bench: inout Bench) {
        if listener != .admin { bench.counters?.countTimeout(phase) }
    }

    /// Counts a handshake, once it is complete.
    mutating func noteHandshakeEnd(_ bench: inout Bench) {
        guard let parameters = tls?.parameters else { return }
        isHandshaken = true
        bench.counters?.countHandshake(
            isTLS13: parameters.isTLS13, isResumed: parameters.isResumed)
    }

    private func isTold(_ bench: borrowing Bench) -> Bool {
        listener != .admin && (bench.log.isOn || bench.counters != nil)
    }

    /// Who asks is found out where somebody wants to know.
    private func makeTally(_ bench: inout Bench) -> Tally {
        let exchange = bench.log.exchange
        var tally = Tally(
            route: exchange.route, method: exchange.head?.method ?? .other,
            outcome: exchange.outcome)
        guard exchange.head != nil else { return tally }
        switch exchange.route {
        case .aasa, .assetlinks, .link: break
        default: guard bench.log.isDetailed else { return tally }
        }
        let field = bench.reader.fields.first(.userAgent) ?? 0..<0
        tally.visitor = bench.visitors.find(bench.input.storage, field)
        return tally
    }

    private mutating func makeEntry(_ tally: Tally, _ bench: inout Bench) -> AccessEntry {
        var entry = AccessEntry()
        entry.client = bench.log.exchange.client
        if let head = bench.log.exchange.head {
            entry.requestLine = head.line
            entry.userAgent = bench.reader.fields.first(.userAgent)
            entry.referer = bench.reader.fields.first(.referer)
            if bench.log.line.isDetailed { addDetails(tally, head, to: &entry) }
        } else {
            entry.requestLine = firstLine(bench.log.exchange.start, &bench)
        }
        guard bench.log.line.isDetailed else { return entry }
        entry.identifier = bench.log.exchange.identifier
        entry.traceParent = bench.log.exchange.traceParent
        entry.peer = IPAddress(high: socket.peer.high, low: socket.peer.low)
        entry.fault = bench.log.exchange.fault?.name
        entry.route = bench.log.exchange.route.name
        entry.link = bench.log.exchange.link
        if tls != nil { entry.handshake = noteHandshake(&bench) }
        return entry
    }

    private func addDetails(_ tally: Tally, _ head: RequestHead, to entry: inout AccessEntry) {
        entry.method = head.methodName
        entry.host = head.host
        entry.path = head.path
        entry.isHTTP10 = head.isHTTP10
        entry.platform = tally.visitor.platformName
        entry.clientClass = tally.visitor.groupName
    }

    private mutating func noteHandshake(_ bench: inout Bench) -> HandshakeNote {
        if let handshake, handshake.isLasting { return handshake }
        guard let parameters = tls?.parameters else { return .none }
        let facts = HandshakeFacts(
            version: parameters.version, cipher: parameters.cipherName,
            group: parameters.groupName, isResumed: parameters.isResumed)
        let note = bench.log.line.noteHandshake(facts) { notes, place in
            tls?.copyServerName(into: &notes, at: place) ?? 0
        }
        handshake = note
        return note
    }

    /// What came in place of a request, up to the end of its first line.
    private func firstLine(_ start: Int, _ bench: inout Bench) -> Range<Int> {
        var end = start
        while end < bench.input.count, bench.input.storage[end] != 0x0A,
            bench.input.storage[end] != 0x0D
        {
            end += 1
        }
        return start..<end
    }
}

/// What will be told of a request when its answer is over.
struct HeldRequest {
    var tally: Tally
    /// Nil where no lines are written.
    var line: KeptLine?
    /// What it is called, where its answer will say so.
    let saidIdentifier: [UInt8]?
    /// When its first byte was there, in microseconds.
    let began: Int
    /// Whether anybody wants to hear of it.
    let isTold: Bool

    /// One of whose head nothing was kept: a log that begins before its answer is over has nothing
    /// to say of it.
    static var untold: HeldRequest {
        HeldRequest(tally: Tally(), line: nil, saidIdentifier: nil, began: 0, isTold: false)
    }
}

/// An answer as far as it was written.
struct Written {
    let status: Int
    /// Of its content.
    var bytes: Int
}

/// What will be told of an answer once the socket has taken it, or the connection has ended.
struct OwedAnswer {
    /// Where it ends among all bytes that the socket was handed.
    let end: Int
    /// Nil where no line is written.
    var told: (line: KeptLine, result: AccessResult)?
}
