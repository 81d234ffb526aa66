internal import COpenSSL

/// The SHA-256 of `bytes` (FIPS 180-4), 32 bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe SHA256(bytes, bytes.count, &digest)
    return digest
}

/// Random bytes for secrets.
/// - Throws: if the system has no randomness.
package func randomBytes(_ count: Int) throws(OpenSSLError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe RAND_bytes(&bytes, CInt(count)) == 1 else { throw .drained("no random bytes") }
    return bytes
}
