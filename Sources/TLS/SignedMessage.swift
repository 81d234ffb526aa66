internal import COpenSSL

/// `content` signed with `certificate`, the chain and the content included: CMS SignedData in DER
/// form (RFC 5652), as Apple's systems of the iOS 8 era read association files.
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
