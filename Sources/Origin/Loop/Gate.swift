import Answering
import ClientAddress
import Files
import Snapshots
import Sockets

/// Lets connections in, as far as there is room for them, and reports where there is none.
struct Gate: ~Copyable {
    /// Nil where there are no connections to be counted.
    private let admission: Admission?
    private let memory: MemoryBudget?
    private var shortages: LoopShortages
    private let peers: PeerReport?
    /// A descriptor that is given up where another one is needed, to refuse a connection, to report
    /// health, or to read a challenge.
    var reserve = ReserveDescriptor()

    init(_ shared: SharedByLoops) {
        admission = shared.admission
        memory = shared.memory
        shortages = LoopShortages(shared.shortages)
        peers = shared.peers
    }

    /// Whether another connection would be let in.
    var hasRoom: Bool { admission?.hasRoom != false }

    /// Counts a connection that has come, with its address where that is known and of interest.
    mutating func enter(_ address: IPAddress?, _ turn: borrowing Turn) -> Admission.Outcome {
        guard let admission else { return .admitted(.init()) }
        let network = address?.network(v6Bits: turn.settings.limits.prefixBits)
        let outcome = admission.enter(
            network, perAddressMax: turn.settings.limits.connectionsPerAddressMax)
        report(outcome, network, turn)
        return outcome
    }

    /// Counts a connection with its address, which became known after it came.
    mutating func assign(
        _ ticket: Admission.Ticket, to address: IPAddress, _ turn: borrowing Turn
    ) -> Admission.Outcome {
        guard let admission, ticket.isCounted else { return .admitted(ticket) }
        let network = address.network(v6Bits: turn.settings.limits.prefixBits)
        let outcome = admission.assign(
            ticket, to: network, perAddressMax: turn.settings.limits.connectionsPerAddressMax)
        report(outcome, network, turn)
        return outcome
    }

    /// A connection has gone.
    func leave(_ ticket: Admission.Ticket) { admission?.leave(ticket) }

    /// Takes so much memory for what is new: a connection, or a piece of content. False where there is less.
    func takeMemory(bytes: Int, _ turn: borrowing Turn) -> Bool {
        hasFreeMemory(bytes: bytes) && memory?.take(bytes, milliseconds: turn.milliseconds) != false
    }

    /// Takes so much memory for a connection that is there, beside what an idle one has. False where its container has less; the
    /// reserve is for limits of the process.
    func holdMemory(bytes: Int, _ turn: borrowing Turn) -> Bool {
        memory?.take(bytes, isConnected: true, milliseconds: turn.milliseconds) != false
    }

    // MARK: Reports

    /// Reports a shortage.
    /// - Parameter address: whose connections are too many, where it is one's.
    mutating func report(
        _ shortage: Shortage, turnedAway count: Int, of address: IPAddress? = nil,
        _ turn: borrowing Turn
    ) {
        let bits = turn.settings.limits.prefixBits
        let network = address.map {
            Network(of: $0, v6Bits: bits, isAnonymized: turn.settings.isAnonymized)
        }
        if !shortages.isThere(shortage) {
            shortages.begin(shortage, facts(of: shortage, address, network, turn))
        }
        shortages.note(shortage, turnedAway: count, network, turn.milliseconds)
    }

    /// Reports a peer, or a client, with which something is wrong. A trusted proxy's address is
    /// reported whole; others are anonymized where the access log does so.
    func report(_ fault: PeerFault, from peer: IPAddress, _ turn: borrowing Turn) {
        var (isAnonymized, bits) = (false, 128)
        switch fault {
        case .untrusted: isAnonymized = turn.settings.isAnonymized
        case .guesses:
            (isAnonymized, bits) = (turn.settings.isAnonymized, turn.settings.limits.prefixBits)
        case .untrustedScheme: isAnonymized = turn.settings.isAnonymized
        case .header, .noHeader, .field, .noScheme: break
        }
        let network = Network(of: peer, v6Bits: bits, isAnonymized: isAnonymized)
        peers?.note(fault, network, turn.milliseconds)
    }

    /// Whether something is still to be reported; `expire` must be called once a second then.
    var hasReports: Bool { shortages.areThere || peers?.hasMore == true }

    /// Reports shortages that are over, and peers that waited to be reported.
    mutating func expire(_ turn: borrowing Turn) {
        shortages.expire(turn.milliseconds)
        peers?.tell(turn.milliseconds)
    }

    /// Reports what is left.
    func reportAll() { peers?.tell() }

    private func facts(
        of shortage: Shortage, _ address: IPAddress?, _ network: Network?, _ turn: borrowing Turn
    ) -> ShortageFacts {
        switch shortage {
        case .connections:
            ShortageFacts(
                count: admission?.count ?? 0, limit: admission?.connectionsMax, network: nil)
        case .address:
            ShortageFacts(
                count: address.flatMap { admission?.count(of: $0) } ?? 0,
                limit: turn.settings.limits.connectionsPerAddressMax, network: network)
        case .descriptors:
            ShortageFacts(
                count: ProcessFigures().openDescriptors,
                limit: ProcessFigures().descriptorsMax, network: nil)
        case .memory:
            ShortageFacts(count: admission?.count ?? 0, limit: memory?.limitBytes, network: nil)
        }
    }

    private mutating func report(
        _ outcome: Admission.Outcome, _ network: IPAddress?, _ turn: borrowing Turn
    ) {
        switch outcome {
        case .admitted(let ticket):
            switch ticket.limit {
            case .none: break
            case .connections: report(.connections, turnedAway: 1, turn)
            case .address: report(.address, turnedAway: 1, of: network, turn)
            }
        case .refused(.connections): report(.connections, turnedAway: 1, turn)
        case .refused: report(.address, turnedAway: 1, of: network, turn)
        }
    }
}
