import Memory

/// The request methods that this origin knows (RFC 9110 §9.3, RFC 5789).
public enum Method: UInt8, Sendable {
    case get, head, options
    case post, put, patch, delete, trace, connect
    /// Any other token.
    case other

    /// Whether this is CONNECT, whose target is an authority.
    var isConnect: Bool { if case .connect = self { true } else { false } }
    /// Whether this is HEAD.
    @inlinable public var isHead: Bool { if case .head = self { true } else { false } }
}

extension Method {
    /// The method whose name a range of token characters is; methods are case-sensitive (RFC 9110
    /// §9.1).
    init(_ span: Span<UInt8>, _ range: Range<Int>) {
        guard range.count <= 8 else {
            self = .other
            return
        }
        switch span.word(range) {
        case Word.get: self = .get
        case Word.head: self = .head
        case Word.options: self = .options
        case Word.post: self = .post
        case Word.put: self = .put
        case Word.patch: self = .patch
        case Word.delete: self = .delete
        case Word.trace: self = .trace
        case Word.connect: self = .connect
        default: self = .other
        }
    }
}
