/// A request's line and what its field section decides: everything but the content, as places in
/// the buffer that it was read from.
package struct RequestHead: Sendable {
    package var method = Method.other
    /// The method and the whole line as they were sent, for logs.
    package var methodName = 0..<0
    package var line = 0..<0
    /// The request-target as it was sent.
    package var target = 0..<0
    /// The path as it was sent, before the query; empty for `*` and the authority form.
    package var path = 0..<0
    /// The host without its port, from the target's authority or else the Host field; empty when
    /// there is none.
    package var host = 0..<0
    /// The port's digits, when the host came with one.
    package var port = 0..<0
    package var isAsteriskForm = false
    package var isHTTP10 = false
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    package var isPersistent = true
    package var expectsContinue = false
    package var framing = Framing.none
    /// How many bytes the head fills, its last empty line included.
    package var length = 0

    package init() {}

    /// How the end of the content is known (RFC 9112 §6.3).
    package enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
    }
}

/// Request methods, as far as this origin tells them apart (RFC 9110 §9.3, RFC 5789).
package enum Method: UInt8, Sendable {
    case get, head, options
    /// Registered methods that this origin knows and does not allow.
    case known
    /// Anything else that is a token.
    case other
}
