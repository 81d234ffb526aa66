import ClientAddress
import Files
import HTTPMessages
import Resolution
import SiteConfiguration
import Sockets

// Connections beyond the limits, and what they get all the same.

extension LoopContext {
    /// Counts a connection that has come, with its address where that is known and of interest.
    mutating func enter(_ address: IPAddress?) -> Admission.Outcome {
        guard let admission else { return .admitted(.init()) }
        let network = address?.network(v6Bits: limits.prefixBits)
        return noted(
            admission.enter(network, perAddressMax: limits.connectionsPerAddressMax), network)
    }

    /// Counts a connection with its address, which became known after it came.
    mutating func assign(_ position: Admission.Position, to address: IPAddress) -> Admission.Outcome
    {
        guard let admission, position.isCounted else { return .admitted(position) }
        let network = address.network(v6Bits: limits.prefixBits)
        return noted(
            admission.assign(
                position, to: network, perAddressMax: limits.connectionsPerAddressMax), network)
    }

    /// Whether there is so much memory for another connection, which is then its own.
    mutating func takeMemory(bytes: Int) -> Bool {
        hasFreeMemory(bytes: bytes) && memory?.take(bytes, milliseconds: milliseconds) != false
    }

    /// Notes that there is too little of something.
    /// - Parameter address: whose connections are too many, where it is one's.
    mutating func note(_ shortage: Shortage, turnedAway count: Int, of address: IPAddress? = nil) {
        let network = address.map { named($0, v6Bits: limits.prefixBits) }
        if !shortages.isThere(shortage) {
            shortages.begin(shortage, facts(of: shortage, address, network))
        }
        shortages.note(shortage, turnedAway: count, network, milliseconds)
    }

    /// Notes a peer with which something is wrong. A trusted proxy's address is reported whole;
    /// others are anonymized where the access log does so.
    mutating func note(_ fault: PeerFault, from peer: IPAddress) {
        let network: Network
        if case .untrusted = fault {
            network = named(peer, v6Bits: 128)
        } else {
            network = Network(of: peer, v6Bits: 128, isAnonymized: false)
        }
        peers?.note(fault, network, milliseconds)
    }

    private func named(_ address: IPAddress, v6Bits: Int) -> Network {
        Network(
            of: address, v6Bits: v6Bits,
            isAnonymized: snapshot.environment.accessLog.isAnonymized)
    }

    private func facts(
        of shortage: Shortage, _ address: IPAddress?, _ network: Network?
    ) -> ShortageFacts {
        switch shortage {
        case .connections:
            ShortageFacts(
                count: admission?.count ?? 0, limit: admission?.connectionsMax, network: nil)
        case .address:
            ShortageFacts(
                count: address.flatMap { admission?.count(of: $0) } ?? 0,
                limit: limits.connectionsPerAddressMax, network: network)
        case .descriptors:
            ShortageFacts(
                count: ProcessFigures().openDescriptors,
                limit: ProcessFigures().descriptorsMax, network: nil)
        case .memory:
            ShortageFacts(
                count: admission?.count ?? 0, limit: memory?.limitBytes, network: nil)
        }
    }

    private mutating func noted(
        _ outcome: Admission.Outcome, _ network: IPAddress?
    ) -> Admission.Outcome {
        switch outcome {
        case .admitted(let position):
            switch position.standing {
            case .regular: break
            case .overall: note(.connections, turnedAway: 1)
            case .address: note(.address, turnedAway: 1, of: network)
            }
        case .refused(.connections): note(.connections, turnedAway: 1)
        case .refused: note(.address, turnedAway: 1, of: network)
        }
        return outcome
    }

    /// What a guest gets in place of the answer that it would have had. A device that does not get
    /// an association file may not ask again for days, and a certificate is not renewed without its
    /// challenge: these are given to everybody.
    mutating func limit(
        _ answer: Answer, _ head: RequestHead, _ standing: Standing
    ) -> Answer {
        guard !isNeverLimited(head) else { return answer }
        counters?.countLimited(standing)
        if isObserved { log.exchange.outcome = .limited }
        return .status(
            standing == .address ? .tooManyRequests : .serviceUnavailable,
            isHead: head.method.isHead)
    }

    private mutating func isNeverLimited(_ head: RequestHead) -> Bool {
        guard head.method == .get || head.method.isHead, let count = decodePath(head),
            answersHost(head, isSecure: true)
        else { return false }
        switch router.decide(path: path, 0..<count, isSecure: true) {
        case .resource(let number): return routes[number].isAssociation
        case .challenge: return true
        case .unmatched, .notFound, .redirectToHTTPS, .unknownHost: return false
        }
    }
}
