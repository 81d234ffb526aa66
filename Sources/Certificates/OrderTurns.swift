/// The turns of one account's hosts that could all begin an order now. They wait in lines. The first line
/// that is not empty has the turn, unless another one was passed over nine times: so each gets a tenth of
/// the turns at least, and none keeps another waiting for ever.
struct OrderTurns: Hashable, Sendable {
    /// A line, in the order of their turns.
    enum Line: Int, Comparable, CaseIterable, Sendable {
        /// Somebody has ordered it. No other line takes a turn of this one.
        case ordered
        /// The certificate nears its end; or a rehearsal has succeeded, so that the certificate is certain.
        case ending
        /// It was never tried, or its renewal has time.
        case first
        /// The last attempt has failed.
        case retry

        static func < (one: Line, other: Line) -> Bool { one.rawValue < other.rawValue }
    }

    /// The place of a host: its line, and its place in there.
    struct Place: Comparable, Sendable {
        let line: Line
        /// Whether the last attempts failed: such hosts stand behind the others of their line.
        let hasFailed: Bool
        /// The time since which it waits.
        let since: Int
        /// The index of the host in the plan.
        let index: Int

        static func < (one: Place, other: Place) -> Bool {
            if one.line != other.line { return one.line < other.line }
            if one.hasFailed != other.hasFailed { return other.hasFailed }
            return (one.since, one.index) < (other.since, other.index)
        }
    }

    /// The turns that other lines have had since each line's last turn.
    private var passes = [Int](repeating: 0, count: Line.allCases.count)
    /// The lines that were not empty when the last turn was given.
    private var waiting = [Line]()

    /// The line that has the turn, of those that are not empty; nil if there is none.
    mutating func next(of waiting: [Line]) -> Line? {
        self.waiting = waiting
        guard let first = waiting.min(), first != .ordered else { return waiting.min() }
        return waiting.filter { passes[$0.rawValue] >= Self.passesMax }
            .min { (passes[$1.rawValue], $0) < (passes[$0.rawValue], $1) } ?? first
    }

    /// Notes that a host of a line has begun.
    mutating func note(_ line: Line) {
        passes[line.rawValue] = 0
        // An order by hand does not count as a turn.
        guard line != .ordered else { return }
        for other in waiting where other != line { passes[other.rawValue] += 1 }
    }

    private static let passesMax = 9
}

extension RenewalPlan.Entry {
    /// The host's place among those that could begin now.
    /// - Parameter index: of the host in the plan.
    func place(_ index: Int, now: Int) -> OrderTurns.Place {
        let since = record.due(usableValidity, now: now)
        func place(_ line: OrderTurns.Line, _ hasFailed: Bool = false) -> OrderTurns.Place {
            .init(line: line, hasFailed: hasFailed, since: since, index: index)
        }
        if record.isRenewalOrdered { return place(.ordered) }
        if record.turn.isRehearsed { return place(.ending) }
        let hasFailed = record.ownFailures > 0
        // What has failed up to its end has nothing to lose any more.
        if let validity = usableValidity, validity.endsSoon(now: now),
            !hasFailed || now < validity.notAfter
        {
            return place(.ending, hasFailed)
        }
        return place(hasFailed ? .retry : .first, hasFailed)
    }
}
