import Answering
import HTTPMessages
import Memory

/// The counters of one loop, each in a cell of its own; any thread may read them. A class, because
/// each request would copy a value with all offsets.
final class LoopCounters: Sendable {
    let offsets = CounterOffsets()
    let cells: CounterCells
    /// Those of `StatusIndex`, whose initialization each request would have to check.
    private let statusIndexes = StatusIndex.indexes

    init() { cells = CounterCells(count: offsets.count) }

    /// Counts an answer that was given whole, or as far as it was.
    func count(_ tally: Tally, _ result: Written, microseconds: Int) {
        let code =
            statusIndexes.indices.contains(result.status)
            ? Int(statusIndexes[result.status]) : StatusIndex.count - 1
        let route = Int(tally.route.rawValue)
        cells.add(1, at: offsets.requests(route, Int(tally.method.rawValue), code))
        cells.add(1, at: offsets.durations(route, Buckets.duration(microseconds)))
        cells.add(microseconds, at: offsets.durationSums + route)
        cells.add(1, at: offsets.sizes(route, Buckets.size(result.bytes)))
        cells.add(result.bytes, at: offsets.sizeSums + route)
        if tally.site >= 0 {
            cells.add(1, at: offsets.site(Int(tally.site), status: result.status))
        }
        switch tally.route {
        case .aasa:
            cells.add(1, at: offsets.associations(0, Int(tally.visitor.group), code))
        case .assetlinks:
            cells.add(1, at: offsets.associations(1, Int(tally.visitor.group), code))
        case .link:
            cells.add(
                1, at: offsets.links(Int(tally.outcome.rawValue), Int(tally.visitor.platform)))
            countLink(tally)
        case .unmatched: countLink(tally)
        default: break
        }
    }

    private func countLink(_ tally: Tally) {
        let position = offsets.link(
            Int(tally.link), LinkClass(tally.outcome), isProgram: tally.visitor.isProgram)
        cells.add(1, at: position)
    }

    /// An answer was not taken whole.
    func countAborted(_ reason: AbortReason) {
        cells.add(1, at: offsets.aborted + Int(reason.rawValue))
    }

    /// A request whose answer takes more than a turn begins (1) or ends (-1).
    func countInFlight(_ change: Int) { cells.add(change, at: offsets.inFlight) }

    func countAccepted(_ kind: ListenerKind) { cells.add(1, at: offsets.accepted + kind.index) }

    func countRejected(_ reason: Rejection) {
        cells.add(1, at: offsets.rejected + Int(reason.rawValue))
    }

    /// A connection to the admin listener was closed in favour of another one.
    func countAdminClosed() { cells.add(1, at: offsets.adminClosed) }

    /// A request was refused because of a limit of connections.
    func countLimited(_ limit: ConnectionLimit) {
        cells.add(1, at: offsets.limited + Int(limit.rawValue))
    }

    /// A network has asked for more unknown slugs than it may.
    func countGuess() { cells.add(1, at: offsets.guesses) }

    func countWithoutScheme() { cells.add(1, at: offsets.withoutScheme) }

    /// A connection goes from one phase to another; nil is before its first and after its last.
    func countPhase(_ before: ConnectionPhase?, _ after: ConnectionPhase?) {
        if let before { cells.add(-1, at: offsets.phases + Int(before.rawValue)) }
        if let after { cells.add(1, at: offsets.phases + Int(after.rawValue)) }
    }

    /// The time of a connection in this phase is over.
    func countTimeout(_ phase: ConnectionPhase) {
        cells.add(1, at: offsets.timeouts + Int(phase.rawValue))
    }

    func countHandshake(isTLS13: Bool, isResumed: Bool) {
        cells.add(1, at: offsets.handshakes + (isTLS13 ? 2 : 0) + (isResumed ? 1 : 0))
    }

    func countHandshakeError(_ reason: HandshakeError) {
        cells.add(1, at: offsets.handshakeErrors + Int(reason.rawValue))
    }
}

/// The facts of a request that are counted when its answer is over; its head may be gone by then.
struct Tally: Sendable {
    var route = Route.none
    var method = Method.other
    var outcome = Outcome.none
    var visitor = VisitorKind()
    /// The number of its site among the counted names; negative without several sites.
    var site: Int16 = -1
    /// The number of its link, or of what no link claims.
    var link: Int16 = 0
}
