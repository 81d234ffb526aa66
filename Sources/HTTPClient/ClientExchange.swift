package import Sockets
package import TLS

/// A request, and everything that happened to it.
package struct ClientExchange: Sendable {
    package var request: FetchRequest
    /// Nil if the host has none, or a proxy connects.
    package var address: SocketAddress?
    /// Nil before a handshake, and without TLS.
    package var peer: TLSPeer?
    package var milliseconds = Durations()
    package var result: Result<FetchResponse, FetchFailure>

    package init(
        request: FetchRequest, address: SocketAddress?, peer: TLSPeer? = nil,
        result: Result<FetchResponse, FetchFailure> = .failure(
            FetchFailure(.connect, .system, "not tried"))
    ) {
        self.request = request
        self.address = address
        self.peer = peer
        self.result = result
    }

    package var response: FetchResponse? { try? result.get() }

    package var failure: FetchFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    /// The durations of the phases, in milliseconds.
    package struct Durations: Hashable, Sendable {
        package var (connect, handshake, wait, total) = (0, 0, 0, 0)
    }
}
