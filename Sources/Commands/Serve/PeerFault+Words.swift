import Diagnostics
import Origin

// What is said of peers with which something is wrong. What they sent is quoted and escaped.

extension PeerFault {
    var rule: RuleName {
        switch self {
        case .untrusted: .untrustedPeer
        case .header, .noHeader: .proxyHeader
        case .field: .forwardedField
        }
    }

    /// How many there were, whose one of them was, and what was wrong with that one.
    func fact(_ count: Int, _ peer: Network) -> String {
        let connections = counted(count, "connection", was: "closed")
        switch self {
        case .untrusted:
            return "\(connections) whose peer is not trusted, one of \(peer)"
        case .header(let reason, let bytes):
            return "\(connections) without a header of the PROXY protocol, one of \(peer): "
                + "\(reason); it begins with \(quoted(bytes))"
        case .noHeader(let seconds):
            return "\(connections) without a header of the PROXY protocol, one of \(peer): "
                + "none came within \(seconds) s"
        case .field(let name, let bytes):
            return "\(counted(count, "request")) of trusted proxies with no address in "
                + "\(name), one of \(peer): \(quoted(bytes))"
        }
    }

    var advice: String {
        switch self {
        case .untrusted:
            "only proxies.trusted may connect with protocol: proxy; if this is one, add it there"
        case .header, .noHeader:
            "let the proxy send the header, or leave out protocol: proxy"
        case .field:
            "the proxy is taken for the client; let it write addresses, or name the field that it "
                + "writes in proxies.header"
        }
    }
}

/// As far as it is text.
private func quoted(_ bytes: [UInt8]) -> String { quoted(String(decoding: bytes, as: UTF8.self)) }
