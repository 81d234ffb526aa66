internal import COpenSSL

/// A key that encrypts content and keeps it from being changed or exchanged unnoticed: AES-256-GCM, derived from a
/// secret by HKDF with SHA-256 (RFC 5869).
package struct SealingKey: Sendable {
    /// Tells keys of different secrets apart, and nothing about them.
    package let id: [UInt8]
    private let key: SecretBytes

    /// - Parameters:
    ///   - secret: has at least 32 bytes that nobody can guess: a derivation is no protection of a password.
    ///   - purpose: keys of different purposes have nothing to do with each other.
    package init(secret: [UInt8], purpose: String) throws(OpenSSLError) {
        let purpose = Array(purpose.utf8)
        key = SecretBytes(try hkdfSHA256(secret, info: purpose, count: 32))
        id = try hkdfSHA256(secret, info: purpose + Array(" id".utf8), count: Self.idBytes)
    }

    /// Encrypts content.
    /// - Parameter identity: the name of the place where it will be. It cannot be opened as that of another.
    package func seal(_ content: [UInt8], as identity: String) throws(OpenSSLError) -> [UInt8] {
        ERR_clear_error()
        let nonce = try randomBytes(Self.nonceBytes)
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .drained("no memory") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: content.count)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        let name = Array(identity.utf8)
        var count: CInt = 0
        guard
            unsafe EVP_EncryptInit_ex(context, gcm.pointer, nil, key.pointer, nonce) == 1,
            unsafe EVP_EncryptUpdate(context, nil, &count, name, CInt(name.count)) == 1,
            unsafe EVP_EncryptUpdate(context, &sealed, &count, content, CInt(content.count)) == 1,
            Int(count) == content.count,
            unsafe EVP_EncryptFinal_ex(context, nil, &count) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, CInt(Self.tagBytes), &tag) == 1
        else { throw .drained("nothing can be encrypted") }
        return [Self.form] + nonce + sealed + tag
    }

    /// The content that `seal` has encrypted with this key; nil if it was changed, or is of another identity or key.
    package func open(_ sealed: [UInt8], as identity: String) -> [UInt8]? {
        let start = 1 + Self.nonceBytes
        guard sealed.count >= start + Self.tagBytes, sealed[0] == Self.form,
            let context = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        defer {
            unsafe EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        let nonce = Array(sealed[1..<start])
        let inner = Array(sealed[start..<(sealed.count - Self.tagBytes)])
        var tag = Array(sealed.suffix(Self.tagBytes))
        var content = [UInt8](repeating: 0, count: inner.count)
        let name = Array(identity.utf8)
        var count: CInt = 0
        guard
            unsafe EVP_DecryptInit_ex(context, gcm.pointer, nil, key.pointer, nonce) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &count, name, CInt(name.count)) == 1,
            unsafe EVP_DecryptUpdate(context, &content, &count, inner, CInt(inner.count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, CInt(Self.tagBytes), &tag) == 1,
            unsafe EVP_DecryptFinal_ex(context, nil, &count) == 1
        else { return nil }
        return content
    }

    /// The first byte of what is encrypted in this way.
    private static let form: UInt8 = 1
    private static let idBytes = 8
    private static let nonceBytes = 12
    private static let tagBytes = 16
}

/// A key of RFC 5869, with SHA-256.
/// - Parameter count: at most 255 times 32.
func hkdfSHA256(
    _ secret: [UInt8], salt: [UInt8] = [], info: [UInt8], count: Int
) throws(OpenSSLError) -> [UInt8] {
    // The number of a block is one byte (§2.3). Callers ask for a constant: no count comes from outside.
    precondition(count <= 255 * 32)
    var extracted = try hmacSHA256(
        secret, key: salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt)
    defer { unsafe OPENSSL_cleanse(&extracted, extracted.count) }
    var (found, block) = ([UInt8](), [UInt8]())
    var number: UInt8 = 0
    while found.count < count {
        number += 1
        block = try hmacSHA256(block + info + [number], key: extracted)
        found += block
    }
    return Array(found.prefix(count))
}

private let gcm = CipherHandle("AES-256-GCM")
