/// A request's line and what its field section decides: everything but the content, as places in
/// the buffer that it was read from.
///
/// Places are kept in sixteen bits from the message's start, which its limit allows: a head is
/// handed from one part of the origin to the next, and should be cheap to copy.
public struct RequestHead: Sendable {
    public internal(set) var method = Method.other
    public internal(set) var isAsteriskForm = false
    public internal(set) var isHTTP10 = false
    /// Whether decoding the path would neither change nor refuse anything.
    public internal(set) var isPathLiteral = false
    /// Tells hosts apart that came before: the same number is the same host, 0 one of which
    /// nothing is remembered.
    public internal(set) var hostNumber = 0
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    public internal(set) var isPersistent = true
    public internal(set) var expectation = Expectation.none
    public internal(set) var framing = Framing.none
    /// How many bytes the head fills, its last empty line included.
    public internal(set) var length = 0

    /// Where the message begins in the buffer.
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
    /// The whole line as it was sent, without its end.
    @inlinable public var line: Range<Int> { linePosition.range(from: start) }
    /// The request-target as it was sent; of the absolute form what follows the authority.
    @inlinable public var target: Range<Int> { targetPosition.range(from: start) }
    /// The path as it was sent, before the query; empty for `*` and the authority form.
    @inlinable public var path: Range<Int> { pathPosition.range(from: start) }
    /// The host without its port, from the target's authority or else the Host field; empty when
    /// there is none.
    @inlinable public var host: Range<Int> { hostPosition.range(from: start) }
    /// The port's digits, when the host came with one.
    @inlinable public var port: Range<Int> { portPosition.range(from: start) }

    /// Whether content follows the head.
    @inlinable public var hasContent: Bool {
        if case .none = framing { false } else { true }
    }

    /// Whether the target, in absolute form, is that of an https resource; not for `*`, and not for
    /// the authority of CONNECT.
    /// - Parameter bytes: what the head was read from.
    package func namesHTTPS(_ bytes: [UInt8]) -> Bool {
        let scheme = methodName.upperBound + 1
        return bytes[scheme] != .slash && bytes[scheme + 4] | 0x20 == UInt8(ascii: "s")
    }

    /// What the client expects before it goes on (RFC 9110 §10.1.1).
    public enum Expectation: Sendable {
        case none
        /// 100; only where content follows.
        case continuing
        /// What this origin does not know; the connection is then not persistent.
        case other
    }

    /// How the end of the content is known (RFC 9112 §6.3).
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
        func range(from start: Int) -> Range<Int> {
            start + Int(lower)..<start + Int(upper)
        }
    }
}
