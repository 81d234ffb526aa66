internal import COpenSSL

/// An X.509 certificate of OpenSSL, which is freed with this object.
@safe
final class Certificate: Sendable {
    // Threads can share it: it does not change, and OpenSSL counts references atomically.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe X509_free(pointer) }
}

/// A private key of OpenSSL, which is freed with this object.
@safe
final class PrivateKey: Sendable {
    // Threads can share it: it does not change, and OpenSSL counts references atomically.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }
}

/// The settings of new connections. They are freed with this object and the last connection.
@safe
final class ContextHandle: Sendable {
    // Threads can share it: it does not change after it was made, and OpenSSL locks what
    // connections share in it, and counts references atomically.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe SSL_CTX_free(pointer) }
}

/// A cipher, which is kept because OpenSSL 3 would search its providers at each use.
@safe
final class CipherHandle: Sendable {
    // Threads can share it: it does not change, and OpenSSL counts references atomically.
    nonisolated(unsafe) let pointer: OpaquePointer?

    init(_ name: String) { unsafe pointer = EVP_CIPHER_fetch(nil, name, nil) }

    deinit { unsafe EVP_CIPHER_free(pointer) }
}

/// Secret bytes, which are erased before their memory is freed.
@safe
final class SecretBytes: Sendable {
    // Threads can share it: only `init` writes the bytes, and only `deinit` erases them.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<UInt8>
    let count: Int

    init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        unsafe pointer = .allocate(capacity: count)
        for (index, byte) in bytes.enumerated() { unsafe pointer[index] = byte }
    }

    deinit {
        unsafe OPENSSL_cleanse(pointer, count)
        unsafe pointer.deallocate()
    }
}
