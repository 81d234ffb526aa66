internal import COpenSSL

/// `content` signed with `certificate`, including the chain and the content: CMS SignedData in DER
/// form (RFC 5652), which Apple's systems of the iOS 8 era read as association files.
/// - Throws: what OpenSSL could not do, in its words.
package func signedMessage(
    _ content: [UInt8], by certificate: ServerCertificate
) throws(OpenSSLError) -> [UInt8] {
    ERR_clear_error()
    let chain = unsafe OPENSSL_sk_new_null()
    defer { unsafe OPENSSL_sk_free(chain) }
    for intermediate in certificate.intermediates {
        unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(intermediate.pointer))
    }
    let flags = UInt32(CMS_BINARY | CMS_NOATTR)
    let message = unsafe withReadingBIO(content) { bio in
        unsafe CMS_sign(certificate.leaf.pointer, certificate.key.pointer, chain, bio, flags)
    }
    guard let message = unsafe message else { throw .drained("the file cannot be signed") }
    defer { unsafe CMS_ContentInfo_free(message) }
    guard let bytes = unsafe bytesWritten({ unsafe i2d_CMS_bio($0, message) == 1 }) else {
        throw .drained("the signature cannot be written")
    }
    return bytes
}

/// Checks a CMS SignedData message (RFC 5652 §5.4, §5.6): the signature of its content, and whether
/// the signer's certificate leads to a trusted one.
/// - Parameter roots: trusted certificates in PEM form; nil trusts the system's.
/// - Throws: what is wrong, in OpenSSL's words.
package func verifySignedMessage(
    _ message: [UInt8], trusting roots: [UInt8]?
) throws(OpenSSLError) {
    ERR_clear_error()
    let parsed = unsafe withReadingBIO(message) { bio in unsafe d2i_CMS_bio(bio, nil) }
    guard let parsed = unsafe parsed else { throw .drained("this is not a signed message") }
    defer { unsafe CMS_ContentInfo_free(parsed) }
    guard let store = unsafe X509_STORE_new() else { throw .drained("no memory") }
    defer { unsafe X509_STORE_free(store) }
    unsafe X509_STORE_set_purpose(store, CInt(X509_PURPOSE_ANY))
    if let roots {
        unsafe addCertificates(roots, to: store)
    } else {
        unsafe X509_STORE_set_default_paths(store)
    }
    let content = unsafe bytesWritten { output in
        unsafe CMS_verify(parsed, nil, store, nil, output, UInt32(CMS_BINARY)) == 1
    }
    guard content != nil else { throw .drained("the signature is not valid") }
    ERR_clear_error()
}

private func addCertificates(_ pem: [UInt8], to store: OpaquePointer) {
    _ = unsafe withReadingBIO(pem) { bio -> Bool? in
        while let certificate = unsafe PEM_read_bio_X509(bio, nil, nil, nil) {
            unsafe X509_STORE_add_cert(store, certificate)
            unsafe X509_free(certificate)
        }
        // The end of the text is not an error.
        ERR_clear_error()
        return true
    }
}
