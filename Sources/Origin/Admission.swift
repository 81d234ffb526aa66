import ClientAddress
import Synchronization

/// Who is let in: how many connections there are, over all loops, and how many of them each
/// address has. It is asked when a connection comes and when one has gone, never for a request.
///
/// Beyond a limit a connection is a guest: its first request is answered, and it is closed. So an
/// association file is had whatever the limits, and everybody else is told why they are refused.
/// Guests have a limit of their own, and little time.
final class Admission: Sendable {
    /// Guests are not counted.
    let connectionsMax: Int
    private let limits: GuestLimits
    private let state: Mutex<State>
    private let room = Atomic<Bool>(true)

    /// How many guests there may be, and how many from one address.
    struct GuestLimits: Sendable {
        let all: Int
        let perAddress: Int
    }

    /// What was decided about a connection.
    enum Outcome: Sendable {
        case admitted(Place)
        case refused(Rejection)
    }

    /// Where a connection is counted.
    struct Place: Sendable {
        var standing = Standing.welcome
        /// False for connections of the admin listener, and for those that were refused.
        var isCounted = false
        /// The entry of its address in the table; -1 while it is counted with none.
        fileprivate var seat: Int32 = -1
    }

    fileprivate struct State: ~Copyable {
        var connections = 0
        var guests = 0
        var addresses: AddressTable
    }

    init(connectionsMax: Int, guests: GuestLimits) {
        self.connectionsMax = connectionsMax
        limits = guests
        state = Mutex(State(addresses: AddressTable(capacity: connectionsMax + guests.all)))
    }

    /// Whether another connection would be let in, if only as a guest; takes no lock.
    var hasRoom: Bool { room.load(ordering: .relaxed) }

    /// How many connections there are, and how many the network has, guests included.
    var count: Int { state.withLock { $0.connections + $0.guests } }
    func count(of network: IPAddress) -> Int { state.withLock { $0.addresses.count(network).all } }

    /// Counts a connection that has come.
    /// - Parameter network: whose connections it is counted with; nil while that is not known, or
    ///   where a trusted proxy shares it among its clients.
    func enter(_ network: IPAddress?, perAddressMax: Int) -> Outcome {
        state.withLock { state in
            defer { noteRoom(state) }
            let isFull = state.connections >= connectionsMax
            guard !isFull || state.guests < limits.all else { return .refused(.connections) }
            let place = Place(standing: isFull ? .overall : .welcome, isCounted: true)
            state.count(place.standing, 1)
            guard let network else { return .admitted(place) }
            return seat(network, place, perAddressMax, &state)
        }
    }

    /// Counts a connection with its network, which became known after it came.
    func seat(_ network: IPAddress, _ place: Place, perAddressMax: Int) -> Outcome {
        state.withLock { state in
            defer { noteRoom(state) }
            return seat(network, place, perAddressMax, &state)
        }
    }

    /// A connection has gone.
    func leave(_ place: Place) {
        guard place.isCounted else { return }
        state.withLock { state in
            defer { noteRoom(state) }
            state.count(place.standing, -1)
            guard place.seat >= 0 else { return }
            state.addresses.leave(place.seat, isGuest: place.standing != .welcome)
        }
    }

    private func noteRoom(_ state: borrowing State) {
        room.store(
            state.connections < connectionsMax || state.guests < limits.all,
            ordering: .relaxed)
    }

    private func seat(
        _ network: IPAddress, _ place: Place, _ perAddressMax: Int, _ state: inout State
    ) -> Outcome {
        var place = place
        let count = state.addresses.count(network)
        state.count(place.standing, -1)
        if place.standing == .welcome, count.all - count.guests >= perAddressMax {
            place.standing = .address
        }
        if place.standing != .welcome {
            guard state.guests < limits.all, count.guests < limits.perAddress else {
                return .refused(place.standing == .address ? .address : .connections)
            }
        }
        state.count(place.standing, 1)
        place.seat = state.addresses.enter(network, isGuest: place.standing != .welcome)
        return .admitted(place)
    }
}

/// How a connection stands with the limits.
enum Standing: UInt8, Sendable, CaseIterable {
    case welcome
    /// A guest, because there are too many connections, or too many from its address.
    case overall, address

    /// The limit that makes it a guest, in words for metrics.
    var limitName: String {
        switch self {
        case .welcome: "none"
        case .overall: "connections"
        case .address: "address"
        }
    }
}

extension Admission.State {
    fileprivate mutating func count(_ standing: Standing, _ change: Int) {
        if standing == .welcome { connections += change } else { guests += change }
    }
}
