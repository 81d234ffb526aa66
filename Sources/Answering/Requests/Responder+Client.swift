extension Responder {
    /// The connection that a request came over, as far as its answer depends on it.
    package struct Client: Sendable {
        /// Whether the client speaks TLS, with this origin or with a trusted proxy.
        package var isSecure: Bool
        /// The facts that stay the same from one request to the next, most often.
        package var past = Past()
        /// The certificate of the connection, and a number that tells it from others; nil and 0
        /// where it speaks no TLS with this origin.
        package var certificate: (any HostCoverage)?
        package var certificateNumber = 0

        /// A client of which nothing else is known.
        package init(isSecure: Bool, hasServerName: Bool = false) {
            (self.isSecure, past.hasServerName) = (isSecure, hasServerName)
        }

        /// The facts about a connection from its past.
        package struct Past: BitwiseCopyable, Sendable {
            /// Whether the client sent a server name (SNI).
            package var hasServerName = false
            /// Whether it guesses slugs of stored links, so that none is looked up for it.
            package var isGuesser = false

            package init() {}
        }
    }
}
