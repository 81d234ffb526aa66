internal import COpenSSL

/// The client's side of TLS: TLS 1.2 and 1.3, HTTP/1.1 by ALPN, no client certificate, and the
/// authorities whose certificates are trusted. It trusts no intermediate certificate by itself, as
/// Android does not either. Threads can share it.
package final class TLSClientContext: Sendable {
    let context: ContextHandle

    /// - Throws: if the authorities cannot be used.
    package init(
        _ authorities: TLSAuthorities = .system, versions: TLSVersions = .tls12And13
    ) throws(OpenSSLError) {
        ERR_clear_error()
        guard let pointer = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw .drained("no TLS context")
        }
        context = unsafe ContextHandle(owning: pointer)
        try require("protocol versions") {
            unsafe waymark_SSL_CTX_set_protocols(
                pointer, TLS1_2_VERSION, versions == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION) == 1
        }
        switch authorities {
        case .system:
            try require("system's authorities") {
                unsafe SSL_CTX_set_default_verify_paths(pointer) == 1
            }
        case .pem(let text):
            let certificates = CredentialReader().readCertificates(text)
            guard !certificates.isEmpty else {
                throw .drained(
                    "no certificate in PEM form: it is \(CredentialForm(of: text).words)")
            }
            let store = unsafe SSL_CTX_get_cert_store(pointer)
            for certificate in certificates {
                try require("certificate of an authority") {
                    unsafe X509_STORE_add_cert(store, certificate.pointer) == 1
                }
            }
        }
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, noteVerification)
        unsafe SSL_CTX_set_client_cert_cb(pointer, noteCertificateRequest)
        unsafe waymark_SSL_CTX_without_session_cache(pointer, 0)
        // A server could ask for one handshake after the other, with other certificates.
        unsafe waymark_SSL_CTX_without_renegotiation(pointer)
        ERR_clear_error()
    }
}

/// The certificates of authorities that a client trusts.
package enum TLSAuthorities: Hashable, Sendable {
    /// Those of the system, where OpenSSL searches for them: also in `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR`.
    case system
    /// Those of a PEM text.
    case pem([UInt8])
}

/// The versions that a client offers.
package enum TLSVersions: Sendable {
    case tls12And13, tls12
}

/// The callbacks' observations of a client's handshake. They belong to its session's thread.
final class ClientHandshakeNotes {
    var faults = [CertificateFault]()
    var isCertificateRequested = false

    static let faultsMax = 32
}

/// Notes a fault, and lets OpenSSL search for others. The session must not be used if there is one.
private let noteVerification: @convention(c) (CInt, OpaquePointer?) -> CInt = { isValid, store in
    guard isValid == 0 else { return 1 }
    guard let store = unsafe store,
        let session = unsafe X509_STORE_CTX_get_ex_data(
            store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let notes = unsafe handshakeNotes(OpaquePointer(session)),
        notes.faults.count < ClientHandshakeNotes.faultsMax
    else { return 0 }
    let fault = unsafe CertificateFault(
        error: Int(X509_STORE_CTX_get_error(store)),
        depth: Int(X509_STORE_CTX_get_error_depth(store)))
    if !notes.faults.contains(fault) { notes.faults.append(fault) }
    return 1
}

private let noteCertificateRequest:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?,
        UnsafeMutablePointer<OpaquePointer?>?
    ) -> CInt = { session, _, _ in
        unsafe handshakeNotes(session)?.isCertificateRequested = true
        return 0
    }

private func handshakeNotes(_ session: OpaquePointer?) -> ClientHandshakeNotes? {
    guard let session = unsafe session, let notes = unsafe SSL_get_ex_data(session, 0) else {
        return nil
    }
    return unsafe Unmanaged<ClientHandshakeNotes>.fromOpaque(notes).takeUnretainedValue()
}
