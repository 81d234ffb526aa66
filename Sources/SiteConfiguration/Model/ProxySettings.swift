package import ClientAddress
package import Diagnostics

/// The proxies in front of an environment, and the fields that are accepted from them.
package struct ProxySettings: Hashable, Sendable {
    /// The trusted addresses. If empty, the other settings have no effect.
    package var trusted = [AddressBlock]()
    /// The position of `trusted`.
    package var position: SourcePosition?
    /// The field that holds the client's address, or nil.
    package var header: Header?
    /// Whether every connection begins with a header of the PROXY protocol.
    package var expectsProxyHeader = false

    /// No proxies.
    package init() {}

    /// Whether clients behind the proxies are known only by request, so that a connection carries
    /// requests of many.
    package var shareConnections: Bool { !trusted.isEmpty && header != nil && !expectsProxyHeader }

    /// Whether clients behind the proxies are not known, so that the proxies stand for them.
    package var hideClients: Bool { !trusted.isEmpty && header == nil && !expectsProxyHeader }

    /// For each family, the trusted addresses if they are more than any operator's proxies have.
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

    /// A field in which proxies report their clients' addresses.
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
    /// A block that is too large by itself; the block of all addresses if all are trusted; or nil.
    package let block: String?
}
