import Memory
import Synchronization

/// The shortages of one loop. One is over when it did not occur for ten seconds.
struct LoopShortages: ~Copyable {
    private let report: ShortageReport?
    /// The end of each, 0 where there is none; and the number of connections it has turned away.
    private var ends = FixedArray(repeating: 0, count: Shortage.allCases.count)
    private var turnedAway = FixedArray(repeating: 0, count: Shortage.allCases.count)
    /// The networks that had too many connections.
    private var networks = FrequentNetworks()
    private(set) var areThere = false

    init(_ report: ShortageReport?) { self.report = report }

    func isThere(_ shortage: Shortage) -> Bool { ends[Int(shortage.rawValue)] != 0 }

    /// Reports a shortage that is new; `note` must follow.
    func begin(_ shortage: Shortage, _ facts: ShortageFacts) { report?.begin(shortage, facts) }

    mutating func note(
        _ shortage: Shortage, turnedAway count: Int, _ network: Network?, _ milliseconds: Int
    ) {
        let index = Int(shortage.rawValue)
        if let network { networks.note(network) }
        ends[index] = milliseconds + calmMilliseconds
        turnedAway[index] += count
        areThere = true
    }

    /// Reports those that are over.
    mutating func expire(_ milliseconds: Int) {
        guard areThere else { return }
        areThere = false
        for shortage in Shortage.allCases {
            let index = Int(shortage.rawValue)
            guard ends[index] != 0 else { continue }
            guard milliseconds >= ends[index] else {
                areThere = true
                continue
            }
            let isOfNetworks = shortage == .address
            report?.end(
                shortage, turnedAway: turnedAway[index],
                isOfNetworks ? networks : FrequentNetworks())
            if isOfNetworks { networks = FrequentNetworks() }
            (ends[index], turnedAway[index]) = (0, 0)
        }
    }
}

private let calmMilliseconds = 10_000
