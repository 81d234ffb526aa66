internal import COpenSSL

/// A server, as a client has come to know it in a handshake.
package struct TLSPeer: Hashable, Sendable {
    /// Everything that is wrong with the certificates; empty if they are trusted for the host.
    package var faults: [CertificateFault]
    /// The certificates as the server has sent them, its own first.
    package var chain: [PeerCertificate]
    /// Whether the server has asked for a certificate of the client.
    package var isCertificateRequested: Bool
    /// Nil if the handshake was not completed.
    package var parameters: TLSParameters?

    package init(
        faults: [CertificateFault] = [], chain: [PeerCertificate] = [],
        isCertificateRequested: Bool = false, parameters: TLSParameters? = nil
    ) {
        self.faults = faults
        self.chain = chain
        self.isCertificateRequested = isCertificateRequested
        self.parameters = parameters
    }
}

/// A fault that OpenSSL has found in a server's certificates (openssl-verify(1)).
package struct CertificateFault: Hashable, Sendable {
    package let kind: Kind
    /// The position of the certificate in the chain, 0 for the server's own.
    package let depth: Int
    /// OpenSSL's words.
    package let text: String

    package enum Kind: Hashable, Sendable {
        case issuerNotFound, selfSigned, unknownRoot, notYetValid, expired, wrongName, other
    }

    package init(_ kind: Kind, depth: Int) { (self.kind, self.depth, text) = (kind, depth, "") }

    init(error: Int, depth: Int) {
        kind =
            switch CInt(clamping: error) {
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
                .issuerNotFound
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
            case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: .unknownRoot
            case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
            case X509_V_ERR_CERT_HAS_EXPIRED: .expired
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongName
            default: .other
            }
        self.depth = depth
        text = unsafe String(cString: X509_verify_cert_error_string(error))
    }
}
