package import Answering
package import HTTPMessages

/// Every limit of the running origin; `docs/limits.md` lists them with their reasons.
package struct OriginLimits: Sendable {
    package var answering = AnsweringLimits()

    /// Connections at once, over all loops, those of the admin listener left out.
    package var connectionsMax = 10_000
    /// Of these from one IPv4 address, or one IPv6 network with a prefix of this length in bits.
    package var connectionsPerAddressMax = 10_000
    package var prefixBits = 64
    /// Connections beyond these limits, whose first request is answered all the same, over all
    /// loops and from one address; and how long they may take for it.
    package var overLimitMax = 256
    package var overLimitPerAddressMax = 16
    package var overLimitSeconds = 5
    /// Connections to the admin listener.
    package var adminConnectionsMax = 64
    /// The most descriptors that this process may have open.
    package var descriptorsMax = Int.max
    /// Requests on one connection, after which it is closed.
    package var requestsPerConnectionMax = 10_000

    /// From accepting a connection to the end of its TLS handshake.
    package var handshakeSeconds = 10
    /// From a request's first byte to the end of its field section; then 408.
    package var headSeconds = 10
    /// From there to the end of its content; then 408.
    package var contentSeconds = 60
    /// The bytes of content that must come per second, over each `contentRateSeconds`.
    package var contentBytesPerSecond = 512
    package var contentRateSeconds = 10
    /// The time that a handler may take for each step: for content that it takes, for a part of its
    /// answer. Then 503, or a reset where the answer has begun.
    package var handlerSeconds = 30
    /// The bytes of an answer that the peer must take per second, over each `writeSeconds`.
    package var writeBytesPerSecond = 512
    package var writeSeconds = 30
    /// Between requests. Longer than what load balancers keep (60 s), so that they close first.
    package var idleSeconds = 75
    /// For the peer to see the last answer before the connection is closed.
    package var lingerSeconds = 2
    /// The time after the order to stop in which the origin still accepts connections.
    package var drainDelaySeconds = 5
    /// For requests in flight after that.
    package var drainSeconds = 10

    /// The header of the PROXY protocol.
    package var proxyHeaderBytesMax = 4096
    /// One read from a socket.
    package var receiveBytesMax = 65536
    /// One write, before encryption. It is what a socket takes at once of what it cannot send yet,
    /// so that hardly anything is left over, which would have to be copied and kept.
    package var writeBytesMax = 65536
    /// Records that are sent at once to a socket that takes everything.
    package var sendBytesMax = 262_144
    /// The most bytes of a body that are written in one turn, so that other connections get theirs.
    package var bodyBytesPerTurnMax = 1_048_576
    /// Reads of one connection in one turn.
    package var readsPerTurnMax = 4
    /// Connections accepted in one turn of a loop.
    package var acceptsPerTurnMax = 64
    package var eventsPerTurnMax = 256
    /// A turn of a loop that has taken so long handles no further event.
    package var turnMilliseconds = 100
    /// The time that a connection has for requests that have come together, before others have
    /// their turn.
    package var shareMicroseconds = 1000
    /// Connections that go on with such requests in one turn of a loop.
    package var sharesPerTurnMax = 8
    /// TLS connections of a loop that keep their buffers between two turns, about 34 KiB each.
    package var warmConnectionsMax = 128

    /// Lines of the access log that wait to be written, for each loop, in a ring of the next power
    /// of two; above it they are dropped.
    package var logQueueBytesMax = 1 << 20
    /// The memory that stored links may have.
    package var linkBytesMax = 1 << 30

    package init() {}

    /// Those of requests.
    package var request: RequestLimits {
        get { answering.request }
        set { answering.request = newValue }
    }

    /// Relations that the code relies on.
    package func check() {
        precondition(request.headBytesMax < receiveBytesMax)
        precondition(answering.answerBytesMax < writeBytesMax)
        precondition(
            [
                handshakeSeconds, headSeconds, contentSeconds, handlerSeconds, writeSeconds,
                idleSeconds,
            ]
            .allSatisfy { $0 > 0 })
    }

    /// Fewer connections, where there would be no descriptors for them.
    package func fitting(loops: Int) -> OriginLimits {
        let others = descriptorsOfOthers + descriptorsPerLoop * loops
        let most = max(4, descriptorsMax - others)
        var limits = self
        limits.overLimitMax = min(overLimitMax, max(1, most / 8))
        limits.overLimitPerAddressMax = min(overLimitPerAddressMax, limits.overLimitMax)
        limits.adminConnectionsMax = min(adminConnectionsMax, max(1, most / 8))
        limits.answering.openFilesMax = min(answering.openFilesMax, most / 4)
        limits.connectionsMax = min(
            connectionsMax,
            most - limits.overLimitMax - limits.adminConnectionsMax - limits.answering.openFilesMax)
        return limits
    }

    /// The number of connections that one of the loops has room for. The kernel does not share them
    /// out evenly, so it is twice its part.
    package func connectionsOfLoop(_ loops: Int) -> Int {
        min(connectionsMax, 2 * ((connectionsMax + loops - 1) / loops)) + overLimitMax
            + adminConnectionsMax
    }
}

/// Standard streams, logs, watches, and what a reload opens; and a loop's own: its poller, wakeup,
/// listeners and reserve.
private let descriptorsOfOthers = 64
private let descriptorsPerLoop = 8
