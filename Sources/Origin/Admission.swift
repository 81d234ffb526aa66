import Answering
import ClientAddress
import Synchronization

/// Decides who is let in: it counts the connections of all loops, and how many of them each
/// address has. It is asked when a connection comes and when one has gone, never for a request.
///
/// A connection over a limit is accepted all the same: its first request is answered, and it is
/// closed. So association files are answered whatever the limits, and all other requests get an
/// answer that says why they are refused. Connections over a limit have a limit of their own, and
/// little time.
final class Admission: Sendable {
    /// Connections over the limit are not counted.
    let connectionsMax: Int
    private let limits: OverLimits
    private let state: Mutex<State>
    private let room = Atomic<Bool>(true)

    /// The most connections that may be over a limit, in all and from one address.
    struct OverLimits: Sendable {
        let all: Int
        let perAddress: Int
    }

    /// The decision about a connection.
    enum Outcome: Sendable {
        case admitted(Ticket)
        case refused(Rejection)
    }

    /// The place of a connection in the counts.
    struct Ticket: Sendable {
        /// The limit that the connection is over.
        var limit = ConnectionLimit.none
        /// False for connections of the admin listener, and for those that were refused.
        var isCounted = false
        /// The entry of its network in the table; -1 while it is counted with none.
        fileprivate var networkEntry: Int32 = -1
    }

    fileprivate struct State: ~Copyable {
        var connections = 0
        var overLimit = 0
        var addresses: AddressTable
    }

    init(connectionsMax: Int, overLimit: OverLimits) {
        self.connectionsMax = connectionsMax
        limits = overLimit
        state = Mutex(State(addresses: AddressTable(capacity: connectionsMax + overLimit.all)))
    }

    /// Whether another connection would be let in, if only over a limit; takes no lock.
    var hasRoom: Bool { room.load(ordering: .relaxed) }

    /// The number of connections, those over a limit included.
    var count: Int { state.withLock { $0.connections + $0.overLimit } }

    /// The number of connections of the network.
    func count(of network: IPAddress) -> Int { state.withLock { $0.addresses.count(network).all } }

    /// Counts a connection that has come.
    /// - Parameter network: whose connections it is counted with; nil while that is not known, or
    ///   where a trusted proxy shares it among its clients.
    func enter(_ network: IPAddress?, perAddressMax: Int) -> Outcome {
        state.withLock { state in
            defer { noteRoom(state) }
            let isFull = state.connections >= connectionsMax
            guard !isFull || state.overLimit < limits.all else { return .refused(.connections) }
            let ticket = Ticket(limit: isFull ? .connections : .none, isCounted: true)
            state.count(ticket.limit, 1)
            guard let network else { return .admitted(ticket) }
            return assign(ticket, to: network, perAddressMax, &state)
        }
    }

    /// Counts a connection with its network, which became known after it came.
    func assign(_ ticket: Ticket, to network: IPAddress, perAddressMax: Int) -> Outcome {
        state.withLock { state in
            defer { noteRoom(state) }
            return assign(ticket, to: network, perAddressMax, &state)
        }
    }

    /// A connection has gone.
    func leave(_ ticket: Ticket) {
        guard ticket.isCounted else { return }
        state.withLock { state in
            defer { noteRoom(state) }
            state.count(ticket.limit, -1)
            guard ticket.networkEntry >= 0 else { return }
            state.addresses.leave(ticket.networkEntry, isOverLimit: ticket.limit != .none)
        }
    }

    private func noteRoom(_ state: borrowing State) {
        room.store(
            state.connections < connectionsMax || state.overLimit < limits.all,
            ordering: .relaxed)
    }

    private func assign(
        _ ticket: Ticket, to network: IPAddress, _ perAddressMax: Int, _ state: inout State
    ) -> Outcome {
        var ticket = ticket
        let count = state.addresses.count(network)
        state.count(ticket.limit, -1)
        if ticket.limit == .none, count.all - count.overLimit >= perAddressMax {
            ticket.limit = .address
        }
        if ticket.limit != .none {
            guard state.overLimit < limits.all, count.overLimit < limits.perAddress else {
                return .refused(ticket.limit == .address ? .address : .connections)
            }
        }
        state.count(ticket.limit, 1)
        ticket.networkEntry = state.addresses.enter(network, isOverLimit: ticket.limit != .none)
        return .admitted(ticket)
    }
}

/// A limit that a connection is over.
enum ConnectionLimit: UInt8, Sendable, CaseIterable {
    /// It is over none.
    case none
    /// There are too many connections, or too many from its address.
    case connections, address

    var name: String {
        switch self {
        case .none: "none"
        case .connections: "connections"
        case .address: "address"
        }
    }
}

extension Admission.State {
    fileprivate mutating func count(_ limit: ConnectionLimit, _ change: Int) {
        if limit == .none { connections += change } else { overLimit += change }
    }
}
