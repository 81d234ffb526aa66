import TLS

/// The public key of a passkey, as its authenticator has written it (COSE, RFC 9053).
package struct PasskeyKey: Sendable {
    /// The written form, which the store keeps.
    package let cose: [UInt8]
    private let key: VerificationKey

    private static let bytesMax = 1_024

    /// - Throws: for another key than one of ES256 on P-256, or of RS256 with 2,048 to 4,096 bits.
    package init(cose: [UInt8]) throws(PasskeyFault) {
        var reader = CBORReader(cose)
        guard cose.count <= Self.bytesMax, let item = try? reader.item(), reader.isAtEnd else {
            throw .malformed
        }
        let found: VerificationKey?
        switch (item[1]?.integer, item[3]?.integer) {
        case (2, PasskeyAlgorithm.es256.rawValue):
            guard item[-1]?.integer == 1, let x = item[-2]?.bytes, let y = item[-3]?.bytes else {
                throw .malformed
            }
            found = VerificationKey(p256: x, y)
        case (3, PasskeyAlgorithm.rs256.rawValue):
            guard let modulus = item[-1]?.bytes, let exponent = item[-2]?.bytes else {
                throw .malformed
            }
            found = VerificationKey(rsa: modulus, exponent)
        default: throw .otherAlgorithm
        }
        guard let found else { throw .malformed }
        (self.cose, key) = (cose, found)
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        key.verifies(signature, of: message)
    }
}

/// An algorithm of passkeys by its number in the registry of COSE. Browsers are offered these, in this order.
package enum PasskeyAlgorithm: Int, CaseIterable, Sendable {
    case es256 = -7
    case rs256 = -257
}
