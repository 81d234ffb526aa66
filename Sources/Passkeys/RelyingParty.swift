import TLS

/// The console's host as authenticators know it.
package struct RelyingParty: Sendable {
    /// Its identifier; passkeys are bound to it.
    package let host: String
    /// With the port, as browsers write it.
    package let origin: String

    package init(host: String, origin: String) { (self.host, self.origin) = (host, origin) }

    /// The challenge that a browser says to answer, by which it is found; nil if it says none.
    package static func challenge(in clientData: [UInt8]) -> [UInt8]? {
        ClientData.challenge(in: clientData)
    }

    /// Reads a new passkey (§7.1). No attestation is asked for, so the statement of one proves nothing and is not read:
    /// which models of authenticators there are is nothing that the console needs to know.
    /// - Parameters:
    ///   - clientData: as the browser has sent it.
    ///   - attestation: the attestation object.
    package func register(
        clientData: [UInt8], attestation: [UInt8], challenge: [UInt8]
    ) throws(PasskeyFault) -> Passkey {
        _ = try ClientData(clientData, .create, challenge: challenge, origin: origin)
        var reader = CBORReader(attestation)
        guard attestation.count <= Self.attestationBytesMax, let item = try? reader.item(),
            reader.isAtEnd, let bytes = item["authData"]?.bytes, item["fmt"] != nil
        else { throw .malformed }
        let data = try AuthenticatorData(bytes)
        try data.check(for: host)
        guard let credential = data.credential else { throw .malformed }
        return Passkey(id: credential.id, key: credential.key, counter: Int(data.counter))
    }

    private static let attestationBytesMax = 16_384

    /// Checks the answer of a passkey (§7.2).
    /// - Parameters:
    ///   - userHandle: the person whom the authenticator has it for; nil if it does not say.
    ///   - person: whose it is.
    /// - Returns: the counter that the store is to have.
    package func check(
        _ answer: PasskeyAnswer, of passkey: Passkey, challenge: [UInt8], person: [UInt8]
    ) throws(PasskeyFault) -> Int {
        let client = try ClientData(answer.clientData, .get, challenge: challenge, origin: origin)
        let data = try AuthenticatorData(answer.authenticatorData)
        try data.check(for: host)
        if let handle = answer.userHandle, handle != person { throw .otherPerson }
        guard
            passkey.key.verifies(
                answer.signature, of: answer.authenticatorData + sha256(client.bytes))
        else { throw .wrongSignature }
        let counter = Int(data.counter)
        guard counter > passkey.counter || counter == 0 && passkey.counter == 0 else {
            throw .wasCopied
        }
        return counter
    }
}
