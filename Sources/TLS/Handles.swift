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
