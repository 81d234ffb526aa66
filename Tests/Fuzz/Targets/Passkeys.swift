import Passkeys

/// What an authenticator and a browser say: keys that are taken are read back, and nobody signs in with chance.
@Sendable func readPasskey(_ bytes: [UInt8]) {
    let party = RelyingParty(host: "a.example", origin: "https://a.example")
    if let key = try? PasskeyKey(cose: bytes) {
        require((try? PasskeyKey(cose: key.cose)) != nil, "a key is not read back")
        let answer = PasskeyAnswer(
            clientData: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes)
        let passkey = Passkey(id: bytes, key: key, counter: 0)
        require(
            (try? party.check(answer, of: passkey, challenge: [], person: bytes)) == nil,
            "chance signs in")
    }
    let client = Array(
        #"{"type":"webauthn.create","challenge":"AA","origin":"https://a.example"}"#.utf8)
    if let made = try? party.register(clientData: client, attestation: bytes, challenge: [0]) {
        require(!made.id.isEmpty && made.id.count <= 1_023, "\(made.id.count) bytes")
    }
    if let challenge = RelyingParty.challenge(in: bytes) {
        _ = try? party.register(clientData: bytes, attestation: client, challenge: challenge)
    }
}
