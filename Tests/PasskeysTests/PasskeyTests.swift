import PasskeySupport
import TLS
import Testing
import URISyntax

@testable import Passkeys

@Suite("Passkeys")
struct PasskeyTests {
    private let person = [UInt8](repeating: 1, count: 8)

    private func check(
        _ answer: PasskeyAnswer, _ passkey: Passkey, _ party: RelyingParty = .test
    ) throws(PasskeyFault) -> Int {
        try party.check(
            answer, of: passkey, challenge: TestAuthenticator.challenge, person: person)
    }

    @Test func `one is made and used`() throws {
        var device = try TestAuthenticator()
        let passkey = try device.register()
        #expect(passkey.id == device.id && passkey.counter == 0)
        // As the store gives it back.
        let stored = Passkey(
            id: passkey.id, key: try PasskeyKey(cose: passkey.key.cose), counter: 3)
        device.counter = 4
        #expect(try check(device.answer(), stored) == 4)
        #expect(try check(device.answer(userHandle: person), stored) == 4)
    }

    /// Each with what differs from an answer that is taken, for making one and for using it.
    private static let spoiled: [(PasskeyFault, @Sendable (inout TestAuthenticator) -> Void)] = [
        (.otherSite, { $0.host = "example.com" }), (.otherSite, { $0.host = "links.example.org" }),
        (.otherOrigin, { $0.origin = "https://links.example.com" }),
        (.otherOrigin, { $0.origin = "http://links.example.com:8443" }),
        (.otherOrigin, { $0.origin = "https://evil.links.example.com:8443" }),
        (.otherOrigin, { $0.origin = "https://links.example.com:8443/" }),
        (.otherOrigin, { $0.origin = "https://LINKS.example.com:8443" }),
        (.otherOrigin, { $0.more = #","crossOrigin":true"# }),
        (.otherOrigin, { $0.more = #","topOrigin":"https://evil.example""# }),
        (.otherChallenge, { $0.challenge[31] ^= 1 }), (.otherChallenge, { $0.challenge = [] }),
        (.otherChallenge, { $0.challenge.append(0) }),
        (.otherCeremony, { $0.type = "payment.get" }), (.otherCeremony, { $0.type = "" }),
        (.notVerified, { $0.flags = 0b001 }), (.notVerified, { $0.flags = 0b100 }),
        (.malformed, { $0.flags = 0b1_0101 }),
        (.malformed, { $0.more = #","type":"webauthn.create""# }),
        (.malformed, { $0.more = #","origin":"https://links.example.com:8443""# }),
        (.malformed, { $0.more = "," }),
        (.malformed, { $0.more = ",\"x\":\"" + String(repeating: "x", count: 5_000) + "\"" }),
    ]

    @Test("what is spoiled is refused", arguments: spoiled.indices)
    func refusals(_ index: Int) throws {
        let (fault, spoil) = Self.spoiled[index]
        var device = try TestAuthenticator()
        let passkey = try device.register()
        spoil(&device)
        #expect(throws: fault) { () throws(PasskeyFault) in try device.register() }
        let answer = try device.answer()
        #expect(throws: fault) { () throws(PasskeyFault) in try check(answer, passkey) }
    }

    @Test func `one ceremony is not the other`() throws {
        var device = try TestAuthenticator()
        let passkey = try device.register()
        device.type = "webauthn.get"
        #expect(throws: PasskeyFault.otherCeremony) { () throws(PasskeyFault) in
            try device.register()
        }
        device.type = "webauthn.create"
        let answer = try device.answer()
        #expect(throws: PasskeyFault.otherCeremony) { () throws(PasskeyFault) in
            try check(answer, passkey)
        }
    }

    @Test(
        "a copy is noticed where the authenticator counts",
        arguments: [
            (0, 0, true), (0, 1, true), (5, 6, true), (5, 5, false), (5, 4, false), (5, 0, false),
        ])
    func counters(before: Int, now: Int, isTaken: Bool) throws {
        var device = try TestAuthenticator()
        let made = try device.register()
        device.counter = UInt32(now)
        let passkey = Passkey(id: made.id, key: made.key, counter: before)
        let answer = try device.answer()
        if isTaken {
            #expect(try check(answer, passkey) == now)
        } else {
            #expect(throws: PasskeyFault.wasCopied) { () throws(PasskeyFault) in
                try check(answer, passkey)
            }
        }
    }

    @Test func `a signature is of this key and of these bytes`() throws {
        let device = try TestAuthenticator()
        let (passkey, other) = (try device.register(), try TestAuthenticator().register())
        let answer = try device.answer()
        #expect(try check(answer, passkey) == 0)
        func refused(_ answer: PasskeyAnswer, by passkey: Passkey) {
            #expect(throws: PasskeyFault.wrongSignature) { () throws(PasskeyFault) in
                try check(answer, passkey)
            }
        }
        refused(answer, by: other)
        for index in answer.signature.indices {
            var signature = answer.signature
            signature[index] ^= 1
            refused(
                PasskeyAnswer(
                    clientData: answer.clientData, authenticatorData: answer.authenticatorData,
                    signature: signature, userHandle: nil), by: passkey)
        }
        for signature in [[], [0x30, 0], Array(answer.signature.dropLast())] {
            refused(
                PasskeyAnswer(
                    clientData: answer.clientData, authenticatorData: answer.authenticatorData,
                    signature: signature, userHandle: nil), by: passkey)
        }
        let foreign = try device.answer(userHandle: [2])
        #expect(throws: PasskeyFault.otherPerson) { () throws(PasskeyFault) in
            try check(foreign, passkey)
        }
    }

    /// Made with OpenSSL; its private key is not kept.
    @Test func `a signature of RS256`() throws {
        let cose =
            "pAEDAzkBACBZAQC61o7QQKAauiMUjtgW0am1kMfZRopDw0GezFHIK5l2E0VzG9Lvt2LlrRvT6K4JixbvUAh52EGdHwQr"
            + "ROtg-2XEQ1mSVzjhI5eMkD4e8LptTeaL6fCOVWsUJuN8kRB0s2g9A2nfx6mF-kT_zkxWVox-dZAUsD5ewYgJFHqiIXwq"
            + "UnZs-U-iL9gQWgRDAVRvPAMEFv-yBtWOaT-1b8nzhsgUyaNz8fW99wQjKcWh045D5b1OBhPnO_w-cMpFDLLk8E3D83uX"
            + "knhPXYeQxvw4UXpnc63iQQ4t_olBhwj05h-IZvayTM-Xov3As_426bsveyDg76JV9UMxuOu8i6cirEGpIUMBAAE"
        let signature =
            "LUt3DQxpxFyEEd2cTCwJBLVP9x3YPlVaso_zzjSzqqjXWfk7ZUPdZqyzE8GLHaCGzfT16710huL35jhCduwxTOwPIr88"
            + "Bi1YoZBKjSFMAEsmWLHqgnpC84V_gmYTaHAb1X-4FhKLRo9YiMh63z6RlWhLY2RL3Dx8yeyggSjwajSCbiwwFDk36bab"
            + "J0M8NwfM-v9Wb6Eyne8ICbfABMNOZkkRACZlf4jXl2Lp0kBDn4zemAjUYTIyT8LLEfAOK0tf5Ft8rrPrtoZzfzrryTyv"
            + "OKEofpdHV9ogP3pNTyzaxicRucSa2yrjsnjjLZqDSzNKYVuvUxl9SzE8M0cHxKiR_A"
        let client =
            #"{"type":"webauthn.get","challenge":"AAECAwQFBgcICQoLDA0ODw","origin":"https://links.example.com"}"#
        let answer = PasskeyAnswer(
            clientData: Array(client.utf8),
            authenticatorData: try #require(
                base64URLDecoded("iyz9D1i509_ca_ihE-kII8n0P3EUOdkn1_4SK6R5iMYFAAAABw")),
            signature: try #require(base64URLDecoded(signature)), userHandle: nil)
        let party = RelyingParty(
            host: "links.example.com", origin: "https://links.example.com")
        let bytes = try #require(base64URLDecoded(cose))
        let passkey = Passkey(id: [1], key: try PasskeyKey(cose: bytes), counter: 6)
        let challenge = [UInt8](0..<16)
        #expect(try party.check(answer, of: passkey, challenge: challenge, person: []) == 7)
        // An even modulus, a short one, and exponents that no key has.
        for (offset, byte) in [(bytes.count - 6, UInt8(0)), (bytes.count - 1, 0)] {
            var wrong = bytes
            wrong[offset] = byte
            #expect(throws: PasskeyFault.malformed) { () throws(PasskeyFault) in
                try PasskeyKey(cose: wrong)
            }
        }
    }

    @Test(arguments: [(0, false), (1, true), (1_023, true), (1_024, false)])
    func `a credential has so long an identifier`(_ count: Int, _ isTaken: Bool) throws {
        var device = try TestAuthenticator()
        device.id = [UInt8](repeating: 1, count: count)
        if isTaken {
            #expect(try device.register().id.count == count)
        } else {
            #expect(throws: PasskeyFault.malformed) { () throws(PasskeyFault) in
                try device.register()
            }
        }
    }

    @Test("keys of other kinds", arguments: [-8, -35, -36, -37, -65_535, 0])
    func algorithms(_ algorithm: Int) throws {
        var device = try TestAuthenticator()
        device.algorithm = algorithm
        #expect(throws: PasskeyFault.otherAlgorithm) { () throws(PasskeyFault) in
            try device.register()
        }
    }

    /// Every change of one byte, and every end, is refused or changes nothing that is looked at.
    @Test func `nothing that is read ends the process`() throws {
        let device = try TestAuthenticator()
        let (client, whole) = (
            device.clientData("create"), device.attestation(of: device.created())
        )
        func register(_ attestation: [UInt8]) -> Passkey? {
            try? RelyingParty.test.register(
                clientData: client, attestation: attestation,
                challenge: TestAuthenticator.challenge)
        }
        #expect(register(whole) != nil)
        for count in 0..<whole.count { #expect(register(Array(whole[..<count])) == nil) }
        #expect(register(whole + [0]) == nil)
        for index in whole.indices {
            for change in [UInt8(1), 0x20, 0x80, 0xFF] {
                var attestation = whole
                attestation[index] ^= change
                _ = register(attestation)
            }
        }
        // A point that is not on the curve.
        var data = device.created()
        data[data.count - 1] ^= 1
        #expect(register(device.attestation(of: data)) == nil)
        // What follows the key.
        #expect(register(device.attestation(of: device.created([0xA0]))) == nil)
    }
}
