package import ClientAddress
package import Diagnostics

/// The proxies that an environment stands behind, and what is believed of what they say.
package struct ProxySettings: Hashable, Sendable {
    /// Whose word is taken; empty for none, and then nothing else here has an effect.
    package var trusted = [AddressBlock]()
    /// Where that is said.
    package var position: SourcePosition?
    /// The field that tells the client's address; nil believes none.
    package var header: Header?
    /// Whether every connection begins with a header of the PROXY protocol.
    package var expectsProxyHeader = false

    /// No proxies.
    package init() {}

    /// Whether clients behind them are known by request only: a connection is that of many.
    package var shareConnections: Bool {
        !trusted.isEmpty && header != nil && !expectsProxyHeader
    }

    /// Of each family what is trusted, where that is more than anybody's proxies have.
    package var excesses: [TrustExcess] {
        [(true, 1 << 24), (false, 1 << 32)].compactMap { isV4, least in
            let reach = trusted.publicReach(v4: isV4)
            guard reach.count >= least else { return nil }
            let block = trusted.first {
                let own = [$0].publicReach(v4: isV4)
                return own.count >= least && own.isWhole == reach.isWhole
            }
            return TrustExcess(
                isV4: isV4, count: reach.count, isWhole: reach.isWhole, block: block?.text)
        }
    }

    /// One of the fields that proxies tell their clients' addresses in.
    package enum Header: String, Hashable, Sendable, CaseIterable {
        case forwardedFor = "x-forwarded-for"
        case forwarded
    }
}

/// Trusted addresses that strangers have too.
package struct TrustExcess: Hashable, Sendable {
    package let isV4: Bool
    /// Public addresses of IPv4, or networks of 48 bits of IPv6.
    package let count: Int
    /// Whether these are all there are.
    package let isWhole: Bool
    /// A block that is too wide by itself, and holds all where all are trusted; if there is one.
    package let block: String?
}
