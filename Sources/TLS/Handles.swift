internal import COpenSSL

// OpenSSL counts references to these objects atomically, and nothing changes them once they are
// made: they may be shared by threads although the compiler cannot see why.

/// An X.509 certificate of OpenSSL's, freed with its owner.
@safe
final class Certificate: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe X509_free(pointer) }
}

/// A private key of OpenSSL's, freed with its owner.
@safe
final class PrivateKey: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }
}

/// The settings that connections begin with, freed with its owner and the last connection.
@safe
final class ContextHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe SSL_CTX_free(pointer) }
}

/// A cipher, looked up once: OpenSSL 3 would search its providers again at each use.
@safe
final class CipherHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer?

    init(_ name: String) { unsafe pointer = EVP_CIPHER_fetch(nil, name, nil) }

    deinit { unsafe EVP_CIPHER_free(pointer) }
}

/// Bytes that nobody else should see, erased before their memory is used for anything else.
@safe
final class SecretBytes: Sendable {
    // Written by `init` alone, and erased when nobody can read it any more.
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
