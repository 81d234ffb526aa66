import Diagnostics
import Origin

// The messages about peers. Bytes from a peer are quoted and escaped.

extension PeerFault {
    var rule: RuleName {
        switch self {
        case .untrusted: .untrustedPeer
        case .header, .noHeader: .proxyHeader
        case .field: .forwardedField
        case .guesses: .guessedSlugs
        case .noScheme, .untrustedScheme: .proxyWithoutScheme
        }
    }

    /// The number of connections, the peer of one of them, and what was wrong with it.
    func fact(_ count: Int, _ peer: Network) -> String {
        let connections = counted(count, "connection", was: "closed")
        switch self {
        case .untrusted:
            return "\(connections) because the peer is not trusted, one from \(peer)"
        case .header(let reason, let bytes):
            return "\(connections) without a PROXY protocol header, one from \(peer): \(reason); "
                + "it begins with \(quoted(bytes))"
        case .noHeader(let seconds):
            return "\(connections) without a PROXY protocol header, one from \(peer): none arrived "
                + "within \(seconds) s"
        case .field(let name, let bytes):
            return "\(counted(count, "request")) from trusted proxies without an address in "
                + "\(name), one from \(peer): \(quoted(bytes))"
        case .noScheme(let name):
            return "\(counted(count, "request")) over http from trusted proxies that do not say in "
                + "\(name) how the client came, one from \(peer); they are redirected to https, and "
                + "if the proxy terminates TLS, browsers go in a circle"
        case .untrustedScheme:
            return "\(counted(count, "request")) over http whose X-Forwarded-Proto says https and "
                + "is not believed, one from \(peer); they are redirected to https, and if the peer "
                + "is your proxy, browsers go in a circle"
        case .guesses:
            return "\(counted(count, "request")) for stored links that do not exist, beyond what a "
                + "network may ask, one from \(peer)"
        }
    }

    var advice: String {
        switch self {
        case .untrusted:
            "only proxies.trusted may connect with protocol: proxy; if this peer is a proxy, add "
                + "it to the list"
        case .header, .noHeader:
            "configure the proxy to send the header, or remove protocol: proxy"
        case .field:
            "the proxy counts as the client; configure it to write addresses, or set "
                + "proxies.header to the field that it writes"
        case .noScheme:
            "let the proxy send X-Forwarded-Proto, or proto in Forwarded; or let it connect to the "
                + "https listener"
        case .untrustedScheme:
            "add the proxy's address to proxies.trusted, and set proxies.header to x-forwarded-for "
                + "or forwarded"
        case .guesses:
            "they get 404, and nothing is looked up for such connections any more; GET /v1/misses "
                + "shows the paths, block the network if it guesses"
        }
    }
}

/// The bytes as text, as far as they are text.
private func quoted(_ bytes: [UInt8]) -> String { quoted(String(decoding: bytes, as: UTF8.self)) }
