/// A request's line and what its field section decides: everything except the content, as ranges of
/// the buffer.
///
/// Offsets have 16 bits and count from the message's start, which the limit on heads allows. A head
/// is passed between parts of the origin, so it should be cheap to copy.
public struct RequestHead: Sendable {
    public internal(set) var method = Method.other
    public internal(set) var isAsteriskForm = false
    public internal(set) var isHTTP10 = false
    /// Whether decoding the path would neither change nor refuse it.
    public internal(set) var isPathLiteral = false
    /// Identifies a host that occurred before: equal numbers are equal hosts, and 0 is a host that
    /// is not remembered.
    public internal(set) var hostNumber = 0
    /// Whether the connection can carry another request after this one (RFC 9112 §9.3).
    public internal(set) var isPersistent = true
    public internal(set) var expectation = Expectation.none
    public internal(set) var framing = Framing.none
    /// The number of bytes of the head, with its last empty line.
    public internal(set) var length = 0

    /// The offset in the buffer at which the head ends, with its last empty line.
    package var end: Int { start + length }

    /// The offset in the buffer at which the message begins.
    @usableFromInline var start = 0
    @usableFromInline var methodPosition = Position()
    @usableFromInline var linePosition = Position()
    @usableFromInline var targetPosition = Position()
    @usableFromInline var pathPosition = Position()
    @usableFromInline var hostPosition = Position()
    @usableFromInline var portPosition = Position()

    init() {}

    /// The method as it was sent.
    @inlinable public var methodName: Range<Int> { methodPosition.range(from: start) }
    /// The whole line as it was sent, without its line end.
    @inlinable public var line: Range<Int> { linePosition.range(from: start) }
    /// The request-target as it was sent; of the absolute form, the part after the authority.
    @inlinable public var target: Range<Int> { targetPosition.range(from: start) }
    /// The path as it was sent, before the query; empty for `*` and the authority form.
    @inlinable public var path: Range<Int> { pathPosition.range(from: start) }
    /// The host without its port, from the target's authority or else from the Host field; empty if
    /// there is none.
    @inlinable public var host: Range<Int> { hostPosition.range(from: start) }
    /// The digits of the port, if the host has one.
    @inlinable public var port: Range<Int> { portPosition.range(from: start) }

    /// Whether content follows the head.
    @inlinable public var hasContent: Bool {
        if case .none = framing { false } else { true }
    }

    /// Whether the target, in absolute form, is an https resource; false for `*` and for the
    /// authority of CONNECT.
    /// - Parameter bytes: the buffer that contains the head.
    package func namesHTTPS(_ bytes: [UInt8]) -> Bool {
        let scheme = methodName.upperBound + 1
        return bytes[scheme] != .slash && bytes[scheme + 4] | 0x20 == UInt8(ascii: "s")
    }

    /// The client's expectation before it sends its content (RFC 9110 §10.1.1).
    public enum Expectation: Sendable {
        case none
        /// 100; only if content follows.
        case continuing
        /// Not known to this origin; the connection is then not persistent.
        case other
    }

    /// The way to find the end of the content (RFC 9112 §6.3).
    public enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    /// A range of the message's octets.
    @usableFromInline
    struct Position: Sendable {
        @usableFromInline var lower: UInt16 = 0
        @usableFromInline var upper: UInt16 = 0

        init() {}

        init(_ range: Range<Int>) {
            lower = UInt16(truncatingIfNeeded: range.lowerBound)
            upper = UInt16(truncatingIfNeeded: range.upperBound)
        }

        @inlinable
        func range(from start: Int) -> Range<Int> { start + Int(lower)..<start + Int(upper) }
    }
}
