internal import COpenSSL
private import Synchronization

/// The keys that encrypt session tickets (RFC 5077 §4, RFC 8446 §4.6.1): the first encrypts, and
/// all decrypt. They belong to no context, so that a ticket is valid in every loop and after a
/// reload.
package final class TicketKeys: Sendable {
    private let keys: Mutex<[TicketKey]>

    /// A random key, which `rotate` replaces.
    package init() throws(OpenSSLError) { keys = Mutex([try TicketKey()]) }

    /// Keys that several servers share: the contents of key files in nginx's format, the current
    /// one first.
    /// - Throws: which of the files has the wrong length.
    package init(files: [[UInt8]]) throws(TicketKeyError) {
        precondition(!files.isEmpty)
        var read = [TicketKey]()
        for (index, file) in files.enumerated() {
            guard let key = TicketKey(file: file) else {
                throw TicketKeyError(index: index, bytes: file.count)
            }
            read.append(key)
        }
        keys = Mutex(read)
    }

    /// Encrypts with a new key from now on. Tickets of the two keys before it can still be
    /// decrypted. Older keys are erased, so that recorded connections of theirs cannot be decrypted
    /// later.
    package func rotate() throws(OpenSSLError) {
        let key = try TicketKey()
        keys.withLock { keys in
            keys.insert(key, at: 0)
            keys.removeLast(max(0, keys.count - (1 + previousMax)))
        }
    }

    /// The key that encrypts now.
    var current: TicketKey? { keys.withLock { $0.first } }

    /// The key with this name, and whether it is not the one that encrypts now.
    func find(_ name: UnsafePointer<UInt8>) -> (key: TicketKey, isOld: Bool)? {
        keys.withLock { keys in
            for (index, key) in keys.enumerated() where unsafe key.isNamed(name) {
                return (key, index > 0)
            }
            return nil
        }
    }
}

/// A file of ticket keys with the wrong length.
package struct TicketKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the file, and its length.
    package let index: Int
    package let bytes: Int

    package var description: String {
        "a ticket key file has \(bytes) bytes, must have 80 (or 48)"
    }
}

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

    private init(
        name: ArraySlice<UInt8>, macKey: ArraySlice<UInt8>, cipherKey: ArraySlice<UInt8>
    ) {
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

/// The number of keys before the current one that can decrypt tickets.
private let previousMax = 2
