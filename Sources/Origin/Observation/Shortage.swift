import Diagnostics
package import Services
import Synchronization

/// A resource that new connections can run out of.
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

/// The figures at the moment that a shortage began.
package struct ShortageFacts: Hashable, Sendable {
    /// Connections that are open, those of the network where there is one; for `descriptors` how
    /// many of these.
    package let count: Int
    /// The most there may be; nil where no number says that.
    package let limit: Int?
    /// Whose connections are too many, of `address`.
    package let network: Network?
}

/// An event of an origin that its operator should hear of at once.
package enum OriginEvent: Hashable, Sendable {
    case began(Shortage, ShortageFacts)
    /// So many connections were turned away meanwhile, or answered with nothing but that; of
    /// `address`, most of them this network's.
    case ended(Shortage, turnedAway: Int, Network?)
    /// So many since this was told last; one of them is this peer's, with this fault.
    case peers(PeerFault, Network, count: Int)
    /// One of its services has something to say.
    case service(ServiceEvent)
}

/// Reports each shortage once when it begins and once when it is over, for all loops together.
final class ShortageReport: Sendable {
    private let report: @Sendable (OriginEvent) -> Void
    private let states: Mutex<[State]>

    private struct State: Sendable {
        var loops = 0
        var turnedAway = 0
        var networks = FrequentNetworks()
    }

    init(_ report: @escaping @Sendable (OriginEvent) -> Void) {
        self.report = report
        states = Mutex(.init(repeating: State(), count: Shortage.allCases.count))
    }

    func begin(_ shortage: Shortage, _ facts: ShortageFacts) {
        let isFirst = states.withLock { states in
            states[Int(shortage.rawValue)].loops += 1
            return states[Int(shortage.rawValue)].loops == 1
        }
        if isFirst { report(.began(shortage, facts)) }
    }

    func end(_ shortage: Shortage, turnedAway: Int, _ networks: FrequentNetworks) {
        let event: OriginEvent? = states.withLock { states in
            var state = states[Int(shortage.rawValue)]
            state.loops -= 1
            state.turnedAway += turnedAway
            state.networks.note(networks)
            states[Int(shortage.rawValue)] = state.loops == 0 ? State() : state
            guard state.loops == 0 else { return nil }
            return .ended(shortage, turnedAway: state.turnedAway, state.networks.first)
        }
        if let event { report(event) }
    }
}
