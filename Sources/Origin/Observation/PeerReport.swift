import Synchronization

/// A fault of a peer, or of what a proxy tells.
package enum PeerFault: Hashable, Sendable {
    /// The PROXY protocol is wanted, and the peer is none of the trusted proxies.
    case untrusted
    /// A trusted proxy's connection begins with no such header, for a reason that the operator
    /// can read, but with these bytes.
    case header(String, begins: [UInt8])
    /// The header did not come within this number of seconds.
    case noHeader(seconds: Int)
    /// The field of this name, in which a trusted proxy tells who asks, holds this in place of an
    /// address.
    case field(String, holds: [UInt8])
    /// A trusted proxy forwards a request over plain HTTP and does not say in the field of this name
    /// how the client came. It is redirected to https, in a circle if the proxy terminates TLS.
    case noScheme(String)
    /// The same of a peer that says in X-Forwarded-Proto that its client came by https, and is not
    /// believed.
    case untrustedScheme
    /// A client's network asks for many slugs of stored links that are of none.
    case guesses

    /// Faults that are told together have the same.
    fileprivate var kind: Int {
        switch self {
        case .untrusted: 0
        case .header, .noHeader: 1
        case .field: 2
        case .guesses: 3
        case .noScheme, .untrustedScheme: 4
        }
    }

    fileprivate static let kinds = 5
}

/// Peers with which something is wrong, each kind told when it begins and then once a minute, for
/// all loops together: anybody can connect as often as they like.
final class PeerReport: Sendable {
    private let report: @Sendable (OriginEvent) -> Void
    private let states = Mutex([State](repeating: State(), count: PeerFault.kinds))
    private let isWaiting = Atomic<Bool>(false)

    private struct State: Sendable {
        /// Since the last event.
        var count = 0
        /// The first of them.
        var example: (fault: PeerFault, peer: Network)?
        var quietUntil = Int.min

        /// Takes the event that is to be told now, if there is one.
        mutating func take(_ milliseconds: Int) -> OriginEvent? {
            guard let example, milliseconds >= quietUntil else { return nil }
            defer { self = State(quietUntil: milliseconds &+ quietMilliseconds) }
            return .peers(example.fault, example.peer, count: count)
        }
    }

    init(_ report: @escaping @Sendable (OriginEvent) -> Void) { self.report = report }

    /// Whether something is still to be reported; `tell` must be called once a second then.
    var hasMore: Bool { isWaiting.load(ordering: .relaxed) }

    func note(_ fault: PeerFault, _ peer: Network, _ milliseconds: Int) {
        let event: OriginEvent? = states.withLock { states in
            let kind = fault.kind
            states[kind].count += 1
            if states[kind].example == nil { states[kind].example = (fault, peer) }
            let event = states[kind].take(milliseconds)
            if event == nil { isWaiting.store(true, ordering: .relaxed) }
            return event
        }
        if let event { report(event) }
    }

    /// Reports what has waited for a minute; all of it, unless a time is given.
    func tell(_ milliseconds: Int = .max) {
        guard hasMore else { return }
        let events = states.withLock { states in
            let events = states.indices.compactMap { states[$0].take(milliseconds) }
            isWaiting.store(states.contains { $0.example != nil }, ordering: .relaxed)
            return events
        }
        for event in events { report(event) }
    }
}

private let quietMilliseconds = 60_000
