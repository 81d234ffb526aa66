// The states of a channel.

extension Channel {
    /// The event that a channel waits for: one of the poller's, or one of this process, until which
    /// nothing is read and only a reset is noticed. A type of this room: each request compares it
    /// often, and the comparison of another room's type is a call.
    enum Interest: UInt8 {
        case reading
        /// The socket takes more.
        case writing
        /// A handler takes content, or gives a part of an answer.
        case handler
        /// Other connections had their turn (`WaitingConnections`).
        case turn
    }

    /// A reason why a channel is of no more use.
    enum Failure {
        /// The peer has gone.
        case lost
        /// The handshake failed; `handshakeError` says why.
        case handshake
        /// Records could not be written.
        case encryption
        /// A file could not be read on, or is not what it was when its answer began.
        case file
        /// There is no memory for what the socket did not take, or for TLS.
        case memory
    }

    /// The result of an attempt to receive.
    enum Received { case nothing, some, more, ended }
}
