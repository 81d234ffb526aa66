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
    /// Whether decoding the path would neither change nor refuse anything.
    package var isPathLiteral = false
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

    /// Whether content follows the head.
    package var hasContent: Bool {
        if case .none = framing { false } else { true }
    }

    /// How the end of the content is known (RFC 9112 §6.3).
    package enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    /// Counts every place from `distance` bytes further on.
    mutating func move(by distance: Int) {
        guard distance > 0 else { return }
        methodName = methodName.moved(by: distance)
        line = line.moved(by: distance)
        target = target.moved(by: distance)
        path = path.moved(by: distance)
        host = host.moved(by: distance)
        port = port.moved(by: distance)
    }
}

extension Range<Int> {
    fileprivate func moved(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }
}
