import TLS

/// The authenticator data (WebAuthn Level 3 §6.1): flags, counter and, for a registration, the credential.
struct AuthenticatorData {
    /// The SHA-256 of the relying party's identifier.
    let relyingParty: [UInt8]
    let flags: Flags
    let counter: UInt32
    /// The new credential; nil in an assertion.
    let credential: (id: [UInt8], key: PasskeyKey)?

    struct Flags: OptionSet {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 1)
        static let userVerified = Flags(rawValue: 1 << 2)
        /// It may be on several devices.
        static let mayBeBackedUp = Flags(rawValue: 1 << 3)
        static let isBackedUp = Flags(rawValue: 1 << 4)
        static let hasCredential = Flags(rawValue: 1 << 6)
        static let hasExtensions = Flags(rawValue: 1 << 7)
    }

    private static let idBytesMax = 1_023

    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        guard bytes.count >= 37 else { throw .malformed }
        relyingParty = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var offset = 37
        if flags.contains(.hasCredential) {
            // 16 bytes say the model of the authenticator, 2 the length of the identifier.
            guard bytes.count >= 55 else { throw .malformed }
            let count = Int(bytes[53]) << 8 | Int(bytes[54])
            guard 1...Self.idBytesMax ~= count, bytes.count > 55 + count else { throw .malformed }
            var reader = CBORReader(bytes, at: 55 + count)
            guard (try? reader.item()) != nil else { throw .malformed }
            let key = try PasskeyKey(cose: Array(bytes[(55 + count)..<reader.offset]))
            credential = (Array(bytes[55..<(55 + count)]), key)
            offset = reader.offset
        } else {
            credential = nil
        }
        if flags.contains(.hasExtensions) {
            var reader = CBORReader(bytes, at: offset)
            guard case .map? = try? reader.item() else { throw .malformed }
            offset = reader.offset
        }
        guard offset == bytes.count else { throw .malformed }
    }

    /// Checks what is asked of every ceremony (§7.1, §7.2): the site, a person, and that it was that person.
    func check(for host: String) throws(PasskeyFault) {
        guard relyingParty == sha256(Array(host.utf8)) else { throw .otherSite }
        guard flags.contains(.userPresent), flags.contains(.userVerified) else {
            throw .notVerified
        }
        guard flags.contains(.mayBeBackedUp) || !flags.contains(.isBackedUp) else {
            throw .malformed
        }
    }
}
