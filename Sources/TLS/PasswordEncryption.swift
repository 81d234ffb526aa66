internal import COpenSSL

/// The content that a password keeps (RFC 8018 §6, RFC 7292 Appendix B); nil if the password is another one, or if
/// OpenSSL does not have the algorithm.
/// - Parameter algorithm: an `AlgorithmIdentifier` in DER. The caller has bounded its iterations.
package func decrypted(_ content: [UInt8], algorithm: [UInt8], password: [UInt8]) -> [UInt8]? {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let known = unsafe parsed(algorithm) else { return nil }
    defer { unsafe X509_ALGOR_free(known) }
    var (data, count) = unsafe (UnsafeMutablePointer<UInt8>?.none, CInt(0))
    let secret = password.map { CChar(bitPattern: $0) }
    let isRead = unsafe PKCS12_pbe_crypt(
        known, secret, CInt(secret.count), content, CInt(content.count), &data, &count, 0)
    guard unsafe isRead != nil, let start = unsafe data else { return nil }
    defer { unsafe waymark_OPENSSL_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

private func parsed(_ algorithm: [UInt8]) -> UnsafeMutablePointer<X509_ALGOR>? {
    unsafe algorithm.withUnsafeBufferPointer { bytes in
        var start = bytes.baseAddress
        return unsafe d2i_X509_ALGOR(nil, &start, bytes.count)
    }
}
