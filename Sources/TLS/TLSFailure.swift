internal import COpenSSL

/// The reason why a handshake failed, as far as an operator can act on it.
package enum TLSFailure: Sendable {
    /// The client did not send TLS, but mostly plain HTTP.
    case notTLS
    /// The client supports none of the server's versions.
    case version
    /// The client requests an unknown host, and the server refuses unknown names.
    case unknownName
    /// The client requests a host without a usable certificate, or names no host and there is no
    /// usable certificate at all.
    case noCertificate
    /// The client refuses the certificate with an alert (RFC 8446 §6.2).
    case certificate
    /// Another reason, such as no common cipher or protocol, or a broken record.
    case other
}

extension TLSReading.State {
    /// - Parameter reason: the first of OpenSSL's errors, or the one for a lack of memory.
    init(reason: CInt) {
        switch reason {
        case CInt(waymark_ERR_memory): self = .exhausted
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER:
            self = .failed(.notTLS)
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            self = .failed(.version)
        case CInt(waymark_ERR_no_certificate): self = .failed(.noCertificate)
        // Of our callbacks, only `checkServerName` fails in this way.
        case SSL_R_CALLBACK_FAILED: self = .failed(.unknownName)
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE,
            SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED,
            SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_TLSV1_ALERT_UNKNOWN_CA:
            self = .failed(.certificate)
        default: self = .failed(.other)
        }
    }
}
