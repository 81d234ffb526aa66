/// A credential with which a person signs in (WebAuthn Level 3): its private key is in a device of theirs, and the store
/// has the public one.
package struct Passkey: Sendable {
    package let id: [UInt8]
    package let key: PasskeyKey
    /// The authenticator's signature counter (§6.1.1); 0 if it does not count.
    package let counter: Int

    package init(id: [UInt8], key: PasskeyKey, counter: Int) {
        (self.id, self.key, self.counter) = (id, key, counter)
    }
}

/// An assertion (§5.2.2): a browser's answer when a passkey is used.
package struct PasskeyAnswer: Sendable {
    package let clientData, authenticatorData, signature: [UInt8]
    /// Nil if the authenticator has none.
    package let userHandle: [UInt8]?

    package init(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
    ) {
        (self.clientData, self.authenticatorData) = (clientData, authenticatorData)
        (self.signature, self.userHandle) = (signature, userHandle)
    }
}
