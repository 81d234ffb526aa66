internal import COpenSSL

/// The facts of interest about a certificate that a server has sent.
package struct PeerCertificate: Hashable, Sendable {
    /// The names of its owner and its issuer, in one line as OpenSSL writes them.
    package var subject: String
    package var issuer: String
    /// The DNS names (RFC 5280 §4.2.1.6), as they are written.
    package var names: [String]
    /// In seconds since 1970; nil if a date is invalid.
    package var notBefore: Int?
    package var notAfter: Int?

    package init(
        subject: String, issuer: String, names: [String] = [], notBefore: Int? = nil,
        notAfter: Int? = nil
    ) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// The certificates that the server of a session has sent.
    static func chain(of session: OpaquePointer) -> [PeerCertificate] {
        guard let stack = unsafe SSL_get_peer_cert_chain(session) else { return [] }
        return unsafe (0..<min(OPENSSL_sk_num(stack), certificatesMax)).compactMap { index in
            guard let item = unsafe OPENSSL_sk_value(stack, index) else { return nil }
            let pointer = OpaquePointer(item)
            guard unsafe X509_up_ref(pointer) == 1 else { return nil }
            return unsafe PeerCertificate(Certificate(owning: pointer))
        }
    }

    private init(_ certificate: Certificate) {
        let pointer = unsafe certificate.pointer
        subject = unsafe nameText(X509_get_subject_name(pointer))
        issuer = unsafe nameText(X509_get_issuer_name(pointer))
        names = certificate.dnsNames.map { String(decoding: $0, as: UTF8.self) }
        (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
        ERR_clear_error()
    }

    private static let certificatesMax: CInt = 16
}

private func nameText(_ name: OpaquePointer?) -> String {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { return "" }
    defer { unsafe BIO_free(bio) }
    unsafe X509_NAME_print_ex(bio, name, 0, waymark_XN_FLAG_ONELINE)
    var data: UnsafeMutablePointer<CChar>?
    let count = unsafe Int(waymark_BIO_memory(bio, &data))
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: max(0, count))
    return unsafe String(decoding: bytes, as: UTF8.self)
}
