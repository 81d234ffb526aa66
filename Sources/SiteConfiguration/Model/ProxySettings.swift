package import ClientAddress

/// The proxies that an environment stands behind, and what is believed of what they say.
package struct ProxySettings: Hashable, Sendable {
    /// Whose word is taken; empty for none, and then nothing else here has an effect.
    package var trusted = [AddressBlock]()
    /// The field that tells the client's address; nil believes none.
    package var header: Header?
    /// Whether every connection begins with a header of the PROXY protocol.
    package var expectsProxyHeader = false

    /// No proxies.
    package init() {}

    /// One of the fields that proxies tell their clients' addresses in.
    package enum Header: String, Hashable, Sendable, CaseIterable {
        case forwardedFor = "x-forwarded-for"
        case forwarded
    }
}
