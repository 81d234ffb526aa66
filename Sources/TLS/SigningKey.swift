internal import COpenSSL

/// A private key on the curve P-256, for signatures of ES256 (RFC 7518 §3.4) and for certificates.
package struct SigningKey: Sendable {
    let key: PrivateKey
    /// The coordinates of the public key, 32 bytes each.
    package let x, y: [UInt8]

    /// Makes a new key.
    package init() throws(OpenSSLError) {
        ERR_clear_error()
        try self.init(makeKey())
    }

    /// Reads a key from a text in PEM form.
    /// - Throws: if it has no unencrypted key on P-256.
    package init(pem text: [UInt8]) throws(OpenSSLError) {
        ERR_clear_error()
        guard !isEncrypted(text), let key = CredentialReader().readPrivateKey(text) else {
            throw .drained("no private key can be read")
        }
        try self.init(key)
    }

    private init(_ key: PrivateKey) throws(OpenSSLError) {
        // 4, and both coordinates with their leading zeros (SEC 1 §2.3.3).
        var point = [UInt8](repeating: 0, count: 65)
        var count = 0
        let isRead = unsafe EVP_PKEY_get_octet_string_param(
            key.pointer, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count)
        guard isRead == 1, count == 65, point[0] == 4,
            unsafe waymark_EVP_is_P256(key.pointer) == 1
        else { throw .drained("the private key is not on the curve P-256") }
        self.key = key
        (x, y) = (Array(point[1..<33]), Array(point[33...]))
        ERR_clear_error()
    }

    /// The key in PEM form, unencrypted.
    package func pem() throws(OpenSSLError) -> [UInt8] { try TLS.pem(key) }

    /// The signature of SHA-256 and ECDSA, in the form of RFC 7518 §3.4: two numbers of 32 bytes.
    package func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        ERR_clear_error()
        guard let context = unsafe EVP_MD_CTX_new() else { throw .drained("no memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        guard
            unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw .drained("the key cannot sign") }
        // OpenSSL writes the numbers in DER, without their leading zeros.
        var numbers = [UInt8](repeating: 0, count: 64)
        let isSplit = unsafe signature.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let parsed = unsafe d2i_ECDSA_SIG(nil, &start, count) else { return false }
            defer { unsafe ECDSA_SIG_free(parsed) }
            return unsafe numbers.withUnsafeMutableBufferPointer { numbers in
                guard let first = numbers.baseAddress else { return false }
                return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(parsed), first, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), first + 32, 32) == 32
            }
        }
        guard isSplit else { throw .drained("the signature cannot be read") }
        return numbers
    }

    /// A request for a certificate of these hosts, in DER form (RFC 2986): without a subject, and
    /// with the names as alternative names.
    package func certificateRequest(for names: [String]) throws(OpenSSLError) -> [UInt8] {
        ERR_clear_error()
        guard let request = unsafe X509_REQ_new() else { throw .drained("no memory") }
        defer { unsafe X509_REQ_free(request) }
        let list = names.map { "DNS:\($0)" }.joined(separator: ",")
        guard unsafe waymark_X509_REQ_sign(request, key.pointer, list) == 1,
            let bytes = unsafe bytesWritten({ unsafe i2d_X509_REQ_bio($0, request) == 1 })
        else { throw .drained("the certificate request cannot be made") }
        return bytes
    }
}

/// The authentication code HMAC with SHA-256 (RFC 2104), 32 bytes.
package func hmacSHA256(_ message: [UInt8], key: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    ERR_clear_error()
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    guard
        unsafe HMAC(
            EVP_sha256(), key, CInt(key.count), message, message.count, &code, &count) != nil,
        count == 32
    else { throw .drained("no authentication code") }
    return code
}
