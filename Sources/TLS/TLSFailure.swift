internal import COpenSSL

/// What was wrong with a handshake, as far as an operator can do something about it.
package enum TLSFailure: Sendable {
    /// What came is not TLS: plain HTTP, most often.
    case notTLS
    /// The client speaks no version that is offered here.
    case version
    /// The client asks for a host that is not answered, where such names are refused.
    case unknownName
    /// The client asks for a host that is answered, and has no certificate that could be used; or
    /// for none, and no certificate can be used at all.
    case noCertificate
    /// The client refuses the certificate: an alert of RFC 8446 §6.2 says so.
    case certificate
    /// Anything else, such as no common cipher or protocol, or a broken record.
    case other
}

extension TLSReading.State {
    /// - Parameter reason: the first of OpenSSL's errors, or that memory was lacking.
    init(reason: CInt) {
        switch reason {
        case CInt(waymark_ERR_memory): self = .exhausted
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER:
            self = .failed(.notTLS)
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            self = .failed(.version)
        case CInt(waymark_ERR_no_certificate): self = .failed(.noCertificate)
        // Of our callbacks the choice of a certificate alone fails so (`checkServerName`).
        case SSL_R_CALLBACK_FAILED: self = .failed(.unknownName)
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE,
            SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED,
            SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_TLSV1_ALERT_UNKNOWN_CA:
            self = .failed(.certificate)
        default: self = .failed(.other)
        }
    }
}
