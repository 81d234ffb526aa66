internal import COpenSSL
private import Synchronization

/// One key: the name that its tickets contain, and secrets for MAC and cipher.
final class TicketKey: Sendable {
    private let name: SecretBytes
    private let macKey: SecretBytes
    private let cipherKey: SecretBytes
    private let cipher: CipherHandle

    static let nameBytes = 16

    /// A random key.
    convenience init() throws(OpenSSLError) {
        var bytes = try randomBytes(longFileBytes)
        defer { unsafe OPENSSL_cleanse(&bytes, bytes.count) }
        self.init(name: bytes[..<16], macKey: bytes[16..<48], cipherKey: bytes[48...])
    }

    /// Nil unless the file has 80 bytes (for AES-256: name, MAC key, cipher key) or 48 (for
    /// AES-128: name, cipher key, MAC key).
    convenience init?(file: [UInt8]) {
        switch file.count {
        case longFileBytes:
            self.init(name: file[..<16], macKey: file[16..<48], cipherKey: file[48...])
        case shortFileBytes:
            self.init(name: file[..<16], macKey: file[32...], cipherKey: file[16..<32])
        default: return nil
        }
    }

    private init(name: ArraySlice<UInt8>, macKey: ArraySlice<UInt8>, cipherKey: ArraySlice<UInt8>) {
        self.name = SecretBytes(name)
        self.macKey = SecretBytes(macKey)
        self.cipherKey = SecretBytes(cipherKey)
        cipher = cipherKey.count == 32 ? aes256 : aes128
    }

    func isNamed(_ other: UnsafePointer<UInt8>) -> Bool {
        unsafe CRYPTO_memcmp(name.pointer, other, Self.nameBytes) == 0
    }

    /// Writes the name and a new initialization vector, and prepares both contexts to encrypt.
    func seal(
        _ nameSpace: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>,
        _ context: OpaquePointer, _ mac: OpaquePointer
    ) -> Bool {
        unsafe nameSpace.update(from: name.pointer, count: Self.nameBytes)
        return unsafe RAND_bytes(vector, vectorBytes) == 1
            && EVP_EncryptInit_ex(context, cipher.pointer, nil, cipherKey.pointer, vector) == 1
            && waymark_EVP_MAC_use_HMAC_SHA256(mac, macKey.pointer, macKey.count) == 1
    }

    /// Prepares both contexts to decrypt a ticket that was encrypted with this key.
    func open(
        _ vector: UnsafePointer<UInt8>, _ context: OpaquePointer, _ mac: OpaquePointer
    ) -> Bool {
        unsafe waymark_EVP_MAC_use_HMAC_SHA256(mac, macKey.pointer, macKey.count) == 1
            && EVP_DecryptInit_ex(context, cipher.pointer, nil, cipherKey.pointer, vector) == 1
    }
}

private let aes256 = CipherHandle("AES-256-CBC")

private let aes128 = CipherHandle("AES-128-CBC")

/// The block size of AES.
private let vectorBytes: CInt = 16

private let longFileBytes = 80

private let shortFileBytes = 48
