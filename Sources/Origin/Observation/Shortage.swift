import Memory
import Synchronization

/// What there can be too little of for connections that come.
package enum Shortage: UInt8, Sendable, CaseIterable {
    /// The limit of all connections, or of those from one address.
    case connections, address
    case descriptors, memory

    var rejection: Rejection {
        switch self {
        case .connections: .connections
        case .address: .address
        case .descriptors: .descriptors
        case .memory: .memory
        }
    }
}

/// What happens to an origin that its operator should hear of at once.
package enum OriginEvent: Hashable, Sendable {
    case began(Shortage)
    /// So many connections were turned away meanwhile, or answered with nothing but that.
    case ended(Shortage, turnedAway: Int)
}

/// What there is too little of, told once when it begins and once when it is over, for all loops
/// together.
final class ShortageReport: Sendable {
    private let report: @Sendable (OriginEvent) -> Void
    private let states: Mutex<[State]>

    private struct State: Sendable {
        var loops = 0
        var turnedAway = 0
    }

    init(_ report: @escaping @Sendable (OriginEvent) -> Void) {
        self.report = report
        states = Mutex(.init(repeating: State(), count: Shortage.allCases.count))
    }

    fileprivate func begin(_ shortage: Shortage) {
        let isFirst = states.withLock { states in
            states[Int(shortage.rawValue)].loops += 1
            return states[Int(shortage.rawValue)].loops == 1
        }
        if isFirst { report(.began(shortage)) }
    }

    fileprivate func end(_ shortage: Shortage, turnedAway: Int) {
        let all: Int? = states.withLock { states in
            var state = states[Int(shortage.rawValue)]
            state.loops -= 1
            state.turnedAway += turnedAway
            states[Int(shortage.rawValue)] = state.loops == 0 ? State() : state
            return state.loops == 0 ? state.turnedAway : nil
        }
        if let all { report(.ended(shortage, turnedAway: all)) }
    }
}

/// The shortages of one loop. One is over when it was not met for ten seconds.
struct LoopShortages: ~Copyable {
    private let report: ShortageReport?
    /// When each is over, 0 when it is not there; and whom it has turned away.
    private var ends = FixedArray(repeating: 0, count: Shortage.allCases.count)
    private var turnedAway = FixedArray(repeating: 0, count: Shortage.allCases.count)
    private(set) var areThere = false

    init(_ report: ShortageReport?) { self.report = report }

    mutating func note(_ shortage: Shortage, turnedAway count: Int, _ milliseconds: Int) {
        let index = Int(shortage.rawValue)
        if ends[index] == 0 { report?.begin(shortage) }
        ends[index] = milliseconds + calmMilliseconds
        turnedAway[index] += count
        areThere = true
    }

    /// Tells of those that are over.
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
            report?.end(shortage, turnedAway: turnedAway[index])
            (ends[index], turnedAway[index]) = (0, 0)
        }
    }
}

private let calmMilliseconds = 10_000
