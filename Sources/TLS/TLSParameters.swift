/// The parameters that a handshake has negotiated, with the names of the TLS registries.
package struct TLSParameters: Hashable, Sendable {
    package let isTLS13: Bool
    /// Whether the session was resumed from a ticket.
    package let isResumed: Bool
    let cipher: UInt16
    let group: UInt16

    package var version: StaticString { isTLS13 ? "TLSv1.3" : "TLSv1.2" }

    /// The cipher suite, one of those that this server offers.
    package var cipherName: StaticString {
        switch cipher {
        case 0x1301: "TLS_AES_128_GCM_SHA256"
        case 0x1302: "TLS_AES_256_GCM_SHA384"
        case 0x1303: "TLS_CHACHA20_POLY1305_SHA256"
        case 0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        case 0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
        case 0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
        case 0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"
        case 0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
        case 0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
        default: "unknown"
        }
    }

    /// The group of the key exchange, one of those that this server offers.
    package var groupName: StaticString {
        switch group {
        case 23: "secp256r1"
        case 24: "secp384r1"
        case 29: "x25519"
        case 0x11EC: "X25519MLKEM768"
        default: "none"
        }
    }
}
