import ClientAddress
import HTTPMessages
import Resolution

// Connections that are too many, and what they get all the same.

extension Bench {
    /// Counts a connection that has come, with its address where that is known and of interest.
    mutating func enter(_ address: IPAddress?) -> Admission.Outcome {
        guard let admission else { return .admitted(.init()) }
        let network = address?.network(v6Bits: limits.prefixBits)
        return noted(
            admission.enter(network, perAddressMax: limits.connectionsPerAddressMax))
    }

    /// Counts a connection with the address that it is known by now to come from.
    mutating func seat(_ address: IPAddress, _ place: Admission.Place) -> Admission.Outcome {
        guard let admission, place.isCounted else { return .admitted(place) }
        let network = address.network(v6Bits: limits.prefixBits)
        return noted(
            admission.seat(network, place, perAddressMax: limits.connectionsPerAddressMax))
    }

    mutating func note(_ shortage: Shortage, turnedAway count: Int) {
        shortages.note(shortage, turnedAway: count, milliseconds)
    }

    private mutating func noted(_ outcome: Admission.Outcome) -> Admission.Outcome {
        switch outcome {
        case .admitted(let place):
            switch place.standing {
            case .welcome: break
            case .overall: note(.connections, turnedAway: 1)
            case .address: note(.address, turnedAway: 1)
            }
        case .refused(.connections): note(.connections, turnedAway: 1)
        case .refused: note(.address, turnedAway: 1)
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
            answersHost(head)
        else { return false }
        switch router.decide(path: path, 0..<count, isSecure: true) {
        case .resource(let number):
            return routes[number] == .aasa || routes[number] == .assetlinks
        case .challenge: return true
        case .unmatched, .notFound, .redirectToHTTPS, .unknownHost: return false
        }
    }
}
